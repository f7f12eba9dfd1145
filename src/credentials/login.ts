/**
 * Logging in: a person grants access in a browser, by authorization code with PKCE on a loopback port (RFC 6749, 4.1;
 * RFC 7636; RFC 8252) or by device code (RFC 8628). The token goes to the token store.
 */
import * as Effect from "effect/Effect";
import * as oauth from "oauth4webapi";
import { ToolError } from "../codemode/tool-error.js";
import type { HttpClient } from "../http/client.js";
import { pause } from "../http/deadline.js";
import {
  type AuthorizationServer,
  authorizationServer,
  type OAuthClient,
  type OAuthScheme,
  tokenFailure,
  withClientAuthentication,
  withoutIdToken,
} from "./authorization-server.js";
import { type Callback, listenForCallback } from "./login-callback.js";
import { redactError } from "./redact-error.js";
import { CredentialError } from "./sources.js";
import type { StoredToken, TokenStore } from "./token-store.js";

/** What the person has to do. */
export type LoginPrompt =
  | { readonly type: "open"; readonly url: string }
  | {
      readonly type: "device";
      readonly url: string;
      readonly code: string;
      readonly completeUrl: string | undefined;
      readonly expiresInMs: number;
    };

export interface LoginOptions {
  /** Name of the security scheme. */
  readonly name: string;
  readonly scheme: OAuthScheme;
  /** Origin of the API's server: the token belongs to it. */
  readonly origin: string;
  readonly client: HttpClient;
  readonly tokens: TokenStore;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly tokenEndpointAuthMethod?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  /** Default: authorization code where the server has it, else device code. */
  readonly flow?: "authorizationCode" | "deviceAuthorization" | undefined;
  /** Port of the loopback redirect URI. Default: a free one, which RFC 8252, 7.3 has servers accept. */
  readonly port?: number | undefined;
  /** Milliseconds for the person to grant access. Default 300,000. */
  readonly timeoutMs?: number | undefined;
  /** Shows the person what to do. */
  readonly prompt: (prompt: LoginPrompt) => void;
}

/** Obtains a token and stores it. Interruption gives up and frees the port. */
export function login(options: LoginOptions): Effect.Effect<StoredToken, ToolError> {
  return Effect.tryPromise({
    try: (signal) => run(options, AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs ?? 300_000)])),
    catch: (error) => failure(options, error),
  });
}

async function run(options: LoginOptions, signal: AbortSignal): Promise<StoredToken> {
  const { name, scheme, client } = options;
  if (options.clientSecret !== undefined) client.redactor.add(options.clientSecret);
  const server = await authorizationServer(name, scheme, options.flow ?? "authorizationCode", client, options.origin);
  const device =
    options.flow === "deviceAuthorization" ||
    (options.flow === undefined && server.metadata.authorization_endpoint === undefined);
  const asked = Date.now();
  const answer = await (device ? byDeviceCode : byAuthorizationCode)(options, server, signal);
  client.redactor.add(answer.access_token);
  if (answer.refresh_token !== undefined) client.redactor.add(answer.refresh_token);
  const token: StoredToken = {
    scheme: name,
    origin: options.origin,
    tokenUrl: server.metadata.token_endpoint!,
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    tokenEndpointAuthMethod: options.tokenEndpointAuthMethod,
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: answer.expires_in === undefined ? undefined : asked + answer.expires_in * 1000,
    scopes: answer.scope?.split(" ") ?? options.scopes,
  };
  await options.tokens.save(token);
  return token;
}

function oauthClient(options: LoginOptions): OAuthClient & oauth.Client {
  return {
    client_id: options.clientId,
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    tokenEndpointAuthMethod: options.tokenEndpointAuthMethod,
  };
}

async function byAuthorizationCode(
  options: LoginOptions,
  server: AuthorizationServer,
  signal: AbortSignal,
): Promise<oauth.TokenEndpointResponse> {
  const { name } = options;
  const endpoint = server.metadata.authorization_endpoint;
  if (endpoint === undefined)
    throw new CredentialError(`The document names no authorization URL for the security scheme "${name}".`);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const callback: Callback = await listenForCallback(options.port ?? 0, state);
  try {
    const url = new URL(endpoint);
    const parameters: Record<string, string> = {
      response_type: "code",
      client_id: options.clientId,
      redirect_uri: callback.redirectUri,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(options.scopes === undefined || options.scopes.length === 0 ? {} : { scope: options.scopes.join(" ") }),
    };
    for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
    options.prompt({ type: "open", url: url.href });
    const answered = await callback.answer(signal);
    // RFC 9207: comparable where the issuer is known; a document that names endpoints only does not tell it.
    if (!server.issuerKnown) answered.delete("iss");
    const client = oauthClient(options);
    const valid = oauth.validateAuthResponse(server.metadata, client, answered, state);
    return await withClientAuthentication(name, server, client, async (auth) => {
      const response = await oauth.authorizationCodeGrantRequest(
        server.metadata,
        client,
        auth,
        valid,
        callback.redirectUri,
        verifier,
        server.requestOptions(server.metadata.token_endpoint),
      );
      return oauth.processAuthorizationCodeResponse(server.metadata, client, await withoutIdToken(response));
    });
  } finally {
    callback.close();
  }
}

async function byDeviceCode(
  options: LoginOptions,
  server: AuthorizationServer,
  signal: AbortSignal,
): Promise<oauth.TokenEndpointResponse> {
  const { name } = options;
  const endpoint = server.metadata.device_authorization_endpoint;
  if (endpoint === undefined)
    throw new CredentialError(`The document names no device authorization URL for the security scheme "${name}".`);
  const client = oauthClient(options);
  const scope: Record<string, string> =
    options.scopes === undefined || options.scopes.length === 0 ? {} : { scope: options.scopes.join(" ") };
  const started = await withClientAuthentication(name, server, client, async (auth) =>
    oauth.processDeviceAuthorizationResponse(
      server.metadata,
      client,
      await oauth.deviceAuthorizationRequest(server.metadata, client, auth, scope, server.requestOptions(endpoint)),
    ),
  );
  options.client.redactor.add(started.device_code);
  options.prompt({
    type: "device",
    url: started.verification_uri,
    code: started.user_code,
    completeUrl: started.verification_uri_complete,
    expiresInMs: started.expires_in * 1000,
  });
  const end = Date.now() + started.expires_in * 1000;
  // RFC 8628, 3.5: five seconds unless the server says otherwise, and five more whenever it says so.
  for (let interval = (started.interval ?? 5) * 1000; ; ) {
    await pause(interval, signal);
    try {
      return await withClientAuthentication(name, server, client, async (auth) => {
        const response = await oauth.deviceCodeGrantRequest(
          server.metadata,
          client,
          auth,
          started.device_code,
          server.requestOptions(server.metadata.token_endpoint),
        );
        return oauth.processDeviceCodeResponse(server.metadata, client, await withoutIdToken(response));
      });
    } catch (error) {
      const code =
        error instanceof ToolError && error.cause instanceof oauth.ResponseBodyError ? error.cause.error : undefined;
      if (code === "slow_down") interval += 5000;
      else if (code !== "authorization_pending") throw error;
      if (Date.now() > end)
        throw new ToolError(`The device code for "${name}" has expired.`, { hint: "Log in again." });
    }
  }
}

function failure({ name, client }: LoginOptions, error: unknown): ToolError {
  const known = tokenFailure(name, error);
  const late = error instanceof DOMException && error.name === "TimeoutError";
  const failed = late
    ? new ToolError(`Nobody granted access for "${name}" in time.`, { hint: "Log in again." })
    : known instanceof ToolError
      ? known
      : known instanceof CredentialError
        ? new ToolError(known.message, known.hint === undefined ? {} : { hint: known.hint })
        : new ToolError(`Logging in to "${name}" failed.`, { cause: error });
  return redactError(failed, client.redactor);
}
