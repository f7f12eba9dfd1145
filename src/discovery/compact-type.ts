/** TypeScript types on one line, within a number of characters. */
import { propertyName } from "../codemode/tree.js";
import { childrenOf, intersection, type ObjectNode, type Property, type TypeNode } from "./type-node.js";

type NameNode = Extract<TypeNode, { kind: "name" }>;
type MembersNode = Extract<TypeNode, { kind: "union" | "intersection" }>;

interface Detail {
  /** How many names deep a definition is written out in place of its name. */
  readonly inline: number;
  /** How many objects deep properties are written out. */
  readonly depth: number;
  /** How many properties of one object. */
  readonly properties: number;
  /** How many members of one union. */
  readonly members: number;
}

const ALL = Number.POSITIVE_INFINITY;

/** From everything to almost nothing; the first that fits is used. */
const DETAILS: readonly Detail[] = [
  { inline: 4, depth: ALL, properties: ALL, members: ALL },
  { inline: 2, depth: ALL, properties: ALL, members: ALL },
  { inline: 1, depth: ALL, properties: ALL, members: ALL },
  { inline: 0, depth: ALL, properties: ALL, members: ALL },
  { inline: 0, depth: 3, properties: 40, members: 12 },
  { inline: 0, depth: 2, properties: 24, members: 8 },
  { inline: 0, depth: 1, properties: 16, members: 6 },
  { inline: 0, depth: 1, properties: 8, members: 4 },
  { inline: 0, depth: 1, properties: 4, members: 3 },
];

/**
 * A type on one line of at most about `limit` characters. What does not fit is left to names, then to comments that say how
 * much is missing, so that the text is always a type.
 *
 * @param inline whether definitions may be written out where they fit; a recursive one is always a name.
 */
export function compactType(type: TypeNode, limit: number, inline = true): string {
  let text = "";
  for (const detail of DETAILS) {
    if (detail.inline > 0 && !inline) continue;
    const writer = new CompactWriter(detail, detail === DETAILS.at(-1) ? ALL : limit);
    text = writer.write(type);
    if (!writer.overflow) return text;
  }
  return text;
}

class CompactWriter {
  overflow = false;
  #size = 0;
  readonly #stack: string[] = [];

  constructor(
    readonly detail: Detail,
    readonly limit: number,
  ) {}

  write(type: TypeNode, depth = 0): string {
    if (this.overflow) return "";
    switch (type.kind) {
      case "word":
        return this.#count(type.text);
      case "name":
        return this.#name(type, depth);
      case "array":
        return this.#count(`${this.#grouped(type.item, depth)}[]`, 2);
      case "tuple": {
        const items = type.items.map(({ type: item, optional }) =>
          optional ? `${this.#grouped(item, depth)}?` : this.write(item, depth),
        );
        if (type.rest) items.push(`...${this.#grouped(type.rest, depth)}[]`);
        return this.#count(`[${items.join(", ")}]`, 2 + 2 * items.length);
      }
      case "union":
        return this.#members(type, depth);
      case "intersection":
        return this.#intersection(type, depth);
      case "object":
        return this.#object(type, depth);
    }
  }

  /** Counts the characters a piece adds (`length` where the parts of `text` are already counted). */
  #count(text: string, length = text.length): string {
    this.#size += length;
    if (this.#size > this.limit) this.overflow = true;
    return text;
  }

  #grouped(type: TypeNode, depth: number): string {
    const text = this.write(type, depth);
    return needsGroup(type, text) ? `(${text})` : text;
  }

  #isInlined(type: NameNode): boolean {
    return this.#stack.length < this.detail.inline && !this.#stack.includes(type.pointer) && !isRecursiveOrLarge(type);
  }

  #name(type: NameNode, depth: number): string {
    if (this.#isInlined(type)) {
      this.#stack.push(type.pointer);
      const text = this.write(type.target(), depth);
      this.#stack.pop();
      return text;
    }
    return this.#count(type.name);
  }

  /** Objects that are written out side by side are written as one. */
  #intersection(type: MembersNode, depth: number): string {
    const names = type.members.filter((member) => member.kind === "name" && this.#isInlined(member)) as NameNode[];
    const whole = intersection(
      type.members.map((one) => (one.kind === "name" && names.includes(one) ? one.target() : one)),
    );
    if (whole.kind !== "object") return this.#members(type, depth);
    this.#stack.push(...names.map((name) => name.pointer));
    const text = this.#object(whole, depth);
    this.#stack.length -= names.length;
    return text;
  }

  #members(type: MembersNode, depth: number): string {
    const separator = type.kind === "union" ? " | " : " & ";
    const shown = type.kind === "union" ? type.members.slice(0, this.detail.members) : type.members;
    const texts = shown.map((member) => {
      const text = this.write(member, depth);
      return type.kind === "intersection" && /\|/.test(text) && needsGroup(member, text) ? `(${text})` : text;
    });
    const unique = [...new Set(texts)];
    const more = type.members.length - shown.length;
    const text = unique.join(separator) + (more > 0 ? ` /* or ${more} more */` : "");
    return this.#count(text, separator.length * unique.length + (more > 0 ? 18 : 0));
  }

  #object(type: ObjectNode, depth: number): string {
    const { properties, rest } = type;
    if (properties.length === 0) {
      if (!rest) return this.#count("{}");
      return this.#count(`Record<string, ${this.write(rest, depth)}>`, 16);
    }
    if (depth >= this.detail.depth) return this.#count(`{ /* ${count(properties.length)} */ }`);
    const shown = mostNeeded(properties, this.detail.properties);
    const parts = shown.map((property) => {
      const key = this.#count(propertyName(property.name) + (property.optional ? "?: " : ": "));
      return key + this.write(property.type, depth + 1);
    });
    if (rest) parts.push(`[key: string]: ${indexType(type, (one) => this.write(one, depth + 1))}`);
    const more = properties.length - shown.length;
    const text = parts.join("; ") + (more > 0 ? `; /* ${more} more */` : "");
    return this.#count(`{ ${text} }`, 4 + 2 * parts.length + (more > 0 ? 16 : 0));
  }
}

const count = (properties: number): string => (properties === 1 ? "1 property" : `${properties} properties`);

/** In their order, the required ones before others where not all fit. */
function mostNeeded(properties: readonly Property[], limit: number): readonly Property[] {
  if (properties.length <= limit) return properties;
  const chosen = new Set(
    [...properties.filter((one) => !one.optional), ...properties.filter((one) => one.optional)].slice(0, limit),
  );
  return properties.filter((one) => chosen.has(one));
}

/** Whether a written type must stand in parentheses before `[]`, `?` or `&`. */
export function needsGroup(type: TypeNode, text: string): boolean {
  if (type.kind === "name") return type.name !== text && needsGroup(type.target(), text);
  return type.kind === "union" || type.kind === "intersection";
}

/**
 * The type of an index signature beside declared properties. TypeScript wants it to hold those as well; past a handful
 * of different types that would hide more than it says.
 */
export function indexType(type: ObjectNode, write: (type: TypeNode) => string): string {
  const rest = write(type.rest!);
  if (rest === "unknown") return rest;
  const texts = new Set([rest, ...type.properties.map((one) => write(one.type))]);
  if (texts.has("unknown") || texts.size > 6) return "unknown";
  if (type.properties.some((one) => one.optional)) texts.add("undefined");
  return [...texts].join(" | ");
}

/** A definition that reaches more than this many types is not written out: it would not fit. */
const LARGE = 150;

/** Whether a definition can reach itself, or so much that it is better left a name. */
function isRecursiveOrLarge(type: NameNode): boolean {
  const seen = new Set<string>();
  let visited = 0;
  const reaches = (node: TypeNode): boolean => {
    if (++visited > LARGE) return true;
    if (node.kind !== "name") return childrenOf(node).some(reaches);
    if (node.pointer === type.pointer) return true;
    if (seen.has(node.pointer)) return false;
    seen.add(node.pointer);
    return reaches(node.target());
  };
  return reaches(type.target());
}
