/** Executions of one runtime follow one another in a realm: nothing of one is seen by the next. */
import { afterAll, describe, expect, test } from "vitest";
import { CodeMode, Tool } from "./built.js";

const get = Tool.make({ description: "Gives its input.", input: {}, run: (input) => input as never });

describe.each([
  ["one realm", {}],
  ["a realm each", { freshRealms: true }],
])("executions in %s", (_, options) => {
  const runtime = CodeMode.make({ tools: { get }, ...options, maxProcesses: 1, limits: { timeoutMs: 10_000 } });
  afterAll(() => runtime.close());

  test.each([
    ["the console's counters", "console.count(); return 1"],
    ["the console's groups", "console.group('a'); console.log('b'); return 1"],
    ["positions", "\n\nnull.x"],
    ["a rejection that nobody handles", "void Promise.reject(new Error('mine')); return 1"],
    [
      "work after the end",
      "void (async () => { for (let i = 0; i < 50; i++) await 0; console.log('late') })(); return 1",
    ],
    ["timers", "setTimeout(() => console.log('late'), 1); setInterval(() => console.log('later'), 1); return 1"],
    ["a call in flight", "void tools.get({}).then(() => console.log('late')); return 1"],
    [
      "clean-up callbacks",
      "for (let i = 0; i < 1000; i++) new FinalizationRegistry(() => console.log('late')).register({}, i); return 1",
    ],
    [
      "a subclass with a species",
      "class A extends Array { static get [Symbol.species]() { return Object } } return new A(1, 2).map(x => x).length ?? null",
    ],
    [
      "changes of built-ins",
      `const tried = [];
      for (const change of [
        () => { Array.prototype.map = 1 }, () => { globalThis.leak = 1 }, () => { Object.prototype.leak = 1 }, () => { tools.leak = 1 },
        () => { console.leak = 1 }, () => { Object.defineProperty(Promise, "leak", { value: 1 }) }, () => { (() => {}).constructor.leak = 1 },
        () => { Object.getPrototypeOf(async function* () {}).leak = 1 }, () => { Object.setPrototypeOf(Object.prototype, {}) },
      ]) { try { change(); tried.push("done") } catch (error) { tried.push(error.name) } }
      return [tried, typeof leak, Array.prototype.map.name, ({}).leak ?? null, [].leak ?? null]`,
    ],
  ])("%s are as in the first", async (_what, source) => {
    const untimed = async () => {
      const { toolCalls: _, ...result } = await runtime.run(source);
      return result;
    };
    const first = await untimed();
    for (let again = 0; again < 3; again++) expect(await untimed()).toEqual(first);
    const { toolCalls: _calls, ...next } = await runtime.run("return await tools.get({ a: 1 })");
    expect(next).toEqual({ ok: true, value: { a: 1 } });
  });

  test("a program that exceeds a limit leaves nothing either", async () => {
    for (const source of ["for (;;) {}", "const a = []; for (;;) a.push([])"]) {
      const result = await runtime.run(source, { limits: { timeoutMs: 200 } });
      expect(result).toMatchObject({ ok: false });
      expect(await runtime.run("return [1, 2].map((x) => x * 2)")).toMatchObject({ ok: true, value: [2, 4] });
    }
  });
});
