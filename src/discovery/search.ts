/** Ranked look-up of tools. */
import type { Catalog, CatalogEntry } from "./catalog.js";
import { definitionsOf } from "./definitions.js";
import { rank } from "./rank.js";

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
  /** `null` for a tool that is no HTTP operation. */
  readonly method: string | null;
  readonly pathTemplate: string | null;
  readonly description: string;
  readonly signature: string;
  readonly score: number;
  /** The types that the signature leaves to names, one a line; only for a tool that the query names exactly. */
  readonly types?: string;
}

export interface SearchResult {
  readonly items: readonly SearchItem[];
  readonly total: number;
  /** Where the rest begins; `null` when there is none. */
  readonly next: { readonly offset: number } | null;
}

interface Hit {
  readonly entry: CatalogEntry;
  readonly score: number;
  readonly exact?: boolean;
}

/** Exact names come before names under a prefix, those before words; the scores say so. */
const EXACT = 1000;
const PREFIX = 500;

/**
 * Tools for a query, best first, equal ones by name. A query may be words, a tool's name or path, an operationId, a path
 * template with or without a method, or a namespace; an empty one browses in the order of the tree. Values of options that
 * make no sense are brought to the nearest that do.
 */
export function search(catalog: Catalog, query: string, options: SearchOptions = {}): SearchResult {
  const limit = within(options.limit, 10, 1, 100);
  const offset = within(options.offset, 0, 0, Number.MAX_SAFE_INTEGER);
  const namespace = String(options.namespace ?? "");
  const hits = find(catalog, String(query ?? "").trim()).filter(({ entry }) => isUnder(entry, namespace));
  const items = hits.slice(offset, offset + limit).map(itemOf);
  const end = offset + items.length;
  return { items, total: hits.length, next: items.length > 0 && end < hits.length ? { offset: end } : null };
}

function within(value: unknown, fallback: number, least: number, most: number): number {
  const number = typeof value === "number" && !Number.isNaN(value) ? Math.trunc(value) : fallback;
  return Math.min(most, Math.max(least, number));
}

function itemOf({ entry, score, exact }: Hit): SearchItem {
  const { path, name, description, signature, tool } = entry;
  const { method = null, pathTemplate = null } = tool.facts;
  const item = { path, name, method, pathTemplate, description, signature, score };
  const types = exact ? definitionsOf(tool, signature) : "";
  return types === "" ? item : { ...item, types };
}

function find(catalog: Catalog, query: string): Hit[] {
  if (query === "") return catalog.entries.map((entry) => ({ entry, score: 0 }));
  const named = findNamed(catalog, query);
  const seen = new Set(named.map((hit) => hit.entry));
  const ranked = rank(catalog, query).map(({ id, score }) => ({ entry: catalog.entries[id]!, score }));
  return [...named, ...ranked.filter((hit) => !seen.has(hit.entry))];
}

/** The tools that a query names, exactly or by prefix. Only queries without spaces, or `METHOD /path`, name one. */
function findNamed(catalog: Catalog, query: string): Hit[] {
  const operation = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/.exec(query);
  if (operation) {
    const [, method, path] = operation;
    const hits: Hit[] = [];
    for (const entry of catalog.entries) {
      const { facts } = entry.tool;
      if (facts.pathTemplate === undefined || (method && facts.method?.toUpperCase() !== method.toUpperCase()))
        continue;
      const template = anonymous(facts.pathTemplate);
      const wanted = anonymous(path!);
      if (template === wanted) hits.push({ entry, score: EXACT, exact: true });
      else if (template.startsWith(wanted.endsWith("/") ? wanted : `${wanted}/`)) hits.push({ entry, score: PREFIX });
    }
    return hits.sort(byScoreAndName);
  }
  if (/\s/.test(query)) return [];
  const name = withoutRoot(query).replace(/\.$/, "").toLowerCase();
  const hits: Hit[] = [];
  for (const entry of catalog.entries) {
    const own = entry.name.toLowerCase();
    const id = entry.tool.facts.operationId;
    if (own === name || entry.path === query || id === query) hits.push({ entry, score: EXACT, exact: true });
    else if (name !== "" && own.startsWith(`${name}.`)) hits.push({ entry, score: PREFIX });
  }
  return hits.sort(byScoreAndName);
}

const byScoreAndName = (a: Hit, b: Hit): number => b.score - a.score || (a.entry.name < b.entry.name ? -1 : 1);

/** A path template with its variables' names left out. */
const anonymous = (template: string): string => template.replace(/\{[^}]*\}/g, "{}");

const withoutRoot = (name: string): string => name.replace(/^tools(\.|$)/, "");

/** Whether a tool stands under a dotted name, or bears it. */
function isUnder(entry: CatalogEntry, namespace: string): boolean {
  const prefix = withoutRoot(namespace).replace(/\.$/, "");
  return prefix === "" || entry.name === prefix || entry.name.startsWith(`${prefix}.`);
}
