/**
 * The host believes nothing that a sandbox says. Here the sandbox's script is replaced by hostile ones, as if a program
 * had taken the process over: each must end in a result, with nothing called that was not asked for properly.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type * as Library from "../../src/index.js";

/** A copy of the library, so that its sandbox's script can be replaced. */
const dist = resolve("dist");
const copy = mkdtempSync(join(dist, "hostile-"));
for (const part of ["index.js", "chunks"]) {
  if (existsSync(join(dist, part))) cpSync(join(dist, part), join(copy, part), { recursive: true });
}
mkdirSync(join(copy, "sandbox"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const { CodeMode, Tool }: typeof Library = await import(pathToFileURL(join(copy, "index.js")).href);

/** What every hostile script starts with: it can read, write, and react to the program that is to be run. */
const PRELUDE = `
  const fs = require("node:fs");
  const say = (text) => { const b = Buffer.from(text); for (let at = 0; at < b.length;) at += fs.writeSync(4, b, at); };
  const tell = (message) => say(JSON.stringify(message) + "\\n");
  const done = (value) => tell({ type: "done", value, truncated: false, warnings: [] });
  const settled = () => tell({ type: "settled", warnings: [] });
  const input = new (require("node:net").Socket)({ fd: 3, readable: true, writable: false });
  input.on("close", () => process.exit());
  const onExecute = (run) => {
    tell({ type: "ready" });
    let text = "";
    input.on("data", (chunk) => {
      text += chunk;
      if (text.includes('"type":"execute"') && text.endsWith("\\n")) { text = ""; run(); }
    });
  };
`;

/** Runs a program in a hostile sandbox; tells which tools were called, and with what. */
async function runIn(script: string, limits: Library.Limits = {}) {
  writeFileSync(join(copy, "sandbox", "process.cjs"), PRELUDE + script);
  const calls: unknown[] = [];
  const tools = {
    echo: Tool.make({
      description: "Gives back what it gets.",
      run: (input: unknown) => {
        calls.push(input);
        return input;
      },
    }),
    numbers: Tool.make({
      description: "Counts.",
      run: async function* () {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        yield 1;
      },
    }),
  };
  const runtime = CodeMode.make({ tools, limits: { timeoutMs: 5_000, ...limits } });
  const result = await runtime.run("return 1");
  runtime.close();
  return { result, calls };
}

const BROKEN = { ok: false, error: { kind: "ExecutionFailure", message: expect.stringContaining("must not send") } };

describe("a message that no sound sandbox sends ends the process", () => {
  it.each<[what: string, script: string]>([
    ["text that is no JSON", `say("{not json\\n")`],
    ["JSON that is no object", `say("[]\\n")`],
    ["an unknown type", `tell({ type: "exec", command: "id" })`],
    ["a type that is no string", `tell({ type: { toString: 1 } })`],
    ["a host's own message", `tell({ type: "execute", source: "1" })`],
    ["ready while a program runs", `tell({ type: "ready" })`],
    ["a call of a tool that there is not", `tell({ type: "call", id: 1, mode: "value", tool: "constructor" })`],
    ["a call of __proto__", `say('{"type":"call","id":1,"mode":"value","tool":"__proto__"}\\n')`],
    ["a call without a mode", `tell({ type: "call", id: 1, tool: "echo" })`],
    ["a call with a broken id", `tell({ type: "call", id: 1.5, mode: "value", tool: "echo" })`],
    ["an id that was used before", `for (const id of [2, 2]) tell({ type: "call", id, mode: "value", tool: "echo" })`],
    ["a pull of nothing", `tell({ type: "pull", id: 7 })`],
    ["a close of nothing", `tell({ type: "close", id: 7 })`],
    ["done without a value", `tell({ type: "done", truncated: false, warnings: [] })`],
    ["an error of an unknown kind", `tell({ type: "failed", error: { kind: "Pwned", message: "" }, warnings: [] })`],
    ["an error without a message", `tell({ type: "failed", error: { kind: "ToolFailure" }, warnings: [] })`],
    [
      "a location that is none",
      `tell({ type: "failed", error: { kind: "ToolFailure", message: "", location: { line: "1" } }, warnings: [] })`,
    ],
    [
      "more warnings than there may be",
      `tell({ type: "done", value: 1, warnings: Array(101).fill({ kind: "ToolFailure", message: "" }) })`,
    ],
    ["settled before the end", `settled()`],
    ["nesting without end", `say('{"type":"done","value":' + "[".repeat(200000) + "]".repeat(200000) + "}\\n")`],
  ])("%s", async (_, script) => {
    const { result } = await runIn(`onExecute(() => { ${script} });`);
    expect(result).toMatchObject(BROKEN);
  });

  it("a line longer than all the memory that the program may have", async () => {
    const script = `onExecute(() => { const part = "x".repeat(1 << 20); for (;;) say(part); });`;
    const { result } = await runIn(script, { maxMemoryBytes: 8 * 1024 * 1024 });
    expect(result).toMatchObject(BROKEN);
  });

  it("more calls than maxToolCalls", async () => {
    const script = `onExecute(() => { for (let id = 1; id < 10; id++) tell({ type: "call", id, mode: "value", tool: "echo", input: id }); });`;
    const { result, calls } = await runIn(script, { maxToolCalls: 3 });
    expect(result).toMatchObject(BROKEN);
    expect(calls.length).toBeLessThanOrEqual(3);
  });

  it("a second pull before the answer of the first", async () => {
    const script = `
      onExecute(() => {
        tell({ type: "call", id: 1, mode: "value", tool: "numbers" });
        setTimeout(() => { tell({ type: "pull", id: 1 }); tell({ type: "pull", id: 1 }); }, 200);
      });`;
    expect((await runIn(script)).result).toMatchObject(BROKEN);
  });
});

describe("nothing happens after the end", () => {
  it("calls after done are not made", async () => {
    const script = `onExecute(() => { done("early"); tell({ type: "call", id: 1, mode: "value", tool: "echo", input: 1 }); settled(); });`;
    const { result, calls } = await runIn(script);
    expect(result).toMatchObject({ ok: true, value: "early", toolCalls: [] });
    expect(calls).toEqual([]);
  });

  it("a second end does not count", async () => {
    const { result } = await runIn(`onExecute(() => { done(1); done(2); settled(); });`);
    expect(result).toMatchObject({ ok: true, value: 1 });
  });

  it("a process that never comes to rest is not waited for", async () => {
    const { result } = await runIn(`onExecute(() => { done(1); setInterval(() => {}, 1000); });`);
    expect(result).toMatchObject({ ok: true, value: 1 });
  });
});

describe("a process that ends or hangs is a result", () => {
  it("ends before it is ready", async () => {
    const { result } = await runIn("process.exit(3);");
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "ExecutionFailure", message: expect.stringContaining("start") },
    });
  });

  it("speaks before it is ready", async () => {
    const { result } = await runIn("done(1);");
    expect(result).toMatchObject({ ok: false, error: { kind: "ExecutionFailure" } });
  });

  it("ends in the middle", async () => {
    const { result } = await runIn("onExecute(() => process.exit(0));");
    expect(result).toMatchObject({ ok: false, error: { kind: "ExecutionFailure" } });
  });

  it("does not answer", async () => {
    const { result } = await runIn("onExecute(() => { for (;;); });", { timeoutMs: 300 });
    expect(result).toMatchObject({ ok: false, error: { kind: "TimeoutExceeded" } });
  });

  it("fills its memory outside the heap", async () => {
    const script = `onExecute(() => { const all = []; setInterval(() => all.push(Buffer.alloc(8 << 20, 1)), 5); });`;
    const { result } = await runIn(script, { maxMemoryBytes: 64 * 1024 * 1024, timeoutMs: 20_000 });
    expect(result).toMatchObject({ ok: false, error: { kind: "MemoryLimitExceeded" } });
  });

  it("floods the error output and the logs", async () => {
    const script = `
      onExecute(() => {
        for (let i = 0; i < 50; i++) { process.stderr.write("e".repeat(100000)); tell({ type: "log", line: "l".repeat(1000) }); }
        done(1); settled();
      });`;
    const { result } = await runIn(script, { maxOutputBytes: 5_000 });
    expect(result).toMatchObject({ ok: true, value: 1, truncated: true });
    expect(result.logs!.join("").length).toBeLessThan(6_000);
  });
});

it("members named __proto__ stay data on the way in", async () => {
  const script = `
    onExecute(() => {
      say('{"type":"call","id":1,"mode":"value","tool":"echo","input":{"__proto__":{"admin":true}}}\\n');
      setTimeout(() => { say('{"type":"done","value":{"__proto__":{"admin":true}},"warnings":[]}\\n'); settled(); }, 200);
    });`;
  const { result, calls } = await runIn(script);
  expect(calls).toHaveLength(1);
  for (const value of [calls[0], result.ok && result.value]) {
    expect((value as { admin?: boolean }).admin).toBeUndefined();
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
  }
});

it("whatever a sandbox sends, there is a result and the host goes on", async () => {
  const word = fc.constantFrom(
    "ready",
    "call",
    "pages",
    "pull",
    "close",
    "search",
    "log",
    "where",
    "offset",
    "done",
    "failed",
    "settled",
    "echo",
    "value",
    "id",
  );
  const member = fc.oneof(word, fc.integer({ min: -2, max: 4 }), fc.jsonValue({ maxDepth: 2 }));
  const message = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record(
        {
          type: word,
          id: member,
          tool: member,
          mode: member,
          line: member,
          offset: member,
          input: member,
          query: member,
          value: member,
          error: member,
          warnings: member,
        },
        { requiredKeys: ["type"] },
      ),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 6 }), async (messages) => {
      const lines = messages.map((one) => JSON.stringify(one)).join("\n");
      const { result } = await runIn(
        `onExecute(() => { say(${JSON.stringify(lines)} + "\\n"); setTimeout(process.exit, 50); });`,
      );
      expect(typeof result.ok).toBe("boolean");
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    }),
    { numRuns: 25 },
  );
});
