/** The loop of an agent: show the model the tools, run what it calls, tell it what came of it, until it answers. */
import { EXECUTE, type Json, type ToolRegistry } from "codemode-openapi";
import * as Context from "effect/Context";
import * as Data from "effect/Data";
import * as Effect from "effect/Effect";

/** A tool as the model is shown it. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
}

export type Message =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "call"; readonly tool: string; readonly input: Json }
  | { readonly role: "tool"; readonly ok: boolean; readonly text: string };

/** What a model does next: it calls a tool, or it answers. */
export type Turn = { readonly tool: string; readonly input: Json } | { readonly answer: string };

/** The model. An application has a client of its provider here. */
export class Model extends Context.Service<
  Model,
  { readonly next: (messages: readonly Message[], tools: readonly ShownTool[]) => Effect.Effect<Turn> }
>()("agent-host/Model") {}

export class TooManyTurns extends Data.TaggedError("TooManyTurns")<{ readonly turns: number }> {}

/** What an agent gave, and how it came to it. */
export interface Transcript {
  readonly answer: string;
  readonly messages: readonly Message[];
  /** The calls of the API's tools, those of programs included, by name and outcome. */
  readonly toolCalls: readonly { readonly tool: string; readonly outcome: string }[];
}

const MOST_TURNS = 10;

/**
 * Solves a task.
 *
 * Each request of the model has a snapshot of the registry: what the model was shown is what its call runs, whatever is
 * registered or taken away meanwhile.
 */
export const runAgent = Effect.fn("runAgent")(function* (registry: ToolRegistry, task: string) {
  const model = yield* Model;
  const messages: Message[] = [{ role: "user", text: task }];
  const toolCalls: Transcript["toolCalls"][number][] = [];
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const snapshot = registry.snapshot();
    const shown: ShownTool[] = [
      ...snapshot.direct.map(({ name, tool }) => ({ name, description: tool.description })),
      // However many tools programs reach, the model sees one.
      ...(snapshot.nested.length > 0 ? [{ name: EXECUTE, description: snapshot.instructions() }] : []),
    ];
    const turn = yield* model.next(messages, shown);
    if ("answer" in turn) return { answer: turn.answer, messages, toolCalls } satisfies Transcript;
    const settlement = yield* snapshot.call(turn.tool, turn.input);
    toolCalls.push(...settlement.toolCalls.map(({ tool, outcome }) => ({ tool, outcome })));
    // The text begins with what was changed and is bounded: it goes to the model as it is.
    messages.push({ role: "call", ...turn }, { role: "tool", ok: settlement.ok, text: settlement.text });
  }
  return yield* new TooManyTurns({ turns: MOST_TURNS });
});
