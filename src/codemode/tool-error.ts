import type { Json } from "../json/json.js";
import type { DiagnosticKind } from "./diagnostic.js";

/** What a `ToolError` carries beside its message. Everything here is public: the program sees it. */
export interface ToolErrorDetails {
  /** Private: for the host's hooks and logs only, never shown to a program. */
  readonly cause?: unknown;
  /** Default `ToolFailure`. */
  readonly kind?: DiagnosticKind;
  /** HTTP status code of the answer, outside 2xx. */
  readonly status?: number;
  /** Response fields, lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The decoded body of the answer, already bounded in size. */
  readonly body?: Json;
  /** What the person who runs the program can do about it. */
  readonly hint?: string;
}

/**
 * The failure of a tool, with a message that is safe to show to a program. It is the only failure whose text a program
 * sees; any other becomes "The tool failed." with a private cause.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** For `Effect.catchTag`. */
  readonly _tag = "ToolError";
  readonly kind: DiagnosticKind;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: Json | undefined;
  readonly hint: string | undefined;

  constructor(message: string, details: ToolErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind ?? "ToolFailure";
    this.status = details.status;
    this.headers = details.headers;
    this.body = details.body;
    this.hint = details.hint;
  }
}
