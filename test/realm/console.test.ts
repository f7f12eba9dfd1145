import { describe, expect, test } from "vitest";
import { makeTestRealm } from "./realm.js";

function lines(body: string): string[] {
  const realm = makeTestRealm();
  realm.run(body);
  return realm.lines;
}

const line = (values: string): string => lines(`console.log(${values})`).join("\n");

describe("console.log", () => {
  test.each([
    ["'hi', 1, -0, 1n, null, undefined, true, Symbol('q')", "hi 1 -0 1n null undefined true Symbol(q)"],
    ["{ a: 1, b: 'two', c: [1, 'x'], 'd-e': undefined }", "{ a: 1, b: 'two', c: [ 1, 'x' ], 'd-e': undefined }"],
    ["[`it's`, 'a\"b', 'line\\nbreak', '\\u0000\\ud800']", "[ \"it's\", 'a\"b', 'line\\nbreak', '\\x00\\uD800' ]"],
    ["[], {}, [[]], new Array(3), [1, , 2]", "[] {} [ [] ] [ <3 empty items> ] [ 1, <1 empty item>, 2 ]"],
    ["new Map([['a', { b: 1 }]]), new Set([1, 'x'])", "Map(1) { 'a' => { b: 1 } } Set(2) { 1, 'x' }"],
    ["new Date(0), new Date(NaN), /a\\/b/gi", "1970-01-01T00:00:00.000Z Invalid Date /a\\/b/gi"],
    ["new (class Point { x = 1; get y() { return 2; } })()", "Point { x: 1 }"],
    [
      "Object.create(null), Object.assign(Object.create(null), { a: 1 })",
      "[Object: null prototype] {} [Object: null prototype] { a: 1 }",
    ],
    [
      "{ get a() { throw 1; }, set b(v) {}, get c() { return 1; }, set c(v) {} }",
      "{ a: [Getter], b: [Setter], c: [Getter/Setter] }",
    ],
    [
      "new Uint8Array([1, 2]), new ArrayBuffer(2)",
      "Uint8Array(2) [ 1, 2 ] ArrayBuffer { [Uint8Contents]: <00 00>, byteLength: 2 }",
    ],
    [
      "() => 1, function named() {}, async () => {}, function* g() {}",
      "[Function (anonymous)] [Function: named] [AsyncFunction (anonymous)] [GeneratorFunction: g]",
    ],
    [
      "Object(1), Object('s'), Object(Symbol('z')), new WeakMap()",
      "[Number: 1] [String: 's'] [Symbol: Symbol(z)] WeakMap { <items unknown> }",
    ],
    ["new (class List extends Array {})(1, 2), new (class Table extends Map {})()", "List(2) [ 1, 2 ] Table(0) {}"],
    ["{ [Symbol('s')]: 1, f() {} }", "{ f: [Function: f], [Symbol(s)]: 1 }"],
    ["[new RangeError('bad')], new Error('')", "[ [RangeError: bad] ] [Error]"],
    [
      "Object.assign(new TypeError('t', { cause: new Error('c') }), { code: 1 })",
      "[TypeError: t] { [cause]: [Error: c], code: 1 }",
    ],
    ["{ a: { b: { c: { d: { e: { f: 1 } } } } } }", "{\n  a: { b: { c: { d: { e: [Object] } } } }\n}"],
    ["new URLSearchParams('a=1&b=2')", "URLSearchParams { 'a' => '1', 'b' => '2' }"],
    [
      "'%s is %d, %i, %f, %j, %o%c %%', 'Bob', '42', 4.9, '1.5', { a: 1 }, [1], 'css', 'more'",
      'Bob is 42, 4, 1.5, {"a":1}, [ 1 ] % more',
    ],
    ["'100%', 1, '%s'", "100% 1 %s"],
  ])("%s", (values, expected) => {
    expect(line(values)).toBe(expected);
  });

  test("marks an object inside itself", () => {
    expect(lines("const a = { n: 1 }; a.self = a; a.list = [a]; console.log(a)")).toEqual([
      "<ref *1> { n: 1, self: [Circular *1], list: [ [Circular *1] ] }",
    ]);
  });

  test("runs no code of the program", () => {
    expect(
      lines(`
        let ran = 0;
        const run = () => { ran++; throw new Error("ran"); };
        const trap = new Proxy({}, { get: () => run });
        const hostile = { get a() { return run(); }, toString: run, toJSON: run, [Symbol.toPrimitive]: run };
        Object.defineProperty(hostile, Symbol.toStringTag, { get: run });
        class Odd { static get name() { return run(); } }
        class Wrong extends Error { get name() { return run(); } get message() { return run(); } get stack() { return run(); } }
        console.log(hostile, new Proxy({ a: 1 }, trap), new Proxy([1], trap), new Odd(), new Wrong());
        console.log([Object.create(new Proxy({}, trap))], Object.create({ get constructor() { return run(); } }));
        console.table([hostile, new Proxy([1], trap)]);
        console.dir(new Map([[hostile, new Proxy(() => 1, trap)]]));
        console.log(ran);
      `).at(-1),
    ).toBe("0");
  });

  test("takes a bounded time and length for any graph", () => {
    const started = performance.now();
    const text = line(
      "(() => { let a = [1]; for (let i = 0; i < 60; i++) a = [a, a, a]; return a; })(), 'x'.repeat(1e6), Array.from({ length: 1e5 }, (_, i) => ({ i }))",
    );
    expect(text.length).toBeLessThan(110_000);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test("cuts at the budget of the sink", () => {
    const realm = makeTestRealm();
    const written: string[] = [];
    realm.realm.setConsoleSink({ budget: 10, line: (text) => written.push(text) });
    realm.run("console.log('x'.repeat(100))");
    expect(written).toEqual(["xxxxxxxxxx..."]);
    realm.realm.setConsoleSink(undefined);
    realm.run("console.log('lost')");
    expect(written).toHaveLength(1);
  });
});

describe("other methods", () => {
  test("groups indent, counts count, assertions speak when they fail", () => {
    expect(
      lines(`
        console.group("G"); console.log("a\\nb"); console.group(); console.info({ x: 1 }); console.groupEnd(); console.groupEnd();
        console.count(); console.count("x"); console.count(); console.countReset(); console.count();
        console.assert(true, "no"); console.assert(false); console.assert(0, "why %s", "this");
        console.warn("w"); console.error("e"); console.debug("d"); console.trace("t"); console.dir({ a: { b: 1 } }, { depth: 0 });
        console.clear(); console.timeEnd("none");
      `),
    ).toEqual([
      "G",
      "  a\n  b",
      "    { x: 1 }",
      "default: 1",
      "x: 1",
      "default: 2",
      "default: 1",
      "Assertion failed",
      "Assertion failed: why this",
      "w",
      "e",
      "d",
      "Trace: t",
      "{ a: [Object] }",
      "Timer 'none' does not exist",
    ]);
  });

  test("tables", () => {
    expect(lines("console.table([{ a: 1, b: 'x' }, { a: 2, c: true }])")).toEqual([
      [
        "┌─────────┬───┬─────┬──────┐",
        "│ (index) │ a │ b   │ c    │",
        "├─────────┼───┼─────┼──────┤",
        "│ 0       │ 1 │ 'x' │      │",
        "│ 1       │ 2 │     │ true │",
        "└─────────┴───┴─────┴──────┘",
      ].join("\n"),
    ]);
    expect(lines("console.table(5); console.table(['p'], ['x'])")[0]).toBe("5");
  });

  test("methods need no receiver", () => {
    expect(lines("const { log } = console; log('free'); [1].forEach(console.log)")).toEqual(["free", "1 0 [ 1 ]"]);
  });
});
