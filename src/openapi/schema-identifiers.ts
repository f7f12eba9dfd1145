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

/** Adds what a file identifies. */
export function indexIdentifiers(root: Located, identifiers: Identifiers): void {
  const bases: [string, string][] = [];
  const visited = new Set<object>();
  const visit = (value: unknown, pointer: string, base: string, names: boolean): void => {
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    let inner = base;
    if (!names && !Array.isArray(value)) inner = identify(value as Record<string, unknown>, pointer, base);
    for (const [key, member] of Object.entries(value)) {
      if (typeof member !== "object" || member === null) continue;
      if (!names && (DATA.has(key) || key.startsWith("x-"))) continue;
      visit(member, joinPointer(pointer, key), inner, !names && MAPS.has(key));
    }
  };
  const identify = (schema: Record<string, unknown>, pointer: string, base: string): string => {
    let inner = base;
    const id = schema["$id"] ?? (pointer === "" ? schema["$self"] : undefined);
    if (typeof id === "string") {
      try {
        const url = new URL(id, base);
        url.hash = "";
        inner = url.href;
        identifiers.resources.set(inner, { value: schema, uri: root.uri, pointer });
        bases.push([pointer, inner]);
      } catch {
        // An identifier that is no URI identifies nothing.
      }
    }
    for (const anchor of [schema["$anchor"], schema["$dynamicAnchor"]]) {
      if (typeof anchor === "string") {
        identifiers.anchors.set(`${inner}#${anchor}`, { value: schema, uri: root.uri, pointer });
      }
    }
    return inner;
  };
  visit(root.value, "", root.uri, false);
  if (bases.length > 0) identifiers.bases.set(root.uri, bases.reverse());
}
