/**
 * What values a Schema Object lets through, as far as putting them on the wire needs to know: JSON types, items and
 * properties. `$ref` and `allOf` are followed, `oneOf` and `anyOf` give alternatives (OpenAPI 3.2.0, "Non-JSON Data").
 */
import type { Located, OpenApiDocument } from "./document.js";
import { isObject, referenceOf } from "./references.js";

export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

export type SchemaObject = Readonly<Record<string, unknown>>;

/** One way to satisfy a schema: all of `schemas` hold at once, and the value has one of `types`. */
export interface Alternative {
  /** `undefined`: nothing says which. */
  readonly types: ReadonlySet<JsonType> | undefined;
  /** Schema Objects without their `$ref`, `allOf`, `oneOf` and `anyOf` parts. */
  readonly schemas: readonly Located<SchemaObject>[];
}

const TYPES: ReadonlySet<string> = new Set(["null", "boolean", "integer", "number", "string", "array", "object"]);
const OBJECT_KEYWORDS = ["additionalProperties", "patternProperties", "propertyNames"];
const ARRAY_KEYWORDS = ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"];

/** Past this many alternatives a schema counts as one that lets anything through. */
const MAX_ALTERNATIVES = 64;

const ANYTHING: Alternative = { types: undefined, schemas: [] };

function typeOfValue(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "string" | "boolean" | "object";
}

const COMPOSITIONS = ["allOf", "oneOf", "anyOf"];

/** The type that keywords of one type make plain. Beside a composition only `properties` does: the rest may be a leftover. */
function inferredType(schema: SchemaObject): JsonType | undefined {
  if (isObject(schema.properties)) return "object";
  if (COMPOSITIONS.some((keyword) => keyword in schema)) return undefined;
  // In older drafts `required: true` stood in the schema of a property.
  if (OBJECT_KEYWORDS.some((keyword) => keyword in schema) || Array.isArray(schema.required)) return "object";
  return ARRAY_KEYWORDS.some((keyword) => keyword in schema) ? "array" : undefined;
}

/** The types that the keywords of one Schema Object allow; `undefined` when they say nothing (or nonsense). */
function ownTypes(schema: SchemaObject): ReadonlySet<JsonType> | undefined {
  const { type } = schema;
  const names = typeof type === "string" ? [type] : Array.isArray(type) ? type : [];
  const declared = new Set<JsonType>();
  for (const name of names) {
    if (name === "file") declared.add("string");
    else if (typeof name === "string" && TYPES.has(name)) declared.add(name as JsonType);
    else return undefined;
  }
  if (declared.size === 0) {
    // Documents leave `type` out where other keywords make it plain.
    const values = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : [];
    for (const value of values) declared.add(typeOfValue(value));
    if (declared.size === 0) {
      const inferred = inferredType(schema);
      if (inferred !== undefined) declared.add(inferred);
    }
    if (declared.size === 0) return undefined;
  }
  if (schema.nullable === true || schema["x-nullable"] === true) declared.add("null");
  return declared;
}

function intersect(a: Alternative["types"], b: Alternative["types"]): Alternative["types"] {
  if (a === undefined) return b;
  if (b === undefined) return a;
  const common = new Set<JsonType>();
  for (const type of a) {
    if (b.has(type) || (type === "integer" && b.has("number"))) common.add(type);
    else if (type === "number" && b.has("integer")) common.add("integer");
  }
  return common;
}

function both(left: readonly Alternative[], right: readonly Alternative[]): readonly Alternative[] {
  if (right.length === 1 && right[0] === ANYTHING) return left;
  const result: Alternative[] = [];
  for (const a of left) {
    for (const b of right) {
      const types = intersect(a.types, b.types);
      if (types?.size === 0) continue;
      result.push({ types, schemas: [...a.schemas, ...b.schemas] });
    }
  }
  // A contradiction (allOf of a string and an object) satisfies nobody: the document is at fault, so nothing is known.
  if (result.length === 0 || result.length > MAX_ALTERNATIVES) return [ANYTHING];
  return result;
}

/** Members of `allOf`, `oneOf` or `anyOf`. */
function members(document: OpenApiDocument, node: Located<SchemaObject>, keyword: string): Located[] {
  const list = document.member(node, keyword);
  if (list === undefined || !Array.isArray(list.value)) return [];
  return list.value.map((_, index) => document.member(list, index) as Located);
}

const CONDITIONS: ReadonlySet<string> = new Set([
  "required",
  "not",
  "minProperties",
  "maxProperties",
  "title",
  "description",
]);

function isCondition(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => CONDITIONS.has(key));
}

/** A schema and, where it is a reference, what it refers to; beside each other since 3.1 (JSON Schema 2020-12). */
function conjuncts(document: OpenApiDocument, node: Located): readonly Located[] {
  if (referenceOf(node.value) === undefined) return [node];
  const target = document.resolve(node);
  if (document.version === "2.0" || document.version === "3.0") return [target];
  const { $ref: _, ...siblings } = node.value as Record<string, unknown>;
  return Object.keys(siblings).length === 0 ? [target] : [target, { ...node, value: siblings }];
}

function expand(document: OpenApiDocument, node: Located, above: readonly string[]): readonly Alternative[] {
  let result: readonly Alternative[] = [ANYTHING];
  for (const conjunct of conjuncts(document, node)) {
    if (!isObject(conjunct.value)) continue;
    const here = `${conjunct.uri}#${conjunct.pointer}`;
    if (above.includes(here)) continue;
    const path = [...above, here];
    const schema = conjunct as Located<SchemaObject>;
    let own: readonly Alternative[] = [{ types: ownTypes(schema.value), schemas: [schema] }];
    for (const member of members(document, schema, "allOf")) own = both(own, expand(document, member, path));
    for (const keyword of ["oneOf", "anyOf"]) {
      const branches = members(document, schema, keyword);
      // "One of these properties is required" is a condition on one shape, not a choice between shapes.
      if (branches.every((branch) => isCondition(branch.value))) continue;
      own = both(
        own,
        branches.flatMap((branch) => expand(document, branch, path)),
      );
    }
    result = result[0] === ANYTHING ? own : both(result, own);
  }
  return result;
}

const known = new WeakMap<OpenApiDocument, WeakMap<object, readonly Alternative[]>>();

/** `expand`, once for each place: the items of a long list share their schema. */
function expanded(document: OpenApiDocument, node: Located): readonly Alternative[] {
  if (typeof node.value !== "object" || node.value === null) return expand(document, node, []);
  let found = known.get(document);
  if (found === undefined) known.set(document, (found = new WeakMap()));
  let result = found.get(node.value);
  if (result === undefined) found.set(node.value, (result = expand(document, node, [])));
  return result;
}

/** The alternatives of schemas that hold together. No schema at all lets anything through. */
export function alternatives(document: OpenApiDocument, nodes: readonly Located[]): readonly Alternative[] {
  let result: readonly Alternative[] = [ANYTHING];
  for (const node of nodes) {
    const next = expanded(document, node);
    result = result[0] === ANYTHING ? next : both(result, next);
  }
  return result;
}

/** Whether values of a type satisfy an alternative. */
export function allows(alternative: Alternative, type: JsonType): boolean {
  const { types } = alternative;
  return types === undefined || types.has(type) || (type === "integer" && types.has("number"));
}

/** The schemas that hold for an array's items together. */
export function itemSchemas(document: OpenApiDocument, alternative: Alternative): readonly Located[] {
  return alternative.schemas.flatMap((schema) => {
    const items = document.member(schema, "items");
    return items === undefined || Array.isArray(items.value) ? [] : [items];
  });
}

/** The declared properties, each with the schemas that hold for it together, in document order. */
export function propertySchemas(
  document: OpenApiDocument,
  alternative: Alternative,
): ReadonlyMap<string, readonly Located[]> {
  const result = new Map<string, Located[]>();
  for (const schema of alternative.schemas) {
    const properties = document.member(schema, "properties");
    if (!isObject(properties?.value)) continue;
    for (const name of Object.keys(properties.value)) {
      const found = result.get(name) ?? [];
      found.push(document.member(properties, name) as Located);
      result.set(name, found);
    }
  }
  return result;
}

/** The schemas of properties that are not declared; `false` when there may be none. */
export function additionalSchemas(document: OpenApiDocument, alternative: Alternative): readonly Located[] | false {
  const result: Located[] = [];
  for (const schema of alternative.schemas) {
    const additional = document.member(schema, "additionalProperties");
    if (additional?.value === false) return false;
    if (isObject(additional?.value)) result.push(additional);
  }
  return result;
}

export function requiredProperties(alternative: Alternative): ReadonlySet<string> {
  return new Set(
    alternative.schemas.flatMap(({ value }) =>
      Array.isArray(value.required) ? value.required.filter((name): name is string => typeof name === "string") : [],
    ),
  );
}

/** The value of a keyword in the first schema of an alternative that has it. */
export function keyword(alternative: Alternative, name: string): unknown {
  return alternative.schemas.find(({ value }) => name in value)?.value[name];
}

/** Raw octets: `format: binary` and Swagger's `file` (before 3.1 and, in practice, after), or no type and a binary media type. */
export function isBinary(alternative: Alternative): boolean {
  return alternative.schemas.some(
    ({ value }) => value.type === "file" || (value.format === "binary" && value.contentEncoding === undefined),
  );
}

/** Octets written as text: `contentEncoding` (3.1) or `format: byte` (before). */
export function base64Variant(alternative: Alternative): "base64" | "base64url" | undefined {
  for (const { value } of alternative.schemas) {
    if (value.contentEncoding === "base64" || value.contentEncoding === "base64url") return value.contentEncoding;
    if (value.format === "byte" || value.format === "base64url")
      return value.format === "byte" ? "base64" : "base64url";
  }
  return undefined;
}
