/** The client as a `fetch` for libraries that want one: same pools, deadlines, TLS settings and failures. */
import * as Effect from "effect/Effect";
import { readBytes } from "./body.js";
import type { HttpClient } from "./client.js";
import { bytesBody } from "./message.js";

export interface FetchInit {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | URLSearchParams | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Octets of an answer to a library: token and metadata documents are small. */
const MAX_BYTES = 1024 * 1024;

/**
 * Redirects are given as they are, never followed with a body; GET follows them as the client does.
 *
 * @throws ToolError
 */
export async function fetchWith(
  client: HttpClient,
  tool: string,
  url: string,
  init: FetchInit = {},
): Promise<Response> {
  const { origin, pathname, search } = new URL(url);
  const body =
    init.body === undefined || init.body === null ? undefined : bytesBody(Buffer.from(String(init.body), "utf8"));
  const headers = Object.entries(init.headers ?? {});
  const places = headers.flatMap(([name, value]) =>
    name.toLowerCase() === "authorization" ? [{ in: "header" as const, name, value }] : [],
  );
  const program = Effect.gen(function* () {
    const answer = yield* client.send(
      { method: init.method ?? "GET", origin, target: pathname + search, headers, body, authorization: { places } },
      { tool },
    );
    const bytes = yield* readBytes(answer, MAX_BYTES);
    const hasBody = ![101, 204, 205, 304].includes(answer.status);
    const kept = Object.entries(answer.headers).filter(
      ([name]) => !/^(content-encoding|content-length|transfer-encoding|set-cookie)$/.test(name),
    );
    return new Response(hasBody ? (bytes as Uint8Array<ArrayBuffer>) : null, { status: answer.status, headers: kept });
  });
  return Effect.runPromise(program, init.signal === undefined ? undefined : { signal: init.signal });
}
