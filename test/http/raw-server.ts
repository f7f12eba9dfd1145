/** A server that speaks bytes, so that tests decide exactly what is on the wire, right or wrong. */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

/** One request as it arrived. */
export interface Received {
  readonly method: string;
  readonly target: string;
  /** Names as written. */
  readonly lines: readonly (readonly [string, string])[];
  /** Lower-case names, the last of several lines. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface RawServer {
  readonly origin: string;
  readonly port: number;
  readonly requests: Received[];
  /** Connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

/** Called for each complete request; what it writes is the answer. */
export type Respond = (socket: Socket, request: Received, count: number) => unknown;

export async function rawServer(
  respond: Respond,
  tls?: TlsOptions,
  host = "127.0.0.1",
  connected: (socket: Socket) => void = () => {},
  listenOn = 0,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: Received[] = [];
  let connections = 0;
  const serve = (socket: Socket): void => {
    connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    connected(socket);
    let pending: Buffer = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      for (let parsed = parse(pending); parsed !== undefined; parsed = parse(pending)) {
        pending = parsed.rest;
        requests.push(parsed.request);
        respond(socket, parsed.request, requests.length);
      }
    });
  };
  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve as never);
  if (tls !== undefined) {
    server.on("tlsClientError", () => {});
    // Also those whose handshake never ends.
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
  }
  await new Promise<void>((resolve) => server.listen(listenOn, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls === undefined ? "http" : "https"}://${host}:${port}`,
    port,
    requests,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parse(bytes: Buffer): { request: Received; rest: Buffer } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...rest] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const lines = rest.map(
    (line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()] as const,
  );
  const headers = Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value]));
  const after = bytes.subarray(end + 4);
  if (headers["transfer-encoding"] === "chunked") {
    const body: Buffer[] = [];
    for (let at = 0; ; ) {
      const eol = after.indexOf("\r\n", at);
      if (eol < 0) return undefined;
      const size = Number.parseInt(after.subarray(at, eol).toString(), 16);
      if (after.length < eol + 2 + size + 2) return undefined;
      if (size === 0)
        return {
          request: { method, target, lines, headers, body: Buffer.concat(body) },
          rest: after.subarray(eol + 4),
        };
      body.push(after.subarray(eol + 2, eol + 2 + size));
      at = eol + 2 + size + 2;
    }
  }
  const length = Number(headers["content-length"] ?? 0);
  if (after.length < length) return undefined;
  return { request: { method, target, lines, headers, body: after.subarray(0, length) }, rest: after.subarray(length) };
}

/** A complete answer. */
export function answer(
  status: number,
  headers: Readonly<Record<string, string | string[]>> = {},
  body: string | Buffer = "",
): Buffer {
  const bytes = Buffer.from(body);
  const fields = Object.entries({ "Content-Length": String(bytes.length), ...headers }).flatMap(([name, value]) =>
    [value].flat().map((line) => `${name}: ${line}\r\n`),
  );
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${fields.join("")}\r\n`, "latin1"), bytes]);
}
