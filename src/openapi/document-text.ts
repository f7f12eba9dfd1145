/**
 * Octets → text → the tree of a document. JSON (RFC 8259), and YAML 1.2 read with the types of its JSON schema, as the
 * specification's section "Format" asks: no dates, no `NO`, keys are strings.
 */
import { isUtf8 } from "node:buffer";
import type { Schema, Type, YAMLException } from "js-yaml";
import { DocumentError } from "./document-error.js";
import { findDuplicateKey } from "./duplicate-keys.js";

/** A shared tree larger than this, once every alias is written out, is refused: readers of the document walk it. */
const MAX_EXPANDED_NODES = 10_000_000;

/**
 * Decodes octets: a byte order mark decides, then the charset the server declared, then the pattern of NULs that UTF-16
 * leaves around the first character, then UTF-8.
 */
export function decodeText(bytes: Uint8Array, source: string, charset?: string): string {
  const encoding = encodingOf(bytes, charset);
  // The built-in decoder is slow when it must find faults; this is most documents.
  if (encoding === "utf-8" && isUtf8(bytes))
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new DocumentError(`${source} is not text in ${encoding.toUpperCase()}.`, {
      reason: "syntax",
      source,
      hint: "An OpenAPI document is a JSON or YAML text in UTF-8.",
      cause,
    });
  }
}

function encodingOf(bytes: Uint8Array, charset: string | undefined): string {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (charset !== undefined) {
    try {
      return new TextDecoder(charset).encoding;
    } catch {
      // A charset nobody knows says nothing.
    }
  }
  if (bytes.length >= 2 && a === 0) return "utf-16be";
  if (bytes.length >= 2 && b === 0) return "utf-16le";
  return "utf-8";
}

/** Reads JSON or YAML. @throws DocumentError with line, column and excerpt. */
export async function parseDocumentText(text: string, source: string): Promise<unknown> {
  const content = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const first = /[^\s]/.exec(content)?.[0];
  if (first === undefined) {
    throw new DocumentError(`${source} is empty.`, { reason: "not-openapi", source });
  }
  if (first !== "{" && first !== "[") return parseYaml(content, source);
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (jsonError) {
    // YAML's flow style also begins with a brace: comments, trailing commas, single quotes.
    try {
      return await parseYaml(content, source);
    } catch (yamlError) {
      if (/\.ya?ml$/i.test(source)) throw yamlError;
      throw jsonSyntaxError(content, source, jsonError as SyntaxError);
    }
  }
  const duplicate = findDuplicateKey(content);
  if (duplicate === undefined) return value;
  const [line, column] = positionOf(content, duplicate.offset);
  throw syntaxError(content, source, `duplicate key ${JSON.stringify(duplicate.key)}`, line, column, undefined);
}

/** Line and column of an offset, both from 1. */
function positionOf(text: string, offset: number): [line: number, column: number] {
  const before = text.slice(0, offset);
  return [before.split("\n").length, offset - before.lastIndexOf("\n")];
}

function jsonSyntaxError(text: string, source: string, error: SyntaxError): DocumentError {
  const offset = Number(/at position (\d+)/.exec(error.message)?.[1] ?? text.trimEnd().length);
  const [line, column] = positionOf(text, offset);
  const what = error.message.replace(/ in JSON at position.*$/s, "").replace(/, "?[\s\S]*is not valid JSON$/, "");
  return syntaxError(text, source, `not valid JSON: ${what}`, line, column, error);
}

function syntaxError(
  text: string,
  source: string,
  what: string,
  line: number,
  column: number,
  cause: unknown,
): DocumentError {
  return new DocumentError(`${source}:${line}:${column}: ${what}`, {
    reason: "syntax",
    source,
    location: { line, column },
    excerpt: excerptOf(text, line, column),
    hint: /^\s*</.test(text)
      ? "This is HTML or XML, not an OpenAPI document; look for the link to the raw JSON or YAML file."
      : undefined,
    cause,
  });
}

/** The line and a caret, cut to what a terminal shows. */
function excerptOf(text: string, line: number, column: number): string {
  const full = (text.split("\n")[line - 1] ?? "").replace(/\r$/, "").replaceAll("\t", " ");
  const start = Math.max(0, column - 60);
  const shown = full.slice(start, start + 100);
  return `${shown}\n${" ".repeat(Math.max(0, column - 1 - start))}^`;
}

let yamlModule: Promise<{ load: typeof import("js-yaml").load; schema: Schema }> | undefined;

async function parseYaml(text: string, source: string): Promise<unknown> {
  yamlModule ??= import("js-yaml").then((yaml) => ({
    load: yaml.load,
    schema: yaml.FAILSAFE_SCHEMA.extend({
      // `merge` (<<) is no part of 1.2, but documents use it, and to ignore it would drop what it brings in.
      implicit: [...scalarTypes(yaml.Type), (yaml as unknown as { types: { merge: Type } }).types.merge],
    }),
  }));
  const { load, schema } = await yamlModule;
  let value: unknown;
  try {
    value = load(text, { schema, filename: source });
  } catch (error) {
    throw yamlSyntaxError(text, source, error);
  }
  if (text.includes("&") && /[\s,:[{-]\*[^\s*]/.test(text)) refuseAliasBomb(value, source);
  return value;
}

/** Scalars of YAML 1.2's core schema (10.3.2), of which the JSON schema is the canonical part. */
function scalarTypes(Type: typeof import("js-yaml").Type): Type[] {
  const scalar = (tag: string, pattern: RegExp, construct: (text: string) => unknown): Type =>
    new Type(`tag:yaml.org,2002:${tag}`, {
      kind: "scalar",
      resolve: (data: unknown) => pattern.test((data ?? "") as string),
      construct: (data: string | null) => construct(data ?? ""),
    });
  return [
    scalar("null", /^(~|null|Null|NULL|)$/, () => null),
    scalar("bool", /^(true|True|TRUE|false|False|FALSE)$/, (text) => text.toLowerCase() === "true"),
    scalar("int", /^([-+]?\d+|0o[0-7]+|0x[0-9a-fA-F]+)$/, Number),
    scalar("float", /^([-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/, yamlFloat),
  ];
}

function yamlFloat(text: string): number {
  if (/\.inf$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return /\.nan$/i.test(text) ? Number.NaN : Number(text);
}

function yamlSyntaxError(text: string, source: string, error: unknown): DocumentError {
  if (error instanceof RangeError) {
    return new DocumentError(`${source} is nested too deeply to be read.`, { reason: "syntax", source, cause: error });
  }
  const { reason, mark } = error as YAMLException;
  if (mark === undefined || mark === null) {
    return new DocumentError(`${source}: not valid YAML: ${reason ?? String(error)}`, {
      reason: "syntax",
      source,
      cause: error,
    });
  }
  const [line, column] = [mark.line + 1, mark.column + 1];
  if (reason === "duplicated mapping key") {
    return syntaxError(text, source, `duplicate key ${keyAt(text, line, column)}`, line, column, error);
  }
  return syntaxError(text, source, `not valid YAML: ${reason}`, line, column, error);
}

/** The mapping key written at a place, as it is written. */
function keyAt(text: string, line: number, column: number): string {
  const rest = (text.split("\n")[line - 1] ?? "").slice(column - 1);
  return /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^:]*(?::(?! |$)[^:]*)*)/.exec(rest)?.[0]?.trim() || rest.trim();
}

/**
 * Aliases make a graph of which every reader sees the tree: a few lines can stand for 10^10 nodes, or for a tree without
 * end. Both are refused here, so that the rest of the program may walk a document.
 */
function refuseAliasBomb(root: unknown, source: string): void {
  const sizes = new Map<object, number>();
  const refuse = (what: string): never => {
    throw new DocumentError(`${source}: ${what}`, {
      reason: "syntax",
      source,
      hint: "Write the repeated part once under components and point to it with $ref.",
    });
  };
  const sizeOf = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known >= 0 ? known : refuse("an alias (*) stands inside the value it refers to");
    sizes.set(value, -1);
    let size = 1;
    for (const item of Array.isArray(value) ? value : Object.values(value)) size += sizeOf(item);
    if (size > MAX_EXPANDED_NODES) refuse(`its aliases (*) expand to more than ${MAX_EXPANDED_NODES} values`);
    sizes.set(value, size);
    return size;
  };
  sizeOf(root);
}
