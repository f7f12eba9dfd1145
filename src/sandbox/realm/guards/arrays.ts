/** Guards of `Array` and `Array.prototype`: lengths that no loop ends, results that no memory holds. */
import { type Guards, LARGE, SLOT } from "./guard.js";

const { isArray } = Array;

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
      if (isArray(list) && list.length < LARGE) return;
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
  guards.method(prototype, "join", (list, parameters) => chargeJoin(guards, list, parameters[0]));
  guards.method(prototype, "toString", (list) => chargeJoin(guards, list, ","));
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

function chargeJoin(guards: Guards, list: unknown, separator: unknown): void {
  const length = guards.lengthOf(list);
  if (length < 2) return;
  let characters = typeof separator === "string" ? separator.length * (length - 1) : length;
  if (length < LARGE && isArray(list)) {
    // Few elements may still be long. A getter among the elements would run twice: arrays with one are not ordinary.
    for (let i = 0; i < length; i++) {
      const item: unknown = list[i];
      if (typeof item === "string") characters += item.length;
    }
  }
  if (characters < LARGE) return;
  // A longer result is a RangeError of the native at once, or nearly.
  if (characters < 2 ** 29) guards.limits.chargeBytes(characters, "Array.prototype.join");
  guards.limits.chargeSteps(length, "Array.prototype.join");
}

/** `flat` multiplies: a list that holds another twice, forty levels deep, has 2^40 elements. */
function guardFlat(guards: Guards): void {
  const { limits } = guards;
  guards.method(Array.prototype, "flat", (list, parameters) => {
    const depth = parameters[0] === undefined ? 1 : Number(parameters[0]);
    if (!(depth >= 1)) return;
    const length = countFlat(guards, list, Math.min(depth, 1e9), new Map());
    if (length < LARGE) return;
    limits.chargeBytes(length * SLOT, "Array.prototype.flat");
    limits.chargeSteps(length, "Array.prototype.flat");
  });
}

/** Elements of the flattened list. Lists met before at the same depth are not walked again. */
function countFlat(guards: Guards, list: unknown, depth: number, known: Map<unknown, Map<number, number>>): number {
  guards.tick();
  if (!isArray(list)) return guards.lengthOf(list);
  const levels = known.get(list) ?? new Map<number, number>();
  const before = levels.get(depth);
  if (before !== undefined) return before;
  // A list inside itself is as deep as it is told to be: the native would not end either.
  levels.set(depth, Number.MAX_SAFE_INTEGER);
  known.set(list, levels);
  let count = 0;
  for (let i = 0; i < list.length; i++) {
    const item: unknown = list[i];
    count +=
      depth > 0 && isArray(item)
        ? countFlat(guards, item, Number.isFinite(depth) && depth < 1e9 ? depth - 1 : depth, known)
        : 1;
  }
  levels.set(depth, count);
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
    if (target === Array && isArray(values) && values.length === 1 && typeof values[0] === "number") {
      chargeArrayLength(guards, values[0]);
    }
  });
}
