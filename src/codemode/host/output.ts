/** What an execution says in the end: its value or error, and its logs, within `maxOutputBytes` together. */
import { type Json, stringifyJson } from "../../json/json.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Result, ToolCall } from "../result.js";

/** Most bytes of logs that are kept where no limit is given. */
const CEILING = 16 * 1024 * 1024;

export class Output {
  truncated = false;
  readonly #lines: string[] = [];
  readonly #most: number;
  readonly #maxOutputBytes: number | undefined;
  #bytes = 0;

  constructor(maxOutputBytes: number | undefined) {
    this.#maxOutputBytes = maxOutputBytes;
    this.#most = Math.min(maxOutputBytes ?? CEILING, CEILING);
  }

  log(line: string): void {
    // The sandbox keeps the limit with an ellipsis to spare; what comes beyond that is not kept.
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#bytes + bytes > this.#most + 16) {
      this.truncated = true;
      return;
    }
    this.#bytes += bytes;
    this.#lines.push(line);
  }

  result(
    end: { readonly value: Json } | { readonly error: Diagnostic },
    warnings: readonly Diagnostic[],
    toolCalls: readonly ToolCall[],
  ): Result {
    const logs = this.#logsBeside(end);
    const common = {
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(logs.length === 0 ? {} : { logs }),
      ...(this.truncated ? { truncated: true } : {}),
      toolCalls,
    };
    return "value" in end ? { ok: true, value: end.value, ...common } : { ok: false, error: end.error, ...common };
  }

  /** The logs that fit beside the value: the first ones, and a line that says how many are missing. */
  #logsBeside(end: { readonly value: Json } | { readonly error: Diagnostic }): string[] {
    if (this.#maxOutputBytes === undefined || this.#bytes === 0) return this.#lines;
    let room = this.#maxOutputBytes - ("value" in end ? Buffer.byteLength(stringifyJson(end.value)) : 0);
    if (this.#bytes <= room + 16) return this.#lines;
    this.truncated = true;
    const kept: string[] = [];
    for (const line of this.#lines) {
      room -= Buffer.byteLength(line) + 1;
      if (room < 0) break;
      kept.push(line);
    }
    kept.push(`… ${this.#lines.length - kept.length} more lines were cut at maxOutputBytes`);
    return kept;
  }
}
