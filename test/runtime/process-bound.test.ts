/** A bound on sandbox processes: executions beyond it take turns. */
import { readFileSync } from "node:fs";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { afterEach, expect, test } from "vitest";
import type { ToolTree } from "../../src/index.js";
import { CodeMode, Tool, ToolRegistry } from "./built.js";

const closing: { close(): void }[] = [];
afterEach(() => {
  for (const one of closing.splice(0)) one.close();
});

function bounded(maxProcesses: number, tools: ToolTree = {}, timeoutMs?: number) {
  const runtime = CodeMode.make({ tools, maxProcesses, limits: timeoutMs === undefined ? {} : { timeoutMs } });
  closing.push(runtime);
  return runtime;
}

/**
 * A tool that knows how many of its callers are there at once, and keeps the first until `meeting` have met; and one that
 * waits to be let go.
 */
function gate(meeting = 1) {
  let inside = 0;
  let most = 0;
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let meet!: () => void;
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const enter = Tool.make({
    description: "",
    run: async (input: unknown) => {
      most = Math.max(most, ++inside);
      if (inside >= meeting) meet();
      await met;
      await new Promise((resolve) => setTimeout(resolve, 20));
      inside--;
      return input;
    },
  });
  const wait = Tool.make({ description: "", run: () => opened });
  return { tools: { enter, wait }, open, most: () => most };
}

test("no more programs run at a time than the bound", async () => {
  const { tools, most } = gate(2);
  const runtime = bounded(2, tools);
  const runs = Array.from({ length: 12 }, (_, input) => runtime.run("return tools.enter(input)", { input }));
  expect((await Promise.all(runs)).map((result) => result.ok && result.value)).toEqual([...Array(12).keys()]);
  expect(most()).toBe(2);
});

test("those that wait are served in the order of their coming", async () => {
  const order: number[] = [];
  const runtime = bounded(1);
  const run = async (input: number) => {
    await runtime.run("return input", { input });
    order.push(input);
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map(run));
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
});

test("waiting for a turn does not count against the time limit", async () => {
  const { tools, open } = gate();
  const runtime = bounded(1, tools, 5_000);
  const first = runtime.run("return tools.wait()", { limits: { timeoutMs: 60_000 } });
  const second = runtime.run("return 2", { limits: { timeoutMs: 1_000 } });
  setTimeout(open, 2_000);
  expect((await first).ok).toBe(true);
  expect(await second).toMatchObject({ ok: true, value: 2 });
});

test("an execution that is interrupted gives up its place, waiting or running", async () => {
  const { tools } = gate();
  const runtime = bounded(1, tools);
  await Effect.runPromise(
    Effect.gen(function* () {
      const running = yield* Effect.forkChild(runtime.execute("return tools.wait()"));
      const waiting = yield* Effect.forkChild(runtime.execute("return 2"));
      const last = yield* Effect.forkChild(runtime.execute("return 3"));
      yield* Effect.sleep(300);
      yield* Fiber.interrupt(waiting);
      yield* Fiber.interrupt(running);
      expect(yield* Fiber.join(last)).toMatchObject({ ok: true, value: 3 });
    }),
  );
  expect(await runtime.run("return 4")).toMatchObject({ ok: true, value: 4 });
});

test("a program that costs its process leaves the turn to the next", async () => {
  const runtime = bounded(1, {}, 500);
  const [first, second] = await Promise.all([runtime.run("for (;;) ;"), runtime.run("return 2")]);
  expect(first).toMatchObject({ error: { kind: "TimeoutExceeded" } });
  expect(second).toMatchObject({ ok: true, value: 2 });
});

test("executions that wait are served after the runtime is closed", async () => {
  const runtime = bounded(1);
  const runs = Promise.all([runtime.run("return 1"), runtime.run("return 2")]);
  runtime.close();
  expect((await runs).every((result) => result.ok)).toBe(true);
});

test("snapshots of a registry share its bound", async () => {
  const { tools, most } = gate();
  const registry = new ToolRegistry({ maxProcesses: 1 });
  closing.push(registry);
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        yield* registry.register({ tools, exposure: "execute" });
        const code = "return tools.enter(1)";
        const calls = [1, 2, 3].map(() => registry.snapshot().call("execute", { code }));
        for (const settlement of yield* Effect.all(calls, { concurrency: "unbounded" }))
          expect(settlement.ok).toBe(true);
      }),
    ),
  );
  expect(most()).toBe(1);
});

test.runIf(process.platform === "linux")(
  "processes that nobody needs any more are ended, but for one",
  async () => {
    const children = () => readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").split(" ");
    const sandboxes = () =>
      children().filter((pid) => {
        try {
          return pid !== "" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("process.cjs");
        } catch {
          return false;
        }
      }).length;
    await expect.poll(sandboxes, { timeout: 20_000 }).toBe(0);
    const { tools } = gate(3);
    const runtime = bounded(3, tools);
    await Promise.all([1, 2, 3].map((input) => runtime.run("return tools.enter(input)", { input })));
    expect(sandboxes()).toBe(3);
    await expect.poll(sandboxes, { timeout: 50_000, interval: 500 }).toBe(1);
    expect(await runtime.run("return 4")).toMatchObject({ ok: true, value: 4 });
  },
  90_000,
);

test.each([0, -1, 1.5, Number.NaN])("refuses the bound %s", (maxProcesses) => {
  expect(() => CodeMode.make({ tools: {}, maxProcesses })).toThrow(/maxProcesses must be a whole number of at least 1/);
});
