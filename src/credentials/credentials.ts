/** The credentials of one API: what was given for each security scheme, and the header fields the host adds. */
import type { HttpClient } from "../http/client.js";
import type { CredentialPlace } from "../http/message.js";
import type { RequiredScheme, SecurityScheme } from "../openapi/plan.js";
import type { CredentialParts } from "./parts.js";
import { headerPlace } from "./place.js";
import { REDACTED } from "./redaction.js";
import { type SchemeSession, simpleSession } from "./session.js";
import { CredentialError, parseSource, parseSourceOrText, type SecretSource } from "./sources.js";
import type { TokenStore } from "./token-store.js";

export interface CredentialsOptions {
  /** Sends token requests, and its redactor learns every secret. */
  readonly client: HttpClient;
  /** By name of the security scheme: a source (`env:NAME`, …), or the parts themselves. */
  readonly schemes?: Readonly<Record<string, string | CredentialParts>> | undefined;
  /** Fields added to every request of the API: a source or plain text, secret either way. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The API's name as `--auth <api>.<scheme>` needs it; `undefined` when there is one API. */
  readonly api?: string | undefined;
  /** Tokens that `login` obtained. */
  readonly tokens?: TokenStore | undefined;
}

/** Whether a scheme can be satisfied: `undefined` when it can, else what is missing, as the end of a sentence. */
export type Missing =
  | { readonly given: boolean; readonly problem: string; readonly hint?: string | undefined }
  | undefined;

export interface Credentials {
  readonly api: string | undefined;
  readonly client: HttpClient;
  /** Names of the schemes that something was given for. */
  readonly given: readonly string[];
  /** What keeps a scheme from being satisfied. Reads no secret. */
  missing(required: RequiredScheme, origin: string): Promise<Missing>;
  session(required: RequiredScheme, origin: string): SchemeSession;
  /** The fields that the host adds. @throws CredentialError */
  hostFields(): Promise<{ name: string; value: string }[]>;
}

/**
 * The credentials of an API. In a dry run a missing one is the failure that the real run would have, and no server is
 * asked for tokens; in a replay it is `[redacted]`, as archives have it.
 *
 * @throws CredentialError when a source is malformed or of the wrong kind
 */
export function makeCredentials(options: CredentialsOptions): Credentials {
  const { client, api } = options;
  const { redactor } = client;
  const sources = new Map<string, SecretSource>();
  for (const [name, given] of Object.entries(options.schemes ?? {}))
    sources.set(
      name,
      named(`the security scheme "${name}"`, () => sourceOf(given)),
    );
  const headers = Object.entries(options.headers ?? {}).map(
    ([name, given]) => [name, named(`the header "${name}"`, () => parseSourceOrText(given, redactor))] as const,
  );
  const sessions = new Map<string, SchemeSession>();
  const placeholder = client.mode === "replay";

  function sourceOf(given: string | CredentialParts): SecretSource {
    return typeof given === "string"
      ? parseSource(given, redactor)
      : parseSource(`literal:${JSON.stringify(given)}`, redactor);
  }

  function hostField(scheme: SecurityScheme): boolean {
    const field =
      scheme.type === "mutualTLS"
        ? undefined
        : scheme.type !== "apiKey"
          ? "authorization"
          : scheme.in === "header"
            ? scheme.name.toLowerCase()
            : undefined;
    return field !== undefined && headers.some(([name]) => name.toLowerCase() === field);
  }

  function makeSession({ name, scheme }: RequiredScheme, origin: string): SchemeSession {
    const source = sources.get(name);
    if (source === undefined && hostField(scheme)) return { apply: async () => ({ places: [] }) };
    if (scheme.type === "oauth2" || scheme.type === "openIdConnect") {
      if (placeholder) return placeholderSession(name, scheme);
      return oauthSession(name, scheme, source, origin, options);
    }
    if (source === undefined) return placeholderSession(name, scheme);
    return simpleSession(name, scheme, source, redactor);
  }

  return {
    api,
    client,
    given: [...sources.keys()],
    missing: async ({ name, scheme }, origin) => {
      if (placeholder) return undefined;
      const source = sources.get(name);
      if (source !== undefined) {
        const problem = source.problem();
        return problem === undefined
          ? undefined
          : { given: true, problem: `${source.label} ${problem}`, hint: source.hint };
      }
      if (
        (scheme.type === "oauth2" || scheme.type === "openIdConnect") &&
        (await options.tokens?.find(name, origin)) !== undefined
      )
        return undefined;
      // A field that the host adds anyway may be the very one that the scheme asks for.
      if (hostField(scheme)) return undefined;
      return { given: false, problem: "no credential was given" };
    },
    session: (required, origin) => {
      const key = `${required.name}\n${required.scheme.type === "oauth2" || required.scheme.type === "openIdConnect" ? origin : ""}`;
      let session = sessions.get(key);
      if (session === undefined) sessions.set(key, (session = makeSession(required, origin)));
      return session;
    },
    hostFields: () => Promise.all(headers.map(async ([name, source]) => ({ name, value: await source.read() }))),
  };
}

/** Adds to a failure what it is about. */
function named<A>(about: string, make: () => A): A {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw new CredentialError(`${error.message.replace(/\.$/, "")}, for ${about}.`, error.hint);
  }
}

function oauthSession(
  name: string,
  scheme: Extract<SecurityScheme, { type: "oauth2" | "openIdConnect" }>,
  source: SecretSource | undefined,
  origin: string,
  options: CredentialsOptions,
): SchemeSession {
  // OAuth is loaded by those who use it.
  let loaded: Promise<SchemeSession> | undefined;
  const load = async (): Promise<SchemeSession> => {
    const { makeOAuthSession } = await import("./oauth2.js");
    return makeOAuthSession({ name, scheme, source, origin, client: options.client, tokens: options.tokens });
  };
  return { apply: async (request, required, signal) => (await (loaded ??= load())).apply(request, required, signal) };
}

/** For replays: an archive knows where a credential stood, not what it was, and holds the answers to challenges. */
function placeholderSession(name: string, scheme: SecurityScheme): SchemeSession {
  const places = placeholders(name, scheme);
  return {
    apply: async () => ({
      places,
      answered: async (sent, response) => (response.status === 401 ? sent : undefined),
    }),
  };
}

function placeholders(name: string, scheme: SecurityScheme): CredentialPlace[] {
  switch (scheme.type) {
    case "apiKey":
      return [{ in: scheme.in, name: scheme.name, value: REDACTED }];
    case "http":
      if (scheme.scheme === "digest") return [];
      return [headerPlace("Authorization", `${scheme.scheme === "basic" ? "Basic" : "Bearer"} ${REDACTED}`, name)];
    case "oauth2":
    case "openIdConnect":
      return [headerPlace("Authorization", `Bearer ${REDACTED}`, name)];
    case "mutualTLS":
      return [];
  }
}
