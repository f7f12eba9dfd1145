/** Whatever bytes a server sends, a call ends with one answer or one failure, and nothing else happens. */
import { gzipSync } from "node:zlib";
import * as Effect from "effect/Effect";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ToolError } from "../../src/codemode/tool-error.js";
import { makeHttpClient } from "../../src/http/client.js";
import { request, send } from "./client.js";
import { type RawServer, rawServer } from "./raw-server.js";

const loose: unknown[] = [];
const notice = (error: unknown): void => void loose.push(error);
let server: RawServer;
let next: { bytes: Buffer; cut: number } = { bytes: Buffer.alloc(0), cut: 0 };

beforeAll(async () => {
  process.on("uncaughtException", notice);
  process.on("unhandledRejection", notice);
  server = await rawServer((socket) => {
    const { bytes, cut } = next;
    // In two pieces, so that every state of the parser is met at a boundary.
    socket.write(bytes.subarray(0, cut), () => socket.end(bytes.subarray(cut)));
  });
});
afterAll(async () => {
  process.off("uncaughtException", notice);
  process.off("unhandledRejection", notice);
  await server.close();
});

const line = fc.oneof(
  fc.constantFrom(
    "Content-Length: 5",
    "Content-Length: 0",
    "Content-Length: 99",
    "Content-Length: x",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Content-Encoding: gzip",
    "Content-Encoding: deflate",
    "Content-Encoding: br, gzip",
    "Connection: close",
    "Connection: upgrade",
    "Upgrade: h2c",
    "Location: /",
    "Location: //[",
    "Content-Type: text/event-stream",
    "Retry-After: 0",
    "Set-Cookie: a=b",
    "WWW-Authenticate: Digest",
    "__proto__: x",
    "constructor: y",
    ": z",
    " folded",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ maxLength: 50 }).map((text) => gzipSync(text)),
  fc
    .constantFrom("5\r\nhello\r\n0\r\n\r\n", "5\r\nhello\r\n", "hello", "ffffffff\r\n", "")
    .map((text) => Buffer.from(text)),
);
const status = fc.oneof(
  fc.integer({ min: 100, max: 599 }).map((code) => `HTTP/1.1 ${code} X`),
  fc.constantFrom("HTTP/1.0 200 OK", "HTTP/2 200", "HTTP/1.1 200", ""),
);
const message = fc
  .tuple(status, fc.array(line, { maxLength: 6 }), body)
  .map(([first, lines, octets]) =>
    Buffer.concat([Buffer.from(`${[first, ...lines].join("\r\n")}\r\n\r\n`, "latin1"), octets]),
  );

test("any bytes are one outcome", async () => {
  const client = makeHttpClient({
    retries: 0,
    headersMs: 2_000,
    bodyIdleMs: 2_000,
    totalMs: 10_000,
    maxResponseBytes: 1_000_000,
  });
  await fc.assert(
    fc.asyncProperty(
      message,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom("GET", "HEAD", "POST"),
      async (bytes, at, method) => {
        next = { bytes, cut: Math.floor(bytes.length * at) };
        const outcome = await send(client, request(server.origin, "/", { method })).catch((error: unknown) => error);
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(ToolError);
          expect(outcome.message).toMatch(/^[A-Z]+ http:\/\/[^ ]+: .*\.$/s);
        } else expect(outcome).toMatchObject({ status: expect.any(Number) });
      },
    ),
    { numRuns: 300 },
  );
  await Effect.runPromise(client.close());
  expect(loose).toEqual([]);
});
