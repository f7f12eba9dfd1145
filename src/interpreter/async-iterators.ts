/** GetIterator with hint async, and %AsyncFromSyncIteratorPrototype% (ECMA-262 §7.4.3, §27.1.6). */
import { throwTypeError } from "./errors.js";
import { describe, getIterator, type IteratorRecord } from "./iterators.js";
import { machine } from "./machine.js";
import { NativePromise, NativeTypeError, ReflectApply, SymbolAsyncIterator } from "./primordials.js";

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

export function asyncIteratorOf(value: any, text: string, offset: number): IteratorRecord {
  machine.position = offset;
  if (value === null || value === undefined) throwTypeError(`${text} is not async iterable`, offset);
  const method = value[SymbolAsyncIterator];
  if (method === undefined || method === null) {
    const sync = getIterator(value, text, offset);
    const iterator = new AsyncFromSyncIterator(sync);
    return { iterator, next: iterator.next };
  }
  if (typeof method !== "function") throwTypeError(`${text} is not async iterable`, offset);
  const iterator = ReflectApply(method, value, []);
  if (!isObject(iterator)) throwTypeError("Result of the Symbol.asyncIterator method is not an object", offset);
  return { iterator, next: (iterator as any).next };
}

/** One result of a promise that the specification makes with NewPromiseCapability(%Promise%). */
interface Capability {
  readonly promise: Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export function newCapability(): Capability {
  let resolve!: (value: unknown) => void;
  let reject!: (error: unknown) => void;
  const promise = new NativePromise((ok, no) => {
    resolve = ok;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** PerformPromiseThen(PromiseResolve(%Promise%, value), …): exactly one native `await`. Neither callback may throw. */
export async function awaitThen(
  value: unknown,
  fulfilled: (value: unknown) => void,
  rejected: (error: unknown) => void,
): Promise<void> {
  let result: unknown;
  try {
    result = await value;
  } catch (error) {
    rejected(error);
    return;
  }
  fulfilled(result);
}

/** A sync iterator in the place of an async one. Never visible to the program. */
class AsyncFromSyncIterator {
  readonly sync: IteratorRecord;
  constructor(sync: IteratorRecord) {
    this.sync = sync;
  }

  next(...args: unknown[]): Promise<unknown> {
    const capability = newCapability();
    const { iterator, next } = this.sync;
    try {
      continueWith(ReflectApply(next, iterator, args), capability, this.sync, true);
    } catch (error) {
      capability.reject(error);
    }
    return capability.promise;
  }

  return(...args: unknown[]): Promise<unknown> {
    const capability = newCapability();
    const { iterator } = this.sync;
    try {
      const method = iterator.return;
      if (method === undefined || method === null) capability.resolve({ value: args[0], done: true });
      else continueWith(ReflectApply(method, iterator, args), capability, this.sync, false);
    } catch (error) {
      capability.reject(error);
    }
    return capability.promise;
  }

  throw(error: unknown): Promise<unknown> {
    const capability = newCapability();
    const { iterator } = this.sync;
    try {
      const method = iterator.throw;
      if (method === undefined || method === null) {
        const close = iterator.return;
        if (close !== undefined && close !== null) ReflectApply(close, iterator, []);
        capability.reject(new NativeTypeError("The iterator does not provide a 'throw' method"));
      } else continueWith(ReflectApply(method, iterator, [error]), capability, this.sync, true);
    } catch (failure) {
      capability.reject(failure);
    }
    return capability.promise;
  }
}

/** AsyncFromSyncIteratorContinuation (§27.1.6.4). */
function continueWith(result: any, capability: Capability, sync: IteratorRecord, closes: boolean): void {
  if (!isObject(result)) throw new NativeTypeError(`Iterator result ${describe(result)} is not an object`);
  const done = Boolean((result as any).done);
  const { value } = result as any;
  void sync;
  void closes;
  void awaitThen(
    value,
    (settled) => capability.resolve({ value: settled, done }),
    (error) => capability.reject(error),
  );
}
