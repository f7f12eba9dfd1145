/** From a source to a loaded document. */
import { resolve as resolvePath } from "node:path";
import { pathToFileURL } from "node:url";
import type { OpenApiVersion } from "./document.js";
import { DocumentError } from "./document-error.js";
import { readSource } from "./document-source.js";
import { parseDocumentText } from "./document-text.js";
import { loadExternalFiles } from "./external-files.js";
import { type DocumentIdentity, isObject, LoadedDocument, NO_URI } from "./references.js";

/** A file's path, a `file:`, `http:` or `https:` URL, a text with an optional URI of its own, or a parsed document. */
export type DocumentSource =
  | string
  | URL
  | { readonly text: string; readonly uri?: string }
  | Readonly<Record<string, unknown>>;

export interface LoadOptions {
  /** Where a document given as an object or a text was found: relative servers and references are relative to it. */
  readonly uri?: string | undefined;
  /** Origins, beside the document's own, that references may read from, e.g. `https://schemas.example.com`. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Header fields of requests for the document's files, sent to its own origin only. */
  readonly documentHeaders?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads and parses a document and every file that its operations reach.
 *
 * @throws DocumentError when nothing can be read.
 */
export async function loadDocument(source: DocumentSource, options: LoadOptions = {}): Promise<LoadedDocument> {
  const { value, uri, text, name } = await readDocument(source, options);
  const document = documentOf(value, uri, name);
  if (text === undefined || mayHaveExternalReference(text)) {
    if (uri !== NO_URI) {
      await loadExternalFiles(document, {
        allowedOrigins: (options.allowOrigins ?? []).map(originOf),
        headers: options.documentHeaders,
      });
    }
  }
  return document;
}

/** A document from a parsed object, without input or output: references to other files stay unresolved. */
export function documentFromObject(value: unknown, uri: string = NO_URI): LoadedDocument {
  return documentOf(value, uri, "the document");
}

interface ReadDocument {
  readonly value: unknown;
  readonly uri: string;
  readonly text: string | undefined;
  /** How messages call it. */
  readonly name: string;
}

async function readDocument(source: DocumentSource, options: LoadOptions): Promise<ReadDocument> {
  if (typeof source === "string" || source instanceof URL) {
    const requested = uriOf(String(source));
    const { text, uri } = await readSource(requested, { headers: options.documentHeaders });
    const name = typeof source === "string" && !/^[a-z][a-z\d+.-]+:/i.test(source) ? source : withoutQuery(uri);
    return { value: await parseDocumentText(text, name), uri, text, name };
  }
  if (typeof source["text"] === "string") {
    const uri = typeof source["uri"] === "string" ? source["uri"] : (options.uri ?? NO_URI);
    const name = uri === NO_URI ? "the document" : withoutQuery(uri);
    return { value: await parseDocumentText(source["text"], name), uri, text: source["text"], name };
  }
  return { value: source, uri: options.uri ?? NO_URI, text: undefined, name: "the document" };
}

/** The URI of a source as a user writes it. */
export function uriOf(source: string): string {
  if (/^(https?|file):/i.test(source)) return new URL(source).href;
  return pathToFileURL(resolvePath(source)).href;
}

function withoutQuery(uri: string): string {
  return uri.replace(/[?#].*$/s, "");
}

function originOf(text: string): string {
  try {
    return new URL(text).origin;
  } catch {
    throw new DocumentError(`${JSON.stringify(text)} is no origin.`, {
      reason: "options",
      source: text,
      hint: "Write scheme and host, e.g. https://schemas.example.com.",
    });
  }
}

/**
 * Whether a text has a `$ref` that does not begin with `#`. A false alarm costs a walk through the document. What is
 * followed by a brace is a property of that name.
 */
function mayHaveExternalReference(text: string): boolean {
  return /\$ref["']?\s*:\s*(["'](?!#)|[^\s"'#{[])/.test(text);
}

function documentOf(value: unknown, uri: string, name: string): LoadedDocument {
  if (!isObject(value)) throw notOpenApi(name, `it holds ${describe(value)} where an object is needed`);
  const identity = identify(value, name);
  const paths = value["paths"];
  if (paths !== undefined && paths !== null && !isObject(paths)) {
    throw notOpenApi(name, `its paths are ${describe(paths)} where an object is needed`);
  }
  return new LoadedDocument(identity, uri, value);
}

function identify(root: Record<string, unknown>, name: string): DocumentIdentity {
  const openapi = versionText(root["openapi"]) ?? versionText(root["swagger"]);
  if (openapi === undefined) throw notOpenApi(name, "it has neither an `openapi` nor a `swagger` field");
  const info = isObject(root["info"]) ? root["info"] : {};
  return {
    openapi,
    version: majorMinor(openapi, name),
    title: typeof info["title"] === "string" ? info["title"] : "",
    apiVersion: versionText(info["version"]) ?? "",
  };
}

/** A version as text: YAML documents often write it as a number, which loses a trailing zero (`2.0` is 2). */
function versionText(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? `${value}.0` : String(value);
  return typeof value === "string" ? value.trim() : undefined;
}

function majorMinor(text: string, name: string): OpenApiVersion {
  const [, major, minor] = /^(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  if (major === "2") return "2.0";
  if (major === "3") {
    if (minor === undefined || minor === "0") return "3.0";
    // A minor version to come is read as the newest known: minor versions add.
    return minor === "1" ? "3.1" : "3.2";
  }
  throw notOpenApi(
    name,
    `version ${JSON.stringify(text)} is not supported`,
    "Supported are Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2.",
  );
}

function notOpenApi(name: string, why: string, hint?: string): DocumentError {
  return new DocumentError(`${name} is not an OpenAPI document: ${why}.`, {
    reason: "not-openapi",
    source: name,
    hint: hint ?? 'An OpenAPI document begins with `openapi: 3.x` (or `swagger: "2.0"`), `info` and `paths`.',
  });
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
