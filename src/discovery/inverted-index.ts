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

/** How fast repetition stops counting. */
const SATURATION = 1.2;

export class InvertedIndex {
  readonly #postings = new Map<string, Postings>();
  #vocabulary: readonly string[] | undefined;

  /** @param documents for every document the words of each field, in the order of `fields`. */
  constructor(
    readonly size: number,
    fields: readonly FieldWeight[],
    documents: (document: number) => readonly (readonly string[])[],
  ) {
    const frequencies = new Map<string, Map<number, number[]>>();
    const totals = fields.map(() => 0);
    const lengths: number[][] = [];
    for (let document = 0; document < size; document++) {
      const words = documents(document);
      lengths.push(words.map((list) => list.length));
      words.forEach((list, field) => {
        totals[field]! += list.length;
        for (const word of list) {
          let ofWord = frequencies.get(word);
          if (!ofWord) frequencies.set(word, (ofWord = new Map()));
          let counts = ofWord.get(document);
          if (!counts) ofWord.set(document, (counts = fields.map(() => 0)));
          counts[field]!++;
        }
      });
    }
    for (const [word, ofWord] of frequencies) {
      const idf = Math.log(1 + (size - ofWord.size + 0.5) / (ofWord.size + 0.5));
      const documents = Int32Array.from(ofWord.keys());
      const impacts = Float32Array.from(ofWord, ([document, counts]) => {
        let frequency = 0;
        counts.forEach((count, field) => {
          if (count === 0) return;
          const { weight, normalization } = fields[field]!;
          const average = totals[field]! / size;
          frequency += (weight * count) / (1 - normalization + (normalization * lengths[document]![field]!) / average);
        });
        return (idf * frequency * (SATURATION + 1)) / (SATURATION + frequency);
      });
      this.#postings.set(word, { documents, impacts, idf });
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
  similar(word: string, limit = 4): { readonly word: string; readonly similarity: number }[] {
    if (word.length < 3) return [];
    this.#vocabulary ??= [...this.#postings.keys()].sort();
    const found: { word: string; similarity: number }[] = [];
    const most = word.length < 5 ? 0 : word.length < 8 ? 1 : 2;
    for (const known of this.#vocabulary) {
      if (known.startsWith(word)) found.push({ word: known, similarity: word.length / known.length });
      else if (most > 0 && known[0] === word[0] && Math.abs(known.length - word.length) <= most) {
        const distance = editDistance(word, known, most);
        if (distance <= most) found.push({ word: known, similarity: 0.8 - 0.2 * distance });
      }
    }
    return found.sort((a, b) => b.similarity - a.similarity || (a.word < b.word ? -1 : 1)).slice(0, limit);
  }
}
