/** How well every tool answers a query in words. */
import type { Catalog } from "./catalog.js";
import { memberFit, methodFit, parseQuery } from "./query.js";
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
const PROVIDER = 0.6;
/** The same for a look-up by text when the query names a particular thing. */
const NAMED_LOOKUP = 0.9;
const ANY_LOOKUP = 0.5;
/** What naming exactly what an operation is about adds. */
const RESOURCE = 0.8;
/** What a query that names a particular thing adds to operations on one thing. */
const ABOUT_ONE = 1.4;

export interface Ranking {
  /** By falling score; equal ones by name. */
  readonly best: readonly Ranked[];
  /** How many have a score at all. */
  readonly total: number;
}

/**
 * The best `count` tools for a query in words.
 *
 * @param includes whether a tool may be among them; look-ups are found through the others all the same.
 */
export function rank(catalog: Catalog, text: string, count: number, includes: (id: number) => boolean): Ranking {
  const { entries } = catalog;
  const index = searchIndex(catalog);
  const query = parseQuery(text, (word) => index.words.has(word));
  const scores = wordScores(index, query.terms, entries.length);
  const { dependencies } = index;
  const fit = index.methods.map((method) => methodFit(query.intent, method));
  const about = index.resources.map((words) => resourceFit(words, query.terms, index));
  for (let id = 0; id < scores.length; id++) {
    if (scores[id] === 0) continue;
    const shape = memberFit(query.intent, dependencies.isAboutMember(id)) * (1 - SEGMENT * index.depthOf[id]!);
    const one = query.namesThing && dependencies.isAboutOne(id) ? ABOUT_ONE : 1;
    scores[id]! *= fit[index.methodOf[id]!]! * about[index.resourceOf[id]!]! * shape * one;
  }
  const isBefore = (a: number, b: number): boolean =>
    scores[a]! > scores[b]! || (scores[a] === scores[b] && entries[a]!.name < entries[b]!.name);
  const consumers = best(scores, CONSUMERS, isBefore, () => true).ids;
  for (const [id, { score, below }] of lookUps(index, consumers, scores, query.namesThing)) {
    // A look-up that is wanted for itself too comes nearer to what needs it, but not before it.
    scores[id] = Math.max(scores[id]!, Math.min(score + 0.25 * scores[id]!, 0.98 * below));
  }
  const { ids, total } = best(scores, count, isBefore, includes);
  return { best: ids.map((id) => ({ id, score: Math.round(scores[id]! * 1000) / 1000 })), total };
}

/** The first `count` documents with a score, by a heap whose root is the last of them: nothing else needs sorting. */
function best(
  scores: Float64Array,
  count: number,
  isBefore: (a: number, b: number) => boolean,
  includes: (id: number) => boolean,
): { ids: number[]; total: number } {
  const heap: number[] = [];
  let total = 0;
  for (let id = 0; id < scores.length; id++) {
    if (scores[id] === 0 || !includes(id)) continue;
    total++;
    if (heap.length < count) {
      heap.push(id);
      let child = heap.length - 1;
      for (let parent = (child - 1) >> 1; child > 0 && isBefore(heap[parent]!, id); parent = (child - 1) >> 1) {
        heap[child] = heap[parent]!;
        child = parent;
      }
      heap[child] = id;
    } else if (count > 0 && isBefore(id, heap[0]!)) {
      let parent = 0;
      for (let child = 1; child < count; child = 2 * parent + 1) {
        if (child + 1 < count && isBefore(heap[child]!, heap[child + 1]!)) child++;
        if (!isBefore(id, heap[child]!)) break;
        heap[parent] = heap[child]!;
        parent = child;
      }
      heap[parent] = id;
    }
  }
  return { ids: heap.sort((a, b) => (isBefore(a, b) ? -1 : 1)), total };
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

/**
 * What it adds when an operation is about exactly what the query names: every word of its last path segment is in the query.
 * The more of the query that is, the more it counts.
 */
function resourceFit(resource: readonly string[], terms: ReadonlyMap<string, number>, { words }: SearchIndex): number {
  if (resource.length === 0 || !resource.every((word) => terms.has(word))) return 1;
  let whole = 0;
  let named = 0;
  for (const [term, weight] of terms) {
    const share = weight * (0.5 + words.idf(term));
    whole += share;
    if (resource.includes(term)) named += share;
  }
  return 1 + RESOURCE * (named / whole);
}

interface Inherited {
  readonly score: number;
  /** The score of what needs it. */
  readonly below: number;
}

/** The operations that give what the best ones need, with the scores they inherit from them. */
function lookUps(
  { dependencies }: SearchIndex,
  best: readonly number[],
  scores: Float64Array,
  namesThing: boolean,
): Map<number, Inherited> {
  const inherited = new Map<number, Inherited>();
  const inherit = (id: number, score: number, below: number): void => {
    if (score > (inherited.get(id)?.score ?? 0)) inherited.set(id, { score, below });
  };
  for (const consumer of best.slice(0, CONSUMERS)) {
    for (const { id, weight } of dependencies.providers(consumer)) {
      // A name is looked up where the path begins, however far from there the task ends.
      const share = namesThing && dependencies.lookups.has(id) ? NAMED_LOOKUP : PROVIDER * weight;
      inherit(id, scores[consumer]! * share, scores[consumer]!);
    }
  }
  if (namesThing) {
    const highest = best.length > 0 ? scores[best[0]!]! : 1;
    for (const id of dependencies.lookups) inherit(id, ANY_LOOKUP * highest, highest);
  }
  return inherited;
}
