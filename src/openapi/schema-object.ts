/**
 * A Schema Object of any version as JSON Schema 2020-12 for people and models to read: references across files become local
 * definitions, what a direction does not carry is left out, and what is too large is cut from the far end.
 *
 * https://spec.openapis.org/oas/v3.1.1.html#schema-object, https://spec.openapis.org/oas/v3.0.4.html#schema-object
 */
import type { JsonSchema } from "../codemode/tool.js";
import { DocumentFault, type Located, type OpenApiDocument } from "./document.js";
import { isObject, referenceOf } from "./references.js";
import { type SchemaView, viewSchema } from "./schema-view.js";

/** Which way the value goes: `readOnly` properties are no part of a request, `writeOnly` ones none of a response. */
export type Direction = "request" | "response";

type Mutable = Record<string, unknown>;

/** How large a schema may become, as a number of schemas written out. */
const MAX_SCHEMAS = 600;
/** Schemas nested in one definition without a reference between. */
const MAX_DEPTH = 40;

/** Keywords whose value is copied as it stands. */
const COPIED = [
  "title",
  "description",
  "format",
  "multipleOf",
  "maximum",
  "minimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "maxContains",
  "minContains",
  "maxProperties",
  "minProperties",
  "dependentRequired",
  "const",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
  "discriminator",
];
const SCHEMA = [
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contentSchema",
];
const SCHEMA_LISTS = ["prefixItems", "anyOf", "oneOf"];
const SCHEMA_MAPS = ["patternProperties", "dependentSchemas"];

const LEFT_OUT = "Left out: the schema is large.";

/**
 * Writes schemas that share one set of definitions. Definitions are written breadth first when they are asked for, so that
 * what is near the root is complete and a limit cuts what is far.
 */
export class SchemaWriter {
  readonly #names = new Map<object, string>();
  readonly #taken = new Set<string>();
  readonly #waiting: { readonly name: string; readonly node: Located }[] = [];
  readonly #definitions: Record<string, JsonSchema> = Object.create(null) as Record<string, JsonSchema>;
  #written = 0;

  constructor(
    readonly document: OpenApiDocument,
    readonly direction: Direction,
    /** Schemas written out before definitions that are still waiting are left open. */
    readonly limit = MAX_SCHEMAS,
  ) {}

  /** A schema whose references point to `#/$defs/…`, see `definitions`. */
  write(node: Located): JsonSchema {
    return this.#write(node, 0);
  }

  /** The definitions that the schemas written so far refer to; `undefined` when there are none. */
  definitions(): Readonly<Record<string, JsonSchema>> | undefined {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#definitions[next.name] = this.#written < this.limit ? this.#writeOwn(next.node, 0) : { $comment: LEFT_OUT };
    }
    return Object.keys(this.#definitions).length === 0 ? undefined : { ...this.#definitions };
  }

  #write(node: Located, depth: number): JsonSchema {
    const { value } = node;
    if (typeof value === "boolean") return value;
    if (!isObject(value)) return {};
    const reference =
      referenceOf(value) ?? (typeof value["$dynamicRef"] === "string" ? value["$dynamicRef"] : undefined);
    if (reference === undefined) return this.#writeOwn(node, depth);
    return this.#reference({ ...node, value: { ...value, $ref: reference } }, reference);
  }

  /** A reference, beside whatever siblings the version gives a meaning. */
  #reference(node: Located, reference: string): JsonSchema {
    let target: Located;
    try {
      target = this.document.resolve(node);
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      // A schema that allows everything, and says why.
      return { $comment: error.fault.reason };
    }
    if (!isObject(target.value)) return typeof target.value === "boolean" ? target.value : {};
    const local = { $ref: `#/$defs/${this.#nameOf(target, reference)}` };
    if (this.document.version !== "3.1" && this.document.version !== "3.2") return local;
    const { $ref: _, $dynamicRef: __, ...siblings } = node.value as Mutable;
    if (Object.keys(siblings).length === 0) return local;
    return { ...(this.#writeOwn({ ...node, value: siblings }, 0) as object), ...local };
  }

  /** The name of a definition: the last part of its pointer or file name, made unique by a number. */
  #nameOf(target: Located, reference: string): string {
    const known = this.#names.get(target.value as object);
    if (known !== undefined) return known;
    const last = reference.replace(/\/+$/, "").split(/[/#]/).pop() ?? "";
    const base =
      decode(last)
        .replace(/\.(json|ya?ml)$/i, "")
        .replace(/[^\p{L}\p{N}_.$-]+/gu, "_") || "Schema";
    let name = base;
    for (let n = 2; this.#taken.has(name); n++) name = `${base}_${n}`;
    this.#taken.add(name);
    this.#names.set(target.value as object, name);
    this.#waiting.push({ name, node: target });
    return name;
  }

  #writeOwn(node: Located, depth: number): JsonSchema {
    const schema = node.value as Mutable;
    if (this.#written >= this.limit || depth > MAX_DEPTH) return { $comment: LEFT_OUT };
    if (this.#isNullableComposition(schema)) {
      const { nullable: _, "x-nullable": __, ...rest } = schema;
      return { anyOf: [this.#writeOwn({ ...node, value: rest }, depth), { type: "null" }] };
    }
    this.#written++;
    const merged = Array.isArray(schema["allOf"]) ? this.#merged(node) : undefined;
    const out: Mutable = {};
    for (const keyword of COPIED) if (Object.hasOwn(schema, keyword)) out[keyword] = schema[keyword];
    this.#writeType(schema, out);
    writeBounds(schema, out);
    if (schema["example"] !== undefined && out["examples"] === undefined) out["examples"] = [schema["example"]];
    if (out["examples"] !== undefined && !Array.isArray(out["examples"])) delete out["examples"];
    if (merged !== undefined) return this.#writeMerged(merged, out, depth);
    this.#writeMembers(node, out, depth);
    const all = this.document.member(node, "allOf");
    if (all !== undefined && Array.isArray(all.value)) {
      const members = this.#list(all, depth);
      const [only] = members;
      // `allOf` around one reference is how 3.0 puts a description beside it.
      if (members.length === 1 && isObject(only) && !Object.keys(only).some((key) => Object.hasOwn(out, key))) {
        return { ...out, ...only };
      }
      if (members.length > 0) out["allOf"] = members;
    }
    return out;
  }

  /** Whether `nullable` stands beside a composition: null is then one more alternative, for the members exclude it. */
  #isNullableComposition(schema: Mutable): boolean {
    if (this.document.version === "3.1" || this.document.version === "3.2") return false;
    if (schema["nullable"] !== true && schema["x-nullable"] !== true) return false;
    return ["allOf", "anyOf", "oneOf"].some((keyword) => Object.hasOwn(schema, keyword));
  }

  /** The view of a schema whose `allOf` comes to one plain object. */
  #merged(node: Located): SchemaView | undefined {
    try {
      const view = viewSchema(this.document, node);
      return view.plainObject ? view : undefined;
    } catch {
      return undefined;
    }
  }

  #writeMerged(view: SchemaView, out: Mutable, depth: number): JsonSchema {
    for (const keyword of ["title", "description", "discriminator", "deprecated", "default"]) {
      const value = view.keyword(keyword);
      if (value !== undefined && out[keyword] === undefined && keyword !== "title") out[keyword] = value;
    }
    out["type"] = "object";
    this.#writeProperties(view.properties, [...view.required], out, depth);
    const additional = view.additionalProperties;
    if (typeof additional === "boolean") out["additionalProperties"] = additional;
    else if (additional !== undefined) out["additionalProperties"] = this.#write(additional, depth + 1);
    return out;
  }

  #writeMembers(node: Located, out: Mutable, depth: number): void {
    const { document } = this;
    const schema = node.value as Mutable;
    const properties = document.member(node, "properties");
    const required = Array.isArray(schema["required"])
      ? schema["required"].filter((name) => typeof name === "string")
      : [];
    const places = new Map<string, Located>();
    if (isObject(properties?.value)) {
      for (const name of Object.keys(properties.value)) {
        places.set(name, document.member(properties as Located, name) as Located);
      }
    }
    if (places.size > 0 || required.length > 0) this.#writeProperties(places, required, out, depth);
    const items = document.member(node, "items");
    // Before 2020-12 a list under `items` was a tuple.
    if (Array.isArray(items?.value)) out["prefixItems"] = this.#list(items as Located, depth);
    else if (items !== undefined) out["items"] = this.#write(items, depth + 1);
    const additional = document.member(node, "additionalProperties");
    if (additional !== undefined) out["additionalProperties"] = this.#write(additional, depth + 1);
    for (const keyword of SCHEMA) {
      const member = document.member(node, keyword);
      if (member !== undefined) out[keyword] = this.#write(member, depth + 1);
    }
    for (const keyword of SCHEMA_LISTS) {
      const list = document.member(node, keyword);
      if (list !== undefined && Array.isArray(list.value) && list.value.length > 0)
        out[keyword] = this.#list(list, depth);
    }
    for (const keyword of SCHEMA_MAPS) {
      const map = document.member(node, keyword);
      if (!isObject(map?.value)) continue;
      const written = nameless();
      for (const name of Object.keys(map.value)) {
        written[name] = this.#write(document.member(map as Located, name) as Located, depth + 1);
      }
      out[keyword] = written;
    }
  }

  #list(list: Located, depth: number): JsonSchema[] {
    return (list.value as unknown[]).flatMap((_, index) => {
      const member = this.document.member(list, index);
      return member === undefined ? [] : [this.#write(member, depth + 1)];
    });
  }

  #writeProperties(
    places: ReadonlyMap<string, Located>,
    required: readonly string[],
    out: Mutable,
    depth: number,
  ): void {
    const written = nameless();
    const absent = new Set<string>();
    for (const [name, node] of places) {
      if (this.carries(node)) written[name] = this.#write(node, depth + 1);
      else absent.add(name);
    }
    if (places.size > 0) out["properties"] = written;
    const present = required.filter((name) => !absent.has(name));
    if (present.length > 0) out["required"] = [...new Set(present)];
  }

  /** Whether this direction carries a property. */
  carries(property: Located): boolean {
    return carries(this.document, property, this.direction);
  }

  #writeType(schema: Mutable, out: Mutable): void {
    const type = schema["type"];
    const nullable = schema["nullable"] === true || schema["x-nullable"] === true;
    const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string" && name !== "any");
    const older = this.document.version === "2.0" || this.document.version === "3.0";
    if (older && nullable && types.length > 0 && !types.includes("null")) types.push("null");
    if (types.length === 1) out["type"] = types[0];
    else if (types.length > 1) out["type"] = types;
    const values = schema["enum"];
    if (Array.isArray(values)) {
      out["enum"] = older && nullable && !values.includes(null) ? [...values, null] : values;
    }
  }
}

/** Whether a property is part of a request or of a response (`readOnly`, `writeOnly`). */
export function carries(document: OpenApiDocument, property: Located, direction: Direction): boolean {
  try {
    return viewSchema(document, property).keyword(direction === "request" ? "readOnly" : "writeOnly") !== true;
  } catch (error) {
    // What cannot be followed, or not that deep, is shown.
    if (error instanceof DocumentFault || error instanceof RangeError) return true;
    throw error;
  }
}

/** `exclusiveMaximum: true` of 2.0 and 3.0 is a bound of its own in 2020-12. */
function writeBounds(schema: Mutable, out: Mutable): void {
  for (const [bound, exclusive] of [
    ["maximum", "exclusiveMaximum"],
    ["minimum", "exclusiveMinimum"],
  ] as const) {
    if (typeof schema[exclusive] === "number") out[exclusive] = schema[exclusive];
    else if (schema[exclusive] === true && typeof schema[bound] === "number") {
      out[exclusive] = schema[bound];
      delete out[bound];
    }
  }
}

/** An object for names of any kind, `__proto__` included. */
function nameless(): Record<string, JsonSchema> {
  return Object.create(null) as Record<string, JsonSchema>;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return text;
  }
}
