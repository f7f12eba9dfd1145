/**
 * Guard of `JSON.stringify`: a small graph that shares its parts can have a text of any length, and nothing interrupts the
 * native while it writes it.
 *
 * Values are measured first. Ordinary ones then go to the native as they are; those that only running their `toJSON`, getters
 * or traps could measure get a replacer that counts on the way.
 */
import { mayHaveAccessors } from "../../../interpreter/index.js";
import { replaceMethod } from "../intrinsics/native-like.js";
import type { ProxyRegistry } from "../intrinsics/proxies.js";
import { type Guards, LARGE } from "./guard.js";

const { apply } = Reflect;
const { getOwnPropertyDescriptor, keys } = Object;
const { isArray } = Array;

/** Values visited before shared parts are looked for: more than most programs write, and soon counted. */
const MANY = 1 << 19;
/** Characters of a number, a name's quotes and its punctuation. */
const PUNCTUATION = 6;
const DateToJSON = Date.prototype.toJSON;

/** A measure that the graph does not give: code would have to run. */
const UNKNOWN = -1;
/** Not measured: shared parts must be looked for first. */
const TOO_MANY = -2;

export function guardJson(guards: Guards, { isProxy }: ProxyRegistry): void {
  const { limits } = guards;

  const charge = (characters: number): void => {
    if (characters < LARGE) return;
    limits.chargeBytes(characters, "JSON.stringify");
    // The measure is generous; this much is beyond any string, and the native would find out only after writing it.
    if (characters >= 2 ** 31) throw new RangeError("Invalid string length");
    limits.chargeSteps(characters / 4, "JSON.stringify");
  };

  replaceMethod(JSON, "stringify", (native) => {
    return {
      stringify(this: unknown, value: unknown, replacer: unknown, space: unknown): unknown {
        guards.tick();
        if (typeof value === "string") charge(value.length);
        if (typeof value !== "object" || value === null) return apply(native, this, arguments);
        const indent =
          typeof space === "number"
            ? Math.min(10, Math.max(0, space))
            : typeof space === "string"
              ? Math.min(10, space.length)
              : 0;
        const length = typeof replacer === "function" ? UNKNOWN : new Measure(guards, isProxy, indent).measure(value);
        if (length !== UNKNOWN) {
          charge(length);
          return apply(native, this, arguments);
        }
        // A list of names cannot be combined with a function: names are then chosen by the native, and only time is at risk.
        if (isArray(replacer)) return apply(native, this, arguments);
        return apply(native, this, [value, counting(guards, replacer, indent), space]);
      },
    }.stringify;
  });
}

/** A replacer that charges each value as it is written. */
function counting(
  guards: Guards,
  replacer: unknown,
  indent: number,
): (this: unknown, key: string, value: unknown) => unknown {
  const { limits } = guards;
  let characters = 0;
  let charged = 0;
  return function (this: unknown, key: string, value: unknown): unknown {
    guards.tick();
    const result: unknown = typeof replacer === "function" ? apply(replacer, this, [key, value]) : value;
    characters += key.length + PUNCTUATION + indent + (typeof result === "string" ? result.length : 0);
    if (characters - charged >= LARGE) {
      limits.chargeBytes(characters, "JSON.stringify");
      charged = characters;
    }
    return result;
  };
}

function isAccessor(object: object, key: PropertyKey): boolean {
  return mayHaveAccessors() && getOwnPropertyDescriptor(object, key)?.get !== undefined;
}

class Measure {
  readonly #guards: Guards;
  readonly #isProxy: (value: unknown) => boolean;
  readonly #indent: number;
  /** Lengths of objects measured before: for graphs of many paths only, because to keep them costs more than to measure. */
  #known: Map<object, number> | undefined;
  #visited = 0;
  #depth = 0;

  constructor(guards: Guards, isProxy: (value: unknown) => boolean, indent: number) {
    this.#guards = guards;
    this.#isProxy = isProxy;
    this.#indent = indent;
  }

  /** About how many characters the text of `value` has; `UNKNOWN` where program code decides. */
  measure(value: object): number {
    try {
      const length = this.#object(value);
      if (length !== TOO_MANY) return length;
      this.#known = new Map();
      this.#visited = 0;
      this.#depth = 0;
      return this.#object(value);
    } catch (error) {
      if (this.#guards.limits.isLimit(error)) throw error;
      // Too deep for the stack: the native will say so.
      return UNKNOWN;
    }
  }

  #value(value: unknown): number {
    if (typeof value === "string") return value.length + PUNCTUATION;
    if (typeof value === "object" && value !== null) return this.#object(value);
    return PUNCTUATION;
  }

  #object(value: object): number {
    if (++this.#visited > MANY && this.#known === undefined) return TOO_MANY;
    this.#guards.tick();
    if (this.#isProxy(value)) return UNKNOWN;
    const known = this.#known?.get(value);
    if (known !== undefined) return known;
    const { toJSON } = value as { toJSON?: unknown };
    if (toJSON !== undefined && toJSON !== DateToJSON) return UNKNOWN;
    // Inside itself: the native refuses a cycle.
    this.#known?.set(value, 0);
    this.#depth++;
    const length = isArray(value) ? this.#list(value) : this.#record(value as Record<string, unknown>);
    this.#depth--;
    if (length >= 0) this.#known?.set(value, length);
    return length;
  }

  #list(list: readonly unknown[]): number {
    // Absent elements are written as null.
    let total = list.length * (2 + this.#indent * this.#depth) + PUNCTUATION;
    if (list.length > LARGE) this.#guards.limits.chargeSteps(list.length, "JSON.stringify");
    for (let i = 0; i < list.length; i++) {
      if (isAccessor(list, i)) return UNKNOWN;
      const length = this.#value(list[i]);
      if (length < 0) return length;
      total += length;
    }
    return total;
  }

  #record(record: Readonly<Record<string, unknown>>): number {
    let total = PUNCTUATION;
    const names = keys(record);
    for (let i = 0; i < names.length; i++) {
      const key = names[i]!;
      if (isAccessor(record, key)) return UNKNOWN;
      const length = this.#value(record[key]);
      if (length < 0) return length;
      total += length + key.length + PUNCTUATION + this.#indent * this.#depth;
    }
    return total;
  }
}
