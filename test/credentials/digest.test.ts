import { createHash } from "node:crypto";
import * as Effect from "effect/Effect";
import { afterEach, describe, expect, test } from "vitest";
import { authorize } from "../../src/credentials/authorize.js";
import { type Credentials, makeCredentials } from "../../src/credentials/credentials.js";
import { type HttpClient, makeHttpClient } from "../../src/http/client.js";
import type { SecurityPlan } from "../../src/openapi/plan.js";
import { type Outcome, request, send } from "../http/client.js";
import { answer, type RawServer, type Received, rawServer } from "../http/raw-server.js";

const security: SecurityPlan = {
  alternatives: [[{ name: "d", scheme: { type: "http", scheme: "digest" }, scopes: [] }]],
};

let server: RawServer;
afterEach(() => server.close());

const HASHES: Record<string, string> = { MD5: "md5", "SHA-256": "sha256", "SHA-512-256": "sha512-256" };
const USER = "Mufasa";
const PASSWORD = "Circle of Life";

/** A server's side of RFC 7616, written from the specification. */
function verify(sent: Received, realm: string, expectedNonce: string): string {
  const field = sent.headers["authorization"] ?? "";
  if (!field.startsWith("Digest ")) return "none";
  const p = Object.fromEntries(
    [...field.matchAll(/([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^,\s]+))/g)].map(([, name, quoted, token]) => [
      name,
      quoted ?? token,
    ]),
  ) as Record<string, string>;
  if (p["nonce"] !== expectedNonce) return "stale";
  const algorithm = (p["algorithm"] ?? "MD5").toUpperCase();
  const hash = (text: string | Buffer) =>
    createHash(HASHES[algorithm.replace("-SESS", "")]!).update(text).digest("hex");
  if (p["userhash"] === "true" ? p["username"] !== hash(`${USER}:${realm}`) : p["username"] !== USER)
    return "wrong user";
  let a1 = hash(`${USER}:${realm}:${PASSWORD}`);
  if (algorithm.endsWith("-SESS")) a1 = hash(`${a1}:${p["nonce"]}:${p["cnonce"]}`);
  const a2 = hash(`${sent.method}:${p["uri"]}${p["qop"] === "auth-int" ? `:${hash(sent.body)}` : ""}`);
  const expected = hash(
    p["qop"] === undefined
      ? `${a1}:${p["nonce"]}:${a2}`
      : `${a1}:${p["nonce"]}:${p["nc"]}:${p["cnonce"]}:${p["qop"]}:${a2}`,
  );
  if (p["uri"] !== sent.target) return "wrong uri";
  return p["response"] === expected ? `right ${p["nc"] ?? ""}` : "wrong";
}

interface Setup {
  readonly client: HttpClient;
  readonly credentials: Credentials;
  call(target: string, body?: string): Promise<Outcome>;
}

function setup(password = PASSWORD): Setup {
  const client = makeHttpClient();
  const credentials = makeCredentials({ client, schemes: { d: `literal:${USER}:${password}` } });
  const call = async (target: string, body?: string) => {
    const more = body === undefined ? {} : { method: "POST", body };
    return send(
      client,
      await Effect.runPromise(authorize(request(server.origin, target, more), security, credentials, { tool: "op" })),
    );
  };
  return { client, credentials, call };
}

/** Challenges with `parameters`, then answers with its verdict. */
async function digestServer(
  parameters: string,
  { nonce = (): string => "n0", info = (): string => "" } = {},
): Promise<void> {
  server = await rawServer((socket, sent) => {
    const verdict = verify(sent, "r@ealm", nonce());
    if (verdict.startsWith("right"))
      return socket.write(answer(200, info() === "" ? {} : { "Authentication-Info": info() }, verdict));
    const stale = verdict === "stale" ? ", stale=true" : "";
    return socket.write(
      answer(
        401,
        { "WWW-Authenticate": `Digest realm="r@ealm", nonce="${nonce()}", opaque="o\\"p"${parameters}${stale}` },
        verdict,
      ),
    );
  });
}

describe("digest answers a challenge", () => {
  test.each([
    [""],
    [", algorithm=MD5"],
    [', qop="auth"'],
    [', qop="auth,auth-int", algorithm=MD5'],
    [', qop="auth-int", algorithm=MD5'],
    [', qop="auth", algorithm=MD5-sess'],
    [', qop="auth", algorithm=SHA-256'],
    [', qop="auth-int", algorithm=SHA-256-sess'],
    [', qop="auth", algorithm=SHA-512-256, userhash=true'],
  ])("with%s", async (parameters) => {
    await digestServer(parameters);
    const { call } = setup();
    expect((await call("/dir/index.html?q=%2F'a'", "hello body")).text).toMatch(/^right/);
    // The nonce is kept: the next request needs no challenge.
    expect((await call("/next")).text).toMatch(parameters.includes("qop") ? "right 00000002" : "right");
    expect(server.requests).toHaveLength(3);
  });

  test("of the strongest of several, among other schemes", async () => {
    server = await rawServer((socket, sent) => {
      const verdict = verify(sent, "r", "n");
      if (verdict.startsWith("right"))
        return socket.write(answer(200, {}, /algorithm=([^,]+)/.exec(sent.headers["authorization"]!)![1]!));
      const fields = [
        'Basic realm="b, Digest", Digest realm="r", nonce="n", qop="auth", algorithm=MD5',
        'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256',
        "Negotiate",
      ];
      return socket.write(answer(401, { "WWW-Authenticate": fields }));
    });
    expect((await setup().call("/")).text).toBe("SHA-256");
  });

  test("again when the nonce is stale, and takes up the next nonce", async () => {
    let nonce = "n0";
    let next = "";
    await digestServer(', qop="auth"', { nonce: () => nonce, info: () => (next === "" ? "" : `nextnonce="${next}"`) });
    const { call } = setup();
    await call("/");
    nonce = "n1";
    expect((await call("/")).text).toBe("right 00000001");
    next = "n2";
    await call("/");
    nonce = "n2";
    const before = server.requests.length;
    expect((await call("/")).text).toBe("right 00000001");
    expect(server.requests.length - before).toBe(1);
  });

  test("once only when the password is wrong", async () => {
    await digestServer(', qop="auth"');
    expect((await setup("wrong").call("/")).status).toBe(401);
    expect(server.requests).toHaveLength(2);
  });

  test("again for the target of a redirect", async () => {
    server = await rawServer((socket, sent) => {
      const verdict = verify(sent, "r", "n");
      if (!verdict.startsWith("right"))
        return socket.write(answer(401, { "WWW-Authenticate": 'Digest realm="r", nonce="n", qop="auth"' }));
      return socket.write(sent.target === "/old" ? answer(302, { Location: "/new" }) : answer(200, {}, sent.target));
    });
    expect((await setup().call("/old")).text).toBe("/new");
  });

  test("never with an algorithm that it does not know", async () => {
    await digestServer(', qop="auth", algorithm=ROT13');
    expect((await setup().call("/")).status).toBe(401);
    expect(server.requests).toHaveLength(1);
  });
});
