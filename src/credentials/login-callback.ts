/** The loopback end of the authorization code flow (RFC 8252, 7.3): one answer of the browser is waited for. */
import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CredentialError } from "./sources.js";

export interface Callback {
  readonly redirectUri: string;
  /** The parameters of the browser's answer. */
  answer(signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

const PATH = "/callback";

/**
 * Listens on the loopback interface only. A request without the right state is turned away, so that another page of the
 * same browser cannot answer in the server's place.
 *
 * @param port 0 for a free one
 * @throws CredentialError when the port is taken
 */
export async function listenForCallback(port: number, state: string): Promise<Callback> {
  let settle: (parameters: URLSearchParams) => void = () => {};
  const answered = new Promise<URLSearchParams>((resolve) => (settle = resolve));

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const right =
      request.method === "GET" && url.pathname === PATH && equal(url.searchParams.get("state") ?? "", state);
    const refused = url.searchParams.has("error");
    const [status, text] = !right
      ? [404, "There is nothing here."]
      : refused
        ? [200, "Access was refused. You can close this window."]
        : [200, "You are logged in. You can close this window."];
    response.writeHead(status as number, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store",
      Connection: "close",
    });
    response.end(`<!doctype html><title>codemode-openapi</title><p>${text}</p>`);
    if (right) settle(url.searchParams);
  };

  const server = createServer(handle);
  await new Promise<void>((resolve, reject) => {
    server.once("error", () =>
      reject(new CredentialError(`Port ${port} of 127.0.0.1 cannot be listened on.`, "Choose another one, or none.")),
    );
    server.listen(port, "127.0.0.1", resolve);
  });

  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    answer: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        void answered.then(resolve);
      }),
    close: () => {
      server.close();
      // The browser has its page; a connection that it keeps must not keep the process.
      server.closeIdleConnections();
    },
  };
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
