import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { authorize } from "../../src/credentials/authorize.js";
import { type CredentialsOptions, makeCredentials } from "../../src/credentials/credentials.js";
import { type LoginOptions, login } from "../../src/credentials/login.js";
import { makeTokenStore } from "../../src/credentials/token-store.js";
import { makeHttpClient } from "../../src/http/client.js";
import type { SecurityPlan, SecurityScheme } from "../../src/openapi/plan.js";
import { type Outcome, request, send } from "../http/client.js";
import { answer, type RawServer, rawServer } from "../http/raw-server.js";
import { type AuthorizationServerUnderTest, browse, startOidcProvider } from "./oidc.js";

let provider: AuthorizationServerUnderTest;
let api: RawServer;
const folder = mkdtempSync(join(tmpdir(), "oauth-"));
beforeAll(async () => {
  provider = await startOidcProvider();
  // An API that accepts what the provider issued.
  api = await rawServer(async (socket, sent) => {
    const token = /^Bearer (.+)$/.exec(sent.headers["authorization"] ?? "")?.[1] ?? "";
    const good = await provider.valid(token);
    socket.write(
      good
        ? answer(200, {}, `hello ${token}`)
        : answer(401, { "WWW-Authenticate": 'Bearer error="invalid_token"' }, "who?"),
    );
  });
});
afterAll(async () => {
  await provider.close();
  await api.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  provider.tokenRequests.length = 0;
  api.requests.length = 0;
});

const SECRET = "client/secret+with=odd:characters";
const oauth2 = (flow: string, more: object = {}): SecurityScheme => ({
  type: "oauth2",
  flows: {
    [flow]: {
      tokenUrl: `${provider.issuer}/token`,
      authorizationUrl: `${provider.issuer}/auth`,
      deviceAuthorizationUrl: `${provider.issuer}/device/auth`,
      scopes: {},
      ...more,
    },
  },
});
const need = (scheme: SecurityScheme, scopes: string[] = []): SecurityPlan => ({
  alternatives: [[{ name: "o", scheme, scopes }]],
});

function setup(options: Omit<CredentialsOptions, "client">) {
  const client = makeHttpClient({ retries: 0 });
  const credentials = makeCredentials({ client, ...options });
  const authorized = (security: SecurityPlan, more = {}) =>
    Effect.runPromise(authorize(request(api.origin, "/", more), security, credentials, { tool: "op" }));
  const call = async (security: SecurityPlan, more = {}): Promise<Outcome> =>
    send(client, await authorized(security, more));
  return { client, call, authorized };
}

describe("client credentials", () => {
  test("get a token once, for many waiting calls, and use it again", async () => {
    const { call } = setup({ schemes: { o: { clientId: "machine", clientSecret: SECRET } } });
    const security = need(oauth2("clientCredentials"), ["read"]);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => call(security)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await call(security)).status).toBe(200);
    expect(provider.tokenRequests).toHaveLength(1);
    expect(provider.tokenRequests[0]!.body.get("scope")).toBe("read");
    expect(provider.tokenRequests[0]!.authorization).toMatch(/^Basic /);
  });

  test("ask for other scopes when an operation needs them, and only then", async () => {
    const { call } = setup({ schemes: { o: { clientId: "machine", clientSecret: SECRET } } });
    await call(need(oauth2("clientCredentials"), ["read", "write"]));
    await call(need(oauth2("clientCredentials"), ["write"]));
    expect(provider.tokenRequests.map(({ body }) => body.get("scope"))).toEqual(["read write"]);
    const fixed = setup({ schemes: { o: { clientId: "machine", clientSecret: SECRET, scopes: "read" } } });
    await fixed.call(need(oauth2("clientCredentials"), ["write"]));
    expect(provider.tokenRequests.at(-1)!.body.get("scope")).toBe("read");
  });

  test("a refused token is renewed once, and the request repeated with its body", async () => {
    const { call } = setup({ schemes: { o: { clientId: "machine", clientSecret: SECRET } } });
    const security = need(oauth2("clientCredentials"));
    const token = (await call(security)).text.slice("hello ".length);
    await provider.revoke(token);
    const outcomes = await Promise.all([1, 2, 3].map(() => call(security, { method: "POST", body: "data" })));
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(provider.tokenRequests).toHaveLength(2);
    expect(
      api.requests
        .filter(({ headers }) => headers["authorization"]?.endsWith(token) === false)
        .map(({ body }) => body.toString()),
    ).toEqual(["data", "data", "data"]);
  });

  test("a token is renewed before it ends", async () => {
    const brief = await startOidcProvider(1);
    try {
      const scheme: SecurityScheme = {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: `${brief.issuer}/token`, scopes: {} } },
      };
      const { authorized } = setup({ schemes: { o: { clientId: "machine", clientSecret: SECRET } } });
      const first = (await authorized(need(scheme))).headers;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const second = (await authorized(need(scheme))).headers;
      expect(second).not.toEqual(first);
      expect(brief.tokenRequests).toHaveLength(2);
    } finally {
      await brief.close();
    }
  });

  test("a server that wants the secret in the body gets it there", async () => {
    const token = await rawServer((socket, sent) => {
      const right =
        sent.headers["authorization"] === undefined &&
        new URLSearchParams(sent.body.toString()).get("client_secret") === SECRET;
      const [status, body] = right
        ? [200, { access_token: "posted-token", token_type: "Bearer" }]
        : [401, { error: "invalid_client" }];
      socket.write(answer(status as number, { "Content-Type": "application/json" }, JSON.stringify(body)));
    });
    try {
      const { authorized } = setup({ schemes: { o: { clientId: "machine", clientSecret: SECRET } } });
      const sent = await authorized(need(oauth2("clientCredentials", { tokenUrl: `${token.origin}/token` })));
      expect(sent.headers).toContainEqual(["Authorization", "Bearer posted-token"]);
      expect(token.requests).toHaveLength(2);
    } finally {
      await token.close();
    }
  });

  test("a refusal that repeats the secret is told without it", async () => {
    const token = await rawServer((socket) => {
      const body = { error: "invalid_scope", error_description: `client_secret ${SECRET} may not have this` };
      socket.write(answer(400, { "Content-Type": "application/json" }, JSON.stringify(body)));
    });
    try {
      const { call } = setup({ schemes: { o: { clientId: "machine", clientSecret: SECRET } } });
      const failed = call(need(oauth2("clientCredentials", { tokenUrl: `${token.origin}/token` })));
      await expect(failed).rejects.toThrow(/invalid_scope \(client_secret \[redacted\] may not have this\)/);
    } finally {
      await token.close();
    }
  });

  test("a relative token URL is one of the API's server", async () => {
    const both = await rawServer((socket, { target }) => {
      const token = { access_token: "relative-token", token_type: "bearer" };
      socket.write(
        answer(200, { "Content-Type": "application/json" }, target === "/auth/token" ? JSON.stringify(token) : "{}"),
      );
    });
    try {
      const client = makeHttpClient({ retries: 0 });
      const credentials = makeCredentials({ client, schemes: { o: { clientId: "machine", clientSecret: SECRET } } });
      const scheme = oauth2("clientCredentials", { tokenUrl: "/auth/token" });
      const sent = await Effect.runPromise(
        authorize(request(both.origin, "/v1/x"), need(scheme), credentials, { tool: "op" }),
      );
      expect(sent.headers).toContainEqual(["Authorization", "Bearer relative-token"]);
    } finally {
      await both.close();
    }
  });

  test("OpenID Connect finds the token endpoint by discovery", async () => {
    const { call } = setup({ schemes: { o: { clientId: "machine", clientSecret: SECRET } } });
    const scheme: SecurityScheme = {
      type: "openIdConnect",
      openIdConnectUrl: `${provider.issuer}/.well-known/openid-configuration`,
    };
    expect((await call(need(scheme))).status).toBe(200);
  });

  test.each([
    [
      "a wrong secret",
      { clientId: "machine", clientSecret: "wrong-secret" },
      (): SecurityScheme => oauth2("clientCredentials"),
      /refused (a token|the client).*/,
    ],
    [
      "a token URL over http elsewhere",
      { clientId: "machine", clientSecret: SECRET },
      (): SecurityScheme => oauth2("clientCredentials", { tokenUrl: "http://auth.example/token" }),
      /only asked for over https/,
    ],
    [
      "a token URL that is none",
      { clientId: "machine", clientSecret: SECRET },
      (): SecurityScheme => oauth2("clientCredentials", { tokenUrl: "https://[" }),
      /is no URL/,
    ],
    [
      "a token URL that is a file",
      { clientId: "machine", clientSecret: SECRET },
      (): SecurityScheme => oauth2("clientCredentials", { tokenUrl: "file:///etc/passwd" }),
      /only asked for over https/,
    ],
    [
      "no token URL",
      { clientId: "machine", clientSecret: SECRET },
      (): SecurityScheme => ({ type: "oauth2", flows: {} }),
      /names no token URL/,
    ],
    [
      "metadata that is none",
      { clientId: "machine", clientSecret: SECRET },
      (): SecurityScheme => ({ type: "openIdConnect", openIdConnectUrl: `${provider.issuer}/nothing` }),
      /gave no metadata/,
    ],
    [
      "a server that is down",
      { clientId: "machine", clientSecret: SECRET },
      (): SecurityScheme => oauth2("clientCredentials", { tokenUrl: "http://127.0.0.1:1/token" }),
      /connection was refused/,
    ],
  ])("%s fails clearly, without the secret", async (_, parts, scheme, message) => {
    const { call } = setup({ schemes: { o: parts } });
    const error = await call(need(scheme())).then(
      () => undefined,
      (failure: Error) => failure,
    );
    expect(error?.message).toMatch(message);
    expect(JSON.stringify(error?.message)).not.toContain(parts.clientSecret);
    expect(api.requests).toEqual([]);
  });
});

describe("a login", () => {
  const store = () => makeTokenStore(join(folder, "state", "tokens.json"));
  const options = (more: Partial<LoginOptions> & Pick<LoginOptions, "prompt">): LoginOptions => ({
    name: "o",
    scheme: oauth2("authorizationCode") as LoginOptions["scheme"],
    origin: api.origin,
    client: makeHttpClient(),
    tokens: store(),
    clientId: "person",
    scopes: ["openid", "offline_access", "read"],
    ...more,
  });

  test("by authorization code with PKCE gives a token that calls use and refresh", async () => {
    let page: Promise<Response> | undefined;
    const token = await Effect.runPromise(
      login(
        options({
          prompt: (prompt) => {
            page = browse(prompt.url, provider.issuer);
          },
        }),
      ),
    );
    expect(await (await page!).text()).toContain("You can close this window");
    expect(token).toMatchObject({ scheme: "o", origin: api.origin, clientId: "person" });
    expect(statSync(store().path).mode & 0o777).toBe(0o600);
    const exchange = provider.tokenRequests[0]!.body;
    expect(exchange.get("code_verifier")).toMatch(/^.{43,}$/);

    const { call } = setup({ tokens: store() });
    const security = need(oauth2("authorizationCode"));
    expect((await call(security)).text).toBe(`hello ${token.accessToken}`);
    await provider.revoke(token.accessToken);
    expect((await call(security)).status).toBe(200);
    // The refresh token was rotated: what is on disk is what works next.
    const kept = JSON.parse(readFileSync(store().path, "utf8")).tokens[0];
    expect(kept.accessToken).not.toBe(token.accessToken);
    expect(kept.refreshToken).not.toBe(token.refreshToken);
    await provider.revoke(kept.accessToken);
    expect((await setup({ tokens: store() }).call(security)).status).toBe(200);
  });

  test("by device code", async () => {
    await store().remove("o", api.origin);
    let page: Promise<Response> | undefined;
    const prompt: LoginOptions["prompt"] = (shown) => {
      if (shown.type === "device") page = browse(shown.completeUrl ?? shown.url, provider.issuer, shown.code);
    };
    const token = await Effect.runPromise(login(options({ flow: "deviceAuthorization", prompt })));
    await page;
    expect(await provider.valid(token.accessToken)).toBe(true);
    expect((await setup({ tokens: store() }).call(need(oauth2("deviceAuthorization")))).status).toBe(200);
  });

  test("is of one server: another document's server does not get the token", async () => {
    const client = makeHttpClient();
    const credentials = makeCredentials({ client, tokens: store() });
    const elsewhere = request("http://127.0.0.2:9", "/");
    const error = await Effect.runPromise(
      Effect.flip(authorize(elsewhere, need(oauth2("authorizationCode")), credentials, { tool: "op" })),
    );
    expect(error.message).toContain('"o"');
  });

  test("turns away a callback without its state, and says when access was refused", async () => {
    const prompt: LoginOptions["prompt"] = async (shown) => {
      const redirect = new URL(new URL(shown.url).searchParams.get("redirect_uri")!);
      expect((await fetch(`${redirect}?code=stolen&state=guess`)).status).toBe(404);
      const state = new URL(shown.url).searchParams.get("state")!;
      await fetch(`${redirect}?error=access_denied&state=${encodeURIComponent(state)}`);
    };
    const error = await Effect.runPromise(Effect.flip(login(options({ prompt }))));
    expect(error.message).toMatch(/refused access for "o": access_denied/);
  });

  test("gives up in time, and when interrupted frees its port", async () => {
    const error = await Effect.runPromise(Effect.flip(login(options({ prompt: () => {}, timeoutMs: 200 }))));
    expect(error.message).toMatch(/Nobody granted access/);
  });
});
