/** What search knows of every tool: words by field, in an inverted index (BM25+), built on first use. */
import MiniSearch from "minisearch";
import type { JsonSchema } from "../codemode/tool.js";
import type { Catalog, CatalogEntry } from "./catalog.js";
import { resolveLocal } from "./schema-type.js";
import { wordsOf } from "./words.js";

/** Fields and their weights: names and paths say what a tool is, prose and property names hint at it. */
export const FIELD_WEIGHTS = {
  name: 2.5,
  path: 2,
  summary: 2.5,
  tags: 1.2,
  description: 1,
  inputs: 0.6,
  outputs: 0.4,
} as const;

type Field = keyof typeof FIELD_WEIGHTS;

export interface SearchIndex {
  readonly words: MiniSearch;
}

const indexes = new WeakMap<Catalog, SearchIndex>();

export function searchIndex(catalog: Catalog): SearchIndex {
  let index = indexes.get(catalog);
  if (!index) {
    index = build(catalog.entries);
    indexes.set(catalog, index);
  }
  return index;
}

function build(entries: readonly CatalogEntry[]): SearchIndex {
  const words = new MiniSearch<{ id: number } & Record<Field, readonly string[]>>({
    fields: Object.keys(FIELD_WEIGHTS),
    // Words come split and in common form already.
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term || null,
    extractField: (document, field) => {
      const value = document[field as Field | "id"];
      return (Array.isArray(value) ? value.join(" ") : value) as string;
    },
  });
  words.addAll(entries.map((entry, id) => ({ id, ...fields(entry) })));
  return { words };
}

function fields(entry: CatalogEntry): Record<Field, readonly string[]> {
  const { tool, segments } = entry;
  const { facts } = tool;
  return {
    name: wordsOf([...segments, facts.operationId ?? ""].join(" ")),
    path: wordsOf(facts.pathTemplate ?? ""),
    summary: wordsOf(facts.summary ?? ""),
    tags: wordsOf((facts.tags ?? []).join(" ")),
    description: wordsOf(tool.description.slice(0, 1000)),
    inputs: wordsOf(propertyNames(tool.inputSchema, 2).join(" ")),
    outputs: [...new Set(wordsOf(propertyNames(tool.outputSchema, 3).join(" ")))],
  };
}

const MOST_NAMES = 150;

/** Names of the properties that a schema shows down to a number of levels, outermost first. */
export function propertyNames(schema: JsonSchema | undefined, depth: number): string[] {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  let level: unknown[] = [schema];
  for (let d = 0; d < depth && level.length > 0; d++) {
    const next: unknown[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== "object" || node === null || seen.has(node) || names.size > MOST_NAMES) return;
      seen.add(node);
      const one = node as Record<string, unknown>;
      if (typeof one["$ref"] === "string") visit(resolveLocal(schema, one["$ref"]));
      for (const keyword of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
        if (Array.isArray(one[keyword])) one[keyword].forEach(visit);
      }
      visit(one["items"]);
      visit(one["additionalProperties"]);
      const properties = one["properties"];
      if (typeof properties !== "object" || properties === null) return;
      for (const [name, property] of Object.entries(properties)) {
        names.add(name);
        next.push(property);
      }
    };
    level.forEach(visit);
    level = next;
  }
  return [...names].slice(0, MOST_NAMES);
}
