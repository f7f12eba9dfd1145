/**
 * What a Schema Object comes to through references and `allOf`, where it comes to one object.
 *
 * https://spec.openapis.org/oas/v3.1.1.html#schema-object
 */
import type { Located, OpenApiDocument } from "./document.js";
import { isObject, referenceOf } from "./references.js";

type LocatedObject = Located<Record<string, unknown>>;

export interface SchemaView {
  /** Declared properties of all conjuncts, in document order; one declared by several is an `allOf` of them. */
  readonly properties: ReadonlyMap<string, Located>;
  readonly required: ReadonlySet<string>;
  /** `undefined`: not said; a schema is a place. `false` in one conjunct closes all, any other value opens them. */
  readonly additionalProperties: boolean | Located | undefined;
  /** Whether the properties alone describe the value: no null, alternatives, conditions, patterns or negations. */
  readonly plainObject: boolean;
  /** The value of a keyword in the first conjunct that has it. */
  keyword(name: string): unknown;
}

const viewsByDocument = new WeakMap<OpenApiDocument, WeakMap<object, SchemaView>>();

/**
 * Views a schema. The same place gives the same view.
 *
 * @throws DocumentFault when a reference at the top or in `allOf` cannot be followed.
 */
export function viewSchema(document: OpenApiDocument, node: Located): SchemaView {
  if (typeof node.value !== "object" || node.value === null) return new View(document, node);
  let views = viewsByDocument.get(document);
  if (views === undefined) {
    views = new WeakMap();
    viewsByDocument.set(document, views);
  }
  let view = views.get(node.value);
  if (view === undefined) {
    view = new View(document, node);
    views.set(node.value, view);
  }
  return view;
}

/** Keywords beside `properties` that say something about the members of an object, or about the object as a whole. */
const BEYOND_PROPERTIES = [
  "oneOf",
  "anyOf",
  "not",
  "if",
  "const",
  "enum",
  "patternProperties",
  "propertyNames",
  "dependentSchemas",
  "dependentRequired",
  "unevaluatedProperties",
];

class View implements SchemaView {
  /**
   * Every schema that a value must satisfy at once: the schema itself, what its `$ref` points to (with the siblings, where
   * the version gives them a meaning), and the members of its `allOf`, however deep. Boolean schemas are left out.
   */
  readonly #conjuncts: readonly LocatedObject[];

  constructor(
    readonly document: OpenApiDocument,
    node: Located,
  ) {
    const conjuncts: LocatedObject[] = [];
    collectConjuncts(document, node, conjuncts, new Set());
    this.#conjuncts = conjuncts;
  }

  keyword(name: string): unknown {
    return this.#conjuncts.find(({ value }) => Object.hasOwn(value, name))?.value[name];
  }

  get properties(): ReadonlyMap<string, Located> {
    const found = new Map<string, Located[]>();
    for (const conjunct of this.#conjuncts) {
      const properties = this.document.member(conjunct, "properties");
      if (properties === undefined || !isObject(properties.value)) continue;
      for (const name of Object.keys(properties.value)) {
        const property = this.document.member(properties, name) as Located;
        found.set(name, [...(found.get(name) ?? []), property]);
      }
    }
    return new Map([...found].map(([name, places]) => [name, conjunctionOf(this.document, places)]));
  }

  get required(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { value } of this.#conjuncts) {
      const { required } = value;
      if (Array.isArray(required)) for (const name of required) if (typeof name === "string") names.add(name);
    }
    return names;
  }

  get additionalProperties(): boolean | Located | undefined {
    let found: boolean | Located | undefined;
    for (const conjunct of this.#conjuncts) {
      const additional = this.document.member(conjunct, "additionalProperties");
      if (additional === undefined) continue;
      if (additional.value === false) return false;
      found ??= additional.value === true ? true : additional;
    }
    return found;
  }

  get plainObject(): boolean {
    const says = (keyword: string) => this.#conjuncts.some(({ value }) => Object.hasOwn(value, keyword));
    if (!says("type") && !says("properties")) return false;
    return this.#conjuncts.every(({ value }) => {
      const { type } = value;
      if (type !== undefined && type !== "object" && !(Array.isArray(type) && type.join() === "object")) return false;
      if (value["nullable"] === true || value["x-nullable"] === true) return false;
      return !BEYOND_PROPERTIES.some((keyword) => Object.hasOwn(value, keyword));
    });
  }
}

/** What must satisfy several schemas at once. Each keeps its place. */
function conjunctionOf(document: OpenApiDocument, places: readonly Located[]): Located {
  const [first] = places as [Located, ...Located[]];
  if (places.length === 1) return first;
  for (const { value, uri, pointer } of places) document.place(value, uri, pointer);
  return { ...first, value: { allOf: places.map(({ value }) => value) } };
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
  const all = document.member(node, "allOf");
  if (all === undefined || !Array.isArray(all.value)) return;
  all.value.forEach((_, index) => {
    const member = document.member(all, index);
    if (member !== undefined) collectConjuncts(document, member, into, seen);
  });
}
