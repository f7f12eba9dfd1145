/** Object literals, instances, and what the built-ins make of objects. */

import { anything, args, called, expression, iterable, key, ownObject, propertyName, steps } from "./expressions.js";
import { functionBody, parameters } from "./functions.js";
import type { Writer } from "./writer.js";

export function objectLiteral(w: Writer, depth: number): string {
  const value = () => anything(w, depth);
  const name = (): string => (w.c.chance(70) ? propertyName(w) : `[${key(w, depth)}]`);
  const method = (head: string, place = {}): string =>
    w.scoped(() => {
      const list = w.at({ awaits: false, yields: false, isStaticBlock: false }, () => parameters(w, 1));
      return `${head}(${list}) ${functionBody(w, { inMethod: true, ...place })}`;
    });
  const member = (): string =>
    w.c.weighted([
      [8, () => `${name()}: ${value()}`],
      [2, () => (w.visible(undefined).length > 0 ? w.c.pick(w.visible(undefined)).name : `p: ${value()}`)],
      [
        2,
        () =>
          `...${w.c.pick([expression(w, "obj", depth), `spy('${w.fresh("s")}', ${expression(w, "obj", depth)})`, value()])}`,
      ],
      [1, () => `__proto__: ${w.c.pick([expression(w, "obj", depth), "null", value()])}`],
      [1, () => method(name())],
      [
        1,
        () =>
          `get ${name()}() { note('get'); return ${w.at({ awaits: false, yields: false, inFunction: true, inMethod: true }, value)}; }`,
      ],
      [1, () => `set ${name()}(x) { note('set ' + show(x)); }`],
      [1, () => method(`*${name()}`, { yields: true })],
      [1, () => method(`async ${name()}`, { awaits: true })],
      [
        1,
        () =>
          `[Symbol.toPrimitive](hint) { note(hint); return ${w.at({ awaits: false, yields: false, inFunction: true, inMethod: true }, value)}; }`,
      ],
    ]);
  const list = w.list(4, member);
  // A literal may name its prototype once.
  const once = list.filter(
    (item, i) => !item.startsWith("__proto__:") || list.findIndex((other) => other.startsWith("__proto__:")) === i,
  );
  return `({ ${once.join(", ")} })`;
}

export function objects(w: Writer, depth: number): string {
  const o = () => expression(w, "obj", depth);
  const own = () => `own(${ownObject(w, depth)})`;
  return w.c.weighted([
    [3, () => `new ${w.visible("cls").length > 0 ? w.c.pick(w.visible("cls")).name : "Base"}(${args(w, depth)})`],
    [2, () => `spy('${w.fresh("s")}', ${o()})`],
    [2, () => `Object.assign(${own()}, ${o()}, ${anything(w, depth)})`],
    [
      1,
      () =>
        `Object.create(${w.c.pick([o(), "null"])}, { p: { value: 1, enumerable: true }, q: { value: 2, writable: true } })`,
    ],
    [1, () => `Object.fromEntries(${w.c.pick([iterable(w, depth), expression(w, "map", depth)])})`],
    [2, () => `Object.defineProperty(${own()}, ${key(w, depth)}, ${descriptor(w, depth)})`],
    [1, () => `Object.${w.c.pick(["freeze", "seal", "preventExtensions"])}(${own()})`],
    [1, () => `Object.getOwnPropertyDescriptor${w.c.pick(["s(", `(`])}${o()}, ${key(w, depth)})`],
    [1, () => `Object.setPrototypeOf(${own()}, ${w.c.pick([o(), "null"])})`],
    [1, () => `${expression(w, "re", depth)}.exec(${expression(w, "str", depth)})`],
    [
      2,
      () => `${called(w, "gen")}(${args(w, depth, 1)}).${w.c.pick(["next", "return", "throw"])}(${anything(w, depth)})`,
    ],
    [2, () => `drive(${called(w, "gen")}(${args(w, depth, 1)}), ${steps(w, depth)})`],
    [
      1,
      () =>
        `new ${w.c.pick(["Error", "TypeError", "RangeError", "AggregateError", "SyntaxError"])}(${args(w, depth, 2)})`,
    ],
    [1, () => `Object(${anything(w, depth)})`],
    [
      1,
      () =>
        `Reflect.${w.c.pick([`construct(Base, ${iterable(w, depth)}, ${w.c.pick(["Map", "Base", "class extends Base {}"])})`, `apply(${expression(w, "fn", depth)}, ${o()}, ${expression(w, "arr", depth)})`])}`,
    ],
    [
      1,
      () =>
        `${expression(w, w.c.pick(["map", "set", "arr"] as const), depth)}.${w.c.pick(["entries", "values", "keys"])}()`,
    ],
    [
      1,
      () =>
        `new ${w.c.pick(["Uint8Array", "Float32Array", "Int16Array"])}(${w.c.pick([expression(w, "arr", depth), String(w.c.below(5))])})`,
    ],

    [1, () => `((x) => x)(${o()})`],
  ]);
}

function descriptor(w: Writer, depth: number): string {
  return w.c.weighted([
    [
      3,
      () =>
        `{ value: ${anything(w, depth)}, enumerable: ${expression(w, "bool", 1)}, writable: ${expression(w, "bool", 1)} }`,
    ],
    [
      2,
      () =>
        `{ get() { note('getter'); return ${w.at({ awaits: false, yields: false, inFunction: true, inMethod: true }, () => anything(w, depth))}; }, configurable: ${expression(w, "bool", 1)} }`,
    ],
    [1, () => `{ set(v) { note('setter ' + show(v)); }, enumerable: true }`],
    [1, () => `spy('d', { value: ${anything(w, depth)} })`],
  ]);
}
