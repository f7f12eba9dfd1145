/**
 * An inverted index with BM25F ranking (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009): term
 * frequencies of all fields are weighted and length-normalised before one saturation, so that a word in three fields does
 * not count three times. Everything that does not depend on the query is computed when the index is built.
 */
import { editDistance } from "./edit-distance.js";

export interface FieldWeight {
  readonly weight: number;
  /** How much a long field dilutes its words, 0 to 1. */
  readonly normalization: number;
}

interface Postings {
  readonly documents: Int32Array;
  /** What the term adds to the score of each document. */
  readonly impacts: Float32Array;
  readonly idf: number;
}

export interface Similar {
  readonly word: string;
  /** 0 to 1. */
  readonly similarity: number;
}

/** How fast repetition stops counting. */
const SATURATION = 1.2;

export class InvertedIndex {
  readonly #postings = new Map<string, Postings>();
  readonly #similar = new Map<string, readonly Similar[]>();
  #byInitial: Map<string, string[]> | undefined;

  /** @param documents for every document the words of each field, in the order of `fields`. */
  constructor(
    readonly size: number,
    fields: readonly FieldWeight[],
    documents: (document: number) => readonly (readonly string[])[],
  ) {
    const texts = Array.from({ length: size }, (_, document) => documents(document));
    const averages = fields.map((_, field) => texts.reduce((sum, words) => sum + words[field]!.length, 0) / size);
    const collected = new Map<string, { readonly documents: number[]; readonly frequencies: number[] }>();
    texts.forEach((words, document) => {
      for (const [word, frequency] of frequenciesOf(words, fields, averages)) {
        let postings = collected.get(word);
        if (!postings) collected.set(word, (postings = { documents: [], frequencies: [] }));
        postings.documents.push(document);
        postings.frequencies.push(frequency);
      }
    });
    for (const [word, { documents, frequencies }] of collected) {
      const idf = Math.log(1 + (size - documents.length + 0.5) / (documents.length + 0.5));
      const impacts = frequencies.map((frequency) => (idf * frequency * (SATURATION + 1)) / (SATURATION + frequency));
      this.#postings.set(word, { documents: Int32Array.from(documents), impacts: Float32Array.from(impacts), idf });
    }
  }

  has(word: string): boolean {
    return this.#postings.has(word);
  }

  /** Inverse document frequency of a word; 0 for an unknown one. */
  idf(word: string): number {
    return this.#postings.get(word)?.idf ?? 0;
  }

  /** Adds a word's impacts, times `weight`, to the scores of the documents that have it. */
  add(word: string, weight: number, scores: Float64Array, coverage?: Float64Array): void {
    const postings = this.#postings.get(word);
    if (!postings) return;
    const { documents, impacts, idf } = postings;
    for (let i = 0; i < documents.length; i++) {
      scores[documents[i]!]! += weight * impacts[i]!;
      if (coverage) coverage[documents[i]!]! += weight * idf;
    }
  }

  /** Known words that begin with an unknown one, or differ from it by a letter or two; the nearest first. */
  similar(word: string, limit = 4): readonly Similar[] {
    if (word.length < 3) return [];
    const before = this.#similar.get(word);
    if (before) return before;
    const found: Similar[] = [];
    const most = word.length < 5 ? 0 : word.length < 8 ? 1 : 2;
    // The first letter is seldom the wrong one, and looking only there is many times faster.
    for (const known of this.#withInitial(word[0]!)) {
      if (known.startsWith(word)) found.push({ word: known, similarity: word.length / known.length });
      else if (most > 0 && Math.abs(known.length - word.length) <= most) {
        const distance = editDistance(word, known, most);
        if (distance <= most) found.push({ word: known, similarity: 0.8 - 0.2 * distance });
      }
    }
    found.sort((a, b) => b.similarity - a.similarity || (a.word < b.word ? -1 : 1));
    const nearest = found.slice(0, limit);
    if (this.#similar.size > 10_000) this.#similar.clear();
    this.#similar.set(word, nearest);
    return nearest;
  }

  #withInitial(initial: string): readonly string[] {
    if (!this.#byInitial) {
      this.#byInitial = new Map();
      for (const word of this.#postings.keys()) {
        const list = this.#byInitial.get(word[0]!);
        if (list) list.push(word);
        else this.#byInitial.set(word[0]!, [word]);
      }
    }
    return this.#byInitial.get(initial) ?? [];
  }
}

/** How often each word occurs in a document, fields weighted and normalised by their length. */
function frequenciesOf(
  words: readonly (readonly string[])[],
  fields: readonly FieldWeight[],
  averages: readonly number[],
): Map<string, number> {
  const frequencies = new Map<string, number>();
  words.forEach((list, field) => {
    if (list.length === 0) return;
    const { weight, normalization } = fields[field]!;
    const share = weight / (1 - normalization + (normalization * list.length) / averages[field]!);
    for (const word of list) frequencies.set(word, (frequencies.get(word) ?? 0) + share);
  });
  return frequencies;
}
