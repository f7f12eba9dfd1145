/**
 * Everything a server can do wrong, as data: the suite asserts the outcome of each, and `scripts/http-faults.mjs` writes
 * the table of `docs/http.md` from the same list.
 */
import type { Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { HttpClientOptions } from "../../src/http/client.js";
import type { Certificates, Pair } from "./certificates.js";
import { answer, type Respond } from "./raw-server.js";

export interface Fault {
  readonly name: string;
  readonly respond?: Respond;
  /** Called when a connection opens, before any request. */
  readonly connected?: (socket: Socket) => void;
  readonly tls?: (certificates: Certificates) => {
    cert: string;
    key: string;
    requestCert?: boolean;
    ca?: string;
    maxVersion?: "TLSv1.1";
  };
  readonly options?: (certificates: Certificates) => HttpClientOptions;
  /** Instead of the server's own origin. */
  readonly origin?: string;
  readonly method?: string;
  readonly body?: () => AsyncIterable<Uint8Array>;
  /** What the one failure says; or the answer that is still right. */
  readonly fails?: RegExp;
  readonly answers?: string;
}

const short: HttpClientOptions = { headersMs: 1_000, bodyIdleMs: 1_000, connectMs: 1_000, retries: 0 };
const head = (extra: string, status = "200 OK"): string => `HTTP/1.1 ${status}\r\n${extra}\r\n`;
const end =
  (text: string | Buffer): Respond =>
  (socket) =>
    socket.end(text);
const write =
  (...pieces: (string | Buffer)[]): Respond =>
  (socket) => {
    for (const piece of pieces) socket.write(piece);
  };

/** Sends as long as the other side reads. */
function flood(piece: string | Buffer, first = ""): Respond {
  return (socket) => {
    if (first !== "") socket.write(first);
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece)) if (socket.writableLength > 1_000_000) break;
      if (!socket.destroyed) socket.once("drain", () => setImmediate(more));
    };
    more();
  };
}

function zeros(bytes: number): Buffer {
  return Buffer.alloc(bytes, 97);
}

const coded = (coding: string, body: Buffer): Respond => end(answer(200, { "Content-Encoding": coding }, body));

/** A bomb: small on the wire, large when decoded. */
function bomb(): Buffer {
  return gzipSync(zeros(64 * 1024 * 1024), { level: 9 });
}

export const FAULTS: readonly Fault[] = [
  // The connection.
  { name: "nothing listens", origin: "http://127.0.0.1:1", fails: /connection was refused/ },
  {
    name: "the host name is unknown",
    origin: "http://no-such-host.invalid",
    fails: /host name (is unknown|could not be looked up)/,
  },
  {
    name: "reset when connected",
    connected: (socket) => socket.resetAndDestroy(),
    fails: /reset|closed the connection/,
  },
  { name: "closed when connected", connected: (socket) => socket.end(), fails: /closed the connection/ },
  {
    name: "reset when the request arrived",
    respond: (socket) => socket.resetAndDestroy(),
    fails: /reset|closed the connection/,
  },
  { name: "closed when the request arrived", respond: (socket) => socket.end(), fails: /closed the connection/ },
  {
    name: "bytes before the request",
    connected: (socket) => void socket.write("hello\r\n"),
    fails: /not valid HTTP|closed the connection|reset/,
  },

  // The header section.
  { name: "no answer", respond: () => {}, fails: /no answer within/ },
  { name: "half a status line, then silence", respond: write("HTTP/1.1 2"), fails: /no answer within/ },
  {
    name: "half a header section, then silence",
    respond: write("HTTP/1.1 200 OK\r\nX-A: 1\r\n"),
    fails: /no answer within/,
  },
  {
    name: "half a header section, then reset",
    respond: (socket) => void socket.write("HTTP/1.1 200 OK\r\nX-A", () => socket.resetAndDestroy()),
    fails: /reset|closed/,
  },
  {
    name: "half a header section, then the end",
    respond: end("HTTP/1.1 200 OK\r\nX-A: 1\r\n"),
    fails: /closed|not valid HTTP/,
  },
  { name: "not HTTP", respond: end("SSH-2.0-OpenSSH_9.2\r\n"), fails: /not valid HTTP|closed/ },
  {
    name: "binary noise",
    respond: end(Buffer.from([0, 255, 1, 254, 2, 253, 13, 10, 13, 10])),
    fails: /not valid HTTP|closed/,
  },
  {
    name: "a status code of two digits",
    respond: end("HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n"),
    fails: /not valid HTTP/,
  },
  { name: "a status code of 999", respond: end("HTTP/1.1 999 What\r\nContent-Length: 2\r\n\r\nok"), answers: "ok" },
  {
    name: "NUL in a field",
    respond: end("HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 0\r\n\r\n"),
    fails: /not valid HTTP/,
  },
  {
    name: "a field name with a space",
    respond: end("HTTP/1.1 200 OK\r\nX A: b\r\nContent-Length: 0\r\n\r\n"),
    fails: /not valid HTTP/,
  },
  {
    name: "a field of 1 MB",
    respond: end(head(`X-A: ${"a".repeat(1_000_000)}\r\nContent-Length: 0\r\n`)),
    fails: /header section is larger/,
  },
  {
    name: "fields without end",
    respond: flood("X-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(50), "HTTP/1.1 200 OK\r\n"),
    fails: /header section is larger/,
  },
  {
    name: "two lengths that differ",
    respond: end("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 5\r\n\r\nhello"),
    fails: /not valid HTTP|as long as/,
  },
  {
    name: "a length that is no number",
    respond: end(head("Content-Length: five\r\n") + "hello"),
    fails: /not valid HTTP/,
  },
  { name: "a negative length", respond: end(head("Content-Length: -5\r\n") + "hello"), fails: /not valid HTTP/ },
  {
    name: "a length beyond 64 bits",
    respond: end(head("Content-Length: 99999999999999999999999\r\n") + "hello"),
    fails: /not valid HTTP|as long as/,
  },
  {
    name: "length and chunks together",
    respond: end(head("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n"),
    fails: /not valid HTTP|as long as/,
  },
  {
    name: "interim answers without end",
    respond: flood("HTTP/1.1 100 Continue\r\n\r\n".repeat(100)),
    fails: /interim answers|closed|not valid HTTP/,
  },
  {
    name: "early hints without end",
    respond: flood("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(100)),
    fails: /interim answers/,
  },
  {
    name: "early hints, then the answer",
    respond: end("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head("Content-Length: 2\r\n") + "ok"),
    answers: "ok",
  },
  {
    name: "an upgrade nobody asked for",
    respond: write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    fails: /closed|not valid HTTP/,
  },

  // The body.
  {
    name: "a body shorter than its length",
    respond: end(head("Content-Length: 10\r\n") + "short"),
    fails: /in the middle of the answer|as long as/,
  },
  { name: "a body longer than its length", respond: end(head("Content-Length: 2\r\n") + "ok and more"), answers: "ok" },
  {
    name: "reset in the middle of a body",
    respond: (socket) =>
      void socket.write(head("Content-Length: 10\r\n") + "short", () => setTimeout(() => socket.resetAndDestroy(), 50)),
    fails: /in the middle of the answer/,
  },
  {
    name: "silence in the middle of a body",
    respond: write(head("Content-Length: 10\r\n") + "short"),
    fails: /stopped arriving/,
  },
  { name: "silence before a body", respond: write(head("Content-Length: 10\r\n")), fails: /stopped arriving/ },
  {
    name: "a body one octet at a time",
    respond: (socket) => {
      socket.write(head("Content-Length: 1000\r\n"));
      const timer = setInterval(() => socket.write("x"), 100);
      socket.on("close", () => clearInterval(timer));
    },
    options: () => ({ ...short, totalMs: 2_000 }),
    fails: /not finished within/,
  },
  {
    name: "a body without end",
    respond: flood(zeros(64 * 1024), head("Connection: close\r\n")),
    options: () => ({ ...short, maxResponseBytes: 5_000_000 }),
    fails: /larger than 5000000 bytes/,
  },
  {
    name: "an announced body that is too large",
    respond: write(head("Content-Length: 99999999999\r\n")),
    options: () => ({ ...short, maxResponseBytes: 5_000_000 }),
    fails: /larger than 5000000 bytes/,
  },
  {
    name: "a chunk size that is no number",
    respond: end(head("Transfer-Encoding: chunked\r\n") + "zz\r\nhello\r\n0\r\n\r\n"),
    fails: /not valid HTTP/,
  },
  {
    name: "a chunk size beyond 64 bits",
    respond: end(head("Transfer-Encoding: chunked\r\n") + "fffffffffffffffffff\r\nhello"),
    fails: /not valid HTTP/,
  },
  {
    name: "a chunk longer than its size",
    respond: end(head("Transfer-Encoding: chunked\r\n") + "2\r\nhello\r\n0\r\n\r\n"),
    fails: /not valid HTTP/,
  },
  {
    name: "chunks without the last one",
    respond: end(head("Transfer-Encoding: chunked\r\n") + "5\r\nhello\r\n"),
    fails: /in the middle of the answer/,
  },
  {
    name: "a chunk extension without end",
    respond: flood("a".repeat(10_000), head("Transfer-Encoding: chunked\r\n") + "1;"),
    options: () => ({ ...short, totalMs: 3_000 }),
    fails: /not valid HTTP|stopped arriving|not finished within/,
  },
  {
    name: "trailers without end",
    respond: flood("X-A: aaaaaaaaaaaaaaaa\r\n".repeat(50), head("Transfer-Encoding: chunked\r\n") + "2\r\nok\r\n0\r\n"),
    fails: /header section is larger|in the middle/,
  },
  { name: "a body after 204", respond: end("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"), answers: "" },
  { name: "a body after HEAD", method: "HEAD", respond: end(head("Content-Length: 5\r\n") + "hello"), answers: "" },

  // Content codings.
  { name: "gzip that is none", respond: coded("gzip", Buffer.from("hello")), fails: /not valid gzip/ },
  { name: "gzip cut short", respond: coded("gzip", gzipSync(zeros(100_000)).subarray(0, 60)), fails: /not valid gzip/ },
  {
    name: "gzip with a wrong checksum",
    respond: coded("gzip", Buffer.concat([gzipSync("hello").subarray(0, -8), Buffer.alloc(8, 1)])),
    fails: /not valid gzip/,
  },
  { name: "brotli that is none", respond: coded("br", Buffer.from("hello hello")), fails: /not valid br/ },
  { name: "deflate with a zlib header", respond: coded("deflate", deflateSync("ok")), answers: "ok" },
  { name: "deflate without a zlib header", respond: coded("deflate", deflateRawSync("ok")), answers: "ok" },
  { name: "two codings", respond: coded("gzip, br", brotliCompressSync(gzipSync("ok"))), answers: "ok" },
  { name: "two gzip members", respond: coded("gzip", Buffer.concat([gzipSync("o"), gzipSync("k")])), answers: "ok" },
  { name: "an empty body with a coding", respond: coded("gzip", Buffer.alloc(0)), answers: "" },
  { name: "an unknown coding", respond: coded("compress", Buffer.from("x")), fails: /content coding "compress"/ },
  {
    name: "twenty codings",
    respond: coded(Array(20).fill("gzip").join(","), Buffer.from("x")),
    fails: /20 content codings/,
  },
  {
    name: "a gzip bomb, limited size",
    respond: coded("gzip", bomb()),
    options: () => ({ ...short, maxResponseBytes: 5_000_000 }),
    fails: /larger than 5000000 bytes/,
  },
  { name: "a gzip bomb, no limit", respond: coded("gzip", bomb()), fails: /expands more than/ },
  { name: "a gzip bomb in a gzip bomb", respond: coded("gzip, gzip", gzipSync(bomb())), fails: /expands more than/ },
  {
    name: "a brotli bomb",
    respond: coded("br", brotliCompressSync(zeros(64 * 1024 * 1024))),
    fails: /expands more than/,
  },

  // Redirects.
  { name: "a redirect to itself", respond: end(answer(302, { Location: "/" })), fails: /in a circle/ },
  {
    name: "redirects without end",
    respond: (socket, _request, count) => socket.write(answer(302, { Location: `/${count}` })),
    fails: /more than 20 times/,
  },
  { name: "a redirect to no URL", respond: end(answer(302, { Location: "http://[" })), fails: /is no URL/ },
  { name: "a redirect to a file", respond: end(answer(302, { Location: "file:///etc/passwd" })), fails: /file: URL/ },

  // TLS.
  {
    name: "a self-signed certificate",
    tls: ({ selfSigned }) => selfSigned,
    respond: end(answer(200)),
    fails: /self-signed/,
  },
  {
    name: "a certificate of an unknown authority",
    tls: ({ server }) => server,
    respond: end(answer(200)),
    fails: /unknown authority/,
  },
  {
    name: "a certificate of a named authority",
    tls: ({ server }) => server,
    options: trusting,
    respond: end(answer(200, {}, "ok")),
    answers: "ok",
  },
  {
    name: "an expired certificate",
    tls: ({ expired }) => expired,
    options: trusting,
    respond: end(answer(200)),
    fails: /has expired/,
  },
  {
    name: "a certificate of the future",
    tls: ({ future }) => future,
    options: trusting,
    respond: end(answer(200)),
    fails: /not valid yet/,
  },
  {
    name: "a certificate of another host",
    tls: ({ otherHost }) => otherHost,
    options: trusting,
    respond: end(answer(200)),
    fails: /another host name/,
  },
  {
    name: "a client certificate is wanted",
    tls: ({ server, ca }) => ({ ...server, ca: ca.cert, requestCert: true }),
    options: trusting,
    respond: end(answer(200)),
    fails: /client certificate|closed the connection/,
  },
  {
    name: "a TLS version of the past",
    tls: ({ server }) => ({ ...server, maxVersion: "TLSv1.1" }),
    options: trusting,
    respond: end(answer(200)),
    fails: /TLS handshake failed|refused the TLS handshake|closed the connection/,
  },
  {
    name: "http where https is spoken",
    origin: "https",
    connected: (socket) => void socket.end(answer(400)),
    fails: /TLS handshake failed|closed the connection/,
  },
  {
    name: "silence in the TLS handshake",
    origin: "https",
    connected: () => {},
    respond: () => {},
    fails: /no connection within/,
  },

  // Uploads.
  {
    name: "an answer before the upload ends",
    method: "POST",
    connected: (socket) => void setTimeout(() => socket.end(answer(413, { Connection: "close" }, "too large")), 50),
    body: slowUpload,
    answers: "too large",
  },
  {
    name: "a server that reads no upload",
    method: "POST",
    connected: (socket) => void socket.pause(),
    body: endlessUpload,
    options: () => ({ ...short, totalMs: 3_000 }),
    fails: /no answer within|not finished within/,
  },
  {
    name: "a reset during the upload",
    method: "POST",
    connected: (socket) => void setTimeout(() => socket.resetAndDestroy(), 50),
    body: endlessUpload,
    fails: /reset|closed/,
  },
];

function trusting({ ca }: { readonly ca: Pair }): HttpClientOptions {
  return { ...short, ca: [ca.cert] };
}

async function* slowUpload(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < 100; i++) {
    yield zeros(1_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function* endlessUpload(): AsyncGenerator<Uint8Array> {
  for (;;) yield zeros(64 * 1024);
}

export const shortLimits = short;
