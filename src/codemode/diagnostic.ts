/** What went wrong, in a form that people read and programs switch on. */
export type DiagnosticKind =
  | "ParseError"
  | "UnsupportedSyntax"
  | "UnknownTool"
  | "InvalidToolInput"
  | "InvalidToolOutput"
  | "InvalidDataValue"
  | "ToolCallLimitExceeded"
  | "TimeoutExceeded"
  | "MemoryLimitExceeded"
  | "ToolFailure"
  | "ExecutionFailure"
  | "Truncated";

/** A position in the file that the user wrote: `line` counts from 1, `column` from 1, in UTF-16 code units. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

/** What went wrong, or might have: of a failed program the reason, otherwise a warning. */
export interface Diagnostic {
  readonly kind: DiagnosticKind;
  readonly message: string;
  readonly location?: Location;
  /** The dotted name of the tool concerned. */
  readonly tool?: string;
  /** The HTTP status code, for an answer outside 2xx. */
  readonly status?: number;
  /** What to do about it. */
  readonly hint?: string;
}
