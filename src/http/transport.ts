/** One request on the wire and its answer, over undici. No retries, no redirects, no credentials: those are above. */
import type { Dispatcher } from "undici";
import { ACCEPT_ENCODING, contentCodings, decodeContent } from "./content-coding.js";
import { HttpFailure, toFailure } from "./failure.js";
import { type HttpRequest, type HttpResponse, requestField } from "./message.js";
import { USER_AGENT } from "./user-agent.js";

/** More interim answers (1xx) than any honest server sends before the real one. */
const MAX_INTERIM = 32;

/** Bodies are handed to the socket in pieces of this size, so that a slow upload counts as progress. */
const PIECE = 64 * 1024;

/** Statuses whose answers have no body (RFC 9110, 15.3.5, 15.4.5). */
const EMPTY = new Set([204, 304]);

export interface ExchangeLimits {
  /** Milliseconds until the header section of the answer is complete, from when the request was sent. */
  readonly headersMs: number;
  /** Milliseconds between two pieces of the body. */
  readonly bodyIdleMs: number;
  /** Octets of one body, after content codings are removed. */
  readonly maxResponseBytes: number | undefined;
}

/** Text that names a request in failures: no path, no query, because those may carry private values. */
export function describeRequest(request: Pick<HttpRequest, "method" | "origin">): string {
  return `${request.method} ${request.origin}`;
}

/** An answer, and when nothing of its exchange is left: the body was read, was cancelled, or failed. */
export interface Exchange extends HttpResponse {
  readonly ended: Promise<void>;
}

/**
 * Sends one request.
 *
 * @param signal ends the exchange at any time, also while the body is read; its reason is what is thrown
 * @throws ToolError
 */
export async function exchange(
  request: HttpRequest,
  dispatcher: Dispatcher,
  limits: ExchangeLimits,
  signal: AbortSignal,
): Promise<Exchange> {
  const about = describeRequest(request);
  const own = new AbortController();
  let interim = 0;
  let answer: Dispatcher.ResponseData;
  try {
    answer = await dispatcher.request({
      origin: request.origin,
      path: request.target,
      method: request.method as Dispatcher.HttpMethod,
      headers: wireFields(request),
      body: wireBody(request) as never,
      signal: AbortSignal.any([signal, own.signal]),
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.bodyIdleMs,
      onInfo: () => {
        if (++interim > MAX_INTERIM)
          own.abort(
            new HttpFailure(`${about}: the server sends interim answers (1xx) without end.`, "exchange", false),
          );
      },
    });
  } catch (error) {
    throw signal.aborted ? signal.reason : toFailure(error, about);
  }
  // A body that fails before anyone reads it must not become an unhandled error.
  answer.body.on("error", () => {});
  const headers = fields(answer.headers);
  let finish = (): void => {};
  const ended = new Promise<void>((resolve) => (finish = resolve));
  answer.body.once("close", finish);
  return {
    ended,
    status: answer.statusCode,
    headers,
    url: request.origin + request.target,
    body: responseBody(answer, headers, request.method, about, limits.maxResponseBytes, signal, finish),
  };
}

/** Name and lines as undici takes them: an object whose lists become several lines. */
function wireFields(request: HttpRequest): Record<string, string | string[]> {
  const lines: Record<string, string | string[]> = Object.create(null);
  const add = (name: string, value: string): void => {
    const before = lines[name];
    lines[name] = before === undefined ? value : typeof before === "string" ? [before, value] : [...before, value];
  };
  for (const [name, value] of request.headers) add(name, value);
  if (requestField(request, "user-agent") === undefined) add("User-Agent", USER_AGENT);
  // A range of encoded octets would be of no use to anyone.
  if (requestField(request, "accept-encoding") === undefined && requestField(request, "range") === undefined)
    add("Accept-Encoding", ACCEPT_ENCODING);
  const length = request.body?.length;
  if (length !== undefined && length > 0 && requestField(request, "content-length") === undefined)
    add("Content-Length", String(length));
  return lines;
}

function wireBody(request: HttpRequest): AsyncIterable<Uint8Array> | Uint8Array | null {
  const bytes = request.body?.open();
  if (bytes === undefined) return null;
  if (!(bytes instanceof Uint8Array)) return bytes;
  return bytes.byteLength <= PIECE ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : pieces(bytes);
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

function fields(raw: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    const text = typeof value === "string" ? value : value.join(name === "set-cookie" ? "\n" : ", ");
    Object.defineProperty(result, name, { value: text, enumerable: true, configurable: true, writable: true });
  }
  return result;
}

/** The decoded body. Its first reader gets it; a second one gets what is left, as with any stream. */
function responseBody(
  answer: Dispatcher.ResponseData,
  headers: Readonly<Record<string, string>>,
  method: string,
  about: string,
  max: number | undefined,
  signal: AbortSignal,
  finish: () => void,
): AsyncIterable<Uint8Array> {
  async function* read(): AsyncGenerator<Uint8Array> {
    if (EMPTY.has(answer.statusCode) || method === "HEAD") {
      // Whatever follows is no body (RFC 9112, 6.3), and its faults are not this answer's.
      answer.body.resume();
      return;
    }
    const codings = contentCodings(headers["content-encoding"]);
    const announced = Number(headers["content-length"]);
    if (max !== undefined && codings.length === 0 && announced > max) throw tooLarge(about, max);
    let size = 0;
    for await (const chunk of decodeContent(received(answer.body, about, signal), codings, about)) {
      size += chunk.byteLength;
      if (max !== undefined && size > max) throw tooLarge(about, max);
      yield chunk;
    }
  }

  const chunks = read();
  const iterator: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      try {
        const step = await chunks.next();
        if (step.done === true) finish();
        return step;
      } catch (error) {
        answer.body.destroy();
        finish();
        throw error;
      }
    },
    return: async () => {
      answer.body.destroy();
      finish();
      await chunks.return(undefined).catch(() => {});
      return { done: true, value: undefined };
    },
  };
  return iterator;
}

async function* received(body: AsyncIterable<unknown>, about: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk as Uint8Array;
  } catch (error) {
    throw signal.aborted ? signal.reason : toFailure(error, about, "body");
  }
}

function tooLarge(about: string, max: number): HttpFailure {
  return new HttpFailure(`${about}: the answer is larger than ${max} bytes.`, "body", false, {
    hint: "Ask for less, or raise --max-response-bytes.",
  });
}
