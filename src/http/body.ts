/** Reading the body of an answer. */
import * as Effect from "effect/Effect";
import { ToolError } from "../codemode/tool-error.js";
import type { HttpResponse } from "./message.js";

/**
 * The whole body. Interruption cancels it.
 *
 * @param max octets; a longer body is a failure
 */
export function readBytes(
  response: HttpResponse,
  max = Number.POSITIVE_INFINITY,
): Effect.Effect<Uint8Array, ToolError> {
  return Effect.tryPromise({
    try: (signal) => collect(response, max, signal),
    catch: (error) =>
      error instanceof ToolError ? error : new ToolError("The answer could not be read.", { cause: error }),
  });
}

async function collect(response: HttpResponse, max: number, signal: AbortSignal): Promise<Uint8Array> {
  const body = response.body[Symbol.asyncIterator]();
  const cancel = (): void => void body.return?.();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (let step = await body.next(); step.done !== true; step = await body.next()) {
      size += step.value.byteLength;
      if (size > max) throw new ToolError(`The answer is larger than ${max} bytes.`);
      chunks.push(step.value);
    }
    return Buffer.concat(chunks, size);
  } finally {
    signal.removeEventListener("abort", cancel);
    await body.return?.();
  }
}

/** Gives up a body that nobody reads, so that its connection is free. */
export function cancelBody(response: HttpResponse): Effect.Effect<void> {
  return Effect.promise(async () => {
    await response.body[Symbol.asyncIterator]().return?.();
  });
}
