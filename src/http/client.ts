/**
 * The HTTP client: an exact request in, one answer or one clear failure out. Around the transport stand, from the
 * outside: dry runs and replays, the deadline, redirects, challenges, retries, and the limits of each origin.
 */

import type { LookupFunction } from "node:net";
import * as Effect from "effect/Effect";
import type { JsonSchema } from "../codemode/tool.js";
import { ToolError as PublicError, type ToolError } from "../codemode/tool-error.js";
import { redactError } from "../credentials/redact-error.js";
import { makeRedactor, type Redactor } from "../credentials/redaction.js";
import { type IsPrivate, isPrivateAddress, isPrivateHost, publicLookup } from "./addresses.js";
import { type Deadline, pause, startDeadline } from "./deadline.js";
import { type ConnectionNeeds, makeDispatchers } from "./dispatcher.js";
import { makeDryRun, type RecordedRequest } from "./dry-run.js";
import { HttpFailure, toFailure } from "./failure.js";
import { makeHarRecorder } from "./har.js";
import { type HarReplay, loadHarReplay } from "./har-replay.js";
import type { HttpRequest, HttpResponse } from "./message.js";
import { makeRateLimits } from "./rate-limits.js";
import { MAX_REDIRECTS, redirected } from "./redirects.js";
import { makeRetries } from "./retry.js";
import { describeRequest, type Exchange, exchange } from "./transport.js";

/** An answer that nobody needs is read to its end when it is at most this long, in octets. */
const DRAINED = 64 * 1024;
/** And given up after this many milliseconds. */
const DRAIN_MS = 1_000;

/** What a client is made with. Times are milliseconds, sizes octets. */
export interface HttpClientOptions {
  /** Retries of idempotent requests on connection errors, 429 and 503. Default 2. */
  readonly retries?: number | undefined;
  /** Requests to one origin at a time. Default: no limit. */
  readonly concurrency?: number | undefined;
  /** Octets of one body after content codings are removed. Default: no limit. */
  readonly maxResponseBytes?: number | undefined;
  /** Milliseconds for name look-up, TCP and TLS. Default 10,000. */
  readonly connectMs?: number | undefined;
  /** Milliseconds from a sent request to the header section of its answer. Default 120,000. */
  readonly headersMs?: number | undefined;
  /** Milliseconds between two pieces of a body. Default 60,000. */
  readonly bodyIdleMs?: number | undefined;
  /**
   * Milliseconds of one call with its retries and redirects, to the end of the body (an event stream may go on).
   * Default 300,000.
   */
  readonly totalMs?: number | undefined;
  /** Octets of the header section of an answer. Default 65,536. */
  readonly maxHeaderBytes?: number | undefined;
  /** Certificate authorities to trust beside the usual ones: PEM texts. */
  readonly ca?: readonly string[] | undefined;
  /** Offer HTTP/2 to https servers. Default false. */
  readonly http2?: boolean | undefined;
  /** Use HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Default true. */
  readonly proxy?: boolean | undefined;
  /** Secrets to keep out of everything. Default: a new one. */
  readonly redactor?: Redactor | undefined;
  /** Name look-up, as `dns.lookup`. */
  readonly lookup?: LookupFunction | undefined;
  /** Send nothing: record requests and answer with samples. */
  readonly dryRun?: { readonly showSecrets?: boolean | undefined } | undefined;
  /** Note every exchange in this HTTP Archive, written at `close`. */
  readonly record?: string | undefined;
  /** Send nothing: answer from this HTTP Archive. */
  readonly replay?: string | undefined;
  /** What counts as an address that public servers may not redirect to. Default: the IANA special-purpose registries. */
  readonly isPrivateAddress?: IsPrivate | undefined;
}

/** Who asks, for failures and records. */
export interface CallContext {
  /** The dotted name of the tool. */
  readonly tool: string;
  /** The tool's output schema: a dry run answers with a value that fits it. */
  readonly outputSchema?: (() => JsonSchema | undefined) | undefined;
}

/** Whether requests are sent; `dry-run` and `replay` send nothing. */
export type ClientMode = "send" | "dry-run" | "replay";

/** Sends exact requests, with retries, redirects and bounds. Several APIs may share one. */
export interface HttpClient {
  /** Sends a request. Interruption ends the exchange. */
  send(request: HttpRequest, context: CallContext): Effect.Effect<HttpResponse, ToolError>;
  /** Knows every secret; apply it to whatever of an answer reaches a program or a person. */
  readonly redactor: Redactor;
  readonly mode: ClientMode;
  /** The requests of a dry run, in the order of the calls. */
  readonly requests: readonly RecordedRequest[];
  /** Ends every connection and writes the archive. Fails only when that cannot be written. */
  close(): Effect.Effect<void, ToolError>;
}

/** Makes a client. It opens no connection before the first request. */
export function makeHttpClient(options: HttpClientOptions = {}): HttpClient {
  const redactor = options.redactor ?? makeRedactor();
  const isPrivate = options.isPrivateAddress ?? isPrivateAddress;
  const dispatchers = makeDispatchers({
    ca: options.ca,
    connectMs: options.connectMs ?? 10_000,
    maxHeaderBytes: options.maxHeaderBytes ?? 64 * 1024,
    http2: options.http2 ?? false,
    proxy: options.proxy ?? true,
    lookup: options.lookup,
  });
  const limits = {
    headersMs: options.headersMs ?? 120_000,
    bodyIdleMs: options.bodyIdleMs ?? 60_000,
    maxResponseBytes: options.maxResponseBytes,
  };
  const rates = makeRateLimits(options.concurrency, options.retries !== 0);
  const retries = makeRetries(options.retries ?? 2);
  const mode: ClientMode = options.dryRun !== undefined ? "dry-run" : options.replay !== undefined ? "replay" : "send";
  const dryRun = makeDryRun(options.dryRun?.showSecrets === true ? undefined : redactor);
  const recorder = options.record === undefined ? undefined : makeHarRecorder(redactor);
  let archive: Promise<HarReplay> | undefined;
  const onlyPublic = publicLookup(options.lookup, isPrivate);

  const replayed = async (request: HttpRequest, path: string): Promise<Exchange> => {
    archive ??= loadHarReplay(path, redactor);
    const replay = await archive.catch((error: Error) => {
      throw new PublicError(error.message);
    });
    return { ...(await replay.answer(request)), ended: Promise.resolve() };
  };

  /** One exchange, from an archive or to an archive as the case may be. */
  const attempt = async (request: HttpRequest, needs: ConnectionNeeds, deadline: Deadline): Promise<Exchange> => {
    if (options.replay !== undefined) return replayed(request, options.replay);
    const started = new Date();
    try {
      const response = await exchanged(request, needs, deadline);
      return recorder === undefined ? response : recorder.record(request, started, response);
    } catch (error) {
      recorder?.failed(request, started, toFailure(error, describeRequest(request)).message);
      throw error;
    }
  };

  /** One exchange on the wire, in its turn at its origin. */
  const exchanged = async (request: HttpRequest, needs: ConnectionNeeds, deadline: Deadline): Promise<Exchange> => {
    const origin = rates.of(request.origin);
    const exit = await origin.enter(deadline.signal);
    let response: Exchange;
    try {
      response = await exchange(request, await dispatchers.get(needs), limits, deadline.signal);
    } catch (error) {
      exit();
      throw error;
    }
    void response.ended.then(exit);
    origin.observe(response);
    // A stream may stay open while the program makes other calls, which must not wait for it.
    if (isStream(response)) exit();
    return response;
  };

  const withRetries = async (request: HttpRequest, needs: ConnectionNeeds, deadline: Deadline): Promise<Exchange> => {
    retries.began();
    for (let tries = 1; ; tries++) {
      let response: Exchange | undefined;
      let failure: unknown;
      try {
        response = await attempt(request, needs, deadline);
      } catch (error) {
        failure = error;
      }
      if (deadline.signal.aborted) throw deadline.signal.reason;
      const wait = retries.after(response ?? failure, request.method, tries, deadline.remaining());
      if (wait === undefined) {
        if (response === undefined) throw failure;
        return response;
      }
      if (response !== undefined) await discard(response);
      if (mode !== "replay") await pause(wait, deadline.signal);
    }
  };

  const withChallenge = async (request: HttpRequest, needs: ConnectionNeeds, deadline: Deadline): Promise<Exchange> => {
    const response = await withRetries(request, needs, deadline);
    const again = await request.authorization?.answered?.(request, response, deadline.signal);
    if (again === undefined || response.status !== 401) return response;
    await discard(response);
    const second = await withRetries(again, needs, deadline);
    await again.authorization?.answered?.(again, second, deadline.signal);
    return second;
  };

  const withRedirects = async (first: HttpRequest, deadline: Deadline): Promise<Exchange> => {
    const about = describeRequest(first);
    const clientCertificate = first.authorization?.clientCertificate;
    const seen = new Set<string>();
    let request = first;
    let fromPublic = false;
    for (let hops = 0; ; hops++) {
      const sameOrigin = request.origin === first.origin;
      const response = await withChallenge(
        request,
        sameOrigin ? { clientCertificate } : fromPublic ? { lookup: onlyPublic } : {},
        deadline,
      ).catch((error: unknown) => {
        throw isRefusedAddress(error) ? privateTarget(about) : error;
      });
      const next = redirected(request, response, about);
      if (next === undefined) return response;
      await discard(response);
      const place = `${next.method} ${next.origin}${next.target}`;
      if (seen.has(place) || hops >= MAX_REDIRECTS)
        throw new HttpFailure(
          `${about}: the server redirects ${seen.has(place) ? "in a circle" : `more than ${MAX_REDIRECTS} times`}.`,
          "body",
          false,
        );
      seen.add(place);
      if (next.origin !== request.origin) {
        fromPublic ||= !(await isPrivateHost(new URL(request.origin).hostname, options.lookup, isPrivate));
        if (fromPublic && (await isPrivateHost(new URL(next.origin).hostname, options.lookup, isPrivate)))
          throw privateTarget(about);
      }
      request = next;
    }
  };

  const call = async (request: HttpRequest, interruption: AbortSignal): Promise<HttpResponse> => {
    const about = describeRequest(request);
    const deadline = startDeadline(options.totalMs ?? 300_000, about, interruption);
    try {
      const response = await withRedirects(request, deadline);
      if (isStream(response)) deadline.clear();
      else void response.ended.then(deadline.clear);
      return { ...response, headers: redactedFields(response.headers, redactor), url: redactor.text(response.url) };
    } catch (error) {
      deadline.clear();
      throw error;
    }
  };

  return {
    redactor,
    mode,
    requests: dryRun.requests,
    send: (request, context) =>
      Effect.tryPromise({
        try: (signal) =>
          mode === "dry-run" ? dryRun.answer(request, context.outputSchema?.()) : call(request, signal),
        catch: (error) => redactError(toFailure(error, describeRequest(request)), redactor),
      }),
    close: () =>
      Effect.tryPromise({
        try: async () => {
          await dispatchers.destroy();
          if (options.record !== undefined) await recorder?.save(options.record);
        },
        catch: (error) => new PublicError(`The HTTP Archive ${options.record} could not be written.`, { cause: error }),
      }),
  };
}

/** True for answers that are read as they come: server-sent events and newline-delimited JSON. */
function isStream(response: HttpResponse): boolean {
  return /^(text\/event-stream|application\/(x-)?(ndjson|jsonl|json-lines|json-seq|jsonlines))\b/i.test(
    response.headers["content-type"] ?? "",
  );
}

/** Gives up an answer that is not needed; a short one is read to its end, so that its connection can be used again. */
async function discard(response: HttpResponse): Promise<void> {
  const body = response.body[Symbol.asyncIterator]();
  const short = Number(response.headers["content-length"] ?? Number.NaN) <= DRAINED;
  const timer = short ? setTimeout(() => void body.return?.(), DRAIN_MS) : undefined;
  try {
    while (short && (await body.next()).done !== true);
  } catch {
    // Its connection is gone; nothing else depends on it.
  } finally {
    clearTimeout(timer);
    await body.return?.();
  }
}

function privateTarget(about: string): HttpFailure {
  return new HttpFailure(
    `${about}: a public server redirects to a private address, which is not followed.`,
    "body",
    false,
  );
}

function isRefusedAddress(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return cause?.code === "EPRIVATEADDRESS";
}

function redactedFields(headers: Readonly<Record<string, string>>, redactor: Redactor): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactor.text(value)]));
}
