/** Tools, hooks, services and interruption: the host's half of an execution. */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import {
  CodeMode,
  type CodeModeOptions,
  type Result,
  Tool,
  type ToolCallEnd,
  type ToolCallStart,
  ToolError,
  type ToolTree,
} from "./built.js";

async function run(source: string, tools: ToolTree, options: Partial<CodeModeOptions<ToolTree>> = {}): Promise<Result> {
  const runtime = CodeMode.make({ ...options, tools });
  try {
    return await runtime.run(source);
  } finally {
    runtime.close();
  }
}

describe("contracts", () => {
  const schedule = Tool.make({
    description: "Plans a meeting.",
    input: Schema.Struct({
      at: Schema.Date,
      minutes: Schema.Number,
      tags: Schema.optional(Schema.Array(Schema.String)),
    }),
    output: Schema.Struct({ end: Schema.Date }),
    run: ({ at, minutes }) => ({ end: new Date(at.getTime() + minutes * 60_000) }),
  });

  it("a schema decodes the input and encodes the output", async () => {
    const result = await run("return tools.schedule({ at: new Date(0), minutes: 90 })", { schedule });
    expect(result).toMatchObject({ ok: true, value: { end: "1970-01-01T01:30:00.000Z" } });
  });

  it("an input that breaks it is refused by name, and nothing runs", async () => {
    const result = await run("return tools.schedule({ at: 'tomorrow', minutes: 'x' })", { schedule });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "InvalidToolInput", tool: "schedule", message: expect.stringMatching(/at|minutes/) },
    });
  });

  it("an output that breaks it is not shown", async () => {
    const wrong = Tool.make({
      description: "",
      output: Schema.Struct({ a: Schema.Number }),
      run: () => ({ a: "secret" }) as never,
    });
    const result = await run("return tools.wrong()", { wrong });
    expect(result).toMatchObject({ ok: false, error: { kind: "InvalidToolOutput" } });
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  it("a contract without fields may be called without an argument", async () => {
    const now = Tool.make({ description: "", input: Schema.Struct({}), run: () => 1 });
    expect(await run("return [await tools.now(), await tools.now({})]", { now })).toMatchObject({
      ok: true,
      value: [1, 1],
    });
  });

  it("is rendered as JSON Schema", () => {
    expect(schedule.inputSchema).toMatchObject({
      type: "object",
      properties: { at: { type: "string" }, minutes: { type: "number" } },
      required: ["at", "minutes"],
    });
    const tree: Schema.Codec<any> = Schema.Struct({ kids: Schema.Array(Schema.suspend(() => tree)) }).annotate({
      identifier: "Tree",
    });
    expect(Tool.make({ description: "", input: tree, run: () => 1 }).inputSchema).toMatchObject({
      $ref: "#/$defs/Tree",
      $defs: { Tree: { properties: { kids: { items: { $ref: "#/$defs/Tree" } } } } },
    });
    const json = { type: "object", properties: { id: { type: "integer" } } };
    expect(Tool.make({ description: "", input: json, run: () => 1 }).inputSchema).toBe(json);
  });

  it("the catalog has signatures, instructions name the tools, search finds them", () => {
    const runtime = CodeMode.make({ tools: { meetings: { schedule } } });
    expect(runtime.catalog.map(({ path }) => path)).toEqual(["tools.meetings.schedule"]);
    expect(runtime.catalog[0]!.signature).toContain("minutes: number");
    expect(runtime.instructions()).toContain("tools.meetings.schedule");
    expect(runtime.search("plan a meeting").items[0]?.name).toBe("meetings.schedule");
  });
});

describe("hooks", () => {
  const echo = Tool.make({ description: "", run: (input: unknown) => input });

  it("are told of every call, and of the private cause of a failure", async () => {
    const started: ToolCallStart[] = [];
    const ended: ToolCallEnd[] = [];
    const boom = Tool.make({
      description: "",
      run: () => {
        throw new Error("the real reason");
      },
    });
    const options = {
      onToolCallStart: (call: ToolCallStart) => void started.push(call),
      onToolCallEnd: (call: ToolCallEnd) => void ended.push(call),
    };
    const result = await run(
      "await tools.ns.echo({ a: 1 }); await tools.boom().catch(() => {})",
      { ns: { echo }, boom },
      options,
    );
    expect(started).toEqual([
      { index: 0, tool: "ns.echo", input: { a: 1 } },
      { index: 1, tool: "boom", input: undefined },
    ]);
    expect(ended.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ["ns.echo", "success"],
      ["boom", "failure"],
    ]);
    expect((ended[1]!.cause as Error).message).toBe("the real reason");
    expect(JSON.stringify(result)).not.toContain("the real reason");
  });

  it("may be Effects, and refuse a call", async () => {
    const onToolCallStart = ({ input }: ToolCallStart) =>
      input === "bad" ? Effect.fail(new ToolError("Not approved.")) : Effect.void;
    const result = await run("await tools.echo('good'); await tools.echo('bad')", { echo }, { onToolCallStart });
    expect(result).toMatchObject({
      ok: false,
      error: { message: "Not approved.", tool: "echo" },
      toolCalls: [{ outcome: "success" }, { outcome: "failure" }],
    });
  });

  it("that fail do not change the outcome of a call that is over", async () => {
    const onToolCallEnd = () => {
      throw new Error("hook");
    };
    expect(await run("return tools.echo(1)", { echo }, { onToolCallEnd })).toMatchObject({ ok: true, value: 1 });
  });
});

describe("services", () => {
  class Store extends Context.Service<Store, { read(key: string): string }>()("test/Store") {}

  it("of the tools are those of the execution", async () => {
    const read = Tool.make({ description: "", run: (key: string) => Effect.map(Store, (store) => store.read(key)) });
    const runtime = CodeMode.make({ tools: { deep: { read } } });
    const program: Effect.Effect<Result, never, Store> = runtime.execute("return tools.deep.read('k')");
    const result = await Effect.runPromise(Effect.provideService(program, Store, { read: (key) => `value of ${key}` }));
    runtime.close();
    expect(result).toMatchObject({ ok: true, value: "value of k" });
  });
});

describe("interruption", () => {
  it("interrupts the calls in flight and waits for their clean-up", async () => {
    const events: string[] = [];
    const hold = Tool.make({
      description: "",
      run: () =>
        Effect.onInterrupt(
          Effect.andThen(
            Effect.sync(() => events.push("started")),
            Effect.never,
          ),
          () =>
            Effect.andThen(
              Effect.sleep(50),
              Effect.sync(() => events.push("cleaned up")),
            ),
        ),
    });
    const runtime = CodeMode.make({ tools: { hold } });
    const fiber = Effect.runFork(runtime.execute("await tools.hold()"));
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await Effect.runPromise(Fiber.interrupt(fiber));
    expect(events).toEqual(["started", "cleaned up"]);
    // The runtime is as good as before.
    expect(await runtime.run("return 1")).toMatchObject({ ok: true, value: 1 });
    runtime.close();
  });

  it("of a promise tool aborts its signal", async () => {
    let aborted = false;
    let started = false;
    const wait = Tool.make({
      description: "",
      run: (_: unknown, { signal }) => {
        started = true;
        return new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error((aborted = true) as never))),
        );
      },
    });
    const runtime = CodeMode.make({ tools: { wait } });
    const controller = new AbortController();
    const running = runtime.run("await tools.wait()", { signal: controller.signal }).catch(() => "interrupted");
    while (!started) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect(await running).toBe("interrupted");
    expect(aborted).toBe(true);
    runtime.close();
  });

  it("before the sandbox is ready", async () => {
    const runtime = CodeMode.make({ tools: {} });
    const fiber = Effect.runFork(runtime.execute("return 1"));
    await Effect.runPromise(Fiber.interrupt(fiber));
    expect(await runtime.run("return 2")).toMatchObject({ ok: true, value: 2 });
    runtime.close();
  });

  it("a stream that a program leaves is ended at its source", async () => {
    let ended = false;
    const ticks = Tool.make({
      description: "",
      run: async function* () {
        try {
          for (let n = 0; ; n++) yield n;
        } finally {
          ended = true;
        }
      },
    });
    expect(
      await run("for await (const n of await tools.ticks()) if (n > 2) break; await sleep(50); return 1", { ticks }),
    ).toMatchObject({ ok: true });
    expect(ended).toBe(true);
    ended = false;
    expect(await run("const s = await tools.ticks(); await s.next(); return 1", { ticks })).toMatchObject({ ok: true });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ended).toBe(true);
  });

  it("clean-up beyond the deadline is a warning, not a lost value", async () => {
    const stubborn = Tool.make({ description: "", run: () => Effect.uninterruptible(Effect.sleep(3_000)) });
    const result = await run("tools.stubborn(); return 'kept'", { stubborn }, { limits: { timeoutMs: 500 } });
    expect(result).toMatchObject({ ok: true, value: "kept", warnings: [{ kind: "TimeoutExceeded" }] });
  });
});

it("a scope closes the runtime", async () => {
  const program = Effect.scoped(
    Effect.flatMap(CodeMode.scoped({ tools: {} }), (runtime) => runtime.execute("return 1")),
  );
  expect(await Effect.runPromise(program)).toMatchObject({ ok: true, value: 1 });
});

describe("calls made together", () => {
  it.each([{}, { timeoutMs: 20_000, maxMemoryBytes: 64 * 1024 * 1024 }])(
    "leave while the program goes on to compute (%o)",
    async (limits) => {
      const heard: number[] = [];
      const note = Tool.make({ description: "Notes when it is called.", run: () => heard.push(performance.now()) });
      const result = await run(
        `const calls = [1, 2, 3, 4].map(() => tools.note());
         const end = Date.now() + 1_000;
         while (Date.now() < end);
         await Promise.all(calls);`,
        { note },
        { limits },
      );
      const ended = performance.now();
      expect(result).toMatchObject({ ok: true });
      // Not one of them has waited until the program was done with computing.
      expect(heard.map((at) => ended - at > 500)).toEqual([true, true, true, true]);
    },
  );

  it("arrive once each and in their order, whatever lies between them", async () => {
    const heard: unknown[] = [];
    const note = Tool.make({ description: "Notes what it is given.", run: (input: unknown) => void heard.push(input) });
    const result = await run(
      `const calls = [];
       for (let n = 0; n < 3_000; n++) {
         calls.push(tools.note({ n, text: "é€😀".repeat(n % 50) }));
         if (n % 1_000 === 500) search("note");
         if (n % 700 === 0) await calls.at(-1);
         if (n % 900 === 0) console.log(n);
       }
       await Promise.all(calls);`,
      { note },
    );
    expect(result).toMatchObject({ ok: true, logs: ["0", "900", "1800", "2700"] });
    expect(heard).toEqual(Array.from({ length: 3_000 }, (_, n) => ({ n, text: "é€😀".repeat(n % 50) })));
  });

  it("survive a program that runs out of stack", async () => {
    const heard: unknown[] = [];
    const note = Tool.make({ description: "Notes what it is given.", run: (input: any) => heard.push(input.n) });
    const result = await run(
      `const calls = [];
       let made = 0;
       const deeper = (n) => { calls.push(tools.note({ n })); made++; deeper(n + 1); };
       try { deeper(0); } catch (e) { if (!(e instanceof RangeError)) throw e; }
       const settled = await Promise.allSettled(calls);
       return [made, settled.filter(({ status }) => status === "fulfilled").length];`,
      { note },
    );
    expect(result.ok && result.value).toEqual([heard.length, heard.length]);
    expect(heard).toEqual(Array.from(heard, (_, n) => n));
  });
});

it("what is left to say of a program is said of each of many that follow one another", async () => {
  const runtime = CodeMode.make({ tools: {} });
  const outcomes = new Set<string>();
  for (let n = 0; n < 99; n++) {
    const { ok, warnings = [] } = await runtime.run('Promise.reject(new Error("lost")); return 1');
    outcomes.add(`${ok} ${warnings.map(({ message }) => message).join()}`);
  }
  runtime.close();
  expect([...outcomes]).toEqual(["true A rejection that nobody handled: lost"]);
});

it("a listing that has ended leaves its turn to the next call", async () => {
  const tools = { note: Tool.make({ description: "Answers.", run: async () => "answer" }) };
  const source = "for await (const page of pages(tools.note)); return await tools.note()";
  expect(await run(source, tools, { limits: { concurrency: 1, timeoutMs: 3_000 } })).toMatchObject({ value: "answer" });
});
