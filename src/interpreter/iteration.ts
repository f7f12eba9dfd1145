/** `for…in` and `for…of` (ECMA-262 §14.7.5). */
import { reference } from "./assignment.js";
import { completing, expression } from "./compiler.js";
import { newFrame, prologue } from "./frames.js";
import { plainLocal } from "./identifiers.js";
import { isPlainArrayIteration, iteratorMethod, openIterable } from "./iterators.js";
import { afterBody, continues, step } from "./loops.js";
import { type Completion, type Frame, machine, type Run } from "./machine.js";
import { assignPattern, type Bind, bindPattern } from "./patterns.js";
import type { Scope } from "./scope.js";
import { type Node, render } from "./syntax.js";
import { unit } from "./unit.js";

/** What one iteration does with its value, before the body. */
export function compileHead(left: Node, scope: Scope): Bind {
  if (left.type === "VariableDeclaration") return bindPattern(left["declarations"][0]["id"], scope);
  if (left.type === "ObjectPattern" || left.type === "ArrayPattern") return assignPattern(left, scope);
  const place = reference(left, scope);
  return (frame, value) => place.set(frame, place.resolve(frame), value);
}

export interface Iteration {
  /** The iterated value, evaluated where the names of the head exist but are not initialized. */
  readonly subject: Run;
  /** Runs one iteration: binds the value, then the body. */
  readonly once: (frame: Frame, value: any) => Completion | undefined;
}

export function iteration(node: Node, subjectOf: (right: Node, scope: Scope) => Run): Iteration {
  const scope = node.scope!;
  const bind = compileHead(node["left"], scope);
  const body = completing(node["body"], scope);
  const right = subjectOf(node["right"], scope);
  const prepare = prologue(scope);
  const { layout } = scope;
  if (!scope.materialized) {
    const subject: Run =
      prepare === undefined
        ? right
        : (frame) => {
            prepare(frame);
            return right(frame);
          };
    const { left } = node as unknown as { left: Node };
    const id: Node = left.type === "VariableDeclaration" ? left["declarations"][0]["id"] : left;
    const slot =
      left.type === "VariableDeclaration" && id.type === "Identifier"
        ? plainLocal({ ...id, checked: false }, scope)
        : 0;
    if (slot > 0)
      return {
        subject,
        once: (frame, value) => {
          frame[slot] = value;
          return body(frame);
        },
      };
    return {
      subject,
      once: (frame, value) => {
        bind(frame, value);
        return body(frame);
      },
    };
  }
  return {
    subject: (frame) => {
      const inner = newFrame(frame, layout.size);
      if (prepare !== undefined) prepare(inner);
      return right(inner);
    },
    once: (frame, value) => {
      const inner = newFrame(frame, layout.size);
      if (prepare !== undefined) prepare(inner);
      bind(inner, value);
      return body(inner);
    },
  };
}

export function compileForOf(node: Node, _scope: Scope): Run {
  const { subject, once } = iteration(node, expression);
  const goesOn = continues(node);
  const offset = unit.base + node["right"].start;
  const text = render(node["right"]);
  return (frame) => {
    const value = subject(frame);
    const method = iteratorMethod(value, text, offset);
    if (isPlainArrayIteration(value, method)) {
      for (let i = 0; i < value.length; i++) {
        if (--machine.fuel < 0) step(offset);
        const completion = once(frame, value[i]);
        if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
      }
      return undefined;
    }
    let left: Completion | undefined;
    let returned: unknown;
    // Native syntax closes the iterator as the specification says.
    for (const item of openIterable(value, method)) {
      if (--machine.fuel < 0) step(offset);
      const completion = once(frame, item);
      if (completion !== undefined && !goesOn(completion)) {
        left = completion;
        // Closing the iterator may run functions that return values of their own.
        returned = machine.returned;
        break;
      }
    }
    if (left === undefined) return undefined;
    machine.returned = returned;
    return afterBody(left);
  };
}

export function compileForIn(node: Node, _scope: Scope): Run {
  const { subject, once } = iteration(node, expression);
  const goesOn = continues(node);
  const offset = unit.base + node["right"].start;
  return (frame) => {
    const value = subject(frame);
    machine.position = offset;
    for (const key in value) {
      if (--machine.fuel < 0) step(offset);
      const completion = once(frame, key);
      if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
    }
    return undefined;
  };
}
