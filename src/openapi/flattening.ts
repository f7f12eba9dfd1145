/**
 * Which bodies become inputs of their own: object schemas whose properties are all that there is to say. Everything else
 * stays whole under `body`.
 */
import type { Located, OpenApiDocument } from "./document.js";
import { isObject } from "./references.js";
import { isRecursive } from "./schema-cycles.js";
import { carries } from "./schema-object.js";
import { alternatives, propertySchemas, requiredProperties } from "./value-shape.js";

export interface FlattenedObject {
  /** Properties that a request may have (not `readOnly`), each with the schemas that hold for it together. */
  readonly properties: ReadonlyMap<string, readonly Located[]>;
  readonly required: ReadonlySet<string>;
}

/**
 * The properties of an object schema; `undefined` when the value is to stay whole: no object, a union, nullable, explicitly
 * open, recursive, or without declared properties.
 */
export function flattenedProperties(document: OpenApiDocument, schema: Located): FlattenedObject | undefined {
  const all = alternatives(document, [schema]);
  const [only] = all;
  if (only === undefined || all.length > 1) return undefined;
  if (only.types === undefined || only.types.size !== 1 || !only.types.has("object")) return undefined;
  if (only.schemas.some(isOpen)) return undefined;
  const top = document.resolve(schema);
  // A discriminator says that the value may be one of the schemas that extend this one.
  if (isObject(top.value) && top.value["discriminator"] !== undefined) return undefined;
  const declared = propertySchemas(document, only);
  if (declared.size === 0 || isRecursive(document, schema)) return undefined;
  const required = requiredProperties(only);
  const properties = new Map<string, readonly Located[]>();
  for (const [name, schemas] of declared)
    if (schemas.every((node) => carries(document, node, "request"))) properties.set(name, schemas);
  return { properties, required: new Set([...required].filter((name) => properties.has(name))) };
}

function isOpen({ value }: Located<Readonly<Record<string, unknown>>>): boolean {
  const open = (keyword: string): boolean => value[keyword] !== undefined && value[keyword] !== false;
  return open("additionalProperties") || open("unevaluatedProperties") || open("patternProperties");
}
