/** Finding the intrinsic objects of the realm this code runs in, by the names of `allow-list.ts`. */
import { ALLOWED } from "./allow-list.js";

const { getPrototypeOf } = Object;

/** Intrinsics without a path from the global object (ECMA-262 table 6). */
function hidden(): Record<string, object | undefined> {
  const functionOf = (prototype: object): object => (prototype as { constructor: object }).constructor;
  const generatorFunction = getPrototypeOf(function* () {});
  const asyncFunction = getPrototypeOf(async () => {});
  const asyncGeneratorFunction = getPrototypeOf(async function* () {});
  const arrayIterator = getPrototypeOf([][Symbol.iterator]());
  const iterator = getPrototypeOf(arrayIterator) as Iterator<unknown> & { map?: unknown };
  const segments = new Intl.Segmenter("en").segment("a");
  const { concat } = (globalThis as { Iterator?: { concat?: () => object } }).Iterator ?? {};
  const helpers = typeof iterator.map === "function";
  return {
    "%ArrayIteratorPrototype%": arrayIterator,
    "%MapIteratorPrototype%": getPrototypeOf(new Map().entries()),
    "%SetIteratorPrototype%": getPrototypeOf(new Set().entries()),
    "%StringIteratorPrototype%": getPrototypeOf(""[Symbol.iterator]()),
    "%RegExpStringIteratorPrototype%": getPrototypeOf("".matchAll(/a/g)),
    "%TypedArray%": getPrototypeOf(Int8Array),
    "%TypedArray%.prototype": getPrototypeOf(Int8Array.prototype),
    "%AsyncFunction%": functionOf(asyncFunction),
    "%AsyncFunction.prototype%": asyncFunction,
    "%GeneratorFunction%": functionOf(generatorFunction),
    "%GeneratorFunction.prototype%": generatorFunction,
    "%GeneratorPrototype%": generatorFunction.prototype,
    "%AsyncGeneratorFunction%": functionOf(asyncGeneratorFunction),
    "%AsyncGeneratorFunction.prototype%": asyncGeneratorFunction,
    "%AsyncGeneratorPrototype%": asyncGeneratorFunction.prototype,
    "Iterator.prototype": iterator,
    "%AsyncIteratorPrototype%": getPrototypeOf(asyncGeneratorFunction.prototype),
    "%IteratorHelperPrototype%": helpers ? getPrototypeOf([].values().map(String)) : undefined,
    // The specification gives `Iterator.concat` the prototype above; where it is filled in, it has one of its own.
    "%ConcatIteratorPrototype%": concat === undefined ? undefined : getPrototypeOf(concat()),
    "%WrapForValidIteratorPrototype%": helpers
      ? getPrototypeOf(Iterator.from({ next: () => ({ done: true, value: undefined }) }))
      : undefined,
    "%SegmentsPrototype%": getPrototypeOf(segments),
    "%SegmentIteratorPrototype%": getPrototypeOf(segments[Symbol.iterator]()),
    "Array.prototype.@@unscopables": Array.prototype[Symbol.unscopables as never],
  };
}

/** The intrinsics that exist in this engine, by name. */
export function collectIntrinsics(): Map<string, object> {
  const found = new Map<string, object>();
  const unnamed = hidden();
  for (const name of Object.keys(ALLOWED)) {
    const object = name in unnamed ? unnamed[name] : atPath(name);
    if (object !== undefined) found.set(name, object);
  }
  return found;
}

/** Functions that no listed property holds: where an error's own `stack` is an accessor, all errors share its two functions. */
export function hiddenFunctions(): ((...parameters: never[]) => unknown)[] {
  const { get, set } = Object.getOwnPropertyDescriptor(new Error(), "stack") ?? {};
  return [get, set].filter((one) => one !== undefined);
}

function atPath(path: string): object | undefined {
  let value: unknown = globalThis;
  for (const key of path.split(".")) {
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (property === undefined || property.value === undefined) return undefined;
    value = property.value;
  }
  return value as object;
}
