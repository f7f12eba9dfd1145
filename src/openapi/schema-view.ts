/**
 * A Schema Object as planning sees it: through references and `allOf`, without writing anything out.
 *
 * https://spec.openapis.org/oas/v3.1.1.html#schema-object
 */
import type { Located, OpenApiDocument } from "./document.js";
import { isObject, referenceOf } from "./references.js";

export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

const JSON_TYPES: readonly string[] = ["null", "boolean", "integer", "number", "string", "array", "object"];

type LocatedObject = Located<Record<string, unknown>>;

export interface SchemaView {
  readonly document: OpenApiDocument;
  /**
   * Every schema that a value must satisfy at once: the schema itself, what its `$ref` points to (with the siblings, where
   * the version gives them a meaning), and the members of its `allOf`, however deep. Boolean schemas are left out.
   */
  readonly conjuncts: readonly LocatedObject[];
  /**
   * Types that the value may have; `undefined` when nothing is said. Inferred where `type` is missing and other keywords
   * leave no doubt. An empty list: nothing satisfies the schema. `null` is listed where `nullable` allows it.
   */
  readonly types: readonly JsonType[] | undefined;
  readonly nullable: boolean;
  /** Declared properties of all conjuncts, in document order; one declared by several is an `allOf` of them. */
  readonly properties: ReadonlyMap<string, Located>;
  readonly required: ReadonlySet<string>;
  /** `undefined`: not said; a schema is a place. `false` in one conjunct closes all, any other value opens them. */
  readonly additionalProperties: boolean | Located | undefined;
  readonly items: Located | undefined;
  /** Alternatives of every `oneOf` and `anyOf`; `{type: "null"}` is not counted, it is in `types`. */
  readonly alternatives: readonly Located[];
  /** Whether the properties alone describe the value: no alternatives, conditions, patterns or negations. */
  readonly plainObject: boolean;
  /** The value of a keyword in the first conjunct that has it. */
  keyword(name: string): unknown;
}

/**
 * Views a schema. The same place gives the same view.
 *
 * @throws DocumentFault when a reference at the top, in `allOf`, or of an alternative cannot be followed.
 */
export function viewSchema(document: OpenApiDocument, node: Located): SchemaView {
  if (typeof node.value !== "object" || node.value === null) return new View(document, node);
  let views = viewsByDocument.get(document);
  if (views === undefined) viewsByDocument.set(document, (views = new WeakMap()));
  let view = views.get(node.value);
  if (view === undefined) views.set(node.value, (view = new View(document, node)));
  return view;
}

const viewsByDocument = new WeakMap<OpenApiDocument, WeakMap<object, SchemaView>>();

/** Keywords beside `properties` that say something about the members of an object, or about the object as a whole. */
const BEYOND_PROPERTIES = [
  "oneOf",
  "anyOf",
  "not",
  "if",
  "patternProperties",
  "propertyNames",
  "dependentSchemas",
  "dependentRequired",
  "unevaluatedProperties",
];

class View implements SchemaView {
  readonly conjuncts: readonly LocatedObject[];
  #alternatives: readonly Located[] | undefined;
  #types: { readonly list: readonly JsonType[] | undefined } | undefined;
  #properties: ReadonlyMap<string, Located> | undefined;

  constructor(
    readonly document: OpenApiDocument,
    node: Located,
  ) {
    const conjuncts: LocatedObject[] = [];
    collectConjuncts(document, node, conjuncts, new Set());
    this.conjuncts = conjuncts;
  }

  keyword(name: string): unknown {
    return this.conjuncts.find(({ value }) => Object.hasOwn(value, name))?.value[name];
  }

  get types(): readonly JsonType[] | undefined {
    this.#types ??= { list: typesOf(this.document, this.conjuncts, new Set()) };
    return this.#types.list;
  }

  get nullable(): boolean {
    return this.types?.includes("null") ?? false;
  }

  get properties(): ReadonlyMap<string, Located> {
    if (this.#properties === undefined) {
      const found = new Map<string, Located[]>();
      for (const conjunct of this.conjuncts) {
        const properties = this.document.member(conjunct, "properties");
        if (!isObject(properties?.value)) continue;
        for (const name of Object.keys(properties.value)) {
          const property = this.document.member(properties as Located, name) as Located;
          found.set(name, [...(found.get(name) ?? []), property]);
        }
      }
      this.#properties = new Map([...found].map(([name, places]) => [name, conjunctionOf(this.document, places)]));
    }
    return this.#properties;
  }

  get required(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { value } of this.conjuncts) {
      const required = value["required"];
      if (Array.isArray(required)) for (const name of required) if (typeof name === "string") names.add(name);
    }
    return names;
  }

  get additionalProperties(): boolean | Located | undefined {
    let found: boolean | Located | undefined;
    for (const conjunct of this.conjuncts) {
      const additional = this.document.member(conjunct, "additionalProperties");
      if (additional === undefined) continue;
      if (additional.value === false) return false;
      found ??= additional.value === true ? true : additional;
    }
    return found;
  }

  get items(): Located | undefined {
    const places = this.conjuncts.flatMap((conjunct) => {
      const items = this.document.member(conjunct, "items");
      return items === undefined || Array.isArray(items.value) ? [] : [items];
    });
    return places.length === 0 ? undefined : conjunctionOf(this.document, places);
  }

  get alternatives(): readonly Located[] {
    this.#alternatives ??= this.conjuncts
      .flatMap((conjunct) => alternativesOf(this.document, conjunct))
      .filter((node) => !isNullSchema(node.value));
    return this.#alternatives;
  }

  get plainObject(): boolean {
    if (this.types?.some((type) => type !== "object") ?? true) return false;
    return this.conjuncts.every(({ value }) => !BEYOND_PROPERTIES.some((keyword) => Object.hasOwn(value, keyword)));
  }
}

/** What must satisfy several schemas at once. Each keeps its place. */
function conjunctionOf(document: OpenApiDocument, places: readonly Located[]): Located {
  const [first] = places as [Located, ...Located[]];
  if (places.length === 1) return first;
  for (const { value, uri, pointer } of places) document.place(value, uri, pointer);
  return { ...first, value: { allOf: places.map(({ value }) => value) } };
}

/** The members of a list, each at its place. */
function itemsOf(document: OpenApiDocument, node: Located, key: string): Located[] {
  const list = document.member(node, key);
  if (list === undefined || !Array.isArray(list.value)) return [];
  return list.value.flatMap((_, index) => document.member(list, index) ?? []);
}

function collectConjuncts(document: OpenApiDocument, node: Located, into: LocatedObject[], seen: Set<object>): void {
  let current = node;
  for (;;) {
    if (!isObject(current.value) || seen.has(current.value)) return;
    seen.add(current.value);
    if (referenceOf(current.value) === undefined) break;
    // From 3.1 on a schema's `$ref` is one keyword among others; before, its siblings are ignored.
    const siblings = document.version === "3.1" || document.version === "3.2";
    if (siblings && Object.keys(current.value).length > 1) {
      const { $ref: _, ...rest } = current.value;
      collectOwn(document, { ...current, value: rest }, into, seen);
    }
    current = document.step(current);
  }
  collectOwn(document, current as LocatedObject, into, seen);
}

function collectOwn(document: OpenApiDocument, node: LocatedObject, into: LocatedObject[], seen: Set<object>): void {
  into.push(node);
  for (const member of itemsOf(document, node, "allOf")) collectConjuncts(document, member, into, seen);
}

function alternativesOf(document: OpenApiDocument, conjunct: Located): Located[] {
  return [...itemsOf(document, conjunct, "oneOf"), ...itemsOf(document, conjunct, "anyOf")];
}

function isNullSchema(value: unknown): boolean {
  return (
    isObject(value) &&
    (value["type"] === "null" || (Array.isArray(value["enum"]) && value["enum"].every((v) => v === null)))
  );
}

/** Types that satisfy all conjuncts; `undefined` when none says anything. */
function typesOf(
  document: OpenApiDocument,
  conjuncts: readonly LocatedObject[],
  seen: Set<object>,
): JsonType[] | undefined {
  let types: JsonType[] | undefined;
  let nullable = false;
  for (const conjunct of conjuncts) {
    // 3.0 lets `nullable` add null only beside `type`; authors also write it beside `allOf`, and mean the same.
    if (conjunct.value["nullable"] === true || conjunct.value["x-nullable"] === true) nullable = true;
    for (const own of [ownTypes(conjunct.value), alternativeTypes(document, conjunct, seen)]) {
      if (own !== undefined) types = types === undefined ? own : intersect(types, own);
    }
  }
  if (types === undefined) types = inferTypes(conjuncts);
  if (
    types !== undefined &&
    nullable &&
    document.version !== "3.1" &&
    document.version !== "3.2" &&
    !types.includes("null")
  ) {
    types = [...types, "null"];
  }
  return types;
}

function ownTypes(schema: Record<string, unknown>): JsonType[] | undefined {
  const type = schema["type"];
  const declared = (Array.isArray(type) ? type : [type]).filter((name): name is JsonType =>
    JSON_TYPES.includes(name as string),
  );
  if (declared.length > 0) return declared;
  const values = Object.hasOwn(schema, "const") ? [schema["const"]] : schema["enum"];
  return Array.isArray(values) && values.length > 0 ? [...new Set(values.map(typeOfValue))] : undefined;
}

function alternativeTypes(document: OpenApiDocument, conjunct: Located, seen: Set<object>): JsonType[] | undefined {
  const alternatives = alternativesOf(document, conjunct);
  if (alternatives.length === 0) return undefined;
  const union = new Set<JsonType>();
  for (const alternative of alternatives) {
    const { value } = alternative;
    if (!isObject(value) || seen.has(value)) return undefined;
    const inner: LocatedObject[] = [];
    collectConjuncts(document, alternative, inner, new Set());
    const types = typesOf(document, inner, new Set([...seen, value]));
    if (types === undefined) return undefined;
    for (const type of types) union.add(type);
  }
  return [...union];
}

function inferTypes(conjuncts: readonly LocatedObject[]): JsonType[] | undefined {
  const has = (...keywords: string[]) =>
    conjuncts.some(({ value }) => keywords.some((keyword) => Object.hasOwn(value, keyword)));
  if (has("properties", "additionalProperties", "patternProperties")) return ["object"];
  if (has("items", "prefixItems")) return ["array"];
  return undefined;
}

function intersect(a: readonly JsonType[], b: readonly JsonType[]): JsonType[] {
  const admits = (types: readonly JsonType[], type: JsonType) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  return [...new Set([...a.filter((type) => admits(b, type)), ...b.filter((type) => admits(a, type))])];
}

function typeOfValue(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "bigint" ? "integer" : (typeof value as JsonType);
}
