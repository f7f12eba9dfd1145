import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { authorize } from "../../src/credentials/authorize.js";
import { makeCredentials } from "../../src/credentials/credentials.js";
import { type HttpClient, makeHttpClient } from "../../src/http/client.js";
import { bytesBody, type HttpRequest } from "../../src/http/message.js";
import type { SecurityPlan } from "../../src/openapi/plan.js";
import { failure, type Outcome, request, send } from "./client.js";
import { answer, type RawServer, rawServer } from "./raw-server.js";

const folder = mkdtempSync(join(tmpdir(), "har-"));
const file = join(folder, "run.har");
afterAll(() => rmSync(folder, { recursive: true }));

const CANARY = "CANARY/key+value=42";
let server: RawServer;
beforeEach(async () => {
  let counter = 0;
  let busy = 0;
  // Repeats every secret that it gets, in every way it can think of.
  server = await rawServer((socket, sent) => {
    const echo = `${sent.target} ${JSON.stringify(sent.headers)} ${Buffer.from(CANARY).toString("base64")}`;
    if (sent.target.startsWith("/old")) return socket.write(answer(302, { Location: "/new" }));
    if (sent.target.startsWith("/binary"))
      return socket.write(
        answer(200, { "Content-Type": "image/png" }, Buffer.from([0x89, 0, 255, ...Buffer.from(CANARY)])),
      );
    if (sent.target.startsWith("/busy") && ++busy === 1) return socket.write(answer(503, { "Retry-After": "0" }));
    return socket.write(
      answer(
        200,
        { "Content-Type": "text/plain", "X-Echo": CANARY, "Set-Cookie": ["a=1; Path=/", "b=2"] },
        `${++counter} ${echo} ${sent.body}`,
      ),
    );
  });
});
afterEach(() => server.close());

const security: SecurityPlan = {
  alternatives: [
    [
      { name: "q", scheme: { type: "apiKey", in: "query", name: "api_key" }, scopes: [] },
      { name: "b", scheme: { type: "http", scheme: "basic" }, scopes: [] },
    ],
  ],
};

function requests(): HttpRequest[] {
  return [
    request(server.origin, "/a?x=1"),
    request(server.origin, "/a?x=1"),
    request(server.origin, "/post", { method: "POST", body: "héllo", headers: [["Content-Type", "text/plain"]] }),
    request(server.origin, "/old"),
    request(server.origin, "/busy"),
    request(server.origin, "/binary"),
    { ...request(server.origin, "/upload", { method: "PUT" }), body: bytesBody(Buffer.from([0, 255, 254, 1])) },
  ];
}

async function run(client: HttpClient, given: Record<string, string>): Promise<Omit<Outcome, "url">[]> {
  const credentials = makeCredentials({ client, schemes: given });
  const outcomes: Outcome[] = [];
  for (const one of requests())
    outcomes.push(await send(client, await Effect.runPromise(authorize(one, security, credentials, { tool: "op" }))));
  await Effect.runPromise(client.close());
  return outcomes.map(({ status, headers, text }) => ({
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "content-length")),
    text: client.redactor.text(text),
  }));
}

const schemes = { q: `literal:${CANARY}`, b: `literal:user:${CANARY}` };

describe("an HTTP Archive", () => {
  test("holds every exchange and no secret, and answers the same program without a network or credentials", async () => {
    const live = await run(makeHttpClient({ record: file }), schemes);
    const text = readFileSync(file, "utf8");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const form of [
      CANARY,
      encodeURIComponent(CANARY),
      Buffer.from(CANARY).toString("base64"),
      Buffer.from(`user:${CANARY}`).toString("base64"),
    ])
      expect(text).not.toContain(form);
    const har = JSON.parse(text);
    expect(har.log.version).toBe("1.2");
    expect(
      har.log.entries.map(
        (entry: any) => `${entry.request.method} ${new URL(entry.request.url).pathname} ${entry.response.status}`,
      ),
    ).toEqual([
      "GET /a 200",
      "GET /a 200",
      "POST /post 200",
      "GET /old 302",
      "GET /new 200",
      "GET /busy 503",
      "GET /busy 200",
      "GET /binary 200",
      "PUT /upload 200",
    ]);
    expect(har.log.entries[0]).toMatchObject({
      request: {
        headers: expect.arrayContaining([{ name: "Authorization", value: "Basic [redacted]" }]),
        queryString: [
          { name: "x", value: "1" },
          { name: "api_key", value: "[redacted]" },
        ],
      },
      response: {
        cookies: [
          { name: "a", value: "1" },
          { name: "b", value: "2" },
        ],
      },
    });
    await server.close();
    for (const credentials of [schemes, {}]) {
      const replayed = await run(makeHttpClient({ replay: file }), credentials);
      expect(replayed).toEqual(live);
    }
  });

  test("has no answer for another request", async () => {
    const recording = makeHttpClient({ record: file });
    await send(recording, request(server.origin, "/post", { method: "POST", body: "one" }));
    await Effect.runPromise(recording.close());
    const client = makeHttpClient({ replay: file });
    for (const other of [
      request(server.origin, "/post", { method: "POST", body: "two" }),
      request(server.origin, "/post"),
      request(server.origin, "/post?x", { method: "POST", body: "one" }),
    ])
      expect((await failure(client, other)).message).toMatch(/archive has no answer for/);
    expect((await send(client, request(server.origin, "/post", { method: "POST", body: "one" }))).status).toBe(200);
    expect(server.requests).toHaveLength(1);
  });

  test("notes an exchange that failed", async () => {
    const client = makeHttpClient({ record: file, retries: 0 });
    await failure(client, request("http://127.0.0.1:1", "/"));
    await Effect.runPromise(client.close());
    expect(JSON.parse(readFileSync(file, "utf8")).log.entries[0].response).toMatchObject({
      status: 0,
      comment: expect.stringMatching(/refused/),
    });
  });

  test("that cannot be read or written is a clear failure", async () => {
    writeFileSync(join(folder, "bad.har"), "{");
    writeFileSync(join(folder, "other.har"), "{}");
    for (const [name, message] of [
      ["bad.har", /is not JSON/],
      ["other.har", /is not an HTTP Archive/],
      ["none.har", /cannot be read/],
    ] as const)
      expect(
        (await failure(makeHttpClient({ replay: join(folder, name) }), request(server.origin, "/"))).message,
      ).toMatch(message);
    const client = makeHttpClient({ record: join(folder, "no", "such", "folder.har") });
    await send(client, request(server.origin, "/"));
    await expect(Effect.runPromise(client.close())).rejects.toThrow(/could not be written/);
  });
});

describe("a dry run", () => {
  test("shows bodies as text or base64 and answers with a sample of the schema", async () => {
    const client = makeHttpClient({ dryRun: {} });
    const schema = {
      type: "object",
      required: ["id"],
      properties: { id: { type: "integer", minimum: 3 }, next: { $ref: "#/$defs/node" } },
      $defs: {
        node: {
          type: "object",
          properties: { name: { type: "string", example: "leaf" }, next: { $ref: "#/$defs/node" } },
        },
      },
    };

    const sent = {
      ...request(server.origin, "/b", {
        method: "POST",
        headers: [
          ["X-A", "1"],
          ["x-a", "2"],
        ],
      }),
      body: bytesBody(Buffer.from([255, 0])),
    };
    const response = await Effect.runPromise(client.send(sent, { tool: "op", outputSchema: () => schema }));
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    expect(response.status).toBe(200);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ id: 3, next: { name: "leaf" } });
    await send(client, request(server.origin, "/t", { method: "POST", body: "tëxt" }));
    expect(client.requests).toMatchObject([
      { method: "POST", url: `${server.origin}/b`, headers: { "x-a": "1, 2" }, body: "/wA=", bodyEncoding: "base64" },
      { body: "tëxt", bodyEncoding: "utf8" },
    ]);
    expect(server.requests).toEqual([]);
  });
});
