/** What kind of fault kept a document from loading. */
export type DocumentErrorReason =
  /** The file or URL could not be read. */
  | "unreadable"
  /** The server answered with a status outside 2xx. */
  | "http-status"
  /** The text is neither JSON nor YAML. */
  | "syntax"
  /** The text was read, but it is no OpenAPI description. */
  | "not-openapi"
  /** An option names something the document does not have. */
  | "options";

/** What a `DocumentError` carries beside its message. */
export interface DocumentErrorDetails {
  readonly reason: DocumentErrorReason;
  /** The source as the user gave it, or the URI of the file at fault. */
  readonly source: string;
  /** Where in the text, both counted from 1. */
  readonly location?: { readonly line: number; readonly column: number } | undefined;
  /** The line at fault and a caret below the column. */
  readonly excerpt?: string | undefined;
  /** HTTP status code of the answer. */
  readonly status?: number | undefined;
  /** What to do about it. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** A document could not be loaded at all: nothing in it can be read. The command line exits with 3. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  /** For `Effect.catchTag`. */
  readonly _tag = "DocumentError";
  readonly reason: DocumentErrorReason;
  readonly source: string;
  readonly location: { readonly line: number; readonly column: number } | undefined;
  readonly excerpt: string | undefined;
  readonly status: number | undefined;
  readonly hint: string | undefined;

  constructor(message: string, details: DocumentErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = details.reason;
    this.source = details.source;
    this.location = details.location;
    this.excerpt = details.excerpt;
    this.status = details.status;
    this.hint = details.hint;
  }
}
