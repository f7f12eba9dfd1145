/**
 * What JSON types a schema of a tool's input takes: enough to read words of a command line as values.
 */
import { type JsonSchema, SCHEMA_ANNOTATION } from "../../codemode/tool.js";

export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object" | "file";

type SchemaObject = { readonly [keyword: string]: unknown };

const isObject = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Follows local references (`#/$defs/…`, RFC 6901). */
export function dereference(schema: unknown, root: JsonSchema | undefined): SchemaObject | undefined {
  let current = schema;
  for (let hops = 0; hops < 32 && isObject(current); hops++) {
    const reference = current["$ref"];
    if (typeof reference !== "string") return current;
    if (!reference.startsWith("#")) return undefined;
    let target: unknown = root;
    for (const token of reference.slice(1).split("/").slice(1)) {
      const key = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
      target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    }
    current = target;
  }
  return undefined;
}

function typeOfValue(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as JsonType;
}

/** The types a schema allows; `undefined` when it says nothing about them. */
export function typesOf(schema: unknown, root: JsonSchema | undefined, depth = 0): ReadonlySet<JsonType> | undefined {
  const object = dereference(schema, root);
  if (!object || depth > 16) return undefined;
  if (object[SCHEMA_ANNOTATION] === "file") return new Set<JsonType>(["file"]);
  const { type, anyOf, oneOf, allOf } = object;
  if (typeof type === "string") return new Set([type as JsonType]);
  if (Array.isArray(type)) return new Set(type as JsonType[]);
  if (Array.isArray(object["enum"])) return new Set(object["enum"].map(typeOfValue));
  if (Object.hasOwn(object, "const")) return new Set([typeOfValue(object["const"])]);
  for (const list of [anyOf, oneOf]) {
    if (!Array.isArray(list)) continue;
    const parts = list.map((part) => typesOf(part, root, depth + 1));
    return parts.every((part) => part !== undefined) ? new Set(parts.flatMap((part) => [...part!])) : undefined;
  }
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const types = typesOf(part, root, depth + 1);
    if (types) return types;
  }
  if (isObject(object["properties"])) return new Set<JsonType>(["object"]);
  if (object["items"] !== undefined) return new Set<JsonType>(["array"]);
  return undefined;
}

/** The schema of a list's items. */
export function itemsOf(schema: unknown, root: JsonSchema | undefined): unknown {
  const object = dereference(schema, root);
  if (!object) return undefined;
  if (object["items"] !== undefined) return object["items"];
  for (const list of [object["anyOf"], object["oneOf"], object["allOf"]]) {
    for (const part of Array.isArray(list) ? list : []) {
      const items = itemsOf(part, root);
      if (items !== undefined) return items;
    }
  }
  return undefined;
}

/** The schema of one property of a tool's input. */
export function propertySchema(schema: JsonSchema | undefined, name: string): unknown {
  const properties = dereference(schema, schema)?.["properties"];
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
