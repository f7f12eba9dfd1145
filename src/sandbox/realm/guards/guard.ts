/**
 * Guards: natives that allocate or loop out of proportion to their arguments are charged before they run, because nothing
 * can interrupt them once they do. A guard keeps the name, the length and the behaviour of the native, and costs a few
 * nanoseconds in ordinary use. What no guard can foresee (a catastrophic regular expression) ends with the process.
 */
import { replaceMethod } from "../intrinsics/native-like.js";
import type { ProxyRegistry } from "../intrinsics/proxies.js";
import type { Limits } from "../limits.js";

const { apply, construct } = Reflect;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { isArray } = Array;

/** Guarded calls between two looks at the limits: a native that calls guarded natives only stays interruptible. */
const CALLS = 1024;
/** Loops and allocations below this many elements are never worth a charge. */
export const LARGE = 1 << 16;
/** What an array element costs. */
export const SLOT = 8;

export type Before = (receiver: any, parameters: ArrayLike<any>) => void;

export class Guards {
  readonly limits: Limits;
  readonly #proxies: ProxyRegistry;
  #fuel = CALLS;

  constructor(limits: Limits, proxies: ProxyRegistry) {
    this.limits = limits;
    this.#proxies = proxies;
  }

  tick(): void {
    if (--this.#fuel > 0) return;
    this.#fuel = CALLS;
    this.limits.check();
  }

  /** Runs `before` ahead of each call of `holder[key]`. */
  method(holder: object, key: PropertyKey, before: Before): void {
    replaceMethod(holder, key, (native) => {
      const guards = this;
      return {
        method(this: unknown) {
          guards.tick();
          before(this, arguments);
          return apply(native, this, arguments);
        },
      }.method;
    });
  }

  /**
   * Runs `before` ahead of each construction (and call) of the constructor `holder[name]`. The replacement is a proxy: it keeps
   * every property, and is a constructor without a `prototype` of its own.
   */
  constructorOf(holder: object, name: string, before: (parameters: ArrayLike<any>) => void): void {
    const property = getOwnPropertyDescriptor(holder, name);
    const native = property?.value as (new (...parameters: unknown[]) => object) | undefined;
    if (native === undefined) return;
    const guarded: any = new this.#proxies.NativeProxy(native, {
      construct: (target, parameters, newTarget) => {
        this.tick();
        before(parameters);
        return construct(target, parameters, newTarget);
      },
      apply: (target, receiver, parameters) => {
        this.tick();
        before(parameters);
        return apply(target as never, receiver, parameters);
      },
    });
    defineProperty(holder, name, { ...property, value: guarded });
    const prototype = native.prototype as object;
    defineProperty(prototype, "constructor", {
      ...getOwnPropertyDescriptor(prototype, "constructor"),
      value: guarded,
    });
  }

  /** True for an array whose elements may be looked at: no proxy, so no trap runs. */
  isPlainArray(value: unknown): value is unknown[] {
    return isArray(value) && !this.#proxies.isProxy(value);
  }

  /** The value of an own data property, as a native would find it; `undefined` where only running program code could tell. */
  ownValue(object: object, key: PropertyKey): unknown {
    let target: object | undefined = object;
    while (target !== undefined && this.#proxies.isProxy(target)) target = this.#proxies.proxyTarget(target);
    return target === undefined ? undefined : getOwnPropertyDescriptor(target, key)?.value;
  }

  /**
   * The length of a list as a native loop would see it; 0 where only running program code could tell. Reads a data property,
   * so no getter or trap runs twice.
   */
  lengthOf(value: unknown): number {
    if (this.isPlainArray(value)) return value.length;
    if (typeof value === "string") return value.length;
    if (typeof value !== "object" || value === null) return 0;
    let length: unknown;
    for (let object: object | null | undefined = value; object !== null && object !== undefined; ) {
      if (this.#proxies.isProxy(object)) {
        object = this.#proxies.proxyTarget(object);
        continue;
      }
      const property = getOwnPropertyDescriptor(object, "length");
      if (property !== undefined) {
        length = property.value;
        break;
      }
      object = getPrototypeOf(object);
    }
    const number = typeof length === "number" || typeof length === "string" ? Number(length) : 0;
    return number > 0 ? Math.min(number, Number.MAX_SAFE_INTEGER) : 0;
  }
}
