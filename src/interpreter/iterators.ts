/** Iterators (ECMA-262 §7.4). */
import { charges } from "./charges.js";
import { throwTypeError } from "./errors.js";
import { machine, refuel } from "./machine.js";
import {
  ArrayIsArray,
  ArrayPrototypeValues,
  append,
  arrayIterationIsPristine,
  ReflectApply,
  SymbolIterator,
} from "./primordials.js";

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** An iterator and its `next` method. */
export interface IteratorRecord {
  readonly iterator: any;
  readonly next: any;
}

/** GetMethod(value, @@iterator), with the message that V8 gives. */
export function iteratorMethod(value: any, text: string, offset: number): any {
  machine.position = offset;
  if (value === null || value === undefined) throwTypeError(`${text} is not iterable`, offset);
  const method = value[SymbolIterator];
  if (typeof method !== "function") throwTypeError(`${text} is not iterable`, offset);
  return method;
}

/** True when iterating `value` is the same as counting through its indices. */
export function isPlainArrayIteration(value: unknown, method: unknown): value is unknown[] {
  return method === ArrayPrototypeValues && ArrayIsArray(value) && arrayIterationIsPristine();
}

export function iteratorFrom(value: unknown, method: any, offset: number): IteratorRecord {
  machine.position = offset;
  const iterator = ReflectApply(method, value, []);
  if (!isObject(iterator)) throwTypeError("Result of the Symbol.iterator method is not an object", offset);
  return { iterator, next: (iterator as any).next };
}

export function getIterator(value: unknown, text: string, offset: number): IteratorRecord {
  return iteratorFrom(value, iteratorMethod(value, text, offset), offset);
}

/** Calls `next`; gives the result object. */
export function iteratorStep(record: IteratorRecord, offset: number): any {
  machine.position = offset;
  if (typeof record.next !== "function") throwTypeError(`${describe(record.next)} is not a function`, offset);
  const result = ReflectApply(record.next, record.iterator, []);
  if (!isObject(result)) throwTypeError(`Iterator result ${describe(result)} is not an object`, offset);
  return result;
}

/** A value in a message. No code of the program runs for it, and no source of a function is shown. */
export function describe(value: unknown): string {
  if (typeof value === "function") return "function";
  if (isObject(value)) return "#<Object>";
  return typeof value === "symbol" ? "Symbol()" : String(value);
}

/** IteratorClose for a normal completion, or `return`/`break`: errors of `return` count. */
export function iteratorClose(record: IteratorRecord, offset: number): void {
  machine.position = offset;
  const method = record.iterator.return;
  if (method === undefined || method === null) return;
  if (typeof method !== "function") throwTypeError(`${describe(method)} is not a function`, offset);
  const result = ReflectApply(method, record.iterator, []);
  if (!isObject(result)) throwTypeError(`${describe(result)} is not an object`, offset);
}

/** IteratorClose for a throw completion: the error on its way counts, errors of `return` do not. */
export function iteratorCloseQuietly(record: IteratorRecord): void {
  if (machine.limit !== undefined) return;
  try {
    const method = record.iterator.return;
    if (method !== undefined && method !== null) ReflectApply(method, record.iterator, []);
  } catch {
    // The first error wins.
  }
}

/** Lets native syntax (`for…of`, spread) iterate over an iterator that was opened already. */
class Opened {
  private readonly iterator: any;
  constructor(iterator: any) {
    this.iterator = iterator;
  }
  [SymbolIterator](): any {
    return this.iterator;
  }
}

/** What native `for…of` may walk to give the values of `value`, after its `@@iterator` was looked up. */
export function openIterable(value: unknown, method: any): Iterable<any> {
  return new Opened(ReflectApply(method, value, []));
}

/** Lists shorter than this are not charged. */
const LONG = 1 << 16;

/** `...value` in a call or an array. */
export function appendAll(list: unknown[], value: unknown, text: string, offset: number): void {
  const method = iteratorMethod(value, text, offset);
  if (isPlainArrayIteration(value, method)) {
    // A proxy sees its length read once for each element, and once more.
    for (let i = 0, length: number; i < (length = value.length); i++) {
      if (i === 0 && length > LONG) {
        machine.position = offset;
        charges.spread(length);
      }
      append(list, value[i]);
    }
    return;
  }
  for (const item of openIterable(value, method)) {
    // The iterator may be a built-in one, which looks at no limit.
    if (--machine.fuel < 0) {
      machine.position = offset;
      refuel();
    }
    append(list, item);
  }
}
