import { describe, expect, it } from "vitest";
import { makeRealm } from "./realm.js";

/** Runs a program that fails; gives its error's name, message and position. */
async function failure(source: string): Promise<{ name: string; message: string; at: string; stack: string }> {
  const realm = makeRealm();
  try {
    await realm.run(source);
  } catch (error: any) {
    const position = realm.positionOf(error);
    return {
      name: error.name,
      message: error.message,
      at: `${position?.line}:${position?.column}`,
      stack: error.stack,
    };
  }
  throw new Error("the program did not fail");
}

describe("errors say what V8 says, and where", () => {
  const cases: [source: string, message: string, at: string][] = [
    ["const o = {};\no.a.b;", "Cannot read properties of undefined (reading 'b')", "2:5"],
    ["let x = null;\nx.y = 1;", "Cannot set properties of null (setting 'y')", "2:3"],
    ["const o = { f: 1 };\n  o.f();", "o.f is not a function", "2:5"],
    ["f();", "f is not defined", "1:1"],
    ["x; let x;", "Cannot access 'x' before initialization", "1:1"],
    ["const c = 1;\nc = 2;", "Assignment to constant variable.", "2:1"],
    ["new (() => {})();", "(intermediate value) is not a constructor", "1:1"],
    ["const f = () => {};\nnew f();", "f is not a constructor", "2:1"],
    ["const { a } = null;", "Cannot destructure property 'a' of 'null' as it is null.", "1:7"],
    ["const n = 5;\nfor (const x of n);", "n is not iterable", "2:17"],
    ["const f = (...a) => a;\nf(...undefined);", "undefined is not iterable", "2:6"],
    ["const n = 1n;\n\nn + 1;", "Cannot mix BigInt and other types, use explicit conversions", "3:1"],
    [
      "class A { #x = 1; static get(o) { return o.#x; } }\nA.get({});",
      "Cannot read private member #x from an object whose class did not declare it",
      "1:44",
    ],
    [
      "class A extends Object { constructor() { this.x = 1; } }\nnew A();",
      "Must call super constructor in derived class before accessing 'this' or returning from derived constructor",
      "1:42",
    ],
    ["'use strict';\nObject.freeze([1]).push(2);", "Cannot add property 1, object is not extensible", "2:20"],
    ["JSON.parse('{');", "Expected property name or '}' in JSON at position 1", "1:6"],
    [
      "const f = async () => {\n  await null;\n  null.x;\n};\nawait f();",
      "Cannot read properties of null (reading 'x')",
      "3:8",
    ],
    ["function* g() {\n  yield 1;\n  throw new RangeError('far');\n}\nfor (const x of g());", "far", "3:9"],
    ["[3, 1].sort(() => {\n  throw new Error('compare');\n});", "compare", "2:9"],
    ["'x' in 5;", "Cannot use 'in' operator to search for 'x' in 5", "1:1"],
    ["const n = 5;\n({}) instanceof n;", "Right-hand side of 'instanceof' is not an object", "2:1"],
  ];
  for (const [source, message, at] of cases)
    it(source.replaceAll("\n", " "), async () => {
      const error = await failure(source);
      expect(error.message.startsWith(message.slice(0, 40)), error.message).toBe(true);
      expect(error.at).toBe(at);
      expect(error.stack).toContain(`program:${at}`);
    });
});

describe("stacks", () => {
  it("name the function and no file of the interpreter", async () => {
    const { stack } = await failure(
      "function outer() {\n  const inner = () => {\n    throw new TypeError('no');\n  };\n  inner();\n}\nouter();",
    );
    expect(stack).toBe("TypeError: no\n    at inner (program:3:11)");
  });

  it("keep the place where an error was made, wherever it is thrown", async () => {
    const { at } = await failure("const make = () =>\n  new Error('made');\nconst e = make();\n\nthrow e;");
    expect(at).toBe("2:3");
  });

  it("belong to subclasses too", async () => {
    const source =
      "class ApiError extends Error { constructor(m) { super(m); this.name = 'ApiError'; } }\nthrow new ApiError('x');";
    expect((await failure(source)).at).toBe("1:49");
  });
});

describe("the end of the stack is a RangeError that can be caught", () => {
  for (const source of [
    "const f = () => f(); f();",
    "class A { constructor() { new A(); } } new A();",
    "const o = { get x() { return this.x; } }; o.x;",
    "function* g() { yield* g(); } [...g()];",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program
    "const o = { toString() { return `${this}`; } }; String(o);",
    "function f() { try { f(); } finally { 1; } } f();",
  ])
    it(source, async () => {
      const caught = await makeRealm().run(`try { ${source} } catch (e) { return [e.name, e.message]; }`);
      expect([...caught]).toEqual(["RangeError", "Maximum call stack size exceeded"]);
    });
});

describe("limits pass through everything", () => {
  const limit = Object.assign(new Error("limit"), { limit: true });
  const environment = () => {
    let steps = 0;
    return {
      checkpoint() {
        if (++steps > 20) throw limit;
      },
      isLimit: (error: unknown) => error === limit,
    };
  };
  for (const source of [
    "for (;;);",
    "while (true) { try { for (;;); } catch { } finally { continue; } }",
    "const f = () => f2(), f2 = () => { try { return f(); } catch { return f(); } }; for (;;) f();",
    "await Promise.reject(1).catch(() => { for (;;); }).catch(() => 'caught').finally(() => { for (;;); });",
    "for (const x of { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }), return() { for (;;); } }) }) ;",
    "async function* g() { try { for (;;) yield 1; } finally { for (;;); } } for await (const x of g());",
    "for (;;) await null;",
    "[1].map(() => { for (;;); });",
  ])
    it(source, async () => {
      const outcome = await makeRealm()
        .run(source, "javascript", environment())
        .then(
          () => "ended",
          (error) => error,
        );
      expect(outcome).toBe(limit);
    });
});

describe("sources as deep as they are long", () => {
  const long = 20_000;
  it("are evaluated where they are lists", async () => {
    const realm = makeRealm();
    expect(await realm.run(`return ${"1+".repeat(long)}1`)).toBe(long + 1);
    expect(await realm.run(`return ${"0||".repeat(long)}5`)).toBe(5);
    expect(await realm.run(`const o = {}; o.a = o; return typeof o${".a".repeat(long)}`)).toBe("object");
    expect(await realm.run(`const o = { m() { return this; } }; return typeof o${".m()".repeat(long)}`)).toBe("object");
  });

  for (const [name, source] of [
    ["blocks", "{".repeat(long) + "}".repeat(long)],
    ["arrays", `${"[".repeat(long)}${"]".repeat(long)}`],
    ["unary operators", `${"!".repeat(long)}1`],
    ["functions", `${"(() => ".repeat(long)}1${")".repeat(long)}`],
    ["conditions", `${"1 ? ".repeat(long)}1${" : 0".repeat(long)}`],
  ] as const)
    it(`are refused where they are nested: ${name}`, () => {
      const { fault } = makeRealm().compile(source);
      expect(fault?.kind).toBe("ParseError");
    });
});
