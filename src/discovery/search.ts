/** Ranked look-up of tools. */
import type { Catalog, CatalogEntry } from "./catalog.js";
import { definitionsOf } from "./definitions.js";
import { rank } from "./rank.js";

/** Which part of what is found is given. */
export interface SearchOptions {
  /** How many items, 1 to 100. Default 10. */
  readonly limit?: number;
  /** How many to pass over. Default 0. */
  readonly offset?: number;
  /** Only tools under this dotted name (with or without a leading `tools.`). */
  readonly namespace?: string;
}

/** A tool that was found. */
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

/** What was found, the best first. */
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

interface NamedHit extends Hit {
  readonly id: number;
}

/** A longer query says no more; programs may send any. */
const LONGEST_QUERY = 1000;

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
  const words = String(query ?? "")
    .slice(0, LONGEST_QUERY)
    .replace(/\s+/g, " ")
    .trim();
  const included = catalog.entries.map((entry) => isUnder(entry, namespace));
  const { hits, total } = find(catalog, words, offset + limit, (id) => included[id]!);
  const items = hits.slice(offset, offset + limit).map(itemOf);
  const end = offset + items.length;
  return { items, total, next: items.length > 0 && end < total ? { offset: end } : null };
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

/** The first `count` hits, and how many there are in all. */
function find(
  catalog: Catalog,
  query: string,
  count: number,
  includes: (id: number) => boolean,
): { hits: readonly Hit[]; total: number } {
  const { entries } = catalog;
  if (query === "") {
    const hits = entries.flatMap((entry, id) => (includes(id) ? [{ entry, score: 0 }] : []));
    return { hits, total: hits.length };
  }
  const named = findNamed(catalog, query).filter(({ id }) => includes(id));
  const seen = new Set(named.map(({ id }) => id));
  const ranking = rank(catalog, query, Math.max(0, count - named.length), (id) => includes(id) && !seen.has(id));
  const ranked = ranking.best.map(({ id, score }) => ({ entry: entries[id]!, score }));
  return { hits: [...named, ...ranked], total: named.length + ranking.total };
}

/** The tools that a query names, exactly or by prefix. Only queries without spaces, or `METHOD /path`, name one. */
function findNamed(catalog: Catalog, query: string): NamedHit[] {
  const scoreOf = nameScore(query);
  if (!scoreOf) return [];
  const hits = catalog.entries.flatMap((entry, id) => {
    const score = scoreOf(entry);
    return score > 0 ? [{ id, entry, score, exact: score === EXACT }] : [];
  });
  return hits.sort(byScoreAndName);
}

function nameScore(query: string): ((entry: CatalogEntry) => number) | undefined {
  const operation = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/.exec(query);
  if (operation) {
    const method = operation[1]?.toUpperCase();
    const wanted = anonymous(operation[2]!);
    const prefix = wanted.endsWith("/") ? wanted : `${wanted}/`;
    return ({ tool: { facts } }) => {
      if (facts.pathTemplate === undefined || (method && facts.method?.toUpperCase() !== method)) return 0;
      const template = anonymous(facts.pathTemplate);
      return template === wanted ? EXACT : template.startsWith(prefix) ? PREFIX : 0;
    };
  }
  if (/\s/.test(query)) return undefined;
  const name = withoutRoot(query).replace(/\.$/, "").toLowerCase();
  return ({ name: own, path, tool: { facts } }) => {
    const lower = own.toLowerCase();
    if (lower === name || path === query || facts.operationId === query) return EXACT;
    return name !== "" && lower.startsWith(`${name}.`) ? PREFIX : 0;
  };
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
