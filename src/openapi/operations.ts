/**
 * Every operation of a document's Paths Object. Webhooks and callbacks are not operations: they are what the API calls.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#paths-object, #path-item-object, #operation-object
 */
import { DocumentFault, type Fault, type Located } from "./document.js";
import { nearestServers, OpenApi3Operation } from "./openapi-3.js";
import type { OperationModel } from "./operation-model.js";
import { isObject, type LoadedDocument, referenceOf } from "./references.js";
import { Swagger2Operation, swagger2Servers } from "./swagger-2.js";

/** An operation found in a document, before anything of it but its identity was looked at. */
export interface DeclaredOperation {
  readonly method: string;
  readonly pathTemplate: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
  /** The whole operation; made at the first call. */
  model(): OperationModel;
}

/** An operation that has no sound place in the document. `method` is `*` where a whole path item cannot be read. */
export interface MalformedOperation {
  readonly method: string;
  readonly pathTemplate: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
  readonly fault: Fault;
}

export interface DeclaredOperations {
  /** In document order. */
  readonly operations: readonly DeclaredOperation[];
  readonly malformed: readonly MalformedOperation[];
}

const METHODS_2 = ["get", "put", "post", "delete", "options", "head", "patch"];
const METHODS_3 = [...METHODS_2, "trace"];
const METHODS_32 = [...METHODS_3, "query"];

/** A method name (RFC 9110, 9.1): a token. */
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** Finds the operations. Never throws: a fault belongs to the operation or path item it stands in. */
export function declaredOperations(document: LoadedDocument): DeclaredOperations {
  const operations: DeclaredOperation[] = [];
  const malformed: MalformedOperation[] = [];
  const paths = document.member(document.root, "paths");
  for (const pathTemplate of Object.keys(isObject(paths?.value) ? paths.value : {})) {
    if (pathTemplate.startsWith("x-")) continue;
    const node = document.member(paths as Located, pathTemplate);
    if (node === undefined || node.value === null) continue;
    try {
      const item = new PathItem(document, node);
      for (const [method, declared] of item.operations()) {
        const { operation, fault } = readOperation(document, pathTemplate, method, declared, item);
        const operationId = isObject(operation.value) ? idOf(operation.value["operationId"]) : undefined;
        const tags = isObject(operation.value) ? tagsOf(operation.value["tags"]) : [];
        if (fault !== undefined) {
          malformed.push({ method, pathTemplate, operationId, tags, fault });
          continue;
        }
        let model: OperationModel | undefined;
        const found = {
          document,
          item,
          node: operation as Located<Record<string, unknown>>,
          method,
          pathTemplate,
          operationId,
          tags,
        };
        operations.push({
          method,
          pathTemplate,
          operationId,
          tags,
          model: () =>
            (model ??= document.version === "2.0" ? new Swagger2Operation(found) : new OpenApi3Operation(found)),
        });
      }
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      malformed.push({ method: "*", pathTemplate, operationId: undefined, tags: [], fault: error.fault });
    }
  }
  return { operations, malformed };
}

/** The servers of the document itself, in 3.x shape. */
export function documentServers(document: LoadedDocument): readonly Located<Record<string, unknown>>[] {
  return document.version === "2.0" ? swagger2Servers(document) : nearestServers(document);
}

function idOf(value: unknown): string | undefined {
  // YAML reads an unquoted id of digits as a number.
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function tagsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((tag): tag is string => typeof tag === "string") : [];
}

/** What stands under a method. A reference there is beyond the specification, but it has one meaning and is in use. */
function readOperation(
  document: LoadedDocument,
  pathTemplate: string,
  method: string,
  declared: Located,
  item: PathItem,
): { readonly operation: Located; readonly fault: Fault | undefined } {
  const malformed = (reason: string) => ({
    operation: declared,
    fault: { code: "malformed-operation", reason, pointer: document.show(declared) } as const,
  });
  const conflict = item.conflict(declared);
  if (conflict !== undefined) return malformed(conflict);
  if (!pathTemplate.startsWith("/")) {
    return malformed(`The path ${JSON.stringify(pathTemplate)} does not begin with "/".`);
  }
  try {
    const operation = document.resolve(declared);
    if (!isObject(operation.value)) return malformed(`The ${method} operation is not an object.`);
    return { operation, fault: undefined };
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return { operation: declared, fault: error.fault };
  }
}

/**
 * A Path Item Object and, where it has a `$ref`, the item it refers to: fields of both apply. What a field means that both
 * have is undefined (4.8.9.1), so that the operations it touches are not represented.
 */
export class PathItem {
  readonly #layers: Located<Record<string, unknown>>[] = [];

  /** @throws DocumentFault when the item or its reference is no path item. */
  constructor(
    readonly document: LoadedDocument,
    readonly node: Located,
  ) {
    let current = node;
    const seen = new Set<unknown>();
    for (;;) {
      if (!isObject(current.value)) {
        throw new DocumentFault({
          code: "malformed-operation",
          reason: `The path item at ${document.show(current)} is not an object.`,
          pointer: document.show(node),
        });
      }
      if (seen.has(current.value)) {
        throw new DocumentFault({
          code: "unresolved-reference",
          reason: `The reference ${JSON.stringify(referenceOf(node.value))} leads back to itself.`,
          pointer: document.show(node),
        });
      }
      seen.add(current.value);
      this.#layers.push(current as Located<Record<string, unknown>>);
      if (referenceOf(current.value) === undefined) break;
      current = document.step(current);
    }
  }

  /** The field `key`, reference not followed. */
  field(key: string): Located | undefined {
    for (const layer of this.#layers) {
      const found = this.document.member(layer, key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Methods with what stands under them. */
  operations(): Iterable<[method: string, operation: Located]> {
    // By field: what two layers have is in conflict, but one operation nevertheless.
    const found = new Map<string, [method: string, operation: Located]>();
    const add = (field: string, method: string, operation: Located): void => {
      if (!found.has(field)) found.set(field, [method, operation]);
    };
    for (const layer of this.#layers) {
      for (const key of Object.keys(layer.value)) {
        const member = this.document.member(layer, key);
        if (member === undefined || key.startsWith("x-")) continue;
        if (METHODS_32.includes(key)) add(key, key.toUpperCase(), member);
        else if (key === "additionalOperations" && isObject(member.value)) {
          for (const method of Object.keys(member.value)) {
            const operation = this.document.member(member, method);
            if (operation !== undefined && !method.startsWith("x-")) add(`${key}/${method}`, method, operation);
          }
        }
      }
    }
    return found.values();
  }

  /** Why an operation of this item has no defined meaning. */
  conflict(operation: Located): string | undefined {
    const { version } = this.document;
    const key = operation.pointer.slice(operation.pointer.lastIndexOf("/") + 1);
    const additional = /\/additionalOperations\/[^/]*$/.test(operation.pointer);
    if (additional) {
      if (version !== "3.2") return "additionalOperations is a field from OpenAPI 3.2 on.";
      if (!TOKEN.test(key)) return `${JSON.stringify(key)} is not an HTTP method.`;
      if (METHODS_32.includes(key.toLowerCase())) return `${key} has a field of its own in a path item.`;
    } else if (!(version === "2.0" ? METHODS_2 : version === "3.2" ? METHODS_32 : METHODS_3).includes(key)) {
      return `${key} is not a method of a path item in version ${version}.`;
    }
    for (const field of [additional ? "additionalOperations" : key, "parameters", "servers"]) {
      const count = this.#layers.filter((layer) => this.document.member(layer, field) !== undefined).length;
      if (count > 1)
        return `Both the path item and the one it refers to have ${field}: the specification does not say which applies.`;
    }
    return undefined;
  }
}
