import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ToolError } from "../../src/codemode/tool-error.js";
import { authorize } from "../../src/credentials/authorize.js";
import { type CredentialsOptions, makeCredentials } from "../../src/credentials/credentials.js";
import { type HttpClientOptions, makeHttpClient } from "../../src/http/client.js";
import type { HttpRequest } from "../../src/http/message.js";
import type { RequiredScheme, SecurityPlan, SecurityScheme } from "../../src/openapi/plan.js";
import { request, send } from "../http/client.js";
import { answer, type RawServer, type Received, rawServer } from "../http/raw-server.js";

let server: RawServer;
const folder = mkdtempSync(join(tmpdir(), "credentials-"));
beforeAll(async () => {
  server = await rawServer((socket) => socket.write(answer(200, {}, "ok")));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  server.requests.length = 0;
});

const key = (name: string, where: "header" | "query" | "cookie" = "header"): SecurityScheme => ({
  type: "apiKey",
  in: where,
  name,
});
const bearer: SecurityScheme = { type: "http", scheme: "bearer" };
const basic: SecurityScheme = { type: "http", scheme: "basic" };
/** Alternatives as `{ scheme name: scheme }` objects, as a document writes them. */
function plan(...alternatives: Record<string, SecurityScheme>[]): SecurityPlan {
  const required = (alternative: Record<string, SecurityScheme>): RequiredScheme[] =>
    Object.entries(alternative).map(([name, scheme]) => ({ name, scheme, scopes: [] }));
  return { alternatives: alternatives.map(required) };
}

async function call(
  security: SecurityPlan,
  options: Omit<CredentialsOptions, "client">,
  more: Partial<HttpRequest> & { target?: string } = {},
  clientOptions: HttpClientOptions = {},
): Promise<Received> {
  const client = makeHttpClient(clientOptions);
  const credentials = makeCredentials({ client, ...options });
  const { target = "/x", body: _, ...rest } = more;
  const authorized = await Effect.runPromise(
    authorize(request(server.origin, target, rest), security, credentials, { tool: "op" }),
  );
  await send(client, authorized);
  return server.requests.at(-1)!;
}

async function refused(security: SecurityPlan, options: Omit<CredentialsOptions, "client">): Promise<ToolError> {
  const credentials = makeCredentials({ client: makeHttpClient(), ...options });
  const error = await Effect.runPromise(
    Effect.flip(authorize(request(server.origin, "/x"), security, credentials, { tool: "op" })),
  );
  expect(server.requests).toEqual([]);
  return error;
}

describe("a scheme puts its credential", () => {
  test("apiKey in a header, as it is", async () => {
    expect((await call(plan({ a: key("X-Key") }), { schemes: { a: "literal:Token abc" } })).headers["x-key"]).toBe(
      "Token abc",
    );
    expect(
      (await call(plan({ a: key("Authorization") }), { schemes: { a: "literal:Token abc" } })).headers["authorization"],
    ).toBe("Token abc");
  });

  test.each([
    ["/x", "/x?api_key=a%2Bb%2Fc%3D"],
    ["/x?b=1&c=%2f", "/x?b=1&c=%2f&api_key=a%2Bb%2Fc%3D"],
    ["/x?api_key=mine&b=1", "/x?b=1&api_key=a%2Bb%2Fc%3D"],
    ["/x?", "/x?api_key=a%2Bb%2Fc%3D"],
  ])("apiKey in the query of %s", async (target, sent) => {
    expect(
      (await call(plan({ a: key("api_key", "query") }), { schemes: { a: "literal:a+b/c=" } }, { target })).target,
    ).toBe(sent);
  });

  test("apiKey in the one Cookie field", async () => {
    const security = plan({ a: key("sid", "cookie"), b: key("tok", "cookie") });
    const received = await call(
      security,
      { schemes: { a: "literal:one", b: "literal:t wo;" } },
      { headers: [["Cookie", "lang=en; sid=mine"]] },
    );
    expect(received.lines.filter(([name]) => name.toLowerCase() === "cookie")).toEqual([
      ["Cookie", "lang=en; sid=one; tok=t%20wo%3B"],
    ]);
  });

  test("basic, in UTF-8", async () => {
    const token = Buffer.from("Aladdin:öpen sesame:x").toString("base64");
    expect(
      (await call(plan({ a: basic }), { schemes: { a: "literal:Aladdin:öpen sesame:x" } })).headers["authorization"],
    ).toBe(`Basic ${token}`);
    expect((await call(plan({ a: basic }), { schemes: { a: "literal:sk_live:" } })).headers["authorization"]).toBe(
      `Basic ${Buffer.from("sk_live:").toString("base64")}`,
    );
    expect(
      (await call(plan({ a: basic }), { schemes: { a: { username: "u", password: "p" } } })).headers["authorization"],
    ).toBe("Basic dTpw");
  });

  test("bearer, with or without the word before it", async () => {
    expect((await call(plan({ a: bearer }), { schemes: { a: "literal:t0ken" } })).headers["authorization"]).toBe(
      "Bearer t0ken",
    );
    expect((await call(plan({ a: bearer }), { schemes: { a: "literal:Bearer t0ken" } })).headers["authorization"]).toBe(
      "Bearer t0ken",
    );
  });

  test("an access token for oauth2", async () => {
    const scheme: SecurityScheme = { type: "oauth2", flows: {} };
    expect((await call(plan({ a: scheme }), { schemes: { a: "literal:tok" } })).headers["authorization"]).toBe(
      "Bearer tok",
    );
  });

  test("in place of what a program gave under the same name", async () => {
    const received = await call(
      plan({ a: key("X-Key") }),
      { schemes: { a: "literal:host" } },
      { headers: [["x-key", "program"]] },
    );
    expect(received.lines.filter(([name]) => name.toLowerCase() === "x-key")).toEqual([["X-Key", "host"]]);
  });
});

describe("of several alternatives", () => {
  test("all schemes of one are sent", async () => {
    const received = await call(plan({ a: key("X-App"), b: key("X-Key") }), {
      schemes: { a: "literal:A1", b: "literal:B1" },
    });
    expect(received.headers).toMatchObject({ "x-app": "A1", "x-key": "B1" });
  });

  test("the first whose credentials are all present is used", async () => {
    const security = plan({ a: bearer }, { b: key("X-Id"), c: key("X-Key") }, { d: basic });
    const received = await call(security, { schemes: { b: "literal:1", c: "literal:2", d: "literal:u:p" } });
    expect(received.headers).toMatchObject({ "x-id": "1", "x-key": "2" });
    expect(received.headers).not.toHaveProperty("authorization");
  });

  test("an anonymous one serves when nothing is given, and gives way to a credential wherever it stands", async () => {
    expect((await call(plan({ a: bearer }, {}), {})).headers).not.toHaveProperty("authorization");
    expect((await call(plan({}, { a: bearer }), { schemes: { a: "literal:tok" } })).headers["authorization"]).toBe(
      "Bearer tok",
    );
  });

  test("none: nothing is sent, and the failure says what is missing and how to give it", async () => {
    const error = await refused(plan({ "my key": key("X"), other: bearer }, { third: basic }), {
      schemes: { other: "literal:x" },
      api: "shop",
    });
    expect(error.message).toContain('"my key" and "other"');
    expect(error.message).toContain('"third"');
    expect(error.hint).toContain("--auth 'shop.my key=env:NAME'");
  });

  test("a credential under another name is pointed out", async () => {
    const error = await refused(plan({ bearerAuth: bearer }), { schemes: { bearer: "literal:x" } });
    expect(error.hint).toBe('Give it with --auth bearerAuth=env:NAME. (A credential was given for "bearer".)');
  });

  test("a credential that was named but is not there is not replaced by anonymity", async () => {
    delete process.env["NOT_SET_ANYWHERE"];
    const error = await refused(plan({ a: bearer }, {}), { schemes: { a: "env:NOT_SET_ANYWHERE" } });
    expect(error.message).toMatch(/"a" is missing: the environment variable NOT_SET_ANYWHERE is not set/);
  });

  test("two schemes that want one place are refused", async () => {
    const error = await refused(plan({ a: bearer, b: basic }), { schemes: { a: "literal:x", b: "literal:u:p" } });
    expect(error.message).toMatch(/both use the header "Authorization"/);
  });
});

describe("the host's own fields", () => {
  test("go with every request, secret, in place of the program's", async () => {
    process.env["HOST_FIELD"] = "from-env";
    const headers = { "X-Tenant": "acme: 1", "X-Env": "env:HOST_FIELD" };
    expect((await call(plan(), { headers }, { headers: [["x-tenant", "mine"]] })).headers).toMatchObject({
      "x-tenant": "acme: 1",
      "x-env": "from-env",
    });
  });

  test("satisfy a scheme that asks for the same field", async () => {
    expect(
      (await call(plan({ a: bearer }), { headers: { Authorization: "Token abc" } })).headers["authorization"],
    ).toBe("Token abc");
  });
});

describe("a source", () => {
  test.each([
    [
      "env",
      (): string => {
        process.env["A_SECRET"] = "s3cret";
        return "env:A_SECRET";
      },
    ],
    [
      "file, without its last line break",
      (): string => {
        writeFileSync(join(folder, "a"), "s3cret\n");
        return `file:${join(folder, "a")}`;
      },
    ],
    ["cmd", (): string => "cmd:printf 's3%s\\n' cret"],
    ["literal", (): string => "literal:s3cret"],
  ] as const)("%s", async (_, source) => {
    expect((await call(plan({ a: key("X") }), { schemes: { a: source() } })).headers["x"]).toBe("s3cret");
  });

  test("cmd runs once, for however many calls", async () => {
    const log = join(folder, "runs");
    const client = makeHttpClient();
    const credentials = makeCredentials({ client, schemes: { a: `cmd:echo run >> ${log}; echo tok` } });
    const one = authorize(request(server.origin, "/"), plan({ a: bearer }), credentials, { tool: "op" });
    await Effect.runPromise(Effect.all([one, one, one], { concurrency: "unbounded" }));
    const { readFileSync } = await import("node:fs");
    expect(readFileSync(log, "utf8")).toBe("run\n");
  });

  test.each([
    ["env:NOT_SET_ANYWHERE", /NOT_SET_ANYWHERE is not set/],
    ["file:/no/such/file", /file of a credential does not exist/],
    ["file:/", /is a folder/],
    ["cmd:exit 3", /ended with exit code 3/],
    ["cmd:true", /is empty/],
    ["literal:line\nbreak", /cannot carry/],
  ])("%j fails clearly", async (source, message) => {
    const error = await refused(plan({ a: bearer }), { schemes: { a: source } });
    expect(error.message).toMatch(message);
    // A program sees the message; the path is for the person who configured it.
    if (source.startsWith("file:"))
      expect([error.message, error.hint]).toEqual([
        expect.not.stringContaining("/"),
        `The file is ${source.slice(5)}.`,
      ]);
  });

  test.each(["s3cret-by-mistake", "vault:path", "env:", ""])(
    "%j is a configuration error that does not repeat it",
    (source) => {
      const make = () => makeCredentials({ client: makeHttpClient(), schemes: { a: source } });
      expect(make).toThrow(/"a"/);
      expect(make).not.toThrow(/s3cret/);
    },
  );

  test.each([
    ["basic", basic, "literal:no-colon-here", /user:password/],
    ["mutualTLS", { type: "mutualTLS" } as const, "literal:abc", /certificate and key/],
    ["oauth2", { type: "oauth2", flows: {} } as const, 'literal:{"clientSecret":"x"}', /no clientId/],
    [
      "oauth2 with an unknown part",
      { type: "oauth2", flows: {} } as const,
      'literal:{"client_id":"x"}',
      /"client_id" is not a part/,
    ],
  ])("of the wrong kind for %s fails clearly", async (_, scheme, source, message) => {
    const error = await refused(plan({ a: scheme }), { schemes: { a: source } });
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain("no-colon-here");
  });
});

describe("a dry run", () => {
  const security = plan({ a: key("X-K"), b: key("q", "query"), c: key("c", "cookie"), d: basic });
  const schemes = { a: "literal:1", b: "literal:2", c: "literal:3", d: "literal:user:pässword" };

  test("sends nothing and shows no credential, however short", async () => {
    const client = makeHttpClient({ dryRun: {} });
    const credentials = makeCredentials({ client, schemes });
    const authorized = await Effect.runPromise(
      authorize(request(server.origin, "/x?a=1"), security, credentials, { tool: "op" }),
    );
    const response = await Effect.runPromise(client.send(authorized, { tool: "op" }));
    expect(response.status).toBe(204);
    expect(server.requests).toEqual([]);
    expect(client.requests).toEqual([
      {
        method: "GET",
        url: `${server.origin}/x?a=1&q=[redacted]`,
        headers: { "x-k": "[redacted]", cookie: "c=[redacted]", authorization: "Basic [redacted]" },
        body: null,
        bodyEncoding: "utf8",
      },
    ]);
  });

  test("shows them on request", async () => {
    const client = makeHttpClient({ dryRun: { showSecrets: true } });
    const credentials = makeCredentials({ client, schemes });
    const authorized = await Effect.runPromise(
      authorize(request(server.origin, "/x"), security, credentials, { tool: "op" }),
    );
    await Effect.runPromise(client.send(authorized, { tool: "op" }));
    expect(client.requests[0]).toMatchObject({ url: `${server.origin}/x?q=2`, headers: { "x-k": "1", cookie: "c=3" } });
  });

  test("of an operation without its credential fails as the real call would", async () => {
    const client = makeHttpClient({ dryRun: {} });
    const error = await Effect.runPromise(
      Effect.flip(authorize(request(server.origin, "/"), security, makeCredentials({ client }), { tool: "op" })),
    );
    expect(error.message).toContain('"a"');
  });
});
