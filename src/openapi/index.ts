/**
 * `OpenAPI`: documents as tools. One tool per operation that can be represented accurately; every other operation is
 * listed with the reason.
 */
import * as Effect from "effect/Effect";
import type { ToolFacts, ToolTree } from "../codemode/tool.js";
import { toolExpression } from "../codemode/tree.js";
import { makeCredentials } from "../credentials/credentials.js";
import { CredentialError } from "../credentials/sources.js";
import { makeHttpClient } from "../http/client.js";
import type { CallEnvironment } from "./call-operation.js";
import { DocumentError } from "./document-error.js";
import { makeFileStore } from "./files.js";
import { type DocumentSource, documentFromObject, loadDocument } from "./load.js";
import { indexOperations, type OperationIndex } from "./operation-index.js";
import type { Omitted, OperationTool, Skipped } from "./operation-tool.js";
import { declaredOperations, documentServers } from "./operations.js";
import type { OpenApiOptions } from "./options.js";
import type { LoadedDocument } from "./references.js";
import { readServerOptions, type ServerSettings, usableServers, variableNames } from "./server-object.js";

export type { SkipCode } from "./document.js";
export { DocumentError, type DocumentErrorDetails, type DocumentErrorReason } from "./document-error.js";
export type { DocumentSource } from "./load.js";
export { type Omitted, OperationTool, type Skipped } from "./operation-tool.js";
export type { OpenApiOptions } from "./options.js";

/** What a document says of itself. */
export interface DocumentInfo {
  readonly title: string;
  /** `info.version`. */
  readonly version: string;
  /** The version of the specification as written, e.g. `3.0.3`. */
  readonly openapi: string;
  /** Where the document was found. */
  readonly uri: string;
  /** The servers of the document that can be used, or the one that replaces them. */
  readonly servers: readonly string[];
}

/** More operations than this are not planned before a program runs: see `callableTools`. */
const MAX_PLANNED_AHEAD = 2_000;

/** A loaded API. */
export class OpenApi {
  readonly document: DocumentInfo;
  readonly #index: OperationIndex;
  readonly #close: () => Promise<void>;
  #operations: readonly OperationTool[] | undefined;
  #tools: ToolTree | undefined;

  /** @throws DocumentError when an option is malformed. */
  constructor(document: LoadedDocument, options: OpenApiOptions) {
    const servers = serverSettings(options);
    if (options.api === undefined) refuseUnknownVariables(document, servers);
    this.document = {
      title: document.title,
      version: document.apiVersion,
      openapi: document.openapi,
      uri: document.uri,
      servers: usableServers(document, documentServers(document), servers),
    };
    const call = callEnvironment(options);
    this.#index = indexOperations(document, options, { options, servers, call });
    this.#close = () => (options.client === undefined ? Effect.runPromise(call.client.close()) : Promise.resolve());
  }

  /** The tools as a list, in document order. Plans every operation. */
  get operations(): readonly OperationTool[] {
    this.#operations ??= this.#index.operations.filter((operation) => operation.skipped === undefined);
    return this.#operations;
  }

  /** The tools under dotted names, in document order. Plans every operation. */
  get tools(): ToolTree {
    this.#tools ??= treeOf(this.operations);
    return this.#tools;
  }

  /**
   * The tools for running a program. Of a document with thousands of operations none is planned before it is used, so
   * that one that cannot be represented is there by name, and refuses its calls with the reason.
   */
  get callableTools(): ToolTree {
    const { operations } = this.#index;
    return operations.length > MAX_PLANNED_AHEAD && this.#operations === undefined ? treeOf(operations) : this.tools;
  }

  /** Operations that are no tools, and why. */
  get skipped(): readonly Skipped[] {
    return [...this.#index.operations.flatMap((operation) => operation.skipped ?? []), ...this.#index.malformed];
  }

  /** Parts that were left out of tools that exist, and why. */
  get omitted(): readonly Omitted[] {
    return this.operations.flatMap((tool) => tool.omitted);
  }

  /**
   * Looks up one operation and plans that one only: by the tool's dotted name or expression, by operationId, or by method
   * and path template (`GET /pets/{id}`).
   */
  find(text: string): OperationTool | Skipped | undefined {
    const wanted = text.trim();
    const { operations, malformed, byName } = this.#index;
    const found =
      byName.get(wanted) ??
      operations.find(({ facts }) => isCalled(facts, wanted)) ??
      operations.find(({ name }) => toolExpression(name.split(".")) === wanted);
    return found === undefined ? malformed.find((skipped) => isCalled(skipped, wanted)) : (found.skipped ?? found);
  }

  /** Ends the connections of a client that was not given. */
  close(): Promise<void> {
    return this.#close();
  }
}

function treeOf(operations: readonly OperationTool[]): ToolTree {
  // Any name may come: without a prototype `__proto__` is one like another.
  const tools: Record<string, OperationTool> = Object.create(null) as Record<string, OperationTool>;
  for (const tool of operations) tools[tool.name] = tool;
  return tools;
}

function isCalled(
  operation: Pick<ToolFacts, "method" | "pathTemplate"> & { readonly operationId?: string | null | undefined },
  text: string,
): boolean {
  if (operation.operationId === text) return true;
  const [, method, path] = /^(\S+)\s+(\S.*)$/.exec(text) ?? [];
  if (method === undefined || operation.pathTemplate !== path) return false;
  return operation.method === method || operation.method === method.toUpperCase();
}

function serverSettings(options: OpenApiOptions): ServerSettings {
  try {
    return readServerOptions(options);
  } catch (error) {
    throw new DocumentError((error as Error).message, {
      reason: "options",
      source: options.server ?? "",
      cause: error,
    });
  }
}

/**
 * A misspelt variable would leave the default in force and send requests elsewhere. Where there are several APIs a variable
 * is offered to all of them, so that each ignores those it does not have.
 */
function refuseUnknownVariables(document: LoadedDocument, { variables }: ServerSettings): void {
  const given = Object.keys(variables);
  if (given.length === 0) return;
  const { operations } = declaredOperations(document);
  const known = variableNames([documentServers(document), ...operations.map((found) => found.model().servers)].flat());
  const unknown = given.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new DocumentError(`No server of the document has a variable ${JSON.stringify(unknown)}.`, {
    reason: "options",
    source: unknown,
    hint: known.size === 0 ? "Its servers have no variables." : `The variables are ${[...known].join(", ")}.`,
  });
}

function callEnvironment(options: OpenApiOptions): Omit<CallEnvironment, "tool" | "server"> {
  const client = options.client ?? makeHttpClient(options.http);
  try {
    const credentials = makeCredentials({
      client,
      schemes: options.credentials,
      headers: options.headers,
      api: options.api,
      tokens: options.tokens,
    });
    return { client, credentials, files: options.files ?? makeFileStore() };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw new DocumentError(error.message, {
      reason: "options",
      source: "credentials",
      hint: error.hint,
      cause: error,
    });
  }
}

/** Loads documents. */
export const OpenAPI = {
  /**
   * Loads a document: a file's path, a `file:`, `http:` or `https:` URL, a text, or a parsed document whose references may
   * lead to other files.
   */
  load(source: DocumentSource, options: OpenApiOptions = {}): Effect.Effect<OpenApi, DocumentError> {
    return Effect.tryPromise({
      try: async () => new OpenApi(await loadDocument(source, options), options),
      catch: asDocumentError,
    });
  },

  /** `load` without input and output: references to other files stay unresolved. */
  fromDocument(document: unknown, options: OpenApiOptions = {}): Effect.Effect<OpenApi, DocumentError> {
    return Effect.try({
      try: () => new OpenApi(documentFromObject(document, options.uri), options),
      catch: asDocumentError,
    });
  },
};

function asDocumentError(error: unknown): DocumentError {
  // Anything else is a defect of this program; it is told as such, never as a stack trace.
  return error instanceof DocumentError
    ? error
    : new DocumentError("The document could not be loaded.", {
        reason: "unreadable",
        source: "the document",
        cause: error,
      });
}
