/** Values that fit a JSON Schema, varied but the same for the same seed: inputs for calls of every operation. */
import fc from "fast-check";
import type { JsonSchema } from "../../src/codemode/tool.js";
import { SCHEMA_ANNOTATION } from "../../src/codemode/tool.js";
import type { Json } from "../../src/json/json.js";

type Schema = Readonly<Record<string, unknown>>;

/** Nested deeper than this, only what is required is there. */
const DEEPEST = 3;

/** Texts with characters that have a meaning somewhere in a request. */
const TEXTS = ["plain", "two words", "a&b=c", "50%", "é€𝄞", "a+b", "x/y?z#w", "semi;colon", "“quoted”", "[0]", "1,2"];

/** Values for the formats that a judge checks. */
const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "2026-11-30T12:00:00Z",
  date: "2026-11-30",
  time: "12:00:00Z",
  duration: "P1D",
  uri: "https://example.com/a?b=c",
  url: "https://example.com/a?b=c",
  "uri-reference": "/a?b=c",
  email: "someone@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
  byte: "YWJj",
  regex: "a+",
};

export interface SampleOptions {
  readonly seed: number;
  /** Whether optional properties may be there. */
  readonly optional: boolean;
  /** A value for a schema of a file. */
  readonly file: Json;
}

/** @param schema with its own `$defs`. */
export function sampleInput(schema: JsonSchema, { seed, optional, file }: SampleOptions): Json {
  const definitions = (typeof schema === "object" ? (schema["$defs"] as Schema | undefined) : undefined) ?? {};
  let state = seed >>> 0;
  const random = (below: number): number => {
    // A linear congruential generator is random enough to choose by.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <A>(items: readonly A[]): A => items[random(items.length)]!;

  /** The schema with its references and `allOf` read into it, and one branch of each choice taken. */
  const flat = (given: unknown, depth: number): Schema => {
    if (typeof given !== "object" || given === null) return {};
    const { $ref, allOf, oneOf, anyOf, ...rest } = given as Record<string, unknown>;
    let result: Schema = rest;
    if (typeof $ref === "string") {
      const name = decodeURIComponent($ref.slice("#/$defs/".length)).replaceAll("~1", "/").replaceAll("~0", "~");
      result = merged(flat(definitions[name], depth), result);
    }
    for (const part of (allOf as unknown[] | undefined) ?? []) result = merged(result, flat(part, depth));
    for (const choice of [oneOf, anyOf] as (unknown[] | undefined)[]) {
      if (choice === undefined) continue;
      // The first branch ends soonest where a schema is within itself.
      result = merged(result, flat(depth > DEEPEST ? choice[0] : pick(choice), depth));
    }
    return result;
  };

  const text = (schema: Schema): string => {
    if (typeof schema["pattern"] === "string") {
      const matching = fc.stringMatching(new RegExp(schema["pattern"], "u"), { size: "xsmall" });
      return fc.sample(matching, { numRuns: 1, seed: random(2 ** 31) })[0]!;
    }
    const formatted = FORMATS[schema["format"] as string];
    if (formatted !== undefined) return formatted;
    const least = (schema["minLength"] as number | undefined) ?? 0;
    const most = (schema["maxLength"] as number | undefined) ?? 64;
    const value = [...pick(TEXTS)];
    while (value.length < least) value.push("x");
    return value.slice(0, most).join("").trim().padEnd(least, "x");
  };

  const number = (schema: Schema, whole: boolean): number => {
    const least = bound(schema["minimum"], schema["exclusiveMinimum"], 1, whole) ?? -5;
    const most = bound(schema["maximum"], schema["exclusiveMaximum"], -1, whole) ?? Math.max(least, 0) + 1000;
    const step = (schema["multipleOf"] as number | undefined) ?? (whole ? 1 : 0.5);
    const first = Math.ceil(least / step);
    return (first + random(Math.max(1, Math.min(50, Math.floor(most / step) - first + 1)))) * step;
  };

  const value = (given: unknown, depth: number): Json => {
    const schema = flat(given, depth);
    if (schema[SCHEMA_ANNOTATION] === "file") return file;
    if ("const" in schema) return schema["const"] as Json;
    if (Array.isArray(schema["enum"])) return pick((schema["enum"] as Json[]).filter((item) => item !== null));
    const types = [schema["type"] ?? []].flat().filter((type) => type !== "null") as string[];
    const implied =
      schema["properties"] === undefined ? (schema["items"] === undefined ? "string" : "array") : "object";
    switch (types.length === 0 ? implied : pick(types)) {
      case "object":
        return object(schema, depth);
      case "array": {
        const least = Math.max((schema["minItems"] as number | undefined) ?? 0, depth > DEEPEST ? 0 : 1);
        const most = Math.max(least, Math.min((schema["maxItems"] as number | undefined) ?? 3, 3));
        const items = Array.from({ length: least + random(most - least + 1) }, () => value(schema["items"], depth + 1));
        return schema["uniqueItems"] === true
          ? [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
          : items;
      }
      case "boolean":
        return random(2) === 0;
      case "integer":
        return number(schema, true);
      case "number":
        return number(schema, false);
      default:
        return text(schema);
    }
  };

  const object = (schema: Schema, depth: number): Json => {
    const properties = (schema["properties"] as Schema | undefined) ?? {};
    const required = new Set((schema["required"] as string[] | undefined) ?? []);
    const names = Object.keys(properties).filter((name) => required.has(name) || wanted(depth));
    const members: [string, Json][] = names.map((name) => [name, value(properties[name], depth + 1)]);
    for (const name of required) if (!(name in properties)) members.push([name, value({}, depth + 1)]);
    const more = schema["additionalProperties"];
    const least =
      (schema["minProperties"] as number | undefined) ?? (typeof more === "object" && wanted(depth) ? 1 : 0);
    for (let at = 0; members.length < least && more !== false; at++)
      members.push([`key${at}`, value(more === true ? {} : more, depth + 1)]);
    return Object.fromEntries(members);
  };

  const wanted = (depth: number): boolean => optional && depth <= DEEPEST && random(depth === 0 ? 3 : 4) !== 0;

  return value(schema, 0);
}

function merged(one: Schema, two: Schema): Schema {
  const result: Record<string, unknown> = { ...one, ...two };
  if (one["properties"] !== undefined && two["properties"] !== undefined)
    result["properties"] = { ...(one["properties"] as object), ...(two["properties"] as object) };
  if (Array.isArray(one["required"]) && Array.isArray(two["required"]))
    result["required"] = [...new Set([...(one["required"] as string[]), ...(two["required"] as string[])])];
  return result;
}

/** A bound as 2020-12 writes it; the exclusive one may be a boolean, as drafts before 6 have it. */
function bound(plain: unknown, exclusive: unknown, direction: 1 | -1, whole: boolean): number | undefined {
  const step = direction * (whole ? 1 : 0.5);
  if (typeof exclusive === "number") return exclusive + step;
  if (typeof plain !== "number") return undefined;
  return exclusive === true ? plain + step : plain;
}
