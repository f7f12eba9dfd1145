import { Effect, Tracer } from "effect";
import { expect, test } from "vitest";
import { CodeMode, Tool, ToolError } from "./built.js";

test("an execution and each of its calls have spans, the calls below the execution", async () => {
  const spans: { name: string; parent: string | undefined; tool: unknown; outcome: string }[] = [];
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options);
      const end = span.end.bind(span);
      span.end = (time, exit) => {
        end(time, exit);
        const parent = options.parent._tag === "Some" ? options.parent.value : undefined;
        spans.push({
          name: span.name,
          parent: parent?._tag === "Span" ? parent.name : undefined,
          tool: span.attributes.get("codemode.tool"),
          outcome: exit._tag,
        });
      };
      return span;
    },
  });
  const runtime = CodeMode.make({
    tools: {
      good: Tool.make({ description: "Works", input: {}, run: () => 1 }),
      bad: Tool.make({ description: "Fails", input: {}, run: () => Effect.fail(new ToolError("no")) }),
    },
    limits: { timeoutMs: 20_000 },
  });
  const source = "const one = await tools.good({}); try { await tools.bad({}) } catch {} return one;";
  const result = await Effect.runPromise(Effect.provideService(runtime.execute(source), Tracer.Tracer, tracer));
  runtime.close();
  expect(result).toMatchObject({ ok: true, value: 1 });
  expect(spans.filter(({ name }) => name.startsWith("codemode."))).toEqual([
    { name: "codemode.call", parent: "codemode.execute", tool: "good", outcome: "Success" },
    { name: "codemode.call", parent: "codemode.execute", tool: "bad", outcome: "Failure" },
    { name: "codemode.execute", parent: undefined, tool: undefined, outcome: "Success" },
  ]);
});
