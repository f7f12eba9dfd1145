/** Whatever a function gives, and in whichever way, its call ends once, the program learns how, and the host is unharmed. */
import * as Effect from "effect/Effect";
import { afterAll, describe, expect, it } from "vitest";
import { CodeMode, Tool, ToolError } from "./built.js";

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;
const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
};
const NO_JSON = [
  "ToolError",
  "The tool gave a value that is no JSON: it contains itself, or is nested too deeply.",
  "InvalidToolOutput",
];
const PRIVATE = ["ToolError", "The tool failed.", "ToolFailure"];

/** What a function means to give, as `give`, or to fail with, and what the program gets. */
const outcomes: Record<string, { give?: () => unknown; fail?: () => unknown; gets: unknown }> = {
  "a value": { give: () => ({ a: [1] }), gets: { a: [1] } },
  nothing: { give: () => undefined, gets: null },
  "a large integer": { give: () => 10n ** 20n, gets: "100000000000000000000" },
  "a value that contains itself": { give: () => cyclic, gets: NO_JSON },
  "a value that is nested too deeply": { give: () => deep(100_000), gets: NO_JSON },
  "a value with a getter that throws": {
    give: () => ({
      get a() {
        throw new Error("secret");
      },
    }),
    gets: NO_JSON,
  },
  "an error of the tool": {
    fail: () => new ToolError("No such order."),
    gets: ["ToolError", "No such order.", "ToolFailure"],
  },
  "an error of the tool with a body": {
    fail: () => new ToolError("No.", { body: { code: 7 } }),
    gets: ["ToolError", "No.", "ToolFailure", { code: 7 }],
  },
  "an error of the tool with a body that contains itself": {
    fail: () => new ToolError("No.", { body: cyclic as never }),
    gets: ["ToolError", "No.", "ToolFailure"],
  },
  "an error of the tool with a body that is nested too deeply": {
    fail: () => new ToolError("No.", { body: deep(100_000) as never }),
    gets: ["ToolError", "No.", "ToolFailure"],
  },
  "any other error": { fail: () => new Error("secret"), gets: PRIVATE },
  "something else than an error": { fail: () => undefined, gets: PRIVATE },
};

/** Ways of giving a value and of failing. */
const ways: Record<string, (give: (() => unknown) | undefined, fail: (() => unknown) | undefined) => unknown> = {
  "at once": (give, fail) => {
    if (fail !== undefined) throw fail();
    return give!();
  },
  "with a promise": async (give, fail) => {
    await null;
    if (fail !== undefined) throw fail();
    return give!();
  },
  "with a thenable that calls back at once, and again": (give, fail) => ({
    // biome-ignore lint/suspicious/noThenProperty: this is one
    then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
      if (fail === undefined) resolve(give!());
      else reject(fail());
      resolve("again");
      reject(new Error("again"));
      throw new Error("again");
    },
  }),
  "with an Effect": (give, fail) =>
    fail === undefined ? Effect.sync(give!) : Effect.suspend(() => Effect.fail(fail())),
};

const harm: unknown[] = [];
const note = (error: unknown) => harm.push(error);
process.on("unhandledRejection", note);
afterAll(() => process.off("unhandledRejection", note));

const PROGRAM =
  "try { return await tools.f({}); } catch (e) { return [e.name, e.message, e.kind, ...(e.body === undefined ? [] : [e.body])]; }";

let run: () => unknown = () => undefined;
let ended: string[] = [];
/** One that observes its calls, which takes another path, and one that does not. */
const runtimes = [undefined, () => undefined].map((onToolCallStart) =>
  CodeMode.make({
    tools: { f: Tool.make({ description: "Gives.", input: {}, run: () => run() as never }) },
    limits: { timeoutMs: 20_000 },
    onToolCallStart,
    onToolCallEnd: ({ outcome }) => void ended.push(outcome),
  }),
);
afterAll(() => Promise.all(runtimes.map((runtime) => runtime.close())));

describe.each(Object.entries(ways))("a function that gives %s", (_way, how) => {
  it.each(Object.entries(outcomes))("%s", async (_name, { give, fail, gets }) => {
    run = () => how(give, fail);
    const outcome = Array.isArray(gets) ? "failure" : "success";
    for (const runtime of runtimes) {
      ended = [];
      expect(await runtime.run(PROGRAM)).toMatchObject({ ok: true, value: gets, toolCalls: [{ tool: "f", outcome }] });
      expect(ended).toEqual([outcome]);
    }
    expect(harm).toEqual([]);
  });
});

it("a call that the program does not wait for is interrupted, and its signal aborted", async () => {
  for (const observe of [undefined, () => undefined]) {
    const aborted: boolean[] = [];
    ended = [];
    const wait = (_input: unknown, options: { readonly signal: AbortSignal }) =>
      new Promise((resolve) => options.signal.addEventListener("abort", () => resolve(aborted.push(true))));
    const runtime = CodeMode.make({
      tools: { f: Tool.make({ description: "Waits.", input: {}, run: wait }) },
      onToolCallStart: observe,
      onToolCallEnd: ({ outcome }) => void ended.push(outcome),
    });
    const result = await runtime.run("tools.f({}); tools.f({}); return 1");
    const call = { tool: "f", outcome: "interrupted" };
    expect(result).toMatchObject({ ok: true, value: 1, toolCalls: [call, call] });
    expect({ aborted, ended }).toEqual({ aborted: [true, true], ended: ["interrupted", "interrupted"] });
    await runtime.close();
  }
});
