/**
 * What a host of the runtime sees of each call while it happens, and may refuse: the MCP server reports progress, asks
 * for confirmation and collects files through it.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { Answer, Tool, ToolTree } from "../codemode/tool.js";
import type { ToolError } from "../codemode/tool-error.js";
import { flattenTools, type NamedTool } from "../codemode/tree.js";
import type { Json } from "../json/json.js";

export interface CallObserver {
  /** Before the call. A failure refuses it: nothing is sent, the program sees the error. */
  before(tool: NamedTool<unknown>, input: Json | undefined): Effect.Effect<void, ToolError>;
  /** After the call, whatever its outcome. `answer` is present when it succeeded. */
  after(tool: NamedTool<unknown>, answer: Answer | undefined): void;
}

/** The observer of the execution that a call belongs to: part of the Effect context in which the runtime executes. */
export const CurrentCallObserver = Context.Reference<CallObserver>("codemode-openapi/CallObserver", {
  defaultValue: () => ({ before: () => Effect.void, after: () => {} }),
});

/** The same tools, each reporting its calls to the observer of the execution they belong to. */
export function observeTools<R>(tree: ToolTree<R>): ToolTree<R> {
  const tools: Record<string, Tool<R>> = Object.create(null);
  for (const named of flattenTools(tree).values()) tools[named.name] = new ObservedTool(named);
  return tools;
}

/** Delegates lazily: wrapping sixteen thousand tools computes nothing of any. */
class ObservedTool<R> implements Tool<R> {
  readonly pages?: (input: Json | undefined) => AsyncIterable<Answer>;

  constructor(private readonly named: NamedTool<R>) {
    // Pages are listings: safe by nature, so they are not put before the observer.
    if (named.tool.pages !== undefined) this.pages = (input) => named.tool.pages!(input);
  }

  get description() {
    return this.named.tool.description;
  }

  get inputSchema() {
    return this.named.tool.inputSchema;
  }

  get outputSchema() {
    return this.named.tool.outputSchema;
  }

  get facts() {
    return this.named.tool.facts;
  }

  call(...[input, options]: Parameters<Tool<R>["call"]>): Effect.Effect<Answer, ToolError, R> {
    const { named } = this;
    return Effect.gen(function* () {
      const observer = yield* CurrentCallObserver;
      yield* observer.before(named, input);
      return yield* Effect.onExit(named.tool.call(input, options), (exit) =>
        Effect.sync(() => observer.after(named, Exit.isSuccess(exit) ? exit.value : undefined)),
      );
    });
  }
}
