/** An agent host: the tools of an API and one of its own, a policy, a model, a task. */
import { OpenAPI, Tool, ToolError, ToolRegistry } from "codemode-openapi";
import * as Effect from "effect/Effect";
import { runAgent } from "./agent.js";
import { demoApi } from "./demo-api.js";
import { ScriptedModel } from "./scripted-model.js";

const TASK = "Can the largest open order be shipped today?";

const main = Effect.gen(function* () {
  const server = yield* demoApi;
  const shop = yield* OpenAPI.load("fixtures/demo/openapi.yaml", {
    server: `${server.origin}/v1`,
    // The secret stays in this process: no program and no model sees it.
    credentials: { bearerAuth: `literal:${server.token}` },
  });
  yield* Effect.addFinalizer(() => Effect.promise(() => shop.close()));

  const registry = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new ToolRegistry({
          limits: { timeoutMs: 30_000, maxToolCalls: 50, maxOutputBytes: 50_000, maxMemoryBytes: 128 * 1024 * 1024 },
          maxProcesses: 4,
          // Decided here and not by the model: the same for a tool that it calls and for a call inside a program.
          authorize: ({ tool }) =>
            tool === "shop.orders.refund"
              ? Effect.fail(new ToolError("Refunds are not allowed.", { hint: "Ask a person." }))
              : Effect.void,
        }),
    ),
    (registry) => Effect.sync(() => registry.close()),
  );

  // Many tools, reached by programs; one that the model sees as such.
  yield* registry.register({ tools: shop.tools, group: "shop", exposure: "execute" });
  const today = Tool.make({ description: "Today's date.", run: () => new Date().toISOString().slice(0, 10) });
  yield* registry.register({ tools: { today }, exposure: "direct" });

  return yield* runAgent(registry, TASK);
});

const { answer, messages, toolCalls } = await Effect.runPromise(
  main.pipe(Effect.scoped, Effect.provide(ScriptedModel)),
);
for (const message of messages) console.error(message);
console.log(JSON.stringify({ answer, toolCalls }, undefined, 2));
