import type { Json } from "../json/json.js";
import type { Diagnostic } from "./diagnostic.js";

/** One call of a tool, in the order in which the calls started. */
export interface ToolCall {
  /** The dotted name of the tool. */
  readonly tool: string;
  readonly outcome: "success" | "failure" | "interrupted";
  /** Milliseconds. */
  readonly durationMs: number;
  readonly status?: number;
  /** The public message of a failure. */
  readonly message?: string;
}

/** What every result has, whether the program succeeded or not. */
export interface ResultDetails {
  readonly warnings?: readonly Diagnostic[];
  /** Lines that the program wrote to its console. */
  readonly logs?: readonly string[];
  /** True when the value or the logs were cut at `maxOutputBytes`. */
  readonly truncated?: boolean;
  readonly toolCalls: readonly ToolCall[];
}

/** What an execution gives: never thrown for a program's fault. */
export type Result =
  | ({ readonly ok: true; readonly value: Json } & ResultDetails)
  | ({ readonly ok: false; readonly error: Diagnostic } & ResultDetails);
