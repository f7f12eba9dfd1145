/** Programs, tools and results, through the library. */
import * as Effect from "effect/Effect";
import { afterAll, describe, expect, it } from "vitest";
import { CodeMode, type Result, Tool, ToolError } from "./built.js";

const later = <T>(value: T, ms: number): Promise<T> => new Promise((resolve) => setTimeout(() => resolve(value), ms));

const tools = {
  echo: Tool.make({ description: "Gives back what it gets.", run: (input: unknown) => input }),
  nothing: Tool.make({ description: "Gives nothing.", run: () => undefined }),
  slow: Tool.make({
    description: "Takes its time.",
    run: (input: any) => later(input?.value ?? null, input?.ms ?? 50),
  }),
  never: Tool.make({ description: "Never answers.", run: () => new Promise(() => {}) }),
  effect: Tool.make({ description: "An Effect.", run: (input: any) => Effect.succeed(input.n * 2) }),
  broken: Tool.make({
    description: "Fails with a secret.",
    run: () => {
      throw new Error("password is hunter2");
    },
  }),
  refused: Tool.make({
    description: "Fails in public.",
    run: () =>
      Effect.fail(
        new ToolError("No such order.", {
          status: 404,
          headers: { "x-id": "7" },
          body: { code: "E7" },
          hint: "Look it up.",
        }),
      ),
  }),
  numbers: Tool.make({
    description: "Counts.",
    run: async function* (input: any) {
      for (let n = 1; n <= (input?.to ?? 3); n++) yield n;
    },
  }),
  faulty: Tool.make({
    description: "Fails half way.",
    run: async function* () {
      yield 1;
      throw new ToolError("The stream broke.");
    },
  }),
  cyclic: Tool.make({
    description: "Gives no JSON.",
    run: () => {
      const value: Record<string, unknown> = {};
      value["self"] = value;
      return value;
    },
  }),
  big: Tool.make({ description: "A number that a double cannot hold.", run: () => ({ id: 12345678901234567890n }) }),
};
const runtime = CodeMode.make({ tools });
afterAll(() => runtime.close());

const run = (source: string, input?: any): Promise<Result> => runtime.run(source, { input });
/** The value of a program that must succeed. */
async function value(source: string, input?: any): Promise<unknown> {
  const result = await run(source, input);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
async function error(source: string) {
  const result = await run(source);
  if (result.ok) throw new Error(`succeeded with ${JSON.stringify(result.value)}`);
  return result.error;
}

describe("results", () => {
  it.each<[source: string, expected: unknown]>([
    ["return 1", 1],
    ["", null],
    ["return", null],
    ["return undefined", null],
    ["1 + 1", 2],
    ["return { a: undefined, b: null }", { b: null }],
    ["return [undefined, , NaN, Infinity, -Infinity, -0]", [null, null, null, null, null, 0]],
    ["return new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["return new Date(NaN)", null],
    ["return [new Map([[1, 2]]), new Set([1]), /x/g]", [{}, {}, {}]],
    ["return { n: new Number(1), s: new String('x'), b: new Boolean(false) }", { n: 1, s: "x", b: false }],
    ["return new (class Money { constructor() { this.cents = 5 } toJSON() { return '0.05' } })()", "0.05"],
    ["return { get x() { return 1 } }", { x: 1 }],
    ["const shared = { a: 1 }; return [shared, shared]", [{ a: 1 }, { a: 1 }]],
    ["return { [Symbol('s')]: 1, a: 1 }", { a: 1 }],
    ["return '\\u2028\\ud800 é 😀'", "\u2028\ud800 é 😀"],
    ["return Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } })", { own: 2 }],
    ["return { then: 1 }", JSON.parse('{"then":1}')],
  ])("%s", async (source, expected) => {
    expect(await value(source)).toEqual(expected);
  });

  it("own members named __proto__ and toString are data", async () => {
    const result = await value(`return JSON.parse('{"__proto__":{"admin":true},"toString":1,"constructor":2}')`);
    expect(Object.keys(result as object)).toEqual(["__proto__", "toString", "constructor"]);
    expect((result as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each<[source: string, path: string]>([
    ["return () => 1", "$:"],
    ["return { items: [0, 1, 2, { callback() {} }] }", "$.items[3].callback"],
    ["return { 'odd key': Symbol('x') }", '$["odd key"]'],
    ["return [1n]", "$[0]"],
    ["return { p: Promise.resolve(1) }", "$.p"],
    ["const a = []; a.push({ a }); return a", "$[0].a"],
    ["return tools", "$"],
    ["return [tools.echo]", "$[0]"],
    ["return { s: await tools.numbers() }", "$.s"],
    ["let o = []; for (let i = 0; i < 5000; i++) o = [o]; return o", "$[0][0]"],
  ])("%s is refused by path", async (source, path) => {
    expect(await error(source)).toMatchObject({ kind: "InvalidDataValue", message: expect.stringContaining(path) });
  });

  it("calls nothing while the result is copied", async () => {
    const result = await run("return { get x() { tools.echo(1); return 1 } }");
    expect(result).toMatchObject({ ok: false, toolCalls: [] });
  });
});

describe("tool calls", () => {
  it("give values of the program's own realm", async () => {
    expect(
      await value(
        "const v = await tools.echo({ a: [1] }); return [v instanceof Object, v.a instanceof Array, Object.getPrototypeOf(v) === Object.prototype]",
      ),
    ).toEqual([true, true, true]);
  });

  it("send arguments as JSON", async () => {
    expect(
      await value("return tools.echo({ a: undefined, b: [undefined, NaN], d: new Date(0), m: new Map(), u: 1 })"),
    ).toEqual({
      b: [null, null],
      d: "1970-01-01T00:00:00.000Z",
      m: {},
      u: 1,
    });
  });

  it("keep the digits of a BigInt argument, and of an integer too large for a number as a string", async () => {
    const seen: unknown[] = [];
    const note = Tool.make({ description: "", run: (input: unknown) => void seen.push(input) });
    const other = CodeMode.make({ tools: { note } });
    await other.run("await tools.note({ id: 12345678901234567890n, small: 5n })");
    other.close();
    expect(seen).toEqual([{ id: 12345678901234567890n, small: 5 }]);
    expect(await value("return tools.big()")).toEqual({ id: "12345678901234567890" });
  });

  it("without an argument, and without an answer", async () => {
    expect(await value("return [await tools.nothing(), await tools.effect({ n: 21 })]")).toEqual([null, 42]);
  });

  it("start at once and run side by side", async () => {
    const result = await run(
      "const a = tools.slow({ ms: 300, value: 1 }), b = tools.slow({ ms: 300, value: 2 }); return [await a, await b]",
    );
    expect(result).toMatchObject({ ok: true, value: [1, 2] });
    expect(result.toolCalls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ["slow", "success"],
      ["slow", "success"],
    ]);
  });

  it("a refused call throws a ToolError with its parts", async () => {
    const source = `
      try { await tools.refused({}) } catch (e) {
        return [e instanceof Error, e.name, e.message, e.kind, e.tool, e.status, e.headers, e.body, e.hint];
      }`;
    expect(await value(source)).toEqual([
      true,
      "ToolError",
      "No such order.",
      "ToolFailure",
      "refused",
      404,
      { "x-id": "7" },
      { code: "E7" },
      "Look it up.",
    ]);
    expect(await error("await tools.refused({})")).toMatchObject({
      kind: "ToolFailure",
      message: "No such order.",
      tool: "refused",
      status: 404,
      hint: "Look it up.",
    });
  });

  it("any other failure is private", async () => {
    const result = await run(
      "try { await tools.broken() } catch (e) { return JSON.stringify([e.message, e.stack, Object.keys(e)]) }",
    );
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect(await error("await tools.broken()")).toMatchObject({
      kind: "ToolFailure",
      message: "The tool failed.",
      tool: "broken",
    });
    expect(await error("await tools.cyclic()")).toMatchObject({ kind: "InvalidToolOutput", tool: "cyclic" });
  });

  it.each([
    ["await tools.echo({ f() {} })", "$.f"],
    ["await tools.echo(Symbol('x'))", "$:"],
    ["const a = {}; a.a = a; await tools.echo(a)", "$.a"],
  ])("%s is not sent", async (source, path) => {
    const result = await run(source);
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "InvalidDataValue", message: expect.stringContaining(path) },
      toolCalls: [],
    });
  });

  it("what still runs when the program ends is interrupted", async () => {
    const result = await run("tools.never(); await tools.echo(1); return 1");
    expect(result).toMatchObject({ ok: true, value: 1 });
    expect(result.toolCalls.map(({ outcome }) => outcome)).toEqual(["interrupted", "success"]);
  });
});

describe("streams and pages", () => {
  it("a stream is an async iterator", async () => {
    expect(
      await value("const all = []; for await (const n of await tools.numbers({ to: 4 })) all.push(n); return all"),
    ).toEqual([1, 2, 3, 4]);
  });

  it("can be left early, and fails where it breaks", async () => {
    expect(await value("for await (const n of await tools.numbers({ to: 1e9 })) if (n === 3) return n")).toBe(3);
    expect(
      await value(
        "const all = []; try { for await (const n of await tools.faulty()) all.push(n) } catch (e) { return [all, e.message, e.name] }",
      ),
    ).toEqual([[1], "The stream broke.", "ToolError"]);
  });

  it("many streams at once", async () => {
    const source = `
      const sum = async (to) => { let s = 0; for await (const n of await tools.numbers({ to })) s += n; return s };
      return Promise.all([10, 20, 30].map(sum))`;
    expect(await value(source)).toEqual([55, 210, 465]);
  });

  it("a tool without pages has one", async () => {
    expect(
      await value("const all = []; for await (const page of pages(tools.echo, { a: 1 })) all.push(page); return all"),
    ).toEqual([{ a: 1 }]);
  });

  it("response gives the parts of an answer", async () => {
    expect(await value("return response(tools.echo, 5)")).toEqual({ headers: {}, data: 5 });
  });
});

describe("the end of a program", () => {
  it("a throw is a diagnostic", async () => {
    expect(await error("throw new TypeError('no')")).toMatchObject({
      kind: "ExecutionFailure",
      message: "TypeError: no",
    });
    expect(await error("throw new Error('plain')")).toMatchObject({ message: "plain" });
    expect(await error("throw { code: 1 }")).toMatchObject({
      kind: "ExecutionFailure",
      message: expect.stringContaining("code: 1"),
    });
    expect(await error("throw null")).toMatchObject({ message: expect.stringContaining("null") });
  });

  it("rejections that nobody handled are warnings; handled ones are not", async () => {
    const result = await run(
      "Promise.reject(new Error('loose')); const p = Promise.reject(1); await null; p.catch(() => {}); await sleep(5); return 1",
    );
    expect(result.warnings).toHaveLength(1);
    expect(result).toMatchObject({ ok: true, value: 1, warnings: [{ message: expect.stringContaining("loose") }] });
  });

  it("waiting for what nothing can settle is reported at once", async () => {
    expect(await error("await new Promise(() => {})")).toMatchObject({
      kind: "ExecutionFailure",
      message: expect.stringContaining("nothing can settle"),
    });
    expect(await error("await tools.echo(1); await new Promise(() => {})")).toMatchObject({ kind: "ExecutionFailure" });
  });

  it("timers", async () => {
    const source = `
      const seen = [];
      const id = setTimeout(() => seen.push("never"), 1); clearTimeout(id);
      const every = setInterval(() => { if (seen.push("tick") === 2) clearInterval(every) }, 1);
      setTimeout((a, b) => seen.push(a + b), 200, 1, 2);
      queueMicrotask(() => seen.push("micro"));
      await sleep(400);
      return seen`;
    expect(await value(source)).toEqual(["micro", "tick", 3]);
  });

  it("console lines are logs", async () => {
    const result = await run("console.log('a', 1); console.error({ b: 2 }); return 1");
    expect(result).toMatchObject({ ok: true, logs: ["a 1", expect.stringContaining("b: 2")] });
  });

  it("input is the host's data", async () => {
    expect(await value("return [input.a, input]", { a: [1], big: 2 })).toEqual([[1], { a: [1], big: 2 }]);
    expect(await value("return input")).toBeNull();
  });

  it("executions share nothing", async () => {
    await run("globalThis.leak = 1; try { Array.prototype.leak = 1 } catch {} ; Symbol.for('x'); return 1");
    expect(await value("return [typeof leak, [].leak === undefined]")).toEqual(["undefined", true]);
  });

  it("many executions at once", async () => {
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, n) => runtime.run("await sleep(20); return input * 2", { input: n })),
    );
    expect(results.map((result) => result.ok && result.value)).toEqual([0, 2, 4, 6, 8, 10]);
  });
});

describe("languages", () => {
  it("TypeScript is erased, JavaScript is not touched", async () => {
    expect(
      await value("interface A { n: number } enum E { X = 3 } const a: A = { n: E.X }; return a.n as number"),
    ).toBe(3);
    expect(await value("const id = <T>(x: T): T => x; return id<string>('x')")).toBe("x");
    expect(await value("const a = 5, b = 1, c = 2; return a < b > (c)")).toBe(false);
  });

  it("the language may be said", async () => {
    expect(await runtime.run("const a: number = 1; return a", { language: "javascript" })).toMatchObject({
      ok: false,
      error: { kind: "ParseError", location: { line: 1, column: 8 } },
    });
    expect(await runtime.run("const a: number = 1; return a", { language: "typescript" })).toMatchObject({
      ok: true,
      value: 1,
    });
  });

  it("the fault of a program that is neither is told where it is", async () => {
    expect(await error("const a: number = 1;\nreturn a +;")).toMatchObject({
      kind: "ParseError",
      location: { line: 2 },
    });
  });
});
