/** Content codings (RFC 9110, 8.4): what is accepted, and how it is undone within bounds. */
import { pipeline, Readable, type Transform } from "node:stream";
import * as zlib from "node:zlib";
import { ToolError } from "../codemode/tool-error.js";
import { HttpFailure } from "./failure.js";

/** Node 20 has no Zstandard. */
const createZstdDecompress = (zlib as { createZstdDecompress?: () => Transform }).createZstdDecompress;

/** The value of `Accept-Encoding`. */
export const ACCEPT_ENCODING = createZstdDecompress === undefined ? "gzip, deflate, br" : "gzip, deflate, br, zstd";

/** More codings than any honest server applies. */
const MAX_CODINGS = 4;

/** Expansion is only judged beyond this many octets: short runs of one letter compress well. */
const RATIO_FLOOR = 8 * 1024 * 1024;

/** Beyond what text compresses to (gzip itself ends at 1032). */
const MAX_RATIO = 500;

type Decoder = (first: Uint8Array) => Transform;

const DECODERS: Readonly<Record<string, Decoder | undefined>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  deflate: (first) => (hasZlibHeader(first) ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  ...(createZstdDecompress === undefined ? {} : { zstd: () => createZstdDecompress() }),
};

/** RFC 1950, 2.2. Servers send "deflate" with and without this header. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [cmf = 0, flags = 0] = bytes;
  return (cmf & 0x0f) === 8 && (cmf * 256 + flags) % 31 === 0;
}

/** The codings of a `Content-Encoding` value in the order in which they were applied; `identity` is none. */
export function contentCodings(value: string | undefined): string[] {
  return (value ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

/**
 * Undoes content codings.
 *
 * @param source throws `ToolError` only
 * @param about what was sent, for the text of a failure
 * @throws HttpFailure when a coding is unknown, when the data is not what the coding says, or when it expands absurdly
 */
export function decodeContent(
  source: AsyncIterable<Uint8Array>,
  codings: readonly string[],
  about: string,
): AsyncIterable<Uint8Array> {
  if (codings.length > MAX_CODINGS)
    throw new HttpFailure(`${about}: the answer has ${codings.length} content codings.`, "body", false);
  const unknown = codings.find((coding) => DECODERS[coding] === undefined);
  if (unknown !== undefined)
    throw new HttpFailure(
      `${about}: the answer has the content coding "${unknown.slice(0, 40)}", which is not understood here.`,
      "body",
      false,
    );
  let received = 0;
  let stream = tap(source, (chunk) => (received += chunk.byteLength));
  for (const coding of [...codings].reverse()) stream = decode(stream, coding, about);
  let produced = 0;
  return tap(stream, (chunk) => {
    produced += chunk.byteLength;
    if (produced > RATIO_FLOOR && produced > received * MAX_RATIO)
      throw new HttpFailure(
        `${about}: the answer expands more than ${MAX_RATIO} times when decompressed.`,
        "body",
        false,
      );
  });
}

async function* tap(source: AsyncIterable<Uint8Array>, look: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    look(chunk);
    yield chunk;
  }
}

async function* decode(source: AsyncIterable<Uint8Array>, coding: string, about: string): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let decoder: Transform | undefined;
  try {
    // The first octets choose between the two kinds of deflate. An empty body has no coding to undo (204, 304, HEAD).
    const first = await firstOctets(iterator);
    if (first === undefined) return;
    decoder = DECODERS[coding]!(first);
    pipeline(Readable.from(rest(first, iterator)), decoder, () => {});
    for await (const chunk of decoder) yield chunk as Uint8Array;
  } catch (error) {
    // Whatever the connection throws is a ToolError already; the rest comes from the decoder.
    if (error instanceof ToolError) throw error;
    throw new HttpFailure(`${about}: the answer's body is not valid ${coding} data.`, "body", false, { cause: error });
  } finally {
    decoder?.destroy();
    await iterator.return?.();
  }
}

async function firstOctets(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  let bytes: Uint8Array | undefined;
  while (bytes === undefined || bytes.byteLength < 2) {
    const step = await iterator.next();
    if (step.done === true) break;
    if (step.value.byteLength > 0) bytes = bytes === undefined ? step.value : Buffer.concat([bytes, step.value]);
  }
  return bytes;
}

async function* rest(first: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let step = await iterator.next(); step.done !== true; step = await iterator.next()) yield step.value;
}
