/** Guards of `Array` and `Array.prototype`: lengths that no loop ends, results that no memory holds. */
import { replaceMethod } from "../intrinsics/native-like.js";
import { type Guards, LARGE, SLOT } from "./guard.js";

const { apply } = Reflect;

/** V8's longest string. */
const MAX_STRING = 2 ** 29 - 24;
/** Lists nested deeper overflow the native's stack, or take too long to look through. */
const MAX_NESTING = 5000;

/** Methods that visit every index; those with `true` also build a list as long. */
const LOOPS: readonly (readonly [name: string, builds: boolean])[] = [
  ["copyWithin", false],
  ["every", false],
  ["filter", false],
  ["find", false],
  ["findIndex", false],
  ["findLast", false],
  ["findLastIndex", false],
  ["flatMap", false],
  ["forEach", false],
  ["includes", false],
  ["indexOf", false],
  ["lastIndexOf", false],
  ["map", false],
  ["reduce", false],
  ["reduceRight", false],
  ["reverse", false],
  ["shift", false],
  ["slice", true],
  ["some", false],
  ["splice", true],
  ["toLocaleString", false],
  ["toReversed", true],
  ["toSpliced", true],
  ["unshift", false],
  ["with", true],
];

export function guardArrays(guards: Guards): void {
  const { limits } = guards;
  const prototype = Array.prototype;

  for (const [name, builds] of LOOPS) {
    const what = `Array.prototype.${name}`;
    guards.method(prototype, name, (list) => {
      const length = guards.lengthOf(list);
      if (length < LARGE) return;
      if (builds) limits.chargeBytes(length * SLOT, what);
      limits.chargeSteps(length, what);
    });
  }
  guards.method(prototype, "fill", (list) => {
    const length = guards.lengthOf(list);
    if (length < LARGE) return;
    limits.chargeBytes(length * SLOT, "Array.prototype.fill");
    limits.chargeSteps(length, "Array.prototype.fill");
  });
  for (const name of ["sort", "toSorted"]) {
    const what = `Array.prototype.${name}`;
    guards.method(prototype, name, (list) => {
      const length = guards.lengthOf(list);
      if (length < LARGE) return;
      limits.chargeSteps(length, what);
      limits.chargeBytes(Math.min(length, 2 ** 32) * SLOT, what);
      limits.chargeSteps(length * Math.log2(length), what);
    });
  }
  guards.method(prototype, "concat", (list, parameters) => {
    let length = guards.lengthOf(list);
    for (let i = 0; i < parameters.length; i++)
      if (typeof parameters[i] === "object") length += guards.lengthOf(parameters[i]);
    if (length < LARGE) return;
    limits.chargeBytes(length * SLOT, "Array.prototype.concat");
    limits.chargeSteps(length, "Array.prototype.concat");
  });
  guardJoin(guards, "join");
  guardJoin(guards, "toString");
  guardFlat(guards);

  guards.method(Array, "from", (_receiver, parameters) => {
    const [source] = parameters as [unknown];
    const length = guards.lengthOf(source);
    if (length < LARGE) return;
    limits.chargeSteps(length, "Array.from");
    limits.chargeBytes(length * SLOT, "Array.from");
  });
}

/** `new Array(length)` reserves its elements at once up to some size; for the interpreter, which constructs arrays itself. */
export function chargeArrayLength(guards: Guards, length: number): void {
  // Longer ones become sparse and reserve nothing.
  if (length >= LARGE && length <= 2 ** 25) guards.limits.chargeBytes(length * SLOT, "Array");
}

/** Lists measured as parts of the one being joined now: the native asks each for its text in turn. */
let measured: Map<unknown, number> | undefined;

function guardJoin(guards: Guards, name: "join" | "toString"): void {
  replaceMethod(Array.prototype, name, (native) => {
    return {
      method(this: unknown, separator: unknown): unknown {
        guards.tick();
        if (measured?.has(this)) return apply(native, this, arguments);
        const outer = measured;
        measured = chargeJoin(guards, this, name === "join" ? separator : ",");
        if (measured === undefined) {
          measured = outer;
          return apply(native, this, arguments);
        }
        try {
          return apply(native, this, arguments);
        } finally {
          measured = outer;
        }
      },
    }.method;
  });
}

/** Charges a join before it runs; gives the lists within the list, when there are any. */
function chargeJoin(guards: Guards, list: unknown, separator: unknown): Map<unknown, number> | undefined {
  const { limits } = guards;
  const length = guards.lengthOf(list);
  if (length === 0) return undefined;
  const width = typeof separator === "string" ? separator.length : 1;
  const known = new Joined(guards);
  const characters = length < LARGE && guards.isPlainArray(list) ? known.count(list, width, 0) : width * (length - 1);
  if (characters >= LARGE) {
    limits.chargeBytes(characters, "Array.prototype.join");
    // The native would find out only after building it.
    if (characters > MAX_STRING) throw new RangeError("Invalid string length");
    limits.chargeSteps(length, "Array.prototype.join");
  }
  return known.lists;
}

/** Measures joined lists. */
class Joined {
  readonly #guards: Guards;
  lists: Map<unknown, number> | undefined;

  constructor(guards: Guards) {
    this.#guards = guards;
  }

  /**
   * Characters of the joined list: its separators, its strings and the lists in it; other elements count as nothing. A getter
   * among the elements would run twice: arrays with one are not ordinary.
   */
  count(list: readonly unknown[], separator: number, depth: number): number {
    let characters = separator * Math.max(0, list.length - 1);
    // The native gives up on deep nesting by itself.
    if (depth > MAX_NESTING || list.length >= LARGE) return characters;
    for (let i = 0; i < list.length; i++) {
      const item: unknown = list[i];
      if (typeof item === "string") {
        characters += item.length;
      } else if (this.#guards.isPlainArray(item)) {
        // A list inside itself is joined as the empty string.
        if (this.lists === undefined) this.lists = new Map([[list as unknown, 0]]);
        const before = this.lists.get(item);
        if (before === undefined) {
          this.lists.set(item, 0);
          this.lists.set(item, this.count(item, 1, depth + 1));
        }
        characters += this.lists.get(item)!;
      }
    }
    return characters;
  }
}

/** `flat` multiplies: a list that holds another twice, forty levels deep, has 2^40 elements. */
function guardFlat(guards: Guards): void {
  const { limits } = guards;
  guards.method(Array.prototype, "flat", (list, parameters) => {
    const [given] = parameters as [unknown];
    // What an object converts to only running it could tell: the most, then.
    const most = typeof given === "object" || typeof given === "function" ? MAX_NESTING : Number(given);
    const depth = given === undefined ? 1 : Math.min(MAX_NESTING, Math.trunc(most));
    if (!(depth >= 1)) return;
    const length = countFlat(guards, list, depth, undefined);
    if (length < LARGE) return;
    limits.chargeBytes(length * SLOT, "Array.prototype.flat");
    limits.chargeSteps(length, "Array.prototype.flat");
  });
}

/** Elements of the flattened list. A list met before at the same depth is not walked again. */
function countFlat(guards: Guards, list: unknown, depth: number, known: Map<unknown, number>[] | undefined): number {
  guards.tick();
  if (!guards.isPlainArray(list)) return guards.lengthOf(list);
  if (list.length >= LARGE) guards.limits.chargeSteps(list.length, "Array.prototype.flat");
  const before = known?.[depth]?.get(list);
  if (before !== undefined) return before;
  let memo = known;
  let count = 0;
  for (let i = 0; i < list.length; i++) {
    const item: unknown = list[i];
    if (depth > 0 && guards.isPlainArray(item)) {
      memo ??= [];
      // Inside itself, a list goes on for ever.
      (memo[depth] ??= new Map()).set(list, Number.MAX_SAFE_INTEGER);
      count += countFlat(guards, item, depth - 1, memo);
    } else {
      count++;
    }
  }
  memo?.[depth]?.set(list, count);
  return count;
}

export function guardCalls(guards: Guards): void {
  /** Native limit on the number of arguments: beyond it V8 reserves the list before it refuses. */
  const list = (index: number, what: string) => (_receiver: unknown, parameters: ArrayLike<any>) => {
    const length = guards.lengthOf(parameters[index]);
    if (length > 10_000_000) throw new RangeError("Maximum call stack size exceeded");
    if (length >= LARGE) guards.limits.chargeBytes(length * SLOT, what);
  };
  guards.method(Function.prototype, "apply", list(1, "Function.prototype.apply"));
  guards.method(Reflect, "apply", list(2, "Reflect.apply"));
  guards.method(Reflect, "construct", (receiver, parameters) => {
    list(1, "Reflect.construct")(receiver, parameters);
    const [target, values] = parameters as [unknown, unknown[]];
    if (target === Array && guards.isPlainArray(values) && values.length === 1 && typeof values[0] === "number") {
      chargeArrayLength(guards, values[0]);
    }
  });
}
