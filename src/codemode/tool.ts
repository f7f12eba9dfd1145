import type { Effect, Schema } from "effect";
import type { Json } from "../json/json.js";
import type { ToolError } from "./tool-error.js";

/** A JSON Schema (draft 2020-12 vocabulary). References are local: `#/$defs/<name>`. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/**
 * The one keyword that this project adds to JSON Schema. Its value says what JSON Schema has no word for:
 * - `"file"`: a file handle. In an input `{ file, mediaType?, filename? }`, in an output `{ file, mediaType, bytes, sha256 }`;
 *   signatures show it as `FileHandle`.
 * - `"stream"`: outputs only, at the root: an async iterable whose items `items` describes; `AsyncIterable<…>`.
 */
export const SCHEMA_ANNOTATION = "x-codemode";

/** How a call was made: `value` wants the success body, `response` every HTTP answer with its status and headers. */
export type CallMode = "value" | "response";

/** What a tool knows of the call beside its input. */
export interface CallOptions {
  readonly mode: CallMode;
  /** Aborted when the execution ends: for what outlives the call, such as the source of a streamed body. */
  readonly signal?: AbortSignal;
}

/** What a call gave. */
export interface Answer {
  /** JSON, or an async iterable of JSON items for a streamed body. */
  readonly data: Json | AsyncIterable<Json>;
  readonly status?: number;
  /** Response fields, lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Notes for the person who runs the program, e.g. that an integer was kept as a string. */
  readonly warnings?: readonly string[];
  /** Files saved by the host for this answer. */
  readonly files?: readonly string[];
}

/** What search and the catalog know of a tool beside its name and schemas. All of it may be computed on first use. */
export interface ToolFacts {
  readonly operationId?: string | undefined;
  readonly method?: string | undefined;
  readonly pathTemplate?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly summary?: string | undefined;
  readonly deprecated?: boolean | undefined;
  /** True when the tool is known to change nothing: a safe HTTP method, or a maker's word. */
  readonly readOnly?: boolean | undefined;
}

/**
 * A tool as the runtime sees it: a name comes from its place in the tree. The core knows no HTTP; an operation of an
 * OpenAPI document is one maker of tools, `Tool.make` another. Every property may be a lazy getter: a document with
 * 16,000 operations must not compute 16,000 schemas to call one.
 */
export interface Tool<out R = never> {
  readonly description: string;
  /** JSON Schema of the one argument. `undefined` when nothing is known of it. */
  readonly inputSchema: JsonSchema | undefined;
  /** JSON Schema of the success value. `undefined` when nothing is known of it: `unknown` in a signature. */
  readonly outputSchema: JsonSchema | undefined;
  /** The part of `outputSchema` near its root, where that is cheaper to have than the whole: search looks no further. */
  readonly outputOutline?: JsonSchema | undefined;
  readonly facts: ToolFacts;
  /** Runs the tool. Fails with `ToolError` only; a defect is shown to the program as "The tool failed.". */
  call(input: Json | undefined, options: CallOptions): Effect.Effect<Answer, ToolError, R>;
  /** The pages of a listing, each an answer in `value` mode; absent when the tool has no notion of pages. */
  pages?(input: Json | undefined, options?: Pick<CallOptions, "signal">): AsyncIterable<Answer>;
}

/** A tree of tools. A dotted key is a path; the last definition of a path wins; a tool may also be a namespace. */
export interface ToolTree<out R = never> {
  readonly [name: string]: Tool<R> | ToolTree<R>;
}

/** What `Tool.make` takes. */
export type ToolContract = Schema.Top | JsonSchema;
