import { connect } from "node:net";
import * as Effect from "effect/Effect";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { authorize } from "../../src/credentials/authorize.js";
import { makeCredentials } from "../../src/credentials/credentials.js";
import { makeHttpClient } from "../../src/http/client.js";
import type { SecurityPlan } from "../../src/openapi/plan.js";
import { type Certificates, makeCertificates } from "./certificates.js";
import { failure, request, send } from "./client.js";
import { answer, type RawServer, type Respond, rawServer } from "./raw-server.js";

let certificates: Certificates;
let servers: RawServer[] = [];
beforeAll(() => {
  certificates = makeCertificates();
});
afterAll(() => certificates.remove());
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});
async function serve(...args: Parameters<typeof rawServer>): Promise<RawServer> {
  const server = await rawServer(...args);
  servers.push(server);
  return server;
}

describe("a proxy from the environment", () => {
  /** A forward proxy: absolute form for http, tunnels for https. */
  const proxy = (): Respond => (socket, sent) => {
    if (sent.method !== "CONNECT") return socket.write(answer(200, {}, `proxied ${sent.target}`));
    const [host, port] = sent.target.split(":");
    const inner = connect(Number(port), host, () => {
      socket.removeAllListeners("data");
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(inner).pipe(socket);
    });
    return inner.on("error", () => socket.destroy());
  };

  test("gets http requests in absolute form, byte for byte, with every line", async () => {
    const through = await serve(proxy());
    vi.stubEnv("http_proxy", through.origin);
    vi.stubEnv("no_proxy", "");
    const headers = [
      ["X-A", "1"],
      ["X-A", "2"],
    ] as const;
    const outcome = await send(makeHttpClient(), request("http://api.invalid:81", "/a%2F?b=|'", { headers }));
    expect(outcome.text).toBe("proxied http://api.invalid:81/a%2F?b=|'");
    expect(through.requests[0]!.lines.filter(([name]) => name === "X-A")).toHaveLength(2);
    expect(through.requests[0]!.headers["host"]).toBe("api.invalid:81");
  });

  test("tunnels https, which stays end to end", async () => {
    const server = await serve((socket, { target }) => socket.write(answer(200, {}, target)), certificates.server);
    const through = await serve(proxy());
    vi.stubEnv("https_proxy", through.origin);
    vi.stubEnv("no_proxy", "");
    const outcome = await send(makeHttpClient({ ca: [certificates.ca.cert] }), request(server.origin, "/x?%2e"));
    expect(outcome.text).toBe("/x?%2e");
    expect(through.requests[0]).toMatchObject({ method: "CONNECT", target: `127.0.0.1:${server.port}` });
    expect((await failure(makeHttpClient({ retries: 0 }), request(server.origin, "/"))).message).toMatch(
      /unknown authority/,
    );
  });

  test("is not used for the hosts of NO_PROXY", async () => {
    const server = await serve((socket) => socket.write(answer(200, {}, "direct")));
    const through = await serve(proxy());
    vi.stubEnv("HTTP_PROXY", through.origin);
    vi.stubEnv("NO_PROXY", "example.com,127.0.0.1");
    expect((await send(makeHttpClient(), request(server.origin, "/"))).text).toBe("direct");
    expect(through.requests).toEqual([]);
  });

  test.each([
    [407, /proxy/i],
    [502, /proxy/i],
  ])("that answers %i fails clearly", async (status, message) => {
    const through = await serve((socket) => socket.end(answer(status)));
    vi.stubEnv("https_proxy", through.origin);
    vi.stubEnv("no_proxy", "");
    expect((await failure(makeHttpClient({ retries: 0 }), request("https://api.invalid", "/"))).message).toMatch(
      message,
    );
  });
});

describe("mutual TLS", () => {
  const security: SecurityPlan = { alternatives: [[{ name: "m", scheme: { type: "mutualTLS" }, scopes: [] }]] };

  test("shows the client's certificate to the origin of the chosen server only", async () => {
    const seen: unknown[] = [];
    const options = { ...certificates.server, ca: certificates.ca.cert, requestCert: true, rejectUnauthorized: false };
    const respond =
      (name: string): Respond =>
      (socket, { target }) => {
        seen.push([
          name,
          (socket as never as { getPeerCertificate(): { subject?: { CN?: string } } }).getPeerCertificate().subject?.CN,
        ]);
        socket.write(target === "/away" ? answer(302, { Location: other.origin }) : answer(200, {}, "ok"));
      };
    const other = await serve(respond("other"), options);
    const server = await serve(respond("own"), options);
    const client = makeHttpClient({ ca: [certificates.ca.cert] });
    const parts = { cert: `${certificates.folder}/client.crt`, key: certificates.client.key };
    const credentials = makeCredentials({ client, schemes: { m: parts } });
    for (const target of ["/", "/away"])
      await send(
        client,
        await Effect.runPromise(authorize(request(server.origin, target), security, credentials, { tool: "op" })),
      );
    expect(seen).toEqual([
      ["own", "client"],
      ["own", "client"],
      ["other", undefined],
    ]);
  });

  test.each([
    [{ cert: "/no/such.pem", key: "x" }, /certificate of .* cannot be read/],
    [{ cert: "package.json", key: "x" }, /is not PEM/],
    [{ cert: "x" }, /names no certificate and key/],
  ])("with %j fails clearly", async (parts, message) => {
    const credentials = makeCredentials({ client: makeHttpClient(), schemes: { m: parts } });
    const error = await Effect.runPromise(
      Effect.flip(authorize(request("https://127.0.0.1:1", "/"), security, credentials, { tool: "op" })),
    );
    expect(error.message).toMatch(message);
  });

  test("with a key of another certificate fails clearly, before anything is sent", async () => {
    const parts = { cert: certificates.client.cert, key: certificates.server.key };
    const credentials = makeCredentials({ client: makeHttpClient(), schemes: { m: parts } });
    const error = await Effect.runPromise(
      Effect.flip(authorize(request("https://127.0.0.1:1", "/"), security, credentials, { tool: "op" })),
    );
    expect(error.message).toMatch(/cannot be used together/);
  });
});

test("HTTP/2 is spoken on request", async () => {
  const { createSecureServer } = await import("node:http2");
  const server = createSecureServer({ ...certificates.server, allowHTTP1: true }, (received, response) =>
    response.end(`${received.httpVersion} ${received.url} ${received.headers["x-a"]}`),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `https://127.0.0.1:${(server.address() as { port: number }).port}`;
  const sent = request(origin, "/a%2F|?b='", { headers: [["X-A", "1"]] });
  for (const [http2, version] of [
    [true, "2.0"],
    [false, "1.1"],
  ] as const) {
    const client = makeHttpClient({ ca: [certificates.ca.cert], http2 });
    expect((await send(client, sent)).text).toBe(`${version} /a%2F|?b=' 1`);
    await Effect.runPromise(client.close());
  }
  await new Promise((resolve) => server.close(resolve));
});
