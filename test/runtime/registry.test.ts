import { Effect, Exit, Scope } from "effect";
import { afterAll, describe, expect, test } from "vitest";
import { type RegistryOptions, Tool, ToolError, ToolRegistry } from "./built.js";

const registries: { close(): void }[] = [];
afterAll(() => {
  for (const registry of registries) registry.close();
});

function makeRegistry(options: RegistryOptions<never> = {}) {
  const registry = new ToolRegistry<never>({ limits: { timeoutMs: 20_000 }, ...options });
  registries.push(registry);
  return registry;
}

const says = (text: string) => Tool.make({ description: text, input: { type: "object" }, run: () => text });

describe("the registry of an agent host", () => {
  test("the last registration of a name wins, and closing its scope reveals the one before", async () => {
    const registry = makeRegistry();
    const outer = Scope.makeUnsafe();
    const inner = Scope.makeUnsafe();
    const register = (text: string, scope: Scope.Scope) =>
      Effect.runSync(Scope.provide(registry.register({ tools: { greet: says(text) }, exposure: "direct" }), scope));
    register("first", outer);
    register("second", inner);
    const call = async () => (await Effect.runPromise(registry.snapshot().call("greet", {}))).text;
    expect(await call()).toBe("second");
    await Effect.runPromise(Scope.close(inner, Exit.void));
    expect(await call()).toBe("first");
    await Effect.runPromise(Scope.close(outer, Exit.void));
    expect(registry.snapshot().direct).toEqual([]);
  });

  test("a call runs the tool that the request was shown", async () => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const registry = makeRegistry();
          yield* registry.register({ tools: { greet: says("shown") }, exposure: "direct" });
          yield* registry.register({ tools: { greet: says("shown") }, group: "inner", exposure: "execute" });
          const snapshot = registry.snapshot();
          yield* registry.register({ tools: { greet: says("newer") }, exposure: "direct" });
          yield* registry.register({ tools: { greet: says("newer") }, group: "inner", exposure: "execute" });
          expect((yield* snapshot.call("greet", {})).text).toBe("shown");
          const nested = yield* snapshot.call("execute", { code: "return tools.inner.greet({})" });
          expect(nested.result).toMatchObject({ ok: true, value: "shown" });
          expect((yield* registry.snapshot().call("greet", {})).text).toBe("newer");
        }),
      ),
    );
  });

  test("execute is reserved", async () => {
    const registry = makeRegistry();
    const direct = Effect.scoped(registry.register({ tools: { execute: says("mine") }, exposure: "direct" }));
    await expect(Effect.runPromise(direct)).rejects.toThrow(/"execute" is the tool that runs programs/);
    // Under a group, or for programs only, the name is free.
    await Effect.runPromise(
      Effect.scoped(registry.register({ tools: { execute: says("mine") }, group: "own", exposure: "direct" })),
    );
  });

  test("the catalog that is shown and the tools that programs reach are the same", async () => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const registry = makeRegistry();
          yield* registry.register({ tools: { a: { one: says("1"), two: says("2") } }, exposure: "execute" });
          const snapshot = registry.snapshot({ visible: (name) => name !== "a.two" });
          expect(snapshot.nested.map(({ name }) => name)).toEqual(["a.one"]);
          expect(snapshot.instructions()).not.toContain("a.two");
          const { result } = yield* snapshot.call("execute", { code: "return Object.keys(tools.a)" });
          expect(result).toMatchObject({ ok: true, value: ["one"] });
          const hidden = yield* snapshot.call("a.two", {});
          expect(hidden).toMatchObject({ ok: false, text: 'There is no tool "a.two".' });
        }),
      ),
    );
  });

  test("the host's decision holds for direct calls and for calls nested in a program", async () => {
    const ran: string[] = [];
    const drop = Tool.make({
      description: "Drops",
      input: { type: "object" },
      run: () => {
        ran.push("drop");
        return "dropped";
      },
    });
    const asked: string[] = [];
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const registry = makeRegistry({
            authorize: ({ tool }) => {
              asked.push(tool);
              return Effect.fail(new ToolError("Not allowed here."));
            },
          });
          yield* registry.register({ tools: { drop }, exposure: "direct" });
          yield* registry.register({ tools: { db: { drop } }, exposure: "execute" });
          const snapshot = registry.snapshot();
          expect(yield* snapshot.call("drop", {})).toMatchObject({ ok: false, text: "Not allowed here." });
          const nested = yield* snapshot.call("execute", { code: "return await tools.db.drop({})" });
          expect(nested).toMatchObject({ ok: false, toolCalls: [{ tool: "db.drop", outcome: "failure" }] });
          expect(nested.text).toContain("Not allowed here.");
        }),
      ),
    );
    expect(asked).toEqual(["drop", "db.drop"]);
    expect(ran).toEqual([]);
  });

  test("a failure that is no ToolError stays private", async () => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const registry = makeRegistry();
          const broken = Tool.make({
            description: "Breaks",
            input: { type: "object" },
            run: () => Promise.reject(new Error("password 1234")),
          });
          yield* registry.register({ tools: { broken }, exposure: "direct" });
          expect(yield* registry.snapshot().call("broken", {})).toMatchObject({ ok: false, text: "The tool failed." });
        }),
      ),
    );
  });
});
