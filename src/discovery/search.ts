/** Ranked look-up of tools. */
import type { Catalog, CatalogEntry } from "./catalog.js";
import { FIELD_WEIGHTS, searchIndex } from "./search-index.js";
import { wordsOf } from "./words.js";

export interface SearchOptions {
  /** How many items, 1 to 100. Default 10. */
  readonly limit?: number;
  /** How many to pass over. Default 0. */
  readonly offset?: number;
  /** Only tools under this dotted name (with or without a leading `tools.`). */
  readonly namespace?: string;
}

export interface SearchItem {
  readonly path: string;
  readonly name: string;
  readonly method: string | null;
  readonly pathTemplate: string | null;
  readonly description: string;
  readonly signature: string;
  readonly score: number;
}

export interface SearchResult {
  readonly items: readonly SearchItem[];
  readonly total: number;
  readonly next: { readonly offset: number } | null;
}

/** Ranked tools for a query, best first, equal ones by name; an empty query browses in the order of the tree. */
export function search(catalog: Catalog, query: string, options: SearchOptions = {}): SearchResult {
  const { limit = 10, offset = 0, namespace } = options;
  const ranked = rank(catalog, query).filter(({ entry }) => !namespace || isUnder(entry, namespace));
  const items = ranked.slice(offset, offset + limit).map(
    ({ entry, score }): SearchItem => ({
      path: entry.path,
      name: entry.name,
      method: entry.tool.facts.method ?? null,
      pathTemplate: entry.tool.facts.pathTemplate ?? null,
      description: entry.description,
      signature: entry.signature,
      score,
    }),
  );
  const end = offset + items.length;
  return { items, total: ranked.length, next: end < ranked.length ? { offset: end } : null };
}

function rank(catalog: Catalog, query: string): { entry: CatalogEntry; score: number }[] {
  const terms = wordsOf(query);
  if (terms.length === 0) return catalog.entries.map((entry) => ({ entry, score: 0 }));
  const hits = searchIndex(catalog).words.search(terms.join(" "), { boost: { ...FIELD_WEIGHTS } });
  return hits
    .map((hit) => ({ entry: catalog.entries[hit.id as number]!, score: Math.round(hit.score * 1000) / 1000 }))
    .sort((a, b) => b.score - a.score || (a.entry.name < b.entry.name ? -1 : 1));
}

/** Whether a tool stands under a dotted name, or bears it. */
function isUnder(entry: CatalogEntry, namespace: string): boolean {
  const prefix = namespace.replace(/^tools(\.|$)/, "");
  return prefix === "" || entry.name === prefix || entry.name.startsWith(`${prefix}.`);
}
