/** Limits: validated, kept, and named with the place that they were hit at. */
import { describe, expect, it } from "vitest";
import { CodeMode, type Limits, Tool, type ToolTree } from "./built.js";

const tools = {
  echo: Tool.make({ description: "Gives back what it gets.", run: (input: unknown) => input }),
  never: Tool.make({ description: "Never answers.", run: () => new Promise(() => {}) }),
};

async function run(source: string, limits: Limits, tree: ToolTree = tools) {
  const runtime = CodeMode.make({ tools: tree, limits });
  try {
    return await runtime.run(source);
  } finally {
    runtime.close();
  }
}

describe("a limit that is none is a RangeError", () => {
  it.each<Limits>([
    { timeoutMs: 0 },
    { timeoutMs: -1 },
    { timeoutMs: 1.5 },
    { timeoutMs: Number.NaN },
    { timeoutMs: Number.POSITIVE_INFINITY },
    { timeoutMs: "1000" as never },
    { maxToolCalls: -1 },
    { maxOutputBytes: 0 },
    { maxMemoryBytes: 10 },
    { concurrency: 0 },
    { concurrency: null as never },
    { maxToolcalls: 1 } as never,
  ])("%j", (limits) => {
    expect(() => CodeMode.make({ tools, limits })).toThrow(RangeError);
    expect(() => CodeMode.make({ tools, limits })).toThrow(/limit/i);
  });

  it("none at all is fine", () => {
    expect(() => CodeMode.make({ tools, limits: { timeoutMs: undefined, maxToolCalls: 0 } })).not.toThrow();
  });
});

describe("timeoutMs", () => {
  it("names the line of a loop", async () => {
    const result = await run("let n = 0;\nwhile (true) {\n  n++;\n}", { timeoutMs: 300 });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "TimeoutExceeded", message: expect.stringContaining("300 ms") },
    });
    expect(!result.ok && [2, 3]).toContain(!result.ok && result.error.location?.line);
  });

  it("names the tool that is waited for, and interrupts it", async () => {
    const result = await run("await tools.never()", { timeoutMs: 300 });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "TimeoutExceeded", message: expect.stringContaining("tools.never") },
      toolCalls: [{ tool: "never", outcome: "interrupted" }],
    });
  });

  it.each([
    ["catch", "for (;;) { try { for (;;) ; } catch {} }"],
    ["finally", "try { for (;;) ; } finally { for (;;) ; }"],
    ["promises", "for (;;) await null"],
    ["a sleep", "await sleep(1e9)"],
    ["a regular expression", "return /^(a+)+$/.test('a'.repeat(40) + '!')"],
  ])("holds inside %s", async (_, source) => {
    expect(await run(source, { timeoutMs: 300 })).toMatchObject({ ok: false, error: { kind: "TimeoutExceeded" } });
  });

  // Nothing in the program's thread can answer there: another one does, unless the machine is too busy to let it in time.
  it.each([
    "re.test(text)",
    "re.exec(text)",
    "text.match(re)",
    "[...text.matchAll(new RegExp(re, 'g'))]",
    "text.replace(re, '')",
    "text.replaceAll(new RegExp(re, 'g'), () => '')",
    "text.search(re)",
    "text.split(re)",
    "RegExp.prototype.exec.call(re, { toString: () => text })",
  ])("names the line of a regular expression that backtracks: %s", { retry: 3 }, async (search) => {
    const source = `const re = /^(a+)+$/, text = 'a'.repeat(40) + '!';\n'before'.match(/e(f)/);\nconst n =\n  ${search};\nreturn n`;
    expect(await run(source, { timeoutMs: 500 })).toMatchObject({
      ok: false,
      error: { kind: "TimeoutExceeded", message: expect.stringContaining("500 ms"), location: { line: 4 } },
    });
  });

  it("keeps the value of a program that returned while clean-up ran out of time", async () => {
    const stubborn = Tool.make({
      description: "Does not let go.",
      run: async function* () {
        yield 1;
        await new Promise(() => {});
      },
    });
    const result = await run(
      "for await (const n of await tools.stubborn()) return n",
      { timeoutMs: 500 },
      { stubborn },
    );
    expect(result).toMatchObject({ ok: true, value: 1 });
  });
});

describe("maxToolCalls", () => {
  it("ends the program at the call beyond, which is not made", async () => {
    const result = await run("for (let i = 0; ; i++) { try { await tools.echo(i) } catch {} }", { maxToolCalls: 3 });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "ToolCallLimitExceeded", message: expect.stringContaining("3") },
    });
    expect(result.toolCalls).toHaveLength(3);
  });

  it("counts a search as a call", async () => {
    expect(await run("search('a'); search('b'); return 1", { maxToolCalls: 1 })).toMatchObject({
      ok: false,
      error: { kind: "ToolCallLimitExceeded" },
      toolCalls: [{ tool: "search" }],
    });
    expect(await run("search('a'); return 1", { maxToolCalls: 1 })).toMatchObject({ ok: true });
  });

  it("may be nothing", async () => {
    expect(await run("return 1", { maxToolCalls: 0 })).toMatchObject({ ok: true });
    expect(await run("return tools.echo(1)", { maxToolCalls: 0 })).toMatchObject({ ok: false, toolCalls: [] });
  });
});

describe("concurrency", () => {
  it("is kept, and every call gets its turn", async () => {
    let running = 0;
    let most = 0;
    const counted = Tool.make({
      description: "Counts itself.",
      run: async (input: unknown) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        return input;
      },
    });
    const source = "return Promise.all(Array.from({ length: 40 }, (_, i) => tools.counted(i)))";
    const result = await run(source, { concurrency: 4 }, { counted });
    expect(result).toMatchObject({ ok: true, value: Array.from({ length: 40 }, (_, i) => i) });
    expect(most).toBe(4);
  });

  it("takes thousands of calls that end at once", async () => {
    const now = Tool.make({ description: "Answers at once.", run: (input: unknown) => input });
    const source = "return (await Promise.all(Array.from({ length: 12000 }, (_, i) => tools.now(i)))).length";
    expect(await run(source, { concurrency: 1 }, { now })).toMatchObject({ ok: true, value: 12_000 });
  });
});

describe("maxOutputBytes", () => {
  const limits = { maxOutputBytes: 2_000 };
  const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

  it.each<[source: string, type: string]>([
    ["return Array.from({ length: 1000 }, (_, id) => ({ id, name: 'item ' + id }))", "array"],
    ["return Object.fromEntries(Array.from({ length: 1000 }, (_, id) => ['key' + id, id]))", "object"],
    ["return 'é\"\\n'.repeat(5000)", "string"],
    ["return [['x'.repeat(5000)]]", "array"],
  ])("a summary stands for %s", async (source, type) => {
    const result = await run(source, limits);
    expect(result).toMatchObject({
      ok: true,
      truncated: true,
      value: { truncated: true, type },
      warnings: [{ kind: "Truncated" }],
    });
    expect(result.ok && size(result.value)).toBeLessThanOrEqual(2_000);
  });

  it("shows the beginning", async () => {
    const result = await run("return Array.from({ length: 1000 }, (_, id) => ({ id }))", limits);
    expect(result.ok && result.value).toMatchObject({
      length: 1000,
      preview: expect.arrayContaining([{ id: 0 }, { id: 1 }]),
    });
  });

  it("a value that fits is whole", async () => {
    const result = await run("return 'é'.repeat(900)", limits);
    expect(result).toMatchObject({ ok: true, value: "é".repeat(900) });
    expect(result.truncated).toBeUndefined();
  });

  it("bounds the logs, and both together", async () => {
    const result = await run("for (let i = 0; i < 1000; i++) console.log('line', i); return 'x'.repeat(1500)", limits);
    expect(result).toMatchObject({ ok: true, value: "x".repeat(1500), truncated: true });
    expect(result.logs!.join("\n").length + 1500).toBeLessThan(2_200);
    expect(result.logs![0]).toBe("line 0");
  });

  it("cuts one long line", async () => {
    const result = await run("console.log('x'.repeat(1e6)); return 1", limits);
    expect(result).toMatchObject({ ok: true, truncated: true });
    expect(size(result.logs)).toBeLessThan(2_200);
  });

  it("messages are bounded in any case", async () => {
    const result = await run("throw new Error('x'.repeat(1e6))", {});
    expect(!result.ok && result.error.message.length).toBeLessThan(5_000);
  });
});

describe("maxMemoryBytes", () => {
  const limits = { maxMemoryBytes: 64 << 20, timeoutMs: 30_000 };

  it.each([
    ["a list", "const a = []; for (;;) a.push({ i: a.length })"],
    ["strings", "let s = 'x'; for (;;) s += s + 'y'"],
    ["buffers", "const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))"],
    ["one built-in", "return new Array(3e8).fill(0).length"],
    ["promises", "const a = []; for (;;) a.push(new Promise(() => {}))"],
  ])("holds for %s", async (_, source) => {
    expect(await run(source, limits)).toMatchObject({
      ok: false,
      error: { kind: "MemoryLimitExceeded", message: expect.stringContaining("64 MiB") },
    });
  });

  it("lets a program use what it may use, again and again", async () => {
    const source =
      "let n = 0; for (let i = 0; i < 200; i++) { const a = Array.from({ length: 20000 }, (_, i) => ({ i })); n += a.length } return n";
    expect(await run(source, limits)).toMatchObject({ ok: true, value: 4_000_000 });
  });

  it("names the line", async () => {
    const result = await run("const a = [];\nfor (;;) {\n  a.push({ i: a.length });\n}", limits);
    expect(!result.ok && [2, 3]).toContain(!result.ok && result.error.location?.line);
  });
});
