/**
 * What all suspending forms are made of: running a step, and operands in temporaries.
 *
 * A form is a pair of functions: one compiles the node, and the generator function after it does what the node says. That one
 * takes the frame and then what the first has made of the parts of the node (see `Suspending`).
 */
import { annotateAt } from "./calls.js";
import { expression, type Step, step } from "./compiler.js";
import { initializeBinding } from "./identifiers.js";
import { type Frame, machine, type Run, type Steps, type Suspending } from "./machine.js";
import type { Scope } from "./scope.js";
import { type Node, temporary } from "./syntax.js";

export function* perform(one: Step, frame: Frame): Steps {
  if (one.run !== undefined) return one.run(frame);
  if (one.leaf === undefined) return yield* one.suspend!(frame);
  const { test, operand, offset } = one.leaf;
  if (test !== undefined && !test(frame)) return one.leaf.otherwise(frame);
  const value = operand(frame);
  machine.position = offset;
  let settled: unknown;
  try {
    settled = yield value;
  } catch (error) {
    throw annotateAt(error, offset);
  }
  return one.leaf.finish(frame, settled);
}

/** Operands evaluated into temporaries, and what to compile in their place. */
interface Stash {
  readonly nodes: Node[];
  readonly fill: Suspending;
}

/** A temporary: what is evaluated for it, and how it gets that value. */
interface Slot {
  readonly step: Step;
  readonly set: (frame: Frame, value: any) => void;
}

export function stash(operands: readonly Node[], scope: Scope): Stash {
  let last = -1;
  operands.forEach((operand, index) => {
    if (operand.suspends) last = index;
  });
  const slots: Slot[] = [];
  const nodes = operands.map((operand, index) => {
    if (index > last || operand.type === "Literal") return operand;
    const binding = scope.temporary();
    slots.push({ step: step(operand, scope), set: initializeBinding(binding, scope) });
    return temporary(binding, operand);
  });
  return { nodes, fill: (frame) => fillSlots(frame, slots) };
}

function* fillSlots(frame: Frame, slots: readonly Slot[]): Steps {
  for (let i = 0; i < slots.length; i++) {
    const { step: one, set } = slots[i]!;
    set(frame, one.run !== undefined ? one.run(frame) : yield* perform(one, frame));
  }
}

/** Fills the temporaries, then runs the plain form of the node. */
export function after(fill: Suspending, node: Node, scope: Scope): Suspending {
  const run = expression({ ...node, suspends: false }, scope);
  return (frame) => fillAndRun(frame, fill, run);
}

function* fillAndRun(frame: Frame, fill: Suspending, run: Run): Steps {
  yield* fill(frame);
  return run(frame);
}

/** A member as target: its object and key go into temporaries. */
export function stashTarget(member: Node, scope: Scope): { fill: Suspending; target: Node } {
  const isSuper = member["object"].type === "Super";
  const operands: Node[] = [
    ...(isSuper ? [] : [member["object"]]),
    ...(member["computed"] ? [member["property"]] : []),
  ];
  const { nodes, fill } = stash(operands, scope);
  const target: Node = { ...member, suspends: false };
  if (!isSuper) target["object"] = nodes.shift();
  if (member["computed"]) target["property"] = nodes.shift();
  return { fill, target };
}
