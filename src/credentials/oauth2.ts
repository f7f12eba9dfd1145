/** OAuth 2.0 and OpenID Connect at call time: tokens by client credentials or refresh, kept, and renewed in time. */
import { ToolError } from "../codemode/tool-error.js";
import type { HttpClient } from "../http/client.js";
import type { HttpRequest } from "../http/message.js";
import {
  type AuthorizationServer,
  authorizationServer,
  type Grant,
  type OAuthClient,
  type OAuthScheme,
  requestToken,
} from "./authorization-server.js";
import { type CredentialParts, namedParts } from "./parts.js";
import { headerPlace, placeCredentials } from "./place.js";
import { REDACTED } from "./redaction.js";
import type { SchemeSession } from "./session.js";
import { CredentialError, type SecretSource } from "./sources.js";
import type { StoredToken, TokenStore } from "./token-store.js";

export interface OAuthSessionOptions {
  readonly name: string;
  readonly scheme: OAuthScheme;
  readonly source: SecretSource | undefined;
  /** Origin of the API's server: stored tokens belong to it. */
  readonly origin: string;
  readonly client: HttpClient;
  readonly tokens: TokenStore | undefined;
}

/** Milliseconds before its end from which a token is no longer used; a tenth of its life when that is shorter. */
const EARLY_MS = 30_000;

interface Token {
  readonly value: string;
  /** What was asked for; a token serves every operation that needs no more. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** Milliseconds of the epoch. */
  readonly renewAt: number;
}

/** Where tokens come from: given as they are, or by a grant. */
interface Origin {
  /** A token that is at hand; used until the server refuses it. */
  readonly first: Token | undefined;
  /** Obtains a new one; absent when the user gave a bare access token. */
  readonly renew: ((scopes: readonly string[]) => Promise<Token>) | undefined;
  /** True when tokens are asked for with the scopes of the operation. */
  readonly scoped: boolean;
}

export function makeOAuthSession(options: OAuthSessionOptions): SchemeSession {
  const { name, client } = options;
  const kept: Token[] = [];
  const running = new Map<string, Promise<Token>>();
  let origin: Promise<Origin> | undefined;

  const tokenFrom = async (from: Origin, wanted: readonly string[]): Promise<Token> => {
    const scopes = from.scoped ? wanted : [];
    const now = Date.now();
    const usable = kept.find(
      (token) =>
        token.renewAt > now && (token.scopes === undefined || scopes.every((scope) => token.scopes!.has(scope))),
    );
    if (usable !== undefined) return usable;
    if (from.renew === undefined)
      throw new CredentialError(
        `The access token for "${name}" is no longer valid.`,
        options.source === undefined ? `Log in again: codemode-openapi login <spec> ${name}` : "Give a new one.",
      );
    // One request for however many calls wait for it.
    const key = [...scopes].sort().join(" ");
    let request = running.get(key);
    if (request === undefined) {
      request = from
        .renew(scopes)
        .then((token) => {
          kept.unshift(token);
          return token;
        })
        .finally(() => running.delete(key));
      running.set(key, request);
    }
    return request;
  };

  const load = async (): Promise<Origin> => {
    const loaded = await loadOrigin(options);
    if (loaded.first !== undefined) kept.push(loaded.first);
    return loaded;
  };

  const place = (value: string) => headerPlace("Authorization", `Bearer ${value}`, name);

  return {
    apply: async (_request, required, signal) => {
      origin ??= load();
      origin.catch(() => (origin = undefined));
      const from = await untilAborted(origin, signal);
      // A dry run asks no server for a token; what would be sent is a secret in any case.
      if (client.mode === "dry-run") return { places: [place(from.first?.value ?? REDACTED)] };
      const token = await untilAborted(tokenFrom(from, required.scopes), signal);
      client.redactor.add(token.value);
      return {
        places: [place(token.value)],
        answered: async (sent, response, during) => {
          if (response.status !== 401 || from.renew === undefined) return undefined;
          // Another call may have renewed it meanwhile; only the token that was refused is dropped.
          const at = kept.indexOf(token);
          if (at >= 0) kept.splice(at, 1);
          const next = await untilAborted(tokenFrom(from, required.scopes), during);
          client.redactor.add(next.value);
          return next.value === token.value ? undefined : withToken(sent, place(next.value));
        },
      };
    },
  };
}

function withToken(sent: HttpRequest, place: ReturnType<typeof headerPlace>): HttpRequest {
  const others = (sent.authorization?.places ?? []).filter(
    ({ in: where, name }) => where !== "header" || name !== "Authorization",
  );
  return { ...placeCredentials(sent, [place]), authorization: { ...sent.authorization, places: [...others, place] } };
}

async function loadOrigin(options: OAuthSessionOptions): Promise<Origin> {
  const { name, source, tokens, client } = options;
  if (source === undefined) {
    const stored = await tokens?.find(name, options.origin);
    if (stored === undefined) throw new CredentialError(`No credential was given for "${name}".`);
    return storedOrigin(stored, options);
  }
  const text = await source.read();
  const parts = namedParts(text);
  if (parts === undefined)
    return {
      first: { value: text.replace(/^Bearer\s+/i, ""), scopes: undefined, renewAt: Number.POSITIVE_INFINITY },
      renew: undefined,
      scoped: false,
    };
  for (const secret of [parts.clientSecret, parts.refreshToken, parts.accessToken])
    if (secret !== undefined) client.redactor.add(secret);
  return partsOrigin(parts, options);
}

function partsOrigin(parts: CredentialParts, options: OAuthSessionOptions): Origin {
  const { name } = options;
  const { clientId, clientSecret, refreshToken, accessToken } = parts;
  const configured =
    typeof parts.scopes === "string" ? parts.scopes.split(/\s+/).filter((scope) => scope !== "") : parts.scopes;
  const first: Token | undefined =
    accessToken === undefined
      ? undefined
      : { value: accessToken, scopes: undefined, renewAt: Number.POSITIVE_INFINITY };
  if (clientId === undefined) {
    if (first !== undefined && refreshToken === undefined) return { first, renew: undefined, scoped: false };
    throw new CredentialError(
      `The credential for "${name}" names no clientId.`,
      'Write it as {"clientId","clientSecret"}, with "refreshToken" where there is one.',
    );
  }
  if (refreshToken === undefined && clientSecret === undefined) {
    throw new CredentialError(
      `The credential for "${name}" names a clientId, but neither clientSecret nor refreshToken.`,
      `Obtain a token with: codemode-openapi login <spec> ${name}`,
    );
  }
  const server = lazily(() =>
    authorizationServer(
      name,
      options.scheme,
      refreshToken === undefined ? "clientCredentials" : "authorizationCode",
      options.client,
      options.origin,
    ),
  );
  const oauthClient: OAuthClient = { clientId, clientSecret, tokenEndpointAuthMethod: parts.tokenEndpointAuthMethod };
  let refresh = refreshToken;
  return {
    first,
    scoped: configured === undefined && refreshToken === undefined,
    renew: async (wanted) => {
      const scopes = configured ?? wanted;
      const parameters = { ...parts.parameters, ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }) };
      const grant: Grant =
        refresh === undefined
          ? { type: "client_credentials", parameters }
          : {
              type: "refresh_token",
              refreshToken: refresh,
              parameters: configured === undefined ? { ...parts.parameters } : parameters,
            };
      const { token, refreshed } = await obtain(options, await server(), oauthClient, grant, scopes);
      // Servers may give a new refresh token with every answer, and the old one is then void (RFC 6749, 6).
      refresh = refreshed ?? refresh;
      return token;
    },
  };
}

function storedOrigin(stored: StoredToken, options: OAuthSessionOptions): Origin {
  const { redactor } = options.client;
  for (const secret of [stored.accessToken, stored.refreshToken, stored.clientSecret])
    if (secret !== undefined) redactor.add(secret);
  const first: Token = {
    value: stored.accessToken,
    scopes: undefined,
    renewAt: stored.expiresAt === undefined ? Number.POSITIVE_INFINITY : stored.expiresAt - EARLY_MS,
  };
  if (stored.refreshToken === undefined) return { first, renew: undefined, scoped: false };
  // The token endpoint is the one of the login: a document that names another one later gets no refresh token.
  const scheme: OAuthScheme = {
    type: "oauth2",
    flows: { authorizationCode: { tokenUrl: stored.tokenUrl, scopes: {} } },
  };
  const server = lazily(() =>
    authorizationServer(options.name, scheme, "authorizationCode", options.client, options.origin),
  );
  let current = stored;
  return {
    first,
    scoped: false,
    renew: async () => {
      const grant: Grant = { type: "refresh_token", refreshToken: current.refreshToken!, parameters: {} };
      const { token, refreshed, expiresAt } = await obtain(options, await server(), current, grant, []);
      current = { ...current, accessToken: token.value, refreshToken: refreshed ?? current.refreshToken, expiresAt };
      await options.tokens?.save(current);
      return token;
    },
  };
}

async function obtain(
  { name, client }: OAuthSessionOptions,
  server: AuthorizationServer,
  oauthClient: OAuthClient,
  grant: Grant,
  scopes: readonly string[],
): Promise<{ token: Token; refreshed: string | undefined; expiresAt: number | undefined }> {
  const asked = Date.now();
  const answer = await requestToken(name, server, oauthClient, grant);
  client.redactor.add(answer.access_token);
  if (answer.refresh_token !== undefined) client.redactor.add(answer.refresh_token);
  const lifeMs = answer.expires_in === undefined ? Number.POSITIVE_INFINITY : answer.expires_in * 1000;
  return {
    token: {
      value: answer.access_token,
      scopes: new Set(scopes),
      renewAt: asked + lifeMs - Math.min(EARLY_MS, lifeMs / 10),
    },
    refreshed: answer.refresh_token,
    expiresAt: Number.isFinite(lifeMs) ? asked + lifeMs : undefined,
  };
}

/** A shared wait that each caller can leave: one interrupted call must not end the renewal of the others. */
function untilAborted<A>(promise: Promise<A>, signal: AbortSignal): Promise<A> {
  return new Promise((resolve, reject) => {
    const abort = (): void =>
      reject(signal.reason instanceof ToolError ? signal.reason : new ToolError("The call was interrupted."));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function lazily<A>(make: () => Promise<A>): () => Promise<A> {
  let made: Promise<A> | undefined;
  return () => {
    made ??= make();
    made.catch(() => (made = undefined));
    return made;
  };
}
