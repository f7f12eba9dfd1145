/**
 * JSON Schema (draft 2020-12, and the words of OpenAPI 3.0 beside it) → TypeScript types.
 *
 * Nothing is invented: what a schema leaves open is `unknown`, what TypeScript cannot say (ranges, patterns, `not`,
 * conditions) is left to the documentation.
 */
import { type JsonSchema, SCHEMA_ANNOTATION } from "../codemode/tool.js";
import {
  intersection,
  NEVER,
  NULL,
  type ObjectNode,
  type Property,
  type TypeNode,
  UNKNOWN,
  union,
  word,
} from "./type-node.js";

type SchemaObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Schemas nested in one another before the rest is `unknown`. */
const DEEPEST = 200;

/** Names that the written types use themselves; a definition of that name gets a suffix. */
const RESERVED = new Set(["Array", "Record", "Promise", "AsyncIterable", "FileHandle"]);

/** A definition's name as a TypeScript identifier, in Pascal case. */
export function typeName(name: string): string {
  const joined = name
    .split(/[^\p{L}\p{N}$]+/u)
    .filter((part) => part !== "")
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join("");
  const identifier = /^[\p{ID_Start}$_]/u.test(joined) ? joined : `_${joined}`;
  return RESERVED.has(identifier) ? `${identifier}_` : identifier;
}

/** Names of definitions, unique within one schema. */
function uniqueNames(): (pointer: string) => string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  return (pointer) => {
    let name = names.get(pointer);
    if (name === undefined) {
      const base = pointerName(pointer);
      name = base;
      for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
      taken.add(name);
      names.set(pointer, name);
    }
    return name;
  };
}

/** The identifier that a pointer's last token suggests. */
export function pointerName(pointer: string): string {
  return pointer === "#" ? "Root" : typeName(pointer.slice(pointer.lastIndexOf("/") + 1).replaceAll("~1", "/"));
}

/** The value at a local reference (`#`, `#/$defs/Pet`, any RFC 6901 pointer) of a schema; `undefined` where there is none. */
export function resolveLocal(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let value = root;
  for (const token of reference.slice(1).split("/").slice(1)) {
    let key = token;
    try {
      key = decodeURIComponent(token);
    } catch {
      // Not percent-encoded after all: the token is the key.
    }
    key = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** The types of one root schema. Definitions are computed on demand, each once. */
export class SchemaTypes {
  readonly #definitions = new Map<string, TypeNode>();
  #depth = 0;

  /**
   * @param root the schema that local references resolve in.
   * @param nameOf the identifier of a definition; a declaration file passes its own, which are unique across tools.
   */
  constructor(
    readonly root: JsonSchema,
    readonly nameOf: (pointer: string, target: unknown) => string = uniqueNames(),
    /**
     * Where it is told, inputs are written as wide as a call takes them: `FileInput`, a `Date` for a date-time, a BigInt
     * for an int64.
     */
    readonly direction?: "input" | "output",
  ) {}

  /** The type of the root itself. */
  get type(): TypeNode {
    return this.typeOf(this.root);
  }

  typeOf(schema: unknown): TypeNode {
    if (schema === false) return NEVER;
    // Nobody reads a type so deep, and the stack has an end.
    if (!isObject(schema) || this.#depth >= DEEPEST) return UNKNOWN;
    this.#depth++;
    try {
      return this.#typeOfObject(schema);
    } finally {
      this.#depth--;
    }
  }

  #typeOfObject(schema: SchemaObject): TypeNode {
    const annotation = schema[SCHEMA_ANNOTATION];
    if (annotation === "file") {
      const file = word(this.direction === "input" ? "FileInput" : "FileHandle");
      return schema["nullable"] === true ? union([file, NULL]) : file;
    }
    const parts = [this.#reference(schema), this.#allOf(schema), this.#own(schema), ...this.#alternatives(schema)];
    const type = intersection(parts.filter((part) => part !== undefined));
    return schema["nullable"] === true ? union([type, NULL]) : type;
  }

  /** The definition behind a pointer. */
  definition(pointer: string): TypeNode {
    let type = this.#definitions.get(pointer);
    if (!type) {
      type = this.typeOf(resolveLocal(this.root, pointer));
      this.#definitions.set(pointer, type);
    }
    return type;
  }

  #reference(schema: SchemaObject): TypeNode | undefined {
    const pointer = schema["$ref"];
    if (typeof pointer !== "string") return undefined;
    const target = resolveLocal(this.root, pointer);
    if (target === undefined) return UNKNOWN;
    return {
      kind: "name",
      name: this.nameOf(pointer, target),
      pointer,
      target: () => this.definition(pointer),
    };
  }

  #allOf(schema: SchemaObject): TypeNode | undefined {
    const parts = list(schema["allOf"]);
    if (parts.length === 0) return undefined;
    // `required` beside or within `allOf` may name a property that another part declares: those parts are merged.
    const required = new Set(
      list(schema["required"]).concat(parts.flatMap((p) => (isObject(p) ? list(p["required"]) : []))),
    );
    const types = parts.map((part) => {
      const type = this.typeOf(part);
      if (type.kind !== "name") return type;
      const target = this.#objectBehind(type);
      return target?.properties.some((one) => one.optional && required.has(one.name)) ? target : type;
    });
    const whole = intersection(types);
    if (whole.kind !== "object") return whole;
    return {
      ...whole,
      properties: whole.properties.map((one) => (required.has(one.name) ? { ...one, optional: false } : one)),
    };
  }

  #objectBehind(type: TypeNode): ObjectNode | undefined {
    const seen = new Set<TypeNode>();
    while (type.kind === "name" && !seen.has(type)) {
      seen.add(type);
      type = this.typeOfOnce(type);
    }
    return type.kind === "object" ? type : undefined;
  }

  readonly #open = new Set<string>();

  /** The target of a name, `unknown` while that very target is being computed. */
  private typeOfOnce(type: Extract<TypeNode, { kind: "name" }>): TypeNode {
    if (this.#open.has(type.pointer)) return UNKNOWN;
    this.#open.add(type.pointer);
    try {
      return type.target();
    } finally {
      this.#open.delete(type.pointer);
    }
  }

  /** `oneOf` and `anyOf`, each a union. A branch that only adds `required` says nothing that a type shows. */
  #alternatives(schema: SchemaObject): TypeNode[] {
    return ["oneOf", "anyOf"].flatMap((keyword) => {
      const branches = list(schema[keyword]);
      if (branches.length === 0) return [];
      const tag = this.#discriminator(schema["discriminator"]);
      const types = branches.map((branch) => tag(branch, this.typeOf(branch)));
      return types.every((type) => type === UNKNOWN) ? [] : [union(types)];
    });
  }

  /** OpenAPI Discriminator Object: a branch whose own tag is any string gets the values that select it. */
  #discriminator(value: unknown): (branch: unknown, type: TypeNode) => TypeNode {
    const property = isObject(value) ? value["propertyName"] : undefined;
    if (typeof property !== "string") return (_, type) => type;
    const mapping = Object.entries(isObject(value) && isObject(value["mapping"]) ? value["mapping"] : {});
    const last = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);
    return (branch, type) => {
      const reference = isObject(branch) ? branch["$ref"] : undefined;
      if (typeof reference !== "string") return type;
      const own = this.#objectBehind(type)?.properties.find((one) => one.name === property);
      if (own && !(own.type.kind === "word" && own.type.text === "string")) return type;
      const name = last(reference);
      const mapped = mapping.filter(([, target]) => typeof target === "string" && last(target) === name);
      const values = mapped.length > 0 ? mapped.map(([tag]) => tag) : [name];
      const tag = union(values.map((one) => word(JSON.stringify(one))));
      const tagged: Property = { name: property, optional: false, type: tag, schema: undefined };
      return intersection([{ kind: "object", properties: [tagged], rest: undefined }, type]);
    };
  }

  /** What the schema says by its own `const`, `enum`, `type` and the keywords of that type. */
  #own(schema: SchemaObject): TypeNode | undefined {
    if (Object.hasOwn(schema, "const")) return this.#literal(schema["const"]);
    if (Array.isArray(schema["enum"]) && schema["enum"].length > 0) {
      return union(schema["enum"].map((value) => this.#literal(value)));
    }
    const types = typeof schema["type"] === "string" ? [schema["type"]] : list(schema["type"]);
    if (types.length > 0) return union(types.map((type) => this.#typed(type, schema)));
    if (isObject(schema["properties"]) || schema["additionalProperties"] !== undefined) return this.#object(schema);
    if (schema["items"] !== undefined || schema["prefixItems"] !== undefined) return this.#array(schema);
    return undefined;
  }

  #typed(type: unknown, schema: SchemaObject): TypeNode {
    switch (type) {
      case "string":
        return this.direction === "input" && schema["format"] === "date-time"
          ? union([word("string"), word("Date")])
          : word("string");
      case "number":
      case "boolean":
      case "null":
        return type === "null" ? NULL : word(type);
      case "integer":
        return this.direction === "input" && schema["format"] === "int64"
          ? union([word("number"), word("bigint")])
          : word("number");
      case "array":
        return this.#array(schema);
      case "object":
        return this.#object(schema);
      default:
        return UNKNOWN;
    }
  }

  #literal(value: unknown): TypeNode {
    if (value === null) return NULL;
    if (typeof value === "string") return word(JSON.stringify(value));
    if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return word(String(value));
    if (typeof value === "bigint") return word("number");
    if (Array.isArray(value)) {
      return {
        kind: "tuple",
        items: value.map((one) => ({ type: this.#literal(one), optional: false })),
        rest: undefined,
      };
    }
    if (!isObject(value)) return UNKNOWN;
    const properties = Object.entries(value).map(
      ([name, one]): Property => ({ name, optional: false, type: this.#literal(one), schema: undefined }),
    );
    return { kind: "object", properties, rest: undefined };
  }

  #array(schema: SchemaObject): TypeNode {
    // Before 2020-12 a list under `items` was what `prefixItems` is now, and `additionalItems` was `items`.
    const legacy = Array.isArray(schema["items"]);
    const prefix = legacy ? list(schema["items"]) : list(schema["prefixItems"]);
    const items = legacy ? schema["additionalItems"] : schema["items"];
    if (prefix.length === 0) return { kind: "array", item: items === undefined ? UNKNOWN : this.typeOf(items) };
    const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
    const most = typeof schema["maxItems"] === "number" ? schema["maxItems"] : Number.POSITIVE_INFINITY;
    const closed = items === false || most <= prefix.length;
    return {
      kind: "tuple",
      items: prefix.map((one, index) => ({ type: this.typeOf(one), optional: index >= least })),
      rest: closed ? undefined : items === undefined ? UNKNOWN : this.typeOf(items),
    };
  }

  #object(schema: SchemaObject): TypeNode {
    const declared = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
    const required = new Set(list(schema["required"]));
    const properties = declared.map(
      ([name, property]): Property => ({
        name,
        optional: !required.has(name),
        type: this.typeOf(property),
        schema: property,
      }),
    );
    return { kind: "object", properties, rest: this.#rest(schema, properties.length > 0) };
  }

  /** Properties beyond the declared ones: shown where the schema speaks of them, or where it declares none at all. */
  #rest(schema: SchemaObject, declares: boolean): TypeNode | undefined {
    const additional = schema["additionalProperties"] ?? schema["unevaluatedProperties"];
    const patterns = isObject(schema["patternProperties"]) ? Object.values(schema["patternProperties"]) : [];
    const types = patterns.map((one) => this.typeOf(one));
    if (additional !== undefined && additional !== false) types.push(this.typeOf(additional));
    if (types.length > 0) return union(types);
    return declares || additional === false ? undefined : UNKNOWN;
  }
}
