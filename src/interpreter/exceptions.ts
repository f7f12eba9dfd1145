/** `throw` and `try` (ECMA-262 §14.14, §14.15). */
import { completing, expression } from "./compiler.js";
import { annotate } from "./errors.js";
import { enterScope } from "./frames.js";
import { type Completion, type Frame, machine, passesThrough, type Run } from "./machine.js";
import { bindPattern } from "./patterns.js";
import type { Scope } from "./scope.js";
import type { Node } from "./syntax.js";
import { unit } from "./unit.js";

export function compileThrow(node: Node, scope: Scope): Run {
  const run = expression(node["argument"], scope);
  const offset = unit.base + node.start;
  return (frame) => {
    const value = run(frame);
    machine.position = offset;
    throw annotate(value);
  };
}

/** What a `catch` does with an error. */
export function compileHandler(node: Node): (frame: Frame, error: unknown) => Completion | undefined {
  const scope = node.scope!;
  const enter = enterScope(scope);
  const bind = node["param"] ? bindPattern(node["param"], scope) : undefined;
  const body = completing(node["body"], scope);
  return (frame, error) => {
    const inner = enter === undefined ? frame : enter(frame);
    if (bind !== undefined) bind(inner, error);
    return body(inner);
  };
}

export function compileTry(node: Node, scope: Scope): Run {
  const block = completing(node["block"], scope);
  const { handler, finalizer } = node as unknown as { handler: Node | null; finalizer: Node | null };
  const guarded = handler ? guard(block, compileHandler(handler)) : block;
  if (!finalizer) return guarded;
  const last = completing(finalizer, scope);
  return (frame) => {
    let completion: Completion | undefined;
    try {
      completion = guarded(frame);
    } catch (error) {
      if (passesThrough(error)) throw error;
      annotate(error);
      const over = last(frame);
      if (over !== undefined) return over;
      throw error;
    }
    // The value on its way out must survive a `return` of functions that the finalizer calls.
    const { returned } = machine;
    const over = last(frame);
    if (over !== undefined) return over;
    machine.returned = returned;
    return completion;
  };
}

function guard(block: Run, handle: (frame: Frame, error: unknown) => Completion | undefined): Run {
  return (frame) => {
    try {
      return block(frame);
    } catch (error) {
      if (passesThrough(error)) throw error;
      return handle(frame, annotate(error));
    }
  };
}
