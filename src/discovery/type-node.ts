/**
 * TypeScript types as data: what a JSON Schema becomes before it is written out, once compactly for a signature and once
 * in full for a declaration file.
 */

export type TypeNode =
  /** A keyword or a literal, written as it stands: `unknown`, `string`, `null`, `"open"`, `42`. */
  | { readonly kind: "word"; readonly text: string }
  /** A definition by name. `target` is its type, computed on demand: definitions may be recursive. */
  | { readonly kind: "name"; readonly name: string; readonly pointer: string; readonly target: () => TypeNode }
  | { readonly kind: "union" | "intersection"; readonly members: readonly TypeNode[] }
  | { readonly kind: "array"; readonly item: TypeNode }
  | { readonly kind: "tuple"; readonly items: readonly TupleItem[]; readonly rest: TypeNode | undefined }
  | { readonly kind: "object"; readonly properties: readonly Property[]; readonly rest: TypeNode | undefined };

export type ObjectNode = Extract<TypeNode, { kind: "object" }>;

export interface TupleItem {
  readonly type: TypeNode;
  readonly optional: boolean;
}

export interface Property {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeNode;
  /** The property's schema, for its documentation. */
  readonly schema: unknown;
}

export const word = (text: string): TypeNode => ({ kind: "word", text });
export const UNKNOWN = word("unknown");
export const NEVER = word("never");
export const NULL = word("null");

/** Whether two types are certainly the same; `false` when that would need a deep look. */
function same(a: TypeNode, b: TypeNode): boolean {
  if (a.kind === "word") return b.kind === "word" && a.text === b.text;
  if (a.kind === "name") return b.kind === "name" && a.pointer === b.pointer;
  if (a.kind === "array") return b.kind === "array" && same(a.item, b.item);
  return false;
}

const PRIMITIVES: Readonly<Record<string, (literal: string) => boolean>> = {
  string: (literal) => literal.startsWith('"'),
  number: (literal) => /^-?\d/.test(literal),
  boolean: (literal) => literal === "true" || literal === "false",
};

/** `A | B`, flattened, without duplicates and without literals that a wider member already holds. */
export function union(members: readonly TypeNode[]): TypeNode {
  const flat: TypeNode[] = [];
  const words = new Set<string>();
  for (const member of members.flatMap((one) => (one.kind === "union" ? one.members : [one]))) {
    if (member === UNKNOWN) return UNKNOWN;
    if (member === NEVER) continue;
    // An enum may have thousands of words; types to compare in depth are few.
    const isNew = member.kind === "word" ? !words.has(member.text) : !flat.some((other) => same(other, member));
    if (member.kind === "word") words.add(member.text);
    if (isNew) flat.push(member);
  }
  const wide = flat.flatMap((one) => (one.kind === "word" && PRIMITIVES[one.text] ? [PRIMITIVES[one.text]!] : []));
  const kept = flat.filter((one) => one.kind !== "word" || !wide.some((holds) => holds(one.text)));
  if (kept.length === 0) return NEVER;
  return kept.length === 1 ? kept[0]! : { kind: "union", members: kept };
}

/** `A & B`: object literals are merged into one; `unknown` adds nothing. */
export function intersection(members: readonly TypeNode[]): TypeNode {
  const others: TypeNode[] = [];
  let merged: ObjectNode | undefined;
  for (const member of members.flatMap((one) => (one.kind === "intersection" ? one.members : [one]))) {
    if (member.kind === "object") merged = merged ? mergeObjects(merged, member) : member;
    else if (member !== UNKNOWN && !others.some((other) => same(other, member))) others.push(member);
  }
  // `string & ("a" | "b")` is `"a" | "b"`.
  const narrowed = others.filter((one) => {
    const holds = one.kind === "word" ? PRIMITIVES[one.text] : undefined;
    return (
      !holds || !others.some((other) => other !== one && literals(other).some(holds) && literals(other).every(holds))
    );
  });
  // An object that says nothing beyond "object" adds nothing to named members.
  const vague = merged !== undefined && merged.properties.length === 0 && merged.rest === UNKNOWN;
  const all = merged && !(vague && narrowed.length > 0) ? [...narrowed, merged] : narrowed;
  if (all.length === 0) return UNKNOWN;
  return all.length === 1 ? all[0]! : { kind: "intersection", members: all };
}

/** The words of a type that is nothing but words; `[""]` for any other. */
function literals(type: TypeNode): readonly string[] {
  if (type.kind === "word") return [type.text];
  return type.kind === "union" ? type.members.flatMap(literals) : [""];
}

function mergeObjects(a: ObjectNode, b: ObjectNode): ObjectNode {
  const properties = new Map(a.properties.map((property) => [property.name, property]));
  for (const property of b.properties) {
    const other = properties.get(property.name);
    if (!other) properties.set(property.name, property);
    else {
      const type = same(other.type, property.type) ? other.type : intersection([other.type, property.type]);
      properties.set(property.name, { ...property, type, optional: other.optional && property.optional });
    }
  }
  const rest = a.rest && b.rest ? (a.rest === UNKNOWN ? b.rest : a.rest) : (a.rest ?? b.rest);
  const named = [...properties.values()];
  return { kind: "object", properties: named, rest: named.length > 0 && rest === UNKNOWN ? undefined : rest };
}

/** The types that a type is directly made of; the target of a name is not among them. */
export function childrenOf(type: TypeNode): readonly TypeNode[] {
  switch (type.kind) {
    case "word":
    case "name":
      return [];
    case "union":
    case "intersection":
      return type.members;
    case "array":
      return [type.item];
    case "tuple":
      return [...type.items.map((item) => item.type), ...(type.rest ? [type.rest] : [])];
    case "object":
      return [...type.properties.map((property) => property.type), ...(type.rest ? [type.rest] : [])];
  }
}
