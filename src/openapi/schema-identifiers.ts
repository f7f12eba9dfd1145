/**
 * `$id`, `$anchor` and `$dynamicAnchor` of embedded schemas (JSON Schema Core 2020-12, 8.2) and the `$self` of an OpenAPI
 * 3.2 document: what a reference may name instead of a file and a pointer.
 */
import type { Located } from "./document.js";
import { joinPointer } from "./json-pointer.js";

export interface Identifiers {
  /** Schema resources by absolute URI. */
  readonly resources: Map<string, Located>;
  /** Anchors by `<URI of the resource>#<name>`. */
  readonly anchors: Map<string, Located>;
  /** By file: the pointers at which the base URI changes, deepest first. */
  readonly bases: Map<string, [pointer: string, base: string][]>;
}

/** Keywords whose value is data: an `$id` in there identifies nothing. */
const DATA = new Set(["example", "examples", "default", "enum", "const"]);

/** Keywords whose members' names are names, not keywords. */
const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "schemas"]);

interface Place {
  readonly value: object;
  readonly pointer: string;
  /** The base URI around it. */
  readonly base: string;
  /** Whether the members are named freely, so that none is a keyword. */
  readonly names: boolean;
}

/** Adds what a file identifies. */
export function indexIdentifiers(root: Located, identifiers: Identifiers): void {
  const bases: [string, string][] = [];
  const visited = new Set<object>();
  const stack: Place[] = [];
  const visit = (value: unknown, pointer: string, base: string, names: boolean): void => {
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    stack.push({ value, pointer, base, names });
  };
  visit(root.value, "", root.uri, false);
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { value, pointer, names } = place;
    const keywords = !names && !Array.isArray(value);
    const base = keywords ? identify(place, root.uri, identifiers, bases) : place.base;
    for (const [key, member] of Object.entries(value)) {
      if (typeof member !== "object" || member === null) continue;
      if (keywords && (DATA.has(key) || key.startsWith("x-"))) continue;
      visit(member, joinPointer(pointer, key), base, keywords && MAPS.has(key));
    }
  }
  if (bases.length > 0)
    identifiers.bases.set(
      root.uri,
      bases.sort(([a], [b]) => b.length - a.length),
    );
}

/** Notes what an object is known by, and gives the base URI of what is inside. */
function identify(place: Place, uri: string, identifiers: Identifiers, bases: [string, string][]): string {
  const { pointer } = place;
  const schema = place.value as Record<string, unknown>;
  const found: Located = { value: schema, uri, pointer };
  let { base } = place;
  const id = schema["$id"] ?? (pointer === "" ? schema["$self"] : undefined);
  if (typeof id === "string") {
    try {
      const url = new URL(id, base);
      url.hash = "";
      base = url.href;
      identifiers.resources.set(base, found);
      bases.push([pointer, base]);
    } catch {
      // An identifier that is no URI identifies nothing.
    }
  }
  for (const anchor of [schema["$anchor"], schema["$dynamicAnchor"]]) {
    if (typeof anchor === "string") identifiers.anchors.set(`${base}#${anchor}`, found);
  }
  return base;
}
