/**
 * From a response to an answer: decoded by the content type that the server sends, not by the one that was hoped for.
 */
import type { Answer, CallMode } from "../codemode/tool.js";
import { ToolError } from "../codemode/tool-error.js";
import type { HttpResponse } from "../http/message.js";
import { type Json, parseJson } from "../json/json.js";
import { decodeText } from "./charset.js";
import { downloadName } from "./download-name.js";
import { jsonLines, jsonSequence, serverSentEvents } from "./event-stream.js";
import { exactIntegers } from "./exact-integers.js";
import { failureMessage } from "./failure-message.js";
import type { FileStore } from "./files.js";
import { isJson, isJsonLines, isJsonSequence, isTextual, type MediaType, parseMediaType } from "./media-type.js";

export interface DecodeOptions {
  readonly mode: CallMode;
  readonly method: string;
  /** How messages call the request, e.g. `GET /zones`. */
  readonly about: string;
  readonly files: FileStore;
  /** Takes secrets out of what a program will see. */
  readonly redact: (value: Json) => Json;
}

/** Characters of a failure's body that a `ToolError` carries. */
const LONGEST_ERROR_BODY = 64 * 1024;

interface Decoded {
  readonly data: Json | AsyncIterable<Json>;
  readonly warnings: readonly string[];
  readonly files: readonly string[];
}

/**
 * Decodes a response.
 *
 * @throws ToolError `ToolFailure` for a status outside 2xx in `value` mode, `InvalidToolOutput` for a body that is not what
 *   its content type says.
 */
export async function decodeAnswer(response: HttpResponse, options: DecodeOptions): Promise<Answer> {
  const { status, headers } = response;
  const success = status >= 200 && status < 300;
  if (!success && options.mode === "value") throw await failure(response, options);
  const { data, warnings, files } = await decodeBody(response, options, success);
  return {
    data,
    status,
    headers,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(files.length > 0 ? { files } : {}),
  };
}

async function failure(response: HttpResponse, options: DecodeOptions): Promise<ToolError> {
  const { status, headers } = response;
  const body = await failureBody(response, options);
  return new ToolError(failureMessage(options.about, status, body), {
    status,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** The body of a failure, bounded; `undefined` when it is empty or not text. */
async function failureBody(response: HttpResponse, options: DecodeOptions): Promise<Json | undefined> {
  const media = mediaOf(response);
  if (hasNoBody(response, options) || (media !== undefined && !isText(media))) {
    await cancel(response.body);
    return undefined;
  }
  const octets = await readAll(response.body);
  const decoded = decodeText(octets, media);
  if (decoded === undefined || octets.length === 0) return undefined;
  const { text } = decoded;
  // Redacted first: a cut through a secret would leave a part of it that nothing recognises.
  if (text.length > LONGEST_ERROR_BODY) return `${String(options.redact(text)).slice(0, LONGEST_ERROR_BODY)}…`;
  if (media === undefined || isJson(media)) {
    try {
      return options.redact(exactIntegers(parseJson(text)).value);
    } catch {
      // Servers in trouble label any text as JSON.
    }
  }
  return options.redact(text);
}

function mediaOf({ headers }: HttpResponse): MediaType | undefined {
  const field = headers["content-type"];
  return field === undefined ? undefined : parseMediaType(field);
}

const isText = (media: MediaType): boolean =>
  isJson(media) || isTextual(media) || isJsonLines(media) || isJsonSequence(media) || isForm(media);

const isForm = (media: MediaType): boolean => media.essence === "application/x-www-form-urlencoded";

/** RFC 9110, 6.4.1: answers that have no content whatever their fields say. */
function hasNoBody({ status }: HttpResponse, { method }: DecodeOptions): boolean {
  return method === "HEAD" || status === 204 || status === 205 || status === 304;
}

const plain = (data: Json, warnings: readonly string[] = []): Decoded => ({ data, warnings, files: [] });

async function decodeBody(response: HttpResponse, options: DecodeOptions, success: boolean): Promise<Decoded> {
  if (hasNoBody(response, options)) {
    await cancel(response.body);
    return plain(null);
  }
  const media = mediaOf(response);
  if (success && media !== undefined) {
    const stream = streamOf(response, media);
    if (stream !== undefined) return { data: redacted(stream, options), warnings: [], files: [] };
  }
  if (media !== undefined && !isText(media)) return saved(response, media, options);
  const octets = await readAll(response.body);
  if (octets.length === 0) return plain(null);
  if (media === undefined) return untyped(octets, response, options);
  const decoded = decodeText(octets, media);
  if (decoded === undefined) {
    throw malformed(`${options.about} answered in the charset ${media.parameters.get("charset")}, which is not known.`);
  }
  const warnings = decoded.damaged
    ? [`${options.about}: octets that are no ${media.parameters.get("charset") ?? "UTF-8"} were replaced by U+FFFD.`]
    : [];
  if (!isJson(media)) return plain(options.redact(decoded.text), warnings);
  return json(decoded.text, options, success, warnings);
}

function json(text: string, options: DecodeOptions, success: boolean, warnings: readonly string[]): Decoded {
  let parsed: Json;
  try {
    parsed = parseJson(text);
  } catch (cause) {
    if (!success)
      return plain(options.redact(text), [...warnings, `${options.about}: the body is not JSON although it says so.`]);
    const start = String(options.redact(text)).slice(0, 200);
    throw malformed(`${options.about} answered with malformed JSON, beginning ${JSON.stringify(start)}.`, cause);
  }
  try {
    const { value, places } = exactIntegers(parsed);
    const kept =
      places.length === 0
        ? []
        : [
            `${options.about}: ${places.length === 1 ? "an integer" : `${places.length} integers`} beyond 2^53 kept as text to keep every digit: ${places.slice(0, 3).join(", ")}${places.length > 3 ? ", …" : ""}.`,
          ];
    return plain(options.redact(value), [...warnings, ...kept]);
  } catch (cause) {
    if (cause instanceof RangeError)
      throw malformed(`${options.about} answered with JSON that is nested too deeply.`, cause);
    throw cause;
  }
}

function streamOf(response: HttpResponse, media: MediaType): AsyncIterable<Json> | undefined {
  if (media.essence === "text/event-stream") return serverSentEvents(response.body);
  if (isJsonSequence(media)) return jsonSequence(response.body);
  return isJsonLines(media) ? jsonLines(response.body) : undefined;
}

async function* redacted(stream: AsyncIterable<Json>, options: DecodeOptions): AsyncGenerator<Json> {
  for await (const item of stream) yield options.redact(exactIntegers(item).value);
}

/** A file, its octets kept by the host. An empty body is null. */
async function saved(response: HttpResponse, media: MediaType, options: DecodeOptions): Promise<Decoded> {
  const chunks = response.body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return plain(null);
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield first.value as Uint8Array;
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  }
  const name = downloadName(response.headers["content-disposition"], response.url, media);
  const handle = await options.files.save(name, response.headers["content-type"] ?? media.essence, whole());
  return { data: options.redact({ ...handle, mediaType: media.essence }), warnings: [], files: [handle.file] };
}

/** Without a Content-Type the content may be looked at (RFC 9110, 8.3): JSON, else text, else a file. */
async function untyped(octets: Uint8Array, response: HttpResponse, options: DecodeOptions): Promise<Decoded> {
  const decoded = decodeText(octets, undefined);
  if (decoded === undefined || decoded.damaged || decoded.text.includes("\0")) {
    const octetStream = parseMediaType("application/octet-stream") as MediaType;
    const body = (async function* () {
      yield octets;
    })();
    return saved({ ...response, body }, octetStream, options);
  }
  const warning = `${options.about} answered without a Content-Type; the body was read as`;
  try {
    const value = exactIntegers(parseJson(decoded.text)).value;
    return plain(options.redact(value), [`${warning} JSON.`]);
  } catch {
    return plain(options.redact(decoded.text), [`${warning} text.`]);
  }
}

const malformed = (message: string, cause?: unknown): ToolError =>
  new ToolError(message, { kind: "InvalidToolOutput", ...(cause === undefined ? {} : { cause }) });

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

async function cancel(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}
