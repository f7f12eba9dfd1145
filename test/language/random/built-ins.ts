/** Expressions over the built-ins, with odd arguments. */
import { anything, args, called, expression, iterable, text } from "./expressions.js";
import type { Writer } from "./writer.js";

const num = (w: Writer, depth: number) => expression(w, "num", depth);
const str = (w: Writer, depth: number) => expression(w, "str", depth);
const arr = (w: Writer, depth: number) => expression(w, "arr", depth);
const fn = (w: Writer, depth: number) => expression(w, "fn", depth);

export function numbers(w: Writer, depth: number): string {
  const n = () => num(w, depth);
  return w.c.weighted([
    [
      8,
      () => `(${n()} ${w.c.pick("+ - * / % & | ^ << >> >>>".split(" "))} ${w.c.chance(80) ? n() : anything(w, depth)})`,
    ],
    [1, () => `((${n()}) ** ${w.c.pick(["2", "0.5", "-1", "NaN"])})`],
    [3, () => `(${w.c.pick(["-", "+", "~", "- -"])}${w.c.chance(70) ? n() : anything(w, depth)})`],
    [3, () => update(w)],
    [
      2,
      () =>
        `${str(w, depth)}.${w.c.pick(["length", `indexOf(${anything(w, depth)})`, `charCodeAt(${n()})`, `codePointAt(${n()})`, `lastIndexOf('b', ${n()})`, `search(${expression(w, "re", depth)})`, `localeCompare('b')`])}`,
    ],
    [
      2,
      () =>
        `${arr(w, depth)}.${w.c.pick(["length", `indexOf(${anything(w, depth)})`, `push(${args(w, depth)})`, `unshift(${args(w, depth)})`, `findIndex(${fn(w, depth)})`, `lastIndexOf(${anything(w, depth)}, ${n()})`, `findLastIndex(${fn(w, depth)})`])}`,
    ],
    [
      3,
      () =>
        `Math.${w.c.pick("max min abs floor round trunc sign hypot imul clz32 fround ceil atan2".split(" "))}(${args(w, depth)})`,
    ],
    [2, () => `${w.c.pick(["Number", "parseInt", "parseFloat", "Number.parseFloat"])}(${args(w, depth, 2)})`],
    [
      2,
      () =>
        `${expression(w, "date", depth)}.${w.c.pick([`getTime()`, `getUTCDay()`, `setUTCMonth(${n()})`, `getTimezoneOffset()`, `setUTCHours(${args(w, depth, 2)})`, `valueOf()`, `getFullYear()`])}`,
    ],
    [1, () => `Date.${w.c.pick([`UTC(${args(w, depth, 3)})`, `parse(${str(w, depth)})`])}`],
    [1, () => `${w.c.pick(["new Map([[1, 2]])", expression(w, "map", depth), expression(w, "set", depth)])}.size`],
  ]);
}

function update(w: Writer): string {
  const known = w.visible("num", true);
  if (known.length === 0) return "1";
  const { name } = w.c.pick(known);
  return w.c.weighted([
    [2, () => `(${name}${w.c.pick(["++", "--"])})`],
    [2, () => `(${w.c.pick(["++", "--"])}${name})`],
    [
      3,
      () =>
        `(${name} ${w.c.pick(["+=", "-=", "*=", "|=", "<<=", ">>=", ">>>=", "%=", "/=", "^=", "&="])} ${num(w, 1)})`,
    ],
  ]);
}

export function strings(w: Writer, depth: number): string {
  const s = () => str(w, depth);
  const n = () => num(w, depth);
  return w.c.weighted([
    [4, () => `\`${text(w, depth)}\``],
    [3, () => `(${s()} + ${anything(w, depth)})`],
    [
      8,
      () =>
        `${s()}.${w.c.pick([
          `slice(${n()}, ${n()})`,
          `substring(${n()}, ${n()})`,
          `at(${n()})`,
          `replace(${expression(w, w.c.pick(["re", "str"] as const), depth)}, ${expression(w, w.c.pick(["str", "fn"] as const), depth)})`,
          `replaceAll(${expression(w, w.c.pick(["re", "str"] as const), depth)}, ${expression(w, w.c.pick(["str", "fn"] as const), depth)})`,
          `padStart(${w.c.below(9)}, ${s()})`,
          `padEnd(${w.c.below(9)})`,
          `repeat(${w.c.below(4)})`,
          "toUpperCase()",
          "trim()",
          `concat(${args(w, depth)})`,
          `substr(${n()}, 2)`,
          `charAt(${n()})`,
          "normalize('NFD')",
          "toWellFormed()",
          `big()`,
          `[${n()}]`,
        ])}`,
    ],
    [
      3,
      () =>
        `${w.c.pick(["String", "JSON.stringify", "encodeURIComponent", "Object.prototype.toString.call"])}(${anything(w, depth)})`,
    ],
    [
      2,
      () =>
        `JSON.stringify(${anything(w, depth)}, ${w.c.pick([fn(w, depth), arr(w, depth), "null"])}, ${w.c.pick(["1", "'ab'", "0"])})`,
    ],
    [2, () => `(typeof ${anything(w, depth)})`],
    [
      2,
      () =>
        `(${n()}).${w.c.pick(["toString(", "toFixed(", "toPrecision(", "toExponential(", "toLocaleString("])}${w.c.pick(["", "2", "16", "0", "36"])})`,
    ],
    [2, () => `${arr(w, depth)}.${w.c.pick(["join", "toString"])}(${w.c.pick(["", "'-'", "undefined", s()])})`],
    [1, () => `${expression(w, "sym", depth)}.${w.c.pick(["description", "toString()"])}`],
    [
      1,
      () =>
        `${expression(w, "date", depth)}.${w.c.pick(["toISOString()", "toJSON()", "toUTCString()", "toString()", "toLocaleDateString('en-US', { timeZone: 'UTC' })"])}`,
    ],
    [1, () => `String.raw\`${text(w, depth)}\``],
    [1, () => `${called(w, "fn")}.${w.c.pick(["name", "toString()"])}`],
    [1, () => `String.${w.c.pick(["fromCharCode", "fromCodePoint"])}(${args(w, depth)})`],
    [1, () => `${expression(w, "big", depth)}.toString(${w.c.pick(["", "2", "36"])})`],
  ]);
}

export function booleans(w: Writer, depth: number): string {
  const any = () => anything(w, depth);
  return w.c.weighted([
    [5, () => `(${any()} ${w.c.pick(["===", "!==", "==", "!="])} ${any()})`],
    [4, () => `(${num(w, depth)} ${w.c.pick(["<", ">", "<=", ">="])} ${w.c.chance(70) ? num(w, depth) : any()})`],
    [3, () => `(!${any()})`],
    [2, () => `(${expression(w, w.c.pick(["str", "num", "sym"] as const), depth)} in ${expression(w, "obj", depth)})`],
    [2, () => `(${any()} instanceof ${w.c.chance(80) ? expression(w, "cls", depth) : any()})`],
    [
      2,
      () =>
        `${w.c.pick(["Array.isArray", "Number.isInteger", "Number.isNaN", "isNaN", "Boolean", "Reflect.has", "Object.is", "Object.hasOwn", "Number.isSafeInteger"])}(${args(w, depth, 2)})`,
    ],
    [
      2,
      () =>
        `${str(w, depth)}.${w.c.pick(["includes", "startsWith", "endsWith", "isWellFormed"])}(${args(w, depth, 2)})`,
    ],
    [
      2,
      () => `${arr(w, depth)}.${w.c.pick([`includes(${any()})`, `some(${fn(w, depth)})`, `every(${fn(w, depth)})`])}`,
    ],
    [2, () => `${expression(w, "re", depth)}.test(${any()})`],
    [1, () => `${expression(w, w.c.pick(["map", "set"] as const), depth)}.${w.c.pick(["has", "delete"])}(${any()})`],
    [
      1,
      () =>
        `Reflect.${w.c.pick(["deleteProperty", "isExtensible", "preventExtensions"])}(own(${expression(w, "obj", depth)}), ${str(w, depth)})`,
    ],
  ]);
}

export function bigints(w: Writer, depth: number): string {
  const b = () => expression(w, "big", depth);
  return w.c.weighted([
    [5, () => `(${b()} ${w.c.pick("+ - / % & | ^".split(" "))} ${w.c.chance(85) ? b() : anything(w, depth)})`],
    [2, () => `cap(${b()} * ${b()})`],
    [1, () => `(${b()} ${w.c.pick(["<<", ">>", "**"])} ${w.c.pick(["2n", "0n", "3n", "-1n"])})`],
    [2, () => `(-${b()})`],
    [1, () => `(~${b()})`],
    [2, () => `BigInt(${expression(w, w.c.pick(["num", "str", "bool"] as const), depth)})`],
    [1, () => `BigInt.${w.c.pick(["asIntN", "asUintN"])}(${w.c.pick(["8", "64", "1", "0"])}, ${b()})`],
  ]);
}

export function arrays(w: Writer, depth: number): string {
  const a = () => arr(w, depth);
  const n = () => num(w, depth);
  const f = () => fn(w, depth);
  return w.c.weighted([
    [
      6,
      () =>
        `[${w.list(4, () => (w.c.chance(20) ? `...${iterable(w, depth)}` : w.c.chance(8) ? "" : anything(w, depth))).join(", ")}]`,
    ],
    [
      10,
      () =>
        `${a()}.${w.c.pick([
          `map(${f()})`,
          `filter(${f()})`,
          `slice(${n()}, ${n()})`,
          `concat(${args(w, depth)})`,
          `flat(${w.c.pick(["", "1", "Infinity", "0"])})`,
          `flatMap(${f()})`,
          "reverse()",
          `sort(${w.c.pick(["", f()])})`,
          `splice(${n()}, ${n()}, ${anything(w, depth)})`,
          `fill(${anything(w, depth)}, ${n()}, ${n()})`,
          `copyWithin(${n()}, ${n()})`,
          "toReversed()",
          `toSorted(${w.c.pick(["", f()])})`,
          `with(${n()}, ${anything(w, depth)})`,
          `toSpliced(${n()}, 1)`,
          `map(${f()}, ${anything(w, depth)})`,
        ])}`,
    ],
    [
      2,
      () =>
        `Object.${w.c.pick(["keys", "values", "entries", "getOwnPropertyNames", "getOwnPropertySymbols"])}(${anything(w, depth)})`,
    ],
    [
      2,
      () =>
        `Array.from(${w.c.pick([iterable(w, depth), `{ length: ${w.c.below(5)}, 1: ${anything(w, depth)} }`])}, ${f()})`,
    ],
    [1, () => `Array.of(${args(w, depth)})`],
    [
      2,
      () =>
        `${str(w, depth)}.split(${w.c.pick(["''", "','", "undefined", expression(w, "re", depth)])}${w.c.pick(["", ", 2"])})`,
    ],
    [2, () => `[...${iterable(w, depth)}]`],
    [1, () => `[...${str(w, depth)}.matchAll(${expression(w, "re", depth)})]`],
    [1, () => `${str(w, depth)}.match(${expression(w, "re", depth)})`],
    [1, () => `Reflect.ownKeys(${expression(w, "obj", depth)})`],
    [1, () => `((...rest) => rest)(${args(w, depth)})`],
    [1, () => `JSON.parse(${w.c.pick(["'[1,{\"p\":[null,-0]}]'", "'[1,'", "'[\"\\\\u0041\"]'", str(w, depth)])})`],
    [1, () => `[${n()}, ${n()}].reduce(${w.c.pick(["(p, q) => [p, q]", f()])}, ${a()})`],
    [1, () => `(${assignable(w)} = cap(${a()}))`],
  ]);
}

function assignable(w: Writer): string {
  const known = w.visible("arr", true);
  return known.length > 0 ? w.c.pick(known).name : "own([])[0]";
}

export function collections(w: Writer, kind: "map" | "set", depth: number): string {
  const any = () => anything(w, depth);
  const self = () => expression(w, kind, depth);
  return kind === "map"
    ? w.c.weighted([
        [3, () => `new Map([${w.list(3, () => `[${any()}, ${any()}]`).join(", ")}])`],
        [3, () => `${self()}.set(${any()}, ${any()})`],
        [1, () => `new Map(${iterable(w, depth)})`],
        [1, () => `Map.groupBy(${iterable(w, depth)}, ${fn(w, depth)})`],
      ])
    : w.c.weighted([
        [3, () => `new Set(${iterable(w, depth)})`],
        [3, () => `${self()}.add(${any()})`],
        [
          2,
          () =>
            `${self()}.${w.c.pick(["union", "intersection", "difference", "symmetricDifference"])}(${w.c.chance(80) ? self() : any()})`,
        ],
      ]);
}

export function dates(w: Writer, depth: number): string {
  return w.c.weighted([
    [2, () => `new Date(${num(w, depth)})`],
    [1, () => `new Date(${str(w, depth)})`],
    [1, () => `new Date(2000, ${num(w, depth)}, ${num(w, depth)}, ${w.c.below(30)})`],
    [1, () => `new Date(${expression(w, "date", depth)})`],
  ]);
}

export function patternsOfText(w: Writer, depth: number): string {
  return w.c.weighted([
    [
      2,
      () =>
        `new RegExp(${w.c.pick([expression(w, "re", depth), str(w, depth), "'(a|b)*c'", "'[z-a]'", "'('"])}, ${w.c.pick(["'g'", "'giu'", "''", "undefined", "'gg'", "'y'"])})`,
    ],
    [2, () => `Object.assign(${expression(w, "re", depth)}, { lastIndex: ${num(w, depth)} })`],
  ]);
}

export function symbols(w: Writer, depth: number): string {
  return w.c.weighted([
    [2, () => `Symbol(${w.c.pick(["", str(w, depth)])})`],
    [1, () => `Symbol.for(${str(w, depth)})`],
    [1, () => `Symbol.${w.c.pick(["iterator", "asyncIterator", "hasInstance", "toPrimitive", "toStringTag"])}`],
  ]);
}
