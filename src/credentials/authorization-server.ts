/** OAuth 2.0 authorization servers (RFC 6749, RFC 8414, OpenID Connect Discovery 1.0) as security schemes name them. */
import * as oauth from "oauth4webapi";
import { ToolError } from "../codemode/tool-error.js";
import type { HttpClient } from "../http/client.js";
import { fetchWith } from "../http/fetch.js";
import type { OAuthFlow, SecurityScheme } from "../openapi/plan.js";
import { CredentialError } from "./sources.js";

export type OAuthScheme = Extract<SecurityScheme, { type: "oauth2" | "openIdConnect" }>;

/** What is known of the client at the authorization server. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly tokenEndpointAuthMethod?: string | undefined;
}

export type Grant =
  | { readonly type: "client_credentials"; readonly parameters: Readonly<Record<string, string>> }
  | {
      readonly type: "refresh_token";
      readonly refreshToken: string;
      readonly parameters: Readonly<Record<string, string>>;
    };

export interface AuthorizationServer {
  readonly metadata: oauth.AuthorizationServer;
  /** False when the document named endpoints and no metadata. */
  readonly issuerKnown: boolean;
  /** Options of every request of oauth4webapi to this server. */
  requestOptions(url: string | undefined): { [oauth.customFetch]: never; [oauth.allowInsecureRequests]?: true };
}

/** Flows in which a token URL is looked for, the one that fits first. */
type FlowName = "clientCredentials" | "authorizationCode" | "deviceAuthorization" | "password";

/**
 * Finds the endpoints of a scheme: those of the flow wanted, else of another one; from metadata where the document names
 * that. A relative URL is one of the API's server.
 *
 * @param origin of the API's server
 * @throws CredentialError when the document names none; ToolError when metadata cannot be fetched
 */
export async function authorizationServer(
  name: string,
  scheme: OAuthScheme,
  wanted: FlowName,
  client: HttpClient,
  origin: string,
): Promise<AuthorizationServer> {
  const metadataUrl = scheme.type === "openIdConnect" ? scheme.openIdConnectUrl : scheme.metadataUrl;
  const published =
    metadataUrl === undefined ? undefined : await fetchMetadata(name, endpoint(name, metadataUrl, origin), client);
  const flow = scheme.type === "oauth2" ? flowOf(scheme.flows, wanted) : undefined;
  const named = flow?.tokenUrl ?? published?.token_endpoint;
  if (named === undefined)
    throw new CredentialError(`The document names no token URL for the security scheme "${name}".`);
  const tokenUrl = endpoint(name, named, origin);
  const resolved = (url: string | undefined): string | undefined =>
    url === undefined ? undefined : endpoint(name, url, origin).href;
  const metadata: oauth.AuthorizationServer = {
    // The library wants an issuer; a document that names endpoints only has none, and nothing is compared with it.
    issuer: tokenUrl.origin,
    ...published,
    token_endpoint: tokenUrl.href,
    ...defined("authorization_endpoint", resolved(flow?.authorizationUrl ?? published?.authorization_endpoint)),
    ...defined(
      "device_authorization_endpoint",
      resolved(flow?.deviceAuthorizationUrl ?? published?.device_authorization_endpoint),
    ),
  };
  return {
    metadata,
    issuerKnown: published !== undefined,
    requestOptions: (url) => {
      const insecure = (url === undefined ? tokenUrl : new URL(url)).protocol === "http:";
      return {
        [oauth.customFetch]: ((href: string, init: Parameters<typeof fetchWith>[3]) =>
          fetchWith(client, name, href, init)) as never,
        // `endpoint` lets plain http through for the loopback interface only.
        ...(insecure ? { [oauth.allowInsecureRequests]: true as const } : {}),
      };
    },
  };
}

function flowOf(flows: Readonly<Record<string, OAuthFlow>>, wanted: FlowName): OAuthFlow | undefined {
  const order: FlowName[] = [wanted, "authorizationCode", "clientCredentials", "deviceAuthorization", "password"];
  return order.map((flow) => flows[flow]).find((flow) => flow?.tokenUrl !== undefined);
}

async function fetchMetadata(name: string, target: URL, client: HttpClient): Promise<oauth.AuthorizationServer> {
  const answer = await fetchWith(client, name, target.href, { headers: { Accept: "application/json" } });
  const value = answer.status === 200 ? ((await answer.json().catch(() => undefined)) as unknown) : undefined;
  if (typeof value !== "object" || value === null || typeof (value as oauth.AuthorizationServer).issuer !== "string")
    throw new ToolError(
      `${target.origin} gave no metadata for the security scheme "${name}" (status ${answer.status}).`,
    );
  return value as oauth.AuthorizationServer;
}

/**
 * Asks for a token.
 *
 * @throws ToolError when the server refuses
 */
export async function requestToken(
  name: string,
  server: AuthorizationServer,
  client: OAuthClient,
  grant: Grant,
): Promise<oauth.TokenEndpointResponse> {
  const send = async (auth: oauth.ClientAuth): Promise<oauth.TokenEndpointResponse> => {
    const options = server.requestOptions(server.metadata.token_endpoint);
    const of = { client_id: client.clientId };
    const response =
      grant.type === "client_credentials"
        ? await oauth.clientCredentialsGrantRequest(server.metadata, of, auth, { ...grant.parameters }, options)
        : await oauth.refreshTokenGrantRequest(server.metadata, of, auth, grant.refreshToken, {
            ...options,
            additionalParameters: { ...grant.parameters },
          });
    return oauth.processGenericTokenEndpointResponse(server.metadata, of, await withoutIdToken(response));
  };
  return withClientAuthentication(name, server, client, send);
}

/**
 * Runs a request with the way of authentication that was configured, or that the server publishes, or
 * `client_secret_basic` (RFC 6749, 2.3.1). A server that refuses the latter is asked once with `client_secret_post`.
 */
export async function withClientAuthentication<A>(
  name: string,
  { metadata }: AuthorizationServer,
  client: OAuthClient,
  send: (auth: oauth.ClientAuth) => Promise<A>,
): Promise<A> {
  const { clientSecret } = client;
  try {
    if (clientSecret === undefined || client.tokenEndpointAuthMethod === "none") return await send(oauth.None());
    const published = metadata.token_endpoint_auth_methods_supported;
    const method =
      client.tokenEndpointAuthMethod ??
      (published === undefined || published.includes("client_secret_basic")
        ? "client_secret_basic"
        : "client_secret_post");
    if (method === "client_secret_post") return await send(oauth.ClientSecretPost(clientSecret));
    if (method !== "client_secret_basic")
      throw new CredentialError(
        `"${method}" is not a way of client authentication that works here.`,
        "Use client_secret_basic, client_secret_post or none.",
      );
    try {
      return await send(oauth.ClientSecretBasic(clientSecret));
    } catch (error) {
      const guessed = client.tokenEndpointAuthMethod === undefined && published === undefined;
      if (!guessed || !isRefusal(error, "invalid_client")) throw error;
      return await send(oauth.ClientSecretPost(clientSecret));
    }
  } catch (error) {
    throw tokenFailure(name, error);
  }
}

function isRefusal(error: unknown, code: string): boolean {
  return (
    (error instanceof oauth.ResponseBodyError && error.error === code) ||
    (code === "invalid_client" && error instanceof oauth.WWWAuthenticateChallengeError)
  );
}

/** Nothing here needs to know who the user is, and an ID token's checks need an issuer that documents do not name. */
export async function withoutIdToken(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return new Response(text, { status: response.status, headers: response.headers });
  }
  if (typeof body === "object" && body !== null) delete (body as { id_token?: unknown }).id_token;
  return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
}

/** What a person needs to know of a refused token request. */
export function tokenFailure(name: string, error: unknown): unknown {
  if (error instanceof ToolError || error instanceof CredentialError) return error;
  const text = (value: string | undefined): string =>
    value === undefined ? "" : value.replace(/[^\x20-\x7e]+/g, " ").slice(0, 200);
  if (error instanceof oauth.ResponseBodyError) {
    const why = text(error.error_description);
    return new ToolError(
      `The authorization server refused a token for "${name}": ${text(error.error)}${why === "" ? "" : ` (${why})`}.`,
      { cause: error },
    );
  }
  if (error instanceof oauth.AuthorizationResponseError)
    return new ToolError(`The authorization server refused access for "${name}": ${text(error.error)}.`, {
      cause: error,
    });
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return new ToolError(
      `The authorization server refused the client of "${name}" (status ${error.response.status}).`,
      { cause: error },
    );
  return new ToolError(`The authorization server's answer for "${name}" is not a token answer.`, { cause: error });
}

/** An endpoint that secrets may be sent to, and that a browser may be opened with. @throws CredentialError */
function endpoint(name: string, url: string, origin: string): URL {
  if (!URL.canParse(url, `${origin}/`))
    throw new CredentialError(`The security scheme "${name}" names "${url.slice(0, 200)}", which is no URL.`);
  const target = new URL(url, `${origin}/`);
  if (target.protocol !== "https:" && !(target.protocol === "http:" && isLoopback(target.hostname)))
    throw new CredentialError(
      `The security scheme "${name}" names ${target.protocol}//${target.host}, and tokens are only asked for over https.`,
    );
  return target;
}

/** RFC 8252, 7.3 and 8.3: plain http is for the loopback interface only. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function defined<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: string });
}
