import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { afterEach, describe, expect, test } from "vitest";
import { makeHttpClient } from "../../src/http/client.js";
import { retryAfter } from "../../src/http/retry.js";
import { request, send } from "./client.js";
import { answer, type RawServer, type Respond, rawServer } from "./raw-server.js";

let servers: RawServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});
async function serve(respond: Respond): Promise<RawServer> {
  const server = await rawServer(respond);
  servers.push(server);
  return server;
}

/** The first answers, then `ok` for ever. */
function first(...answers: (Buffer | "reset")[]): Respond {
  return (socket, _, count) => {
    const next = answers[count - 1];
    if (next === "reset") socket.resetAndDestroy();
    else socket.write(next ?? answer(200, {}, "ok"));
  };
}

const busy = (status: number, after = "0") => answer(status, { "Retry-After": after });

describe("an idempotent request is tried again", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "QUERY"])("%s after 503, 429 and a reset", async (method) => {
    for (const fault of [busy(503), busy(429), "reset"] as const) {
      const server = await serve(first(fault));
      expect(
        (
          await send(
            makeHttpClient(),
            request(server.origin, "/", { method, body: method === "PUT" ? "data" : undefined }),
          )
        ).status,
      ).toBe(200);
      expect(server.requests).toHaveLength(2);
      expect(server.requests[1]!.body.toString()).toBe(method === "PUT" ? "data" : "");
    }
  });

  test("as often as asked, and then its last outcome is the answer", async () => {
    const server = await serve((socket) => socket.write(busy(503)));
    expect((await send(makeHttpClient({ retries: 3 }), request(server.origin, "/"))).status).toBe(503);
    expect(server.requests).toHaveLength(4);
    await send(makeHttpClient({ retries: 0 }), request(server.origin, "/"));
    expect(server.requests).toHaveLength(5);
  });

  test("not before the time that the server names", async () => {
    const server = await serve(first(busy(429, "1")));
    const started = performance.now();
    expect((await send(makeHttpClient(), request(server.origin, "/"))).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(950);
  });

  test("not when the server names a time beyond the limit: its answer is the answer", async () => {
    const server = await serve(first(busy(429, "3600")));
    expect((await send(makeHttpClient(), request(server.origin, "/"))).status).toBe(429);
    expect(server.requests).toHaveLength(1);
  });

  test("within a budget for all calls of a client", async () => {
    const server = await serve((socket) => socket.write(busy(503)));
    const client = makeHttpClient({ retries: 5 });
    await Promise.all(Array.from({ length: 40 }, () => send(client, request(server.origin, "/"))));
    // Ten retries at first, and a fifth of the calls: not five for each of forty.
    expect(server.requests.length).toBeLessThan(40 + 10 + 40 * 0.2 + 5);
  });
});

describe("a request that may change something twice is not tried again", () => {
  test.each(["POST", "PATCH"])("%s", async (method) => {
    const client = makeHttpClient({ retries: 5 });
    const server = await serve(first(busy(503), busy(429), "reset"));
    expect((await send(client, request(server.origin, "/", { method, body: "x" }))).status).toBe(503);
    expect((await send(client, request(server.origin, "/", { method, body: "x" }))).status).toBe(429);
    await expect(send(client, request(server.origin, "/", { method, body: "x" }))).rejects.toThrow(/reset|closed/);
    expect(server.requests).toHaveLength(3);
  });

  test("unless no byte of it was sent", async () => {
    // A port that nothing listens on yet.
    const reserved = await rawServer(() => {});
    await reserved.close();
    const attempt = send(makeHttpClient({ retries: 6 }), request(reserved.origin, "/", { method: "POST", body: "x" }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const server = await rawServer(
      (socket) => socket.write(answer(201)),
      undefined,
      "127.0.0.1",
      undefined,
      reserved.port,
    );
    servers.push(server);
    expect((await attempt).status).toBe(201);
    expect(server.requests).toHaveLength(1);
  });
});

test.each([
  ["5", 5_000],
  ["0", 0],
  ["Mon, 30 Nov 2026 00:00:10 GMT", 10_000],
  ["Mon, 30 Nov 2026 00:00:00 GMT", 0],
  ["Sun, 29 Nov 2026 00:00:00 GMT", 0],
  ["-5", undefined],
  ["5.5", undefined],
  ["2026-11-30", undefined],
  ["soon", undefined],
  [undefined, undefined],
])("Retry-After %j is %j ms", (value, expected) => {
  expect(retryAfter(value, Date.parse("2026-11-30T00:00:00Z"))).toBe(expected);
});

describe("interruption", () => {
  test.each([
    ["while an answer is awaited", ((): Respond => () => {})()],
    [
      "while a retry is awaited",
      (
        (): Respond => (socket) =>
          socket.write(busy(503, "50"))
      )(),
    ],
  ])("%s ends the exchange and frees its place", async (_, respond) => {
    const server = await serve((socket, received, count) =>
      received.target === "/free" ? socket.write(answer(200, {}, "ok")) : respond(socket, received, count),
    );
    const client = makeHttpClient({ concurrency: 1 });
    const fiber = Effect.runFork(client.send(request(server.origin, "/held"), { tool: "t" }));
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await Effect.runPromise(Fiber.interrupt(fiber));
    expect((await send(client, request(server.origin, "/free"))).text).toBe("ok");
  });
});
