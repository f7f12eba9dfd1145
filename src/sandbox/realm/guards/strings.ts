/** Guards of `String`, the URI functions and `Symbol.for`: small arguments, large results. */
import { type Guards, LARGE } from "./guard.js";

/** V8's longest string; more is a RangeError of the native at once. */
const MAX_LENGTH = 2 ** 29 - 24;

export function guardStrings(guards: Guards): void {
  const { limits } = guards;
  const prototype = String.prototype;

  /** Charges a result of `length` code units, unless the native will refuse it anyway. */
  const charge = (length: number, what: string, bytesPerUnit = 1): void => {
    if (length >= LARGE && length <= MAX_LENGTH) limits.chargeBytes(length * bytesPerUnit, what);
  };
  const lengthOf = (text: unknown): number => (typeof text === "string" ? text.length : 0);

  guards.method(prototype, "repeat", (text, [count]: any) => {
    if (typeof text === "string" && typeof count === "number")
      charge(text.length * Math.trunc(count), "String.prototype.repeat");
  });
  for (const name of ["padStart", "padEnd"]) {
    guards.method(prototype, name, (_text, parameters) => {
      if (typeof parameters[0] === "number") charge(Math.trunc(parameters[0]), `String.prototype.${name}`);
    });
  }
  // One code unit may become three, or eighteen.
  for (const [name, growth] of [
    ["normalize", 18],
    ["toUpperCase", 3],
    ["toLowerCase", 3],
    ["toLocaleUpperCase", 3],
    ["toLocaleLowerCase", 3],
    ["toWellFormed", 1],
  ] as const) {
    guards.method(prototype, name, (text) => {
      const length = lengthOf(text);
      if (length < LARGE) return;
      // The worst case is rare: what is not ASCII decides.
      const wide = /[^\x00-\x7f]/.test(text);
      charge(Math.min(MAX_LENGTH, length * (wide ? growth : 1)), `String.prototype.${name}`, wide ? 2 : 1);
      if (name === "normalize") limits.chargeSteps(length * 4, "String.prototype.normalize");
    });
  }
  for (const name of ["encodeURIComponent", "encodeURI", "escape", "decodeURIComponent", "decodeURI", "unescape"]) {
    guards.method(globalThis, name, (_receiver, [text]: any) => {
      const length = lengthOf(text);
      if (length < LARGE) return;
      const encodes = name.startsWith("e");
      charge(Math.min(MAX_LENGTH, encodes ? length * (/[^\x00-\x7f]/.test(text) ? 9 : 3) : length), name);
    });
  }
  guards.method(prototype, "concat", (text, parameters) => {
    let length = lengthOf(text);
    for (let i = 0; i < parameters.length; i++) length += lengthOf(parameters[i]);
    charge(length, "String.prototype.concat");
  });
  guards.method(prototype, "split", (text, parameters) => {
    const length = lengthOf(text);
    const separator: unknown = parameters[0];
    if (length < LARGE || typeof separator !== "string") return;
    const limit: unknown = parameters[1];
    const pieces = separator === "" ? length : Math.ceil(length / separator.length);
    if (separator === "" || pieces < LARGE) {
      const count = typeof limit === "number" && limit >= 0 ? Math.min(pieces, limit) : pieces;
      limits.chargeBytes(count * 8, "String.prototype.split");
    } else {
      limits.chargeBytes(Math.min(pieces, countOf(text, separator, limits)) * 32, "String.prototype.split");
    }
  });
  guardStringRaw(guards);
  guardStringKeys(guards);
  guardSymbolRegistry(guards);
}

/** How often `part` occurs in `text`. */
function countOf(text: string, part: string, limits: { check(): void }): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    if (++count % LARGE === 0) limits.check();
  }
  return count;
}

function guardStringRaw(guards: Guards): void {
  guards.method(String, "raw", (_receiver, [template]: any) => {
    if (typeof template !== "object" || template === null) return;
    const raw = guards.ownValue(template, "raw");
    const length = guards.lengthOf(raw);
    if (length >= LARGE) guards.limits.chargeSteps(length, "String.raw");
  });
}

/** Each code unit of a string is a property of its object. */
function guardStringKeys(guards: Guards): void {
  for (const [name, bytes] of [
    ["keys", 16],
    ["values", 16],
    ["entries", 80],
    ["getOwnPropertyNames", 16],
    ["getOwnPropertyDescriptors", 120],
    ["assign", 40],
  ] as const) {
    guards.method(Object, name, (_receiver, parameters) => {
      for (let i = 0; i < parameters.length; i++) {
        const value: unknown = parameters[i];
        if (typeof value !== "string" && typeof value !== "object") continue;
        const length = guards.lengthOf(value);
        if (length < LARGE || (typeof value === "object" && !Array.isArray(value))) continue;
        guards.limits.chargeBytes(length * bytes, `Object.${name}`);
      }
    });
  }
}

/** Registered symbols are never collected. */
function guardSymbolRegistry(guards: Guards): void {
  let held = 0;
  guards.method(Symbol, "for", (_receiver, [key]: any) => {
    const length = typeof key === "string" ? key.length : 0;
    held += length + 64;
    if (held >= LARGE * 16) {
      guards.limits.chargeBytes(held, "Symbol.for");
      held = 0;
    }
  });
}
