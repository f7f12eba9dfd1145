/**
 * The server over streamable HTTP, at one path, stateless: every request carries all it needs, so replicas can stand
 * behind a balancer. Every request must carry the bearer token; Host and Origin are checked against DNS rebinding.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpServer, type McpHost } from "./server.js";

export interface HttpOptions {
  readonly port: number;
  /** Address to bind. Default `127.0.0.1`. */
  readonly hostname?: string;
  /** The bearer token that every request must carry (RFC 6750). */
  readonly token: string;
  /** Further values of `Host` that are accepted, e.g. the name a balancer is known by. */
  readonly allowedHosts?: readonly string[];
  /** Web origins that are accepted; requests without `Origin` come from no browser. Default: none. */
  readonly allowedOrigins?: readonly string[];
}

export interface HttpServing {
  readonly url: string;
  close(): Promise<void>;
}

const PATH = "/mcp";

/** Starts serving. Fails when the port is taken. */
export async function serveHttp(host: McpHost, options: HttpOptions): Promise<HttpServing> {
  const hostname = options.hostname ?? "127.0.0.1";
  const server = createServer((request, response) => {
    handle(host, options, boundHosts(server, hostname), request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, "The request could not be handled.");
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, hostname, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The `Host` values under which a client on this machine reaches the server. */
function boundHosts(server: Server, hostname: string): string[] {
  const { port } = server.address() as AddressInfo;
  return [hostname, "localhost", "127.0.0.1", "[::1]"].map((name) => `${name}:${port}`);
}

async function handle(
  host: McpHost,
  options: HttpOptions,
  hosts: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const authority = request.headers.host ?? "";
  if (![...hosts, ...(options.allowedHosts ?? [])].includes(authority)) {
    return refuse(response, 403, `Host ${JSON.stringify(authority)} is not served here.`);
  }
  const { origin } = request.headers;
  if (origin !== undefined && !(options.allowedOrigins ?? []).includes(origin)) {
    return refuse(response, 403, `Origin ${JSON.stringify(origin)} is not allowed.`);
  }
  if (!isAuthorized(request.headers.authorization, options.token)) {
    response.setHeader("WWW-Authenticate", "Bearer");
    return refuse(response, 401, "A bearer token is needed.");
  }
  if (new URL(request.url ?? "/", "http://localhost").pathname !== PATH) {
    return refuse(response, 404, `The server answers at ${PATH}.`);
  }
  if (request.method !== "POST") {
    // Stateless: there is no stream to resume and no session to end.
    response.setHeader("Allow", "POST");
    return refuse(response, 405, "Only POST is served.");
  }
  const server = createMcpServer(host, { elicitation: false });
  const transport = new StreamableHTTPServerTransport({});
  // A client that goes away cancels what it asked for.
  response.once("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(request, response);
}

/** Compares digests, so that the time taken says nothing about the token. */
function isAuthorized(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}
