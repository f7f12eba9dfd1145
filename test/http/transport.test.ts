import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { makeHttpClient } from "../../src/http/client.js";
import type { HttpRequest } from "../../src/http/message.js";
import { request, send } from "./client.js";
import { answer, type RawServer, rawServer } from "./raw-server.js";

let servers: RawServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});
async function serve(...args: Parameters<typeof rawServer>): Promise<RawServer> {
  const server = await rawServer(...args);
  servers.push(server);
  return server;
}

describe("a request on the wire", () => {
  test("has the target byte for byte", async () => {
    const server = await serve((socket) => socket.write(answer(200)));
    const client = makeHttpClient();
    const targets = [
      "/%2E%2E/a",
      "/a%2fb%2Fc",
      "/x?a=|'\"<>\\^`{}",
      "/./../x",
      "//double//slash",
      "/a;b=c?d[]=1&d[]=2#",
      "/?",
      "/x?a=%zz",
    ];
    for (const target of targets) await send(client, request(server.origin, target));
    expect(server.requests.map(({ target }) => target)).toEqual(targets);
  });

  test("has any target of visible ASCII byte for byte", async () => {
    const server = await serve((socket) => socket.write(answer(200)));
    const client = makeHttpClient();
    const visible = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(visible, async (text) => {
        await send(client, request(server.origin, `/${text}`));
        expect(server.requests.at(-1)!.target).toBe(`/${text}`);
      }),
      { numRuns: 60 },
    );
  });

  test("has the fields as declared and nothing but what HTTP needs beside them", async () => {
    const server = await serve((socket) => socket.write(answer(200)));
    const headers = [
      ["X-One", "1"],
      ["x-MiXed", "2"],
      ["Accept", "a/b"],
      ["X-One", "3"],
    ] as const;
    await send(makeHttpClient(), request(server.origin, "/", { headers }));
    const lines = server.requests[0]!.lines;
    const names = lines.map(([name]) => name);
    expect(lines.filter(([name]) => name === "X-One").map(([, value]) => value)).toEqual(["1", "3"]);
    expect(names).toContain("x-MiXed");
    expect(new Set(names.map((name) => name.toLowerCase()))).toEqual(
      new Set(["host", "connection", "x-one", "x-mixed", "accept", "user-agent", "accept-encoding"]),
    );
    expect(server.requests[0]!.headers["user-agent"]).toMatch(/^codemode-openapi\//);
    expect(server.requests[0]!.headers["host"]).toBe(new URL(server.origin).host);
  });

  test.each(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY"])(
    "carries a body on %s",
    async (method) => {
      const server = await serve((socket) => socket.write(answer(200)));
      await send(
        makeHttpClient(),
        request(server.origin, "/", { method, body: "héllo", headers: [["Content-Type", "text/plain"]] }),
      );
      expect(server.requests[0]).toMatchObject({
        method,
        headers: { "content-length": "6", "content-type": "text/plain" },
      });
      expect(server.requests[0]!.body.toString()).toBe("héllo");
    },
  );

  test("streams a body of unknown length in chunks, one of known length with its length", async () => {
    const server = await serve((socket) => socket.write(answer(200)));
    async function* open() {
      for (let i = 0; i < 50; i++) yield Buffer.alloc(10_000, 97);
    }
    const base: HttpRequest = request(server.origin, "/", { method: "POST" });
    await send(makeHttpClient(), { ...base, body: { length: undefined, open } });
    await send(makeHttpClient(), { ...base, body: { length: 500_000, open } });
    await send(makeHttpClient(), { ...base, body: { length: 500_000, open: () => Buffer.alloc(500_000, 98) } });
    expect(server.requests.map(({ headers }) => headers["content-length"])).toEqual([undefined, "500000", "500000"]);
    expect(server.requests.map(({ body }) => body.length)).toEqual([500_000, 500_000, 500_000]);
  });

  test("uses connections again", async () => {
    const server = await serve((socket) => socket.write(answer(200, {}, "x".repeat(100))));
    const client = makeHttpClient();
    for (let i = 0; i < 5; i++) await send(client, request(server.origin, "/"));
    expect(server.connections()).toBeLessThan(5);
  });

  test("that HTTP cannot carry is refused before anything is sent", async () => {
    const server = await serve((socket) => socket.write(answer(200)));
    const client = makeHttpClient();
    const bad = [
      request(server.origin, "/", { headers: [["X", "a\r\nInjected: 1"]] }),
      request(server.origin, "/", { headers: [["Bad Name", "1"]] }),
      request(server.origin, "/ space"),
      request(server.origin, "/a\r\nX: 1"),
      request(server.origin, "/", { headers: [["Transfer-Encoding", "chunked"]] }),
    ];
    for (const one of bad) await expect(send(client, one)).rejects.toMatchObject({ _tag: "ToolError" });
    expect(server.requests).toEqual([]);
  });
});

describe("an answer", () => {
  test("has lower-case fields, several lines joined", async () => {
    const fields = { "X-A": ["1", "2"], "Set-Cookie": ["a=1", "b=2"], Vary: "accept" };
    const server = await serve((socket) => socket.write(answer(418, fields, "tea")));
    const outcome = await send(makeHttpClient(), request(server.origin, "/pot"));
    expect(outcome).toMatchObject({
      status: 418,
      text: "tea",
      url: `${server.origin}/pot`,
      headers: { "x-a": "1, 2", "set-cookie": "a=1\nb=2" },
    });
  });
});
