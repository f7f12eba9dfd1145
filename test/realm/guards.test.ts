import { getHeapStatistics } from "node:v8";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeTestRealm, SHOW } from "./realm.js";

const realm = makeTestRealm();
/** What the native built-ins of this engine give. */
const native = (expression: string): string => new Function(`return ${SHOW}(() => (${expression}));`)() as string;

const PATTERNS = [
  "/a/",
  "/a/g",
  "/(a)(b)?/g",
  "/(?:)/g",
  "/(?:)/gu",
  "/./gu",
  "/b/y",
  "/a/gy",
  "/(?<x>a)(?<y>c)?/g",
  "/\\d+|,/g",
  "/(,)|;/",
  "/$/g",
  "/^/gm",
  "/(?=a)/g",
  "/(?<=a)/g",
  "/a*?/g",
  "/[\\u{1F600}]/gu",
  "/\\b/g",
  "/(a|ab)(c|bcd)?/g",
  "/,\\s*/",
  "/A/gi",
];
const TEXTS = ["", "a", "aba", "ababab,abc;a", "xyz", "😀a😀", "a,b, c,,d", "aaa\naaa", "12,34;a5"];
const REPLACEMENTS = [
  '"-"',
  '"[$&]"',
  '"$1$2"',
  '"$$"',
  '"$`|$\'"',
  '"$<x>"',
  '"$10$01$0$3"',
  '"$"',
  "(...a) => JSON.stringify(a)",
  "undefined",
  "null",
  "1",
];

describe("guarded natives behave as the natives", () => {
  test.each(PATTERNS)("regular expression %s", (pattern) => {
    for (const text of TEXTS) {
      const string = JSON.stringify(text);
      const expressions = REPLACEMENTS.flatMap((replacement) => [
        `${string}.replace(${pattern}, ${replacement})`,
        `${string}.replaceAll(${pattern}, ${replacement})`,
      ]);
      for (const limit of ["", ", 2", ", 0", ", -1"]) expressions.push(`${string}.split(${pattern}${limit})`);
      expressions.push(
        `${string}.match(${pattern})`,
        `${string}.search(${pattern})`,
        `(() => { const r = ${pattern}; r.lastIndex = 1; return [${string}.match(r), r.lastIndex, ${string}.replace(r, "#"), r.lastIndex, ${string}.split(r), r.lastIndex]; })()`,
        `[...${string}.matchAll(new RegExp(${pattern}, "g"))].map((m) => [m.index, ...m])`,
        `(() => { let steps = 0; class R extends RegExp { exec(s) { steps++; return super.exec(s); } } const r = new R(${pattern}); return [${string}.replace(r, "<$&>"), ${string}.split(r), ${string}.match(r), steps]; })()`,
        `(() => { const r = Object.freeze(${pattern}); return [${string}.replace(r, "#"), r.lastIndex]; })()`,
      );
      for (const expression of expressions) expect(realm.show(expression), expression).toBe(native(expression));
    }
  });

  test.each(TEXTS)("string pattern in %j", (text) => {
    const string = JSON.stringify(text);
    for (const part of ["", "a", "ab", ",", "😀", "zz"].map((one) => JSON.stringify(one))) {
      const expressions = REPLACEMENTS.flatMap((r) => [
        `${string}.replace(${part}, ${r})`,
        `${string}.replaceAll(${part}, ${r})`,
      ]);
      expressions.push(`${string}.split(${part})`, `${string}.split(${part}, 1)`);
      for (const expression of expressions) expect(realm.show(expression), expression).toBe(native(expression));
    }
  });

  test.each([
    "'x'.repeat(3)",
    "'x'.repeat(-1)",
    "'x'.repeat(Infinity)",
    "'x'.repeat(2 ** 30)",
    "''.repeat(2 ** 40)",
    "'abc'.padStart(5, '12')",
    "'a'.padEnd(2 ** 30)",
    "[1, [2, [3, [4]]]].flat(Infinity)",
    "[1, [2, [3, [4]]]].flat()",
    "[[1], [2]].flat(0)",
    "[[1]].flat('x')",
    "[1, , [2, , 3]].flat()",
    "Array.from({ length: 3 }, (_, i) => i)",
    "Array.from('a😀')",
    "Array.from(new Set([1, 2]))",
    "Array.from.call(Date, [1]) instanceof Date",
    "[3, 1, undefined, 2].sort()",
    "[3, 1, 2].toSorted((a, b) => b - a)",
    "[1, 2, 3].fill(0, 1)",
    "[1, 2].concat(3, [4, [5]], 'ab')",
    "[1, [2, [null, 3]], undefined].join('-')",
    "String([1, [2, null], undefined])",
    "(() => { const a = [1]; a.push(a, [a]); return String(a); })()",
    "[].concat.call(1, 2).length",
    "[1, 2, 3].slice(-2)",
    "[1, 2, 3].splice(1)",
    "[1, 2, 3].lastIndexOf(1, undefined)",
    "[1, 2].reduce((a, b) => a + b, undefined)",
    "[].reduce((a) => a)",
    "[1, 2, 3].with(5, 1)",
    "new Uint8Array(3)",
    "Uint8Array.from([1, 300])",
    "new Uint8Array([1, 2]).map((x) => x * 2).constructor === Uint8Array",
    "Uint8Array(1)",
    "new ArrayBuffer(8).slice(2).byteLength",
    "new Float64Array(new ArrayBuffer(16), 8).length",
    "Uint8Array.name + Uint8Array.length",
    "new (class extends Uint8Array {})(2).slice(1).constructor.name",
    "new Uint8Array(-1)",
    "'prototype' in Uint8Array",
    "new Uint8Array(2) instanceof Object.getPrototypeOf(Uint8Array)",
    "new Uint8Array(2).buffer instanceof ArrayBuffer",
    "ArrayBuffer.isView(new DataView(new ArrayBuffer(1)))",
    "new ArrayBuffer(2, { maxByteLength: 4 }).resizable",
    "JSON.stringify({ a: [1, { b: 2 }], c: new Date(0), d: undefined, e: () => 1 }, null, 2)",
    "JSON.stringify({ a: 1, b: { a: 2, c: 3 } }, ['a', 'c'])",
    "JSON.stringify({ b: 1, a: 2 }, ['a', 'b'])",
    "JSON.stringify({ a: 1, b: 'x' }, (k, v) => (typeof v === 'number' ? v * 2 : v))",
    "JSON.stringify({ a: 1 }, function (k, v) { return k === '' ? { self: this[''] === v } : v; })",
    "JSON.stringify({ toJSON(k) { return 'k' + k; } })",
    // What it measures before must not run code of the program: each of these would be counted twice.
    ...[
      "({ get a() { return ++n; } })",
      "[{ get a() { return ++n; } }, 1]",
      "({ set a(v) {} })",
      "Object.defineProperty({}, 'a', { enumerable: true, get: () => ++n })",
      "Object.defineProperty([1, 2], 1, { enumerable: true, get: () => ++n })",
      "Object.defineProperty({}, 'a', { get: () => ++n })",
      "Object.defineProperties({}, { a: { enumerable: true, get: () => ++n } })",
      "Object.create(null, { a: { enumerable: true, get: () => ++n } })",
      "Object.create({ get a() { return ++n; } })",
      "Reflect.defineProperty(o, 'a', { enumerable: true, get: () => ++n }) && o",
      "(o.__defineGetter__('a', () => ++n), o)",
      "new (class { get a() { return ++n; } b = 1; })()",
      "new Proxy({ a: 1 }, { get: (t, k) => (k === 'a' ? ++n : t[k]) })",
      "Proxy.revocable({ a: 1 }, { get: (t, k) => (k === 'a' ? ++n : t[k]) }).proxy",
      "[new Proxy([1], { get: (t, k) => (k === '0' ? ++n : t[k]) })]",
    ].map((value) => `((n, o) => [JSON.stringify(${value}), n])(0, {})`),
    "JSON.stringify({ get x() { return 1; } }, null, '--')",
    "JSON.stringify([new Proxy({ a: 1 }, {}), new Proxy([1], {})])",
    "JSON.stringify(undefined)",
    "JSON.stringify(() => 1)",
    "JSON.stringify('x\\ud800')",
    "JSON.stringify(1n)",
    "(() => { const a = []; a.push(a); return JSON.stringify(a); })()",
    "JSON.stringify([, 1, NaN, -0])",
    "JSON.stringify({ [Symbol()]: 1, a: new Map(), b: Object('s'), c: Object(1) })",
    "JSON.stringify(Object.create({ inherited: 1 }))",
    "Object.assign({}, { toString: () => 'own' }) + ''",
    "Object.assign(new Error('m'), { name: 'N' }).toString()",
    "Object.assign({ a: 1 }, null, { b: 2 }, 'xy')",
    "Object.assign(Object.freeze({ a: 1 }), { a: 2 })",
    "Object.assign(null)",
    "Reflect.set({}, 'a', 1)",
    "(() => { const o = {}; Reflect.set(o, 'toString', 5); return [o.toString, Object.keys(o)]; })()",
    "Reflect.set(Object.freeze({ a: 1 }), 'a', 2)",
    "(() => { const o = { set a(v) { this.b = v; } }; return [Reflect.set(o, 'a', 3), o.b]; })()",
    "Reflect.set(1, 'a', 1)",
    "Reflect.set({ a: 1 }, 'a', 2, Object.freeze({}))",
    "(() => { const r = {}; Reflect.set([], 'length', 2, r); return r; })()",
    "Reflect.set(new Proxy({}, { set: () => false }), 'toString', 1)",
    "(2n ** 64n).toString()",
    "(255n).toString(16)",
    "(-(2n ** 70n)).toString(36)",
    "BigInt.asUintN(8, -1n)",
    "BigInt.asUintN(70, -1n)",
    "Symbol.for('a') === Symbol.for('a')",
    "Symbol.keyFor(Symbol.for('q'))",
    "(function () { return arguments.length; }).apply(null, [1, 2])",
    "(function () { return arguments.length; }).apply(null, { length: 3 })",
    "Math.max.apply(null, 1)",
    "Reflect.apply(Math.max, null, [4, 5])",
    "Reflect.construct(Date, [0]).getTime()",
    "Reflect.construct(Array, [3]).length",
    "new Intl.NumberFormat('en').format(1234.5)",
    "Intl.NumberFormat('en').format(1)",
    "new Intl.NumberFormat('xx-invalid-locale-zz')",
    "new (class extends Intl.Collator {})('de').compare('a', 'b')",
    "Intl.NumberFormat.prototype.constructor === Intl.NumberFormat",
    "new FinalizationRegistry(() => {}) instanceof FinalizationRegistry",
    "FinalizationRegistry(() => {})",
    "new FinalizationRegistry(1)",
    "'\\ufb01'.normalize('NFKC')",
    "'a'.normalize('x')",
    "String.raw`a\\n${1}`",
    "encodeURIComponent('é ')",
    "decodeURIComponent('%')",
    "encodeURI('\\ud800')",
    "Object.keys('abc')",
    "Object.entries('ab')",
    "new Proxy({}, { get: () => 5 }).x",
    "Proxy.length + Proxy.name",
    "'prototype' in Proxy",
    "Proxy({}, {})",
    "new Proxy(1, {})",
    "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); revoke(); return proxy.a; })()",
    "[[].concat, ''.replace, RegExp.prototype[Symbol.replace], [].map, JSON.stringify, Object.assign, Reflect.set, Array.from, (1n).toString, encodeURI].map((f) => [f.name, f.length, 'prototype' in f])",
    "new (''.repeat)()",
    "new JSON.stringify()",
    "[1, 2, 3].map(String, null)",
    "''.split.call(null)",
    "'a'.replace.call(undefined, 'a')",
    "'abc'.replace({ [Symbol.replace]: (s, r) => s + r }, '!')",
    "'abc'.split({ [Symbol.split]: (s, l) => [s, l] }, 3)",
    "'a-b'.replaceAll(/-/, '')",
  ])("%s", (expression) => {
    expect(realm.show(expression)).toBe(native(expression));
  });

  test("a replacer meets the values that the native would give it", () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, fc.constantFrom("undefined", "2", "'\\t'"), (json, space) => {
        const literal = JSON.stringify(json).replaceAll("__proto__", "proto");
        for (const [before, replacer] of [
          ["", "null"],
          ["toJSON() { return data; },", "null"],
          ["", "(key, item) => (key === 'a' ? undefined : item)"],
        ]) {
          const expression = `(() => { const data = JSON.parse(${JSON.stringify(literal)}); return JSON.stringify({ ${before} data }, ${replacer}, ${space}); })()`;
          expect(realm.show(expression)).toBe(native(expression));
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("over budget", () => {
  const MEMORY = 64 * 1024 * 1024;
  const held = (): number => getHeapStatistics().used_heap_size + getHeapStatistics().external_memory;

  /** The kind of limit that a body hits in a realm of its own, and the milliseconds it took. */
  function limitOf(body: string, limited: "both" | "memory" | "none" = "both"): string {
    const base = held();
    const own = makeTestRealm(() => Math.max(0, held() - base));
    let hit: string | undefined;
    own.start({
      ...(limited === "both" ? { deadline: performance.now() + 1000, timeoutMs: 1000 } : {}),
      ...(limited === "none" ? {} : { memoryBytes: MEMORY }),
      onExceeded: (error) => {
        hit = `${error.kind}: ${error.message}`;
      },
    });
    try {
      own.run(`return ${body}`);
      return "nothing";
    } catch (error) {
      return hit ?? `${(error as Error).name}`;
    }
  }

  test.each([
    "[].forEach.call({ length: 2 ** 53 - 1 }, Math.abs)",
    "[].indexOf.call({ length: '9007199254740991' }, 1)",
    "[].lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "[].every.call({ length: 2 ** 53 - 1 }, Boolean)",
    "[].shift.call({ length: 2 ** 53 - 1 })",
    "[].unshift.call({ length: 2 ** 52 }, 1)",
    "[].copyWithin.call({ length: 4e9 }, 0, 1)",
    "[].reduce.call({ length: 2 ** 53 - 1 }, Math.max, 0)",
    "[].flatMap.call({ length: 2 ** 53 - 1 }, Array)",
    "[].toLocaleString.call({ length: 2 ** 53 - 1 })",
    "[].some.call(Object.create({ length: 2 ** 53 - 1 }), Boolean)",
    "[].some.call(new Proxy(Object.create(new Proxy({ length: 2 ** 53 - 1 }, {})), {}), Boolean)",
    "[].reverse.call(new Proxy({ length: 2 ** 53 - 1 }, {}))",
    "new Array(2 ** 32 - 1).indexOf(1)",
    "(() => { const a = []; a[4294967290] = 1; return a.reverse(); })()",
    "(() => { const a = []; a.length = 4294967295; return a.sort(); })()",
    "[].map.call({ length: 4294967295 }, (x) => x)",
    "Array.from({ length: 1e9 }, () => 0)",
    "String.raw({ raw: { length: 2 ** 53 - 1 } })",
    "(2n ** 4000000n).toString()",
  ])("no time for %s", (body) => {
    expect(limitOf(body)).toMatch(/^TimeoutExceeded: .+ would exceed the time limit of 1000 ms\.$/);
  });

  test.each([
    "'x'.repeat(5e8)",
    "'abc'.padStart(5e8)",
    "new Array(6e7).join('abcdefgh')",
    "Array(1000).fill('x'.repeat(1e6)).join('')",
    "'a'.repeat(20000).replace(/a+/, '$&'.repeat(20000))",
    "'a'.repeat(20000).replace('a'.repeat(20000), '$&'.repeat(20000))",
    "'a'.repeat(9000).replaceAll('a', 'b'.repeat(9000))",
    "'a'.repeat(9000).replace(/a/g, 'b'.repeat(9000))",
    "'a'.repeat(9000).replace(/a/g, () => 'b'.repeat(9000))",
    "new Array(4294967295).fill(0)",
    "new Array(2e8).fill(0)",
    "[].slice.call({ length: 2 ** 32 - 1 })",
    "new ArrayBuffer(8e9)",
    "new Uint8Array(1e8)",
    "new Float64Array(5e7)",
    "new ArrayBuffer(1, { maxByteLength: 2 ** 33 })",
    "new Uint8Array({ length: 2 ** 33 })",
    "Uint8Array.from({ length: 1e9 })",
    "(() => { const a = []; for (let i = 0; i < 4000; i++) a.push(new Uint8Array(1e6)); })()",
    "Object.entries('x'.repeat(2e7))",
    "encodeURIComponent('\\u20ac'.repeat(3e7))",
    "'\\ufdfa'.repeat(5e6).normalize('NFKC')",
    "'x'.repeat(3e7).split('')",
    "(() => { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return JSON.stringify(a); })()",
    "(() => { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return String(a); })()",
    "(() => { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a.flat(Infinity); })()",
    "(() => { let a = { v: 1 }; for (let i = 0; i < 40; i++) a = { l: a, r: a }; return JSON.stringify(a, null, 10); })()",
    "btoa('x'.repeat(6e7))",
    "new TextEncoder().encode('x'.repeat(5e7))",
  ])("no memory for %s", (body) => {
    expect(limitOf(body, "memory")).toMatch(/^MemoryLimitExceeded: .+ would exceed the memory limit of 64 MiB\.$/);
  });

  test.each(["[].forEach.call({ length: 2 ** 53 - 1 }, Math.abs)", "[].sort.call({ length: 2 ** 53 - 1 })"])(
    "without limits, what nothing could interrupt is refused: %s",
    (body) => {
      expect(limitOf(body, "none")).toMatch(/^TimeoutExceeded/);
    },
  );

  test.each([
    "Math.max.apply(null, { length: 2 ** 32 - 1 })",
    "Reflect.apply(Math.max, null, { length: 2 ** 31 })",
    "Reflect.construct(Array, { length: 2 ** 32 - 1 })",
    "(() => { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return JSON.stringify(a); })()",
    "(() => { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a.join(); })()",
    "(() => { let a = []; for (let i = 0; i < 5e5; i++) a = [a]; return JSON.stringify(a); })()",
    "(() => { let a = []; for (let i = 0; i < 5e4; i++) a = [a]; return String(a); })()",
    "(() => { const a = []; a.push(a); return a.flat(Infinity); })()",
  ])("a RangeError, as impossible sizes are: %s", (body) => {
    expect(limitOf(body, "none")).toBe("RangeError");
  });

  test("the first limit stays the reason, and passes for no other error", () => {
    const own = makeTestRealm();
    own.start({ deadline: performance.now() + 1e6, timeoutMs: 1e6, memoryBytes: 1000 });
    expect(() => own.run("return 'x'.repeat(1e6)")).toThrow("memory limit");
    expect(() => own.run("return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)")).toThrow("memory limit");
    expect(own.realm.limits.exceeded?.kind).toBe("MemoryLimitExceeded");
    expect(own.realm.limits.isLimit(own.realm.limits.exceeded)).toBe(true);
    expect(own.realm.limits.isLimit(Object.assign(new Error("x"), { kind: "MemoryLimitExceeded" }))).toBe(false);
  });
});
