/** Calls of any built-in with arguments that report how they are used: guards of built-ins must not be seen. */
import { anything, expression } from "./expressions.js";
import type { Writer } from "./writer.js";

/** What is not the same twice, or changes what other programs share. */
const EXCEPT = new Set([
  "now",
  "random",
  "constructor",
  "isView",
  "captureStackTrace",
  "prepareStackTrace",
  "stackTraceLimit",
  "getTimezoneOffset",
  "compile",
]);

const methods = (holder: object): string[] =>
  Reflect.ownKeys(holder)
    .filter((key) => typeof Object.getOwnPropertyDescriptor(holder, key)!.value === "function")
    .filter((key) => !EXCEPT.has(String(key)) && !/^[A-Z]/.test(String(key)))
    .map((key) => (typeof key === "symbol" ? `[${key.description}]` : `.${key}`));

const PROTOTYPES: readonly (readonly [name: string, receivers: readonly string[], methods: readonly string[]])[] = (
  [
    ["Array", Array, ["[3, 1, 2]", "['b', , 'a']", "{ length: 2, 0: 'x', 1: [1] }", "[[1, [2]], [3]]"]],
    ["String", String, ["'ab,ab'", "conv('this', 1, 'aXbX')", "''"]],
    ["Number", Number, ["12.5", "Object(7)"]],
    ["BigInt", BigInt, ["12n"]],
    ["Boolean", Boolean, ["true"]],
    ["Symbol", Symbol, ["Symbol('d')"]],
    ["RegExp", RegExp, ["/(a)(?<n>b)?/g", "/b/y", "{ exec: () => null, flags: 'g' }"]],
    ["Map", Map, ["new Map([[1, 2]])"]],
    ["Set", Set, ["new Set([1, 2])"]],
    ["WeakMap", WeakMap, ["new WeakMap()"]],
    ["Date", Date, ["new Date(86400000)"]],
    ["Object", Object, ["{ p: 1, get q() { note('q'); return 2; } }", "[1]", "'s'"]],
    ["Promise", Promise, ["Promise.resolve(1)", "{ then: log }"]],
    ["Error", Error, ["new Error('m')", "{ name: conv('n', 1, 'N'), message: 'M' }"]],
    ["Function", Function, ["log", "Math.max"]],
    ["Uint8Array", Object.getPrototypeOf(Uint8Array), ["new Uint8Array([3, 1, 2])", "new Float64Array(2)"]],
    ["ArrayBuffer", ArrayBuffer, ["new ArrayBuffer(8)"]],
    ["DataView", DataView, ["new DataView(new ArrayBuffer(8))"]],
  ] as const
).map(([name, holder, receivers]) => [name, receivers, methods(holder.prototype as object)] as const);

const STATICS: readonly (readonly [name: string, methods: readonly string[]])[] = Object.entries({
  Array,
  String,
  Number,
  BigInt,
  Symbol,
  Map,
  Date,
  Object,
  Promise,
  Math,
  JSON,
  Reflect,
  Uint8Array: Object.getPrototypeOf(Uint8Array),
  ArrayBuffer,
}).map(([name, holder]) => [name, methods(holder)] as const);

const CONSTRUCTORS =
  "Array Object String Number Boolean BigInt Symbol RegExp Map Set WeakMap WeakSet Promise Error AggregateError Uint8Array Float64Array BigInt64Array ArrayBuffer DataView Proxy WeakRef Iterator".split(
    " ",
  );

function argument(w: Writer, depth: number): string {
  return w.c.weighted([
    [3, () => String(w.c.below(4))],
    [3, () => `conv('${w.fresh("c")}', ${w.c.below(4)}, '${w.c.pick(["a", "1", "length", "g"])}')`],
    [2, () => `prim('${w.fresh("c")}', ${w.c.pick(["0", "'a'", "2n", "Symbol.iterator"])})`],
    [
      3,
      () =>
        `spy('${w.fresh("s")}', ${w.c.pick(["[1, 2]", "['a', ['b']]", "{ p: 1, length: 1, raw: ['x', 'y'] }", "/a/g", "new Set([1])", "(x) => x", "{ valueOf() { return 1; } }", "[[1, 2]]"])})`,
    ],
    [2, () => `(...x) => { note('called ' + show(x)); return ${w.c.pick(["x[0]", "1", "-1", "true", "[x[0]]"])}; }`],
    [2, () => anything(w, depth)],
    [2, () => expression(w, w.c.pick(["str", "re", "arr"] as const), depth)],
    [1, () => `iter('${w.fresh("i")}', [1, [2, 3]], ${w.c.below(9)})`],
  ]);
}

export function nativeCall(w: Writer, depth = 1): string {
  const list = () => w.list(3, () => argument(w, depth)).join(", ");
  if (w.c.chance(30)) {
    const [name, names] = w.c.pick(STATICS);
    const method = w.c.pick(names);
    // Built-ins are shared by the programs of this engine.
    const changes =
      /is(?:Frozen|Sealed|Extensible)|assign|define|prevent|freeze|seal|set|delete/.test(method) && name !== "Math";
    return changes ? `${name}${method}(own(${argument(w, depth)}), ${list()})` : `${name}${method}(${list()})`;
  }
  if (w.c.chance(20)) return `${w.c.pick(["", "new "])}${w.c.pick(CONSTRUCTORS)}(${list()})`;
  const [name, receivers, names] = w.c.pick(PROTOTYPES);
  const receiver = w.c.pick(receivers);
  const object = w.c.weighted([
    [5, () => receiver],
    [4, () => `spy('${w.fresh("s")}', ${receiver})`],
    [1, () => `own(${argument(w, depth)})`],
  ]);
  const given = list();
  return `${name === "Uint8Array" ? "Object.getPrototypeOf(Uint8Array)" : name}.prototype${w.c.pick(names)}.call(${object}${given && `, ${given}`})`;
}
