/** How well every tool answers a query in words. */
import type { Catalog } from "./catalog.js";
import { methodFit, parseQuery } from "./query.js";
import { type SearchIndex, searchIndex } from "./search-index.js";

export interface Ranked {
  /** Index of the catalog's entry. */
  readonly id: number;
  readonly score: number;
}

/** What the share of the query that a tool covers decides, beside the words themselves. */
const COVERAGE = 0.3;
/** What each segment of a path costs: of two equals the shorter one is meant. */
const SEGMENT = 0.02;
/** How many of the best tools bring their look-ups along, and how near to themselves. */
const CONSUMERS = 5;
const PROVIDER = 0.7;
/** The same for a look-up by text when the query names a particular thing. */
const NAMED_LOOKUP = 0.9;
const ANY_LOOKUP = 0.5;

/** Tools by falling score; equal ones by name. Tools without a score are left out. */
export function rank(catalog: Catalog, text: string): Ranked[] {
  const index = searchIndex(catalog);
  const query = parseQuery(text, (word) => index.words.has(word));
  const scores = wordScores(index, query.terms, catalog.entries.length);
  const found: number[] = [];
  scores.forEach((score, id) => {
    if (score === 0) return;
    const { method, pathTemplate } = catalog.entries[id]!.tool.facts;
    const depth = pathTemplate ? Math.min(10, pathTemplate.split("/").length) : 0;
    scores[id] = score * methodFit(query.intent, method) * (1 - SEGMENT * depth);
    found.push(id);
  });
  const byScore = (a: number, b: number): number =>
    scores[b]! - scores[a]! || (catalog.entries[a]!.name < catalog.entries[b]!.name ? -1 : 1);
  found.sort(byScore);
  for (const [id, score] of lookUps(index, found, scores, query.namesThing)) {
    if (scores[id] === 0) found.push(id);
    scores[id] = Math.max(scores[id]!, score) + 0.25 * Math.min(scores[id]!, score);
  }
  return found.sort(byScore).map((id) => ({ id, score: Math.round(scores[id]! * 1000) / 1000 }));
}

function wordScores({ words }: SearchIndex, terms: ReadonlyMap<string, number>, size: number): Float64Array {
  const scores = new Float64Array(size);
  const coverage = new Float64Array(size);
  let whole = 0;
  for (const [term, weight] of terms) {
    if (words.has(term)) {
      words.add(term, weight, scores, coverage);
      whole += weight * words.idf(term);
    } else {
      for (const { word, similarity } of words.similar(term)) words.add(word, 0.6 * similarity * weight, scores);
    }
  }
  if (whole === 0) return scores;
  return scores.map((score, id) => score * (1 - COVERAGE + (COVERAGE * coverage[id]!) / whole));
}

/** The operations that give what the best ones need, with the scores they inherit from them. */
function lookUps(
  { dependencies }: SearchIndex,
  best: readonly number[],
  scores: Float64Array,
  namesThing: boolean,
): Map<number, number> {
  const inherited = new Map<number, number>();
  const inherit = (id: number, score: number): void => {
    if (score > (inherited.get(id) ?? 0)) inherited.set(id, score);
  };
  for (const consumer of best.slice(0, CONSUMERS)) {
    for (const { id, weight } of dependencies.providers(consumer)) {
      const share = namesThing && dependencies.lookups.has(id) ? NAMED_LOOKUP : PROVIDER;
      inherit(id, scores[consumer]! * weight * share);
    }
  }
  if (namesThing && best.length > 0) {
    for (const id of dependencies.lookups) inherit(id, ANY_LOOKUP * scores[best[0]!]!);
  }
  return inherited;
}
