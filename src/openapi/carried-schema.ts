/**
 * The part of a schema whose values a style can carry: what has no form on the wire is not offered, so that a program does
 * not learn of it by a refusal.
 */
import type { JsonSchema } from "../codemode/tool.js";
import { isJsonObject, type Json } from "../json/json.js";
import type { AcceptedValues, ScalarType } from "./accepted-values.js";
import { isObject } from "./references.js";
import type { StyleRule } from "./style.js";

/** @param schema of the input; a schema behind a reference stays as it is. */
export function carriedSchema(schema: JsonSchema, { accepts, brackets }: StyleRule): JsonSchema {
  // Brackets carry nearly everything.
  return brackets === true ? schema : (carried(schema, accepts) ?? schema);
}

const plain = (scalar: readonly ScalarType[]): AcceptedValues => ({ scalar, items: undefined, object: undefined });

/** `undefined` when nothing of the schema is left. */
function carried(schema: unknown, accepts: AcceptedValues): JsonSchema | undefined {
  if (!isObject(schema)) return schema as JsonSchema;
  const result: Record<string, unknown> = { ...schema };
  if (schema["type"] !== undefined) {
    const types = [schema["type"]].flat().filter((type) => accepted(type, accepts));
    if (types.every((type) => type === "null")) return undefined;
    result["type"] = types.length === 1 ? types[0] : types;
  }
  if (schema["type"] === undefined && Array.isArray(schema["enum"])) {
    const values = schema["enum"].filter((value: Json) => accepted(typeOf(value), accepts));
    if (values.every((value) => value === null)) return undefined;
    result["enum"] = values;
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    const left = branches.map((branch) => carried(branch, accepts)).filter((branch) => branch !== undefined);
    if (left.length === 0) return undefined;
    result[keyword] = left;
  }
  if (isObject(schema["items"]) && accepts.items !== undefined)
    result["items"] = carried(schema["items"], plain(accepts.items)) ?? schema["items"];
  if (isObject(schema["properties"]) && accepts.object !== undefined) {
    const { properties, undefined: without } = accepts.object;
    if (Array.isArray(schema["required"]) && schema["required"].some((name) => without.includes(name)))
      return undefined;
    const members = Object.entries(schema["properties"]).filter(([name]) => !without.includes(name));
    result["properties"] = Object.fromEntries(
      members.map(([name, member]) => {
        const types = properties.get(name);
        return [name, (types && carried(member, plain(types))) ?? member];
      }),
    );
  }
  return result;
}

function accepted(type: unknown, { scalar, items, object }: AcceptedValues): boolean {
  if (type === "null") return true;
  if (type === "array") return items !== undefined;
  if (type === "object") return object !== undefined;
  return scalar.includes(type as ScalarType) || (type === "integer" && scalar.includes("number"));
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isJsonObject(value)) return "object";
  return typeof value === "bigint" || Number.isInteger(value) ? "integer" : typeof value;
}
