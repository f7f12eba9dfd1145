/**
 * A loaded OpenAPI document: one or more files, each kept as it was parsed, references resolved when they are followed.
 */

/** A value of a document and where it stands: the file's URI and an RFC 6901 pointer into that file. */
export interface Located<T = unknown> {
  readonly value: T;
  /** Absolute URI of the file. */
  readonly uri: string;
  /** RFC 6901 pointer, `""` for the whole file. */
  readonly pointer: string;
}

export type OpenApiVersion = "2.0" | "3.0" | "3.1" | "3.2";

/** Why an operation, or a part of one, cannot be represented accurately. Listed in README. */
export type SkipCode =
  | "unresolved-reference"
  | "undeclared-path-parameter"
  | "undefined-serialization"
  | "unsupported-media-type"
  | "unsupported-security"
  | "malformed-security"
  | "unsupported-server"
  | "unsupported-transport"
  | "malformed-operation"
  | "forbidden-header"
  | "duplicate-parameter";

/** A fault found at a place of the document. `pointer` is `#/…` within the root file, `<uri>#/…` in another. */
export interface Fault {
  readonly code: SkipCode;
  readonly reason: string;
  readonly pointer: string;
}

/** Thrown inside planning, caught at the operation: a fault never leaves the operation it belongs to. */
export class DocumentFault extends Error {
  constructor(readonly fault: Fault) {
    super(fault.reason);
  }
}

export interface OpenApiDocument {
  readonly version: OpenApiVersion;
  /** The version string as written, e.g. "3.0.3". */
  readonly openapi: string;
  readonly title: string;
  /** `info.version` as text. */
  readonly apiVersion: string;
  /** Where the root file was loaded from; relative servers resolve against it. */
  readonly uri: string;
  readonly root: Located<Record<string, unknown>>;
  /** Follows `$ref` (and chains of them) until a value that is none. @throws DocumentFault `unresolved-reference`. */
  resolve(node: Located): Located;
  /** Follows one `$ref`; a value that is none stays. @throws DocumentFault `unresolved-reference`. */
  step(node: Located): Located;
  /** The member `key` of an object or array as it stands, reference not followed; `undefined` where there is none. */
  member(node: Located, key: string | number): Located | undefined;
  /** Records where a value stands that is now reached through an object made by a conversion. */
  place(value: unknown, uri: string, pointer: string): void;
  /** The member `key` of an object or array, with references followed; `undefined` where there is none. */
  child(node: Located, key: string | number): Located | undefined;
  /** The pointer as diagnostics show it. */
  show(node: Located): string;
}
