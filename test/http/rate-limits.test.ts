import * as Effect from "effect/Effect";
import { afterEach, describe, expect, test } from "vitest";
import { makeHttpClient } from "../../src/http/client.js";
import { quotaPause } from "../../src/http/rate-limits.js";
import { request, send } from "./client.js";
import { answer, type RawServer, type Respond, rawServer } from "./raw-server.js";

let server: RawServer;
afterEach(() => server.close());
const serve = async (respond: Respond): Promise<RawServer> => (server = await rawServer(respond));

/** Answers after a while, and counts how many wait at the same time. */
async function slow(ms: number): Promise<{ most: () => number }> {
  let active = 0;
  let most = 0;
  await serve((socket) => {
    most = Math.max(most, ++active);
    setTimeout(() => {
      active--;
      socket.write(answer(200, {}, "ok"));
    }, ms);
  });
  return { most: () => most };
}

describe("requests to one origin", () => {
  test("are as many at a time as allowed", async () => {
    const { most } = await slow(30);
    const client = makeHttpClient({ concurrency: 3 });
    await Promise.all(Array.from({ length: 20 }, () => send(client, request(server.origin, "/"))));
    expect(most()).toBe(3);
    expect(server.requests).toHaveLength(20);
  });

  test("do not wait for an event stream that stays open", async () => {
    await serve((socket, { target }) => {
      if (target === "/events")
        socket.write(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ndata:\r\n",
        );
      else socket.write(answer(200, {}, "ok"));
    });
    const client = makeHttpClient({ concurrency: 1 });
    const stream = await Effect.runPromise(client.send(request(server.origin, "/events"), { tool: "t" }));
    expect((await send(client, request(server.origin, "/"))).text).toBe("ok");
    await stream.body[Symbol.asyncIterator]().return?.();
  });

  test("wait together until a 429 is over", async () => {
    let opened = 0;
    await serve((socket) => {
      if (server.requests.length === 1) {
        opened = Date.now() + 1_000;
        socket.write(answer(429, { "Retry-After": "1" }));
      } else socket.write(answer(Date.now() < opened - 50 ? 429 : 200));
    });
    const client = makeHttpClient({ concurrency: 8 });
    await send(client, request(server.origin, "/"));
    const all = await Promise.all(Array.from({ length: 8 }, () => send(client, request(server.origin, "/"))));
    expect(all.every(({ status }) => status === 200)).toBe(true);
    expect(server.requests).toHaveLength(10);
  });

  test("wait until a quota opens again, and come in smaller numbers after a refusal", async () => {
    let opened = 0;
    await serve((socket) => {
      const count = server.requests.length;
      if (count === 1) opened = Date.now() + 1_000;
      socket.write(
        answer(200, count === 1 ? { RateLimit: '"default";r=0;t=1' } : {}, String(Date.now() >= opened - 50)),
      );
    });
    const client = makeHttpClient();
    await send(client, request(server.origin, "/"));
    expect((await send(client, request(server.origin, "/"))).text).toBe("true");
  });

  test("do not wait when no retries are wanted", async () => {
    await serve((socket) => socket.write(answer(429, { "Retry-After": "30" })));
    const client = makeHttpClient({ retries: 0 });
    const started = performance.now();
    for (let i = 0; i < 3; i++) expect((await send(client, request(server.origin, "/"))).status).toBe(429);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

const now = Date.parse("2026-11-30T00:00:00Z");
test.each([
  [{ ratelimit: '"default";r=0;t=30' }, 30_000],
  [{ ratelimit: '"default";r=3;t=30' }, undefined],
  [{ ratelimit: "limit=100, remaining=0, reset=7" }, 7_000],
  [{ ratelimit: "r=0" }, undefined],
  [{ "ratelimit-remaining": "0", "ratelimit-reset": "5" }, 5_000],
  [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 + 9) }, 9_000],
  [{ "x-ratelimit-remaining": "1", "x-ratelimit-reset": "9" }, undefined],
  [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon" }, undefined],
  [{}, undefined],
] as [Record<string, string>, number | undefined][])("%j pauses for %j ms", (headers, expected) => {
  expect(quotaPause(headers, now)).toBe(expected);
});
