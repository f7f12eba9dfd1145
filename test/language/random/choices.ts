/** Where a random program comes from: a list of numbers, each of which decides one thing. */
import * as fc from "fast-check";

/** Once the list is used up every choice is the first one, which is the simplest: programs end. */
export class Choices {
  readonly #values: ArrayLike<number>;
  #at = 0;

  constructor(values: ArrayLike<number>) {
    this.#values = values;
  }

  get left(): number {
    return this.#values.length - this.#at;
  }

  /** An integer from 0 to `count - 1`. */
  below(count: number): number {
    return (this.#values[this.#at++] ?? 0) % count;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** True in `percent` of the cases. */
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent;
  }

  /** One of the functions, by weight. */
  weighted<T>(options: readonly (readonly [weight: number, make: () => T])[]): T {
    let total = 0;
    for (const [weight] of options) total += weight;
    let at = this.below(total);
    for (const [weight, make] of options) {
      if (at < weight) return make();
      at -= weight;
    }
    return options[0]![1]();
  }
}

/** What is written from between `shortest` and `longest` choices. */
export function chosen<T>(shortest: number, longest: number, write: (choices: Choices) => T): fc.Arbitrary<T> {
  return fc
    .noBias(fc.uint32Array({ minLength: shortest, maxLength: longest, size: "max" }))
    .map((values) => write(new Choices(values)));
}
