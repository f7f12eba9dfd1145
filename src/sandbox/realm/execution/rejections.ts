/** Rejections that nobody has handled yet. What is left of them at the end becomes warnings. */
import type { Diagnostic } from "../../../codemode/diagnostic.js";

/** Most rejections kept: more of them say nothing new. */
const MOST = 50;

export class Rejections {
  #reasons = new Map<object, unknown>();
  #counts: (reason: unknown) => boolean;

  /** `counts` says whether a reason is the program's own. */
  constructor(counts: (reason: unknown) => boolean) {
    this.#counts = counts;
  }

  add(promise: object, reason: unknown): void {
    // Promises of another realm are another execution's.
    if (!(promise instanceof Promise) || this.#reasons.size >= MOST || !this.#counts(reason)) return;
    this.#reasons.set(promise, reason);
  }

  remove(promise: object): void {
    this.#reasons.delete(promise);
  }

  warnings(describe: (reason: unknown) => Diagnostic): Diagnostic[] {
    return Array.from(this.#reasons.values(), (reason) => {
      const diagnostic = describe(reason);
      return { ...diagnostic, message: `A rejection that nobody handled: ${diagnostic.message}` };
    });
  }
}
