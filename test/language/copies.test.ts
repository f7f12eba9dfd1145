/** Spread and rest of objects copy what V8 copies, in its order, and run what it runs, in the realm that programs really run in. */
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { CodeMode } from "../runtime/built.js";

const runtime = CodeMode.make({ tools: {}, limits: { timeoutMs: 30_000 } });
afterAll(() => runtime.close());

/** Shows an object completely, without running its getters. */
const PRELUDE = `
  "use strict";
  const log = [];
  const note = (name, value) => (log.push(name), value);
  const show = (o) => [Object.getPrototypeOf(o) === Object.prototype, ...Reflect.ownKeys(o).map((key) => {
    const { value, get, set, ...attributes } = Object.getOwnPropertyDescriptor(o, key);
    return [String(key), typeof value === "function" ? "function" : value, typeof get, typeof set, attributes];
  })];
  const s = Symbol("s"), t = Symbol("t");
`;
const SOURCES = [
  "{ a: 1, b: 2, c: 3 }",
  "{ b: 1, 2: 'x', a: 3, 1: 'y' }",
  "{ [s]: 1, a: 2, [t]: 3 }",
  "{ toString: 1, constructor: 2, valueOf() {} }",
  'JSON.parse(\'{"__proto__":5,"a":1}\')',
  "{ get a() { return note('get a', 1); }, b: 2, get c() { return note('get c', 3); } }",
  "Object.defineProperty({ a: 1, c: 2 }, 'b', { get: () => note('get b', 9), enumerable: true })",
  "Object.defineProperties({ a: 1 }, { b: { value: 2 }, [s]: { value: 3 }, [t]: { value: 4, enumerable: true } })",
  "new Proxy({ a: 1, b: 2, [s]: 3 }, { ownKeys: (x) => note('keys', Reflect.ownKeys(x)), get: (x, k) => note('get ' + String(k), x[k]), getOwnPropertyDescriptor: (x, k) => note('own ' + String(k), Reflect.getOwnPropertyDescriptor(x, k)) })",
  "Object.create({ inherited: 1 }, { a: { value: 1, enumerable: true } })",
  "Object.assign(Object.create(null), { a: 1, b: 2 })",
  "new (class { a = 1; #b = 2; get c() { return note('get c', 3); } static d = 4; })()",
  "Object.assign(() => {}, { a: 1 })",
  "Object.freeze({ a: 1, b: 2 })",
  "[5, , 7]",
  "'xy'",
  "new Error('e')",
  "null",
  "12",
];
const COPIES = [
  "({ ...x })",
  "({ a: 0, ...x })",
  "({ ...x, a: 0, toString: 1 })",
  "({ ...x, ...x, ['a']: 7 })",
  "({ get a() { return 1; }, ...x })",
  "({ ...x, get a() { return 1; }, set b(v) {} })",
  "({ ...x, __proto__: null })",
  "({ __proto__: new Proxy({}, { has: () => note('has', true) }), ...x, b: 1 })",
  "({ ...x, ['__proto__']: 1 })",
  "(({ a, ...rest }) => rest)(x)",
  "(({ [note('key', 'b')]: b, 1: one, ...rest }) => rest)(x)",
];

it.each(SOURCES)("of %s", async (source) => {
  const program = `${PRELUDE} const seen = [];
    for (const copy of [${COPIES.map((copy) => `(x) => ${copy}`).join(", ")}]) {
      try { seen.push(show(copy(${source}))); } catch (error) { seen.push(error.name); }
      seen.push(log.splice(0));
    }
    return JSON.parse(JSON.stringify(seen));`;
  expect(await runtime.run(program)).toEqual({ ok: true, value: new Function(program)(), toolCalls: [] });
});

it("of objects with any names, over any others", async () => {
  const name = fc.oneof(
    fc.constantFrom("a", "b", "0", "1", "toString", "__proto__", "constructor", "length"),
    fc.string(),
  );
  const object = fc.array(fc.tuple(name, fc.integer()), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(object, { minLength: 1, maxLength: 4 }),
      fc.array(name, { maxLength: 3 }),
      async (parts, taken) => {
        const program = `${PRELUDE}
        const [first, second = {}, ...more] = ${JSON.stringify(parts)}.map((entries) => Object.fromEntries(entries));
        const all = { ...first, ...second, own: 1, ...more[0], ...more[1] };
        const { ${taken.map((key, i) => `[${JSON.stringify(key)}]: v${i}, `).join("")} ...rest } = all;
        return JSON.parse(JSON.stringify([show(all), show(rest)]));`;
        expect(await runtime.run(program)).toEqual({ ok: true, value: new Function(program)(), toolCalls: [] });
      },
    ),
    { numRuns: 100 },
  );
});
