import { afterEach, describe, expect, test } from "vitest";
import { isPrivateAddress } from "../../src/http/addresses.js";
import { makeHttpClient } from "../../src/http/client.js";
import type { HttpRequest } from "../../src/http/message.js";
import { makeCertificates } from "./certificates.js";
import { failure, request, send } from "./client.js";
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
/** Sends `/` elsewhere; everything else is answered. */
const to = (status: number, location: () => string) =>
  serve((socket, { target }) =>
    socket.write(target === "/" ? answer(status, { Location: location() }) : answer(200, {}, "there")),
  );

const secretHeaders = [
  ["X-Custom", "mine"],
  ["Accept", "application/json"],
  ["Authorization", "Bearer secret"],
  ["Cookie", "sid=1"],
] as const;

describe("a redirect", () => {
  test.each([301, 302, 307, 308])("%i of GET is followed on the same origin with its fields", async (status) => {
    const server = await to(status, () => "/new?a=%2F#fragment");
    const outcome = await send(makeHttpClient(), request(server.origin, "/", { headers: secretHeaders }));
    expect(outcome).toMatchObject({ text: "there", url: `${server.origin}/new?a=%2F` });
    expect(server.requests[1]).toMatchObject({
      method: "GET",
      target: "/new?a=%2F",
      headers: { "x-custom": "mine", authorization: "Bearer secret", cookie: "sid=1" },
    });
  });

  test.each([300, 304, 305, 306, 399])("%i is an answer", async (status) => {
    const server = await to(status, () => "/new");
    expect((await send(makeHttpClient(), request(server.origin, "/"))).status).toBe(status);
  });

  test("without a Location is an answer", async () => {
    const server = await serve((socket) => socket.write(answer(302, {}, "where?")));
    expect(await send(makeHttpClient(), request(server.origin, "/"))).toMatchObject({ status: 302, text: "where?" });
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])("of %s is an answer, whatever its status", async (method) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await to(status, () => "/new");
      expect((await send(makeHttpClient(), request(server.origin, "/", { method, body: "x" }))).status).toBe(status);
      expect(server.requests).toHaveLength(1);
    }
  });

  test("keeps HEAD a HEAD and QUERY a QUERY with its body, but 303 makes QUERY a GET without one", async () => {
    const sent: [string, number][] = [
      ["HEAD", 302],
      ["HEAD", 303],
      ["QUERY", 307],
      ["QUERY", 303],
    ];
    const seen: unknown[] = [];
    for (const [method, status] of sent) {
      const server = await to(status, () => "/new");
      await send(
        makeHttpClient(),
        request(server.origin, "/", {
          method,
          headers: [["Content-Type", "text/plain"]],
          ...(method === "QUERY" ? { body: "q" } : {}),
        }),
      );
      const last = server.requests[1]!;
      seen.push([last.method, last.body.toString(), last.headers["content-type"]]);
    }
    expect(seen).toEqual([
      ["HEAD", "", "text/plain"],
      ["HEAD", "", "text/plain"],
      ["QUERY", "q", "text/plain"],
      ["GET", "", undefined],
    ]);
  });

  test("to another origin leaves credentials and the caller's fields behind", async () => {
    const other = await serve((socket) => socket.write(answer(200, {}, "other")));
    const server = await to(302, () => `${other.origin}/x`);
    const sent: HttpRequest = {
      ...request(server.origin, "/?key=secret", { headers: secretHeaders }),
      authorization: { places: [{ in: "header", name: "Authorization", value: "Bearer secret" }] },
    };
    const redirecting = await serve((socket) => socket.write(answer(302, { Location: `${other.origin}/x` })));
    expect((await send(makeHttpClient(), { ...sent, origin: redirecting.origin })).text).toBe("other");
    expect(Object.keys(other.requests[0]!.headers).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
    expect(JSON.stringify(other.requests[0]!.lines)).not.toMatch(/secret|mine/);
  });

  test("to another origin and back does not bring them back", async () => {
    let back = "";
    const other = await serve((socket) => socket.write(answer(302, { Location: `${back}/back` })));
    const server = await to(302, () => `${other.origin}/x`);
    back = server.origin;
    await send(makeHttpClient(), request(server.origin, "/", { headers: secretHeaders }));
    expect(server.requests[1]!.target).toBe("/back");
    expect(server.requests[1]!.headers).not.toHaveProperty("authorization");
  });

  test("with a body to another origin is not followed", async () => {
    const other = await serve((socket) => socket.write(answer(200)));
    const server = await to(307, () => other.origin);
    expect(
      (await failure(makeHttpClient(), request(server.origin, "/", { method: "QUERY", body: "private" }))).message,
    ).toMatch(/with a body to another origin/);
    expect(other.requests).toEqual([]);
  });

  test("from https to http is not followed", async () => {
    const certificates = makeCertificates();
    const plain = await serve((socket) => socket.write(answer(200)));
    const server = await serve((socket) => socket.write(answer(302, { Location: plain.origin })), certificates.server);
    certificates.remove();
    expect(
      (await failure(makeHttpClient({ ca: [certificates.ca.cert] }), request(server.origin, "/"))).message,
    ).toMatch(/from https to http/);
    expect(plain.requests).toEqual([]);
  });

  test("by a public server to a private address is refused, also behind a name", async () => {
    const inner = await serve((socket) => socket.write(answer(200, {}, "metadata")), undefined, "127.0.0.2");
    // 127.0.0.1 stands for the public internet, 127.0.0.2 for the private network.
    const options = {
      isPrivateAddress: (address: string) => address === "127.0.0.2",
      lookup: ((host: string, o: { all?: boolean }, done: (...a: unknown[]) => void) => {
        const address = host === "inner.example" ? "127.0.0.2" : "127.0.0.1";
        return o.all === true ? done(null, [{ address, family: 4 }]) : done(null, address, 4);
      }) as never,
    };
    for (const location of [inner.origin, `http://inner.example:${inner.port}/`]) {
      const server = await to(302, () => location);
      for (const origin of [server.origin, `http://public.example:${server.port}`])
        expect((await failure(makeHttpClient(options), request(origin, "/"))).message).toMatch(
          /redirects to a private address/,
        );
    }
    expect(inner.requests).toEqual([]);
    // A private server may point at its own network.
    const server = await serve(
      (socket) => socket.write(answer(302, { Location: inner.origin })),
      undefined,
      "127.0.0.2",
    );
    expect((await send(makeHttpClient(options), request(server.origin, "/"))).text).toBe("metadata");
  });

  test("by a public server to a name that changes its mind is refused at connection time", async () => {
    const inner = await serve((socket) => socket.write(answer(200, {}, "metadata")), undefined, "127.0.0.2");
    let lookups = 0;
    const lookup = ((_host: string, o: { all?: boolean }, done: (...a: unknown[]) => void) => {
      const address = ++lookups > 1 ? "127.0.0.2" : "127.0.0.1";
      return o.all === true ? done(null, [{ address, family: 4 }]) : done(null, address, 4);
    }) as never;
    const server = await to(302, () => `http://rebinding.example:${inner.port}/`);
    const client = makeHttpClient({ isPrivateAddress: (address) => address === "127.0.0.2", lookup });
    expect((await failure(client, request(server.origin, "/"))).message).toMatch(/redirects to a private address/);
    expect(inner.requests).toEqual([]);
  });
});

test.each([
  ["127.0.0.1", true],
  ["10.1.2.3", true],
  ["172.31.0.1", true],
  ["172.32.0.1", false],
  ["192.168.1.1", true],
  ["169.254.169.254", true],
  ["100.64.0.1", true],
  ["0.0.0.0", true],
  ["8.8.8.8", false],
  ["::1", true],
  ["[::1]", true],
  ["fe80::1%eth0", true],
  ["fd00::1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::10.0.0.1", true],
  ["2002:0a00:0001::", true],
  ["2606:4700::1111", false],
])("%s is private: %s", (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});
