/**
 * What a host sees of the calls of one execution while they happen, and may refuse. A runtime's hooks are the same for all
 * of its executions; the observer belongs to one, through the Effect context in which it runs.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type { Hooks, ToolCallEnd, ToolCallStart } from "./host/tool-call.js";
import type { ToolError } from "./tool-error.js";

export interface CallObserver {
  /** Before the call. A failure refuses it: nothing is sent, and the program sees the error. */
  before(call: ToolCallStart): Effect.Effect<void, ToolError>;
  /** After the call, whatever its outcome. */
  after(call: ToolCallEnd): void;
}

/** The observer of the execution at hand. The default sees nothing and refuses nothing. */
export const CurrentCallObserver = Context.Reference<CallObserver>("codemode-openapi/CallObserver", {
  defaultValue: () => ({ before: () => Effect.void, after: () => {} }),
});

const currentObserver = Effect.service(CurrentCallObserver);

/** Hooks for `CodeMode.make` that hand each call to the observer of its execution. */
export const observerHooks: Hooks<never> = {
  onToolCallStart: (call) => Effect.flatMap(currentObserver, (observer) => observer.before(call)),
  onToolCallEnd: (call) =>
    Effect.map(currentObserver, (observer) => {
      observer.after(call);
    }),
};
