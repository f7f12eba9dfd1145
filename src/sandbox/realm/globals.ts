/** The global bindings of a program. */

/** ECMAScript globals that programs have. What creates code or shares memory is absent on purpose. */
const STANDARD = [
  "AggregateError",
  "Array",
  "ArrayBuffer",
  "AsyncDisposableStack",
  "BigInt",
  "BigInt64Array",
  "BigUint64Array",
  "Boolean",
  "DataView",
  "Date",
  "DisposableStack",
  "Error",
  "EvalError",
  "FinalizationRegistry",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "Function",
  "Infinity",
  "Int16Array",
  "Int32Array",
  "Int8Array",
  "Intl",
  "Iterator",
  "JSON",
  "Map",
  "Math",
  "NaN",
  "Number",
  "Object",
  "Promise",
  "Proxy",
  "RangeError",
  "ReferenceError",
  "Reflect",
  "RegExp",
  "Set",
  "String",
  "SuppressedError",
  "Symbol",
  "SyntaxError",
  "TypeError",
  "URIError",
  "Uint16Array",
  "Uint32Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "WeakMap",
  "WeakRef",
  "WeakSet",
  "decodeURI",
  "decodeURIComponent",
  "encodeURI",
  "encodeURIComponent",
  "escape",
  "isFinite",
  "isNaN",
  "parseFloat",
  "parseInt",
  "undefined",
  "unescape",
] as const;

/**
 * The record of global bindings: null prototype, frozen. `web` are the web built-ins, `additions` what the execution adds;
 * both are taken as they are. `globalThis` is a frozen object with the same names, not the realm's own global.
 */
export function programGlobals(
  web: Readonly<Record<string, unknown>>,
  additions: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const real = globalThis as unknown as Record<string, unknown>;
  const globals: Record<string, unknown> = Object.create(null);
  for (const name of STANDARD) if (name in real) globals[name] = real[name];
  for (const source of [web, additions]) for (const name of Object.keys(source)) globals[name] = source[name];
  const visible = Object.create(Object.prototype);
  globals["globalThis"] = visible;
  for (const name of Object.keys(globals)) {
    Object.defineProperty(visible, name, {
      value: globals[name],
      enumerable: false,
      writable: false,
      configurable: false,
    });
  }
  Object.freeze(visible);
  return Object.freeze(globals);
}
