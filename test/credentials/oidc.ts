/** oidc-provider as the authorization server of the suites: a certified implementation, on loopback. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface AuthorizationServerUnderTest {
  readonly issuer: string;
  /** Bodies of token requests so far. */
  readonly tokenRequests: { body: URLSearchParams; authorization: string | undefined }[];
  /** True when the token is one that was issued and is still valid. */
  valid(token: string): Promise<boolean>;
  revoke(token: string): Promise<void>;
  close(): Promise<void>;
}

export async function startOidcProvider(accessTokenSeconds = 3600): Promise<AuthorizationServerUnderTest> {
  // The package has no types; a name in a variable keeps the compiler from looking for them.
  const name = "oidc-provider";
  const { default: Provider } = (await import(name)) as { default: any };
  const http: Server = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const tokenRequests: AuthorizationServerUnderTest["tokenRequests"] = [];
  const secret = "client/secret+with=odd:characters";
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "machine",
        client_secret: secret,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
        scope: "read write",
      },
      {
        client_id: "poster",
        client_secret: secret,
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
        scope: "read write",
        token_endpoint_auth_method: "client_secret_post",
      },
      {
        client_id: "person",
        application_type: "native",
        grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
        redirect_uris: ["http://127.0.0.1/callback"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
    ],
    scopes: ["openid", "offline_access", "read", "write"],
    features: {
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      devInteractions: { enabled: true },
    },
    ttl: { ClientCredentials: accessTokenSeconds, AccessToken: accessTokenSeconds },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    cookies: { keys: ["k"] },
    renderError: (ctx: any, out: any) => {
      ctx.type = "text";
      ctx.body = JSON.stringify(out);
    },
  });
  const callback = provider.callback();
  http.on("request", (request, response) => {
    if (request.url === "/token" && request.method === "POST") {
      const chunks: Buffer[] = [];
      const entry = { body: new URLSearchParams(), authorization: request.headers.authorization };
      tokenRequests.push(entry);
      request.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        entry.body = new URLSearchParams(Buffer.concat(chunks).toString());
      });
    }
    callback(request, response);
  });
  const find = async (token: string) =>
    (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
  return {
    issuer,
    tokenRequests,
    valid: async (token) => (await find(token))?.isValid === true,
    revoke: async (token) => (await find(token))?.destroy(),
    close: () => {
      http.closeAllConnections();
      return new Promise((resolve) => http.close(() => resolve()));
    },
  };
}

/** The person at the browser: signs in, consents, and follows redirects until one leaves the server. */
export async function browse(start: string, issuer: string, userCode?: string): Promise<Response> {
  const cookies: { name: string; value: string; path: string }[] = [];
  let next: { url: string; form?: URLSearchParams } = { url: start };
  for (let step = 0; step < 30; step++) {
    const { pathname } = new URL(next.url);
    const sent = cookies.filter(({ path, value }) => pathname.startsWith(path) && value !== "");
    const response: Response = await fetch(next.url, {
      redirect: "manual",
      headers: { cookie: sent.map(({ name, value }) => `${name}=${value}`).join("; ") },
      ...(next.form === undefined ? {} : { method: "POST", body: next.form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; path=([^;]+)/i.exec(line)?.[1] ?? "/";
      const at = cookies.findIndex((cookie) => cookie.name === name && cookie.path === path);
      if (at >= 0) cookies.splice(at, 1);
      cookies.push({ name, value, path });
    }
    const location = response.headers.get("location");
    if (location !== null) {
      const url = new URL(location, next.url);
      if (url.origin !== issuer) return fetch(url);
      next = { url: url.href };
      continue;
    }
    const html = await response.text();
    const form = /<form[^>]*action="([^"]+)"[\s\S]*?<\/form>/.exec(html);
    if (form === null) return new Response(html, { status: response.status });
    const fields = new URLSearchParams();
    for (const [input] of form[0].matchAll(/<input[^>]*>/g))
      fields.append(/name="([^"]+)"/.exec(input)?.[1] ?? "", /value="([^"]*)"/.exec(input)?.[1] ?? "");
    if (fields.has("login")) fields.set("login", "someone");
    if (fields.has("password")) fields.set("password", "anything");
    if (fields.has("user_code") && userCode !== undefined) fields.set("user_code", userCode);
    next = { url: new URL(form[1]!, next.url).href, form: fields };
  }
  throw new Error("the browser is lost");
}
