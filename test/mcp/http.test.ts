import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "./clients.js";

let server: HttpServer;
beforeAll(async () => {
  server = await httpServer(["demo:"]);
});
afterAll(() => server.close());

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** One raw POST; `headers` replace the usual ones, an empty value removes one. */
function post(headers: Record<string, string>, path = ""): Promise<Response> {
  const all: Record<string, string> = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    Authorization: `Bearer ${server.token}`,
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
  return fetch(server.url + path, { method: "POST", headers: sent, body: JSON.stringify(INITIALIZE) });
}

describe("the server over HTTP", () => {
  test("serves several clients at once, without sessions", async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => server.client()));
    const results = await Promise.all(
      clients.map((client, index) =>
        client.callTool({ name: "execute", arguments: { code: "return input * 2", input: index } }),
      ),
    );
    expect(results.map((result) => result.structuredContent)).toEqual(
      clients.map((_, index) => ({ ok: true, value: index * 2, toolCalls: [] })),
    );
    await Promise.all(clients.map((client) => client.close()));
  });

  test.each<[string, Record<string, string>, number]>([
    ["no token", { Authorization: "" }, 401],
    ["a wrong token", { Authorization: "Bearer wrong" }, 401],
    ["the token in another scheme", { Authorization: "Basic abc" }, 401],
    ["a web origin", { Origin: "https://evil.example" }, 403],
  ])("refuses %s", async (_name, headers, status) => {
    expect((await post(headers)).status).toBe(status);
  });

  test("refuses a host that a web page could have rebound", async () => {
    const { request } = await import("node:http");
    const { port } = new URL(server.url);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        { port, host: "127.0.0.1", path: "/mcp", method: "POST", headers: { Host: "evil.example" } },
        (response) => resolve(response.resume().statusCode),
      );
      sent.on("error", reject);
      sent.end();
    });
    expect(status).toBe(403);
  });

  test("has one door: other paths and methods are refused after the token", async () => {
    expect((await post({}, "/other")).status).toBe(404);
    const get = await fetch(server.url, { headers: { Authorization: `Bearer ${server.token}` } });
    expect(get.status).toBe(405);
    expect((await fetch(server.url)).status).toBe(401);
  });
});
