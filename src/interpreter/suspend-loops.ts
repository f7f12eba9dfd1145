/** `while`, `do` and `for` with suspension (ECMA-262 §14.7.2–§14.7.4). */
import { annotateAt } from "./calls.js";
import { type Step, statementStep, step } from "./compiler.js";
import { copyFrame, enterScope } from "./frames.js";
import { afterBody, step as burn, continues } from "./loops.js";
import { type Completion, type Frame, machine, type Steps, type Suspending } from "./machine.js";
import type { Scope } from "./scope.js";
import { perform } from "./suspending.js";
import type { Node } from "./syntax.js";
import { unit } from "./unit.js";

type GoesOn = ReturnType<typeof continues>;

/** `while` and `do`. */
interface While {
  readonly test: Step;
  readonly body: Step;
  readonly goesOn: GoesOn;
  readonly offset: number;
}

function compileWhile(node: Node, scope: Scope): While {
  return {
    test: step(node["test"], scope),
    body: statementStep(node["body"], scope),
    goesOn: continues(node),
    offset: unit.base + node["test"].start,
  };
}

export function suspendWhile(node: Node, scope: Scope): Suspending {
  const loop = compileWhile(node, scope);
  return (frame) => runWhile(frame, loop);
}

function* runWhile(frame: Frame, { test, body, goesOn, offset }: While): Steps {
  while (yield* perform(test, frame)) {
    if (--machine.fuel < 0) burn(offset);
    const completion = yield* perform(body, frame);
    if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
  }
  return undefined;
}

export function suspendDoWhile(node: Node, scope: Scope): Suspending {
  const loop = compileWhile(node, scope);
  return (frame) => runDoWhile(frame, loop);
}

function* runDoWhile(frame: Frame, { test, body, goesOn, offset }: While): Steps {
  do {
    if (--machine.fuel < 0) burn(offset);
    const completion = yield* perform(body, frame);
    if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
  } while (yield* perform(test, frame));
  return undefined;
}

interface For {
  readonly enter: ((frame: Frame) => Frame) | undefined;
  readonly init: Step | undefined;
  readonly test: Step | undefined;
  readonly update: Step | undefined;
  readonly body: Step;
  readonly goesOn: GoesOn;
  readonly offset: number;
  /** Every iteration has variables of its own. */
  readonly fresh: boolean;
}

export function suspendFor(node: Node): Suspending {
  const scope = node.scope!;
  const init =
    node["init"] === null
      ? undefined
      : node["init"].type === "VariableDeclaration"
        ? statementStep(node["init"], scope)
        : step(node["init"], scope);
  const loop: For = {
    init,
    test: node["test"] === null ? undefined : step(node["test"], scope),
    update: node["update"] === null ? undefined : step(node["update"], scope),
    body: statementStep(node["body"], scope),
    goesOn: continues(node),
    offset: unit.base + node.start,
    enter: enterScope(scope),
    fresh: scope.materialized,
  };
  return (frame) => runFor(frame, loop);
}

function* runFor(outer: Frame, { enter, init, test, update, body, goesOn, offset, fresh }: For): Steps {
  let frame = enter === undefined ? outer : enter(outer);
  const { leaf } = body;
  if (init !== undefined) yield* perform(init, frame);
  if (fresh) frame = copyFrame(frame);
  for (;;) {
    if (test !== undefined && !(test.run !== undefined ? test.run(frame) : yield* perform(test, frame)))
      return undefined;
    if (--machine.fuel < 0) burn(offset);
    let completion: Completion | undefined;
    if (body.run !== undefined) completion = body.run(frame);
    else if (leaf === undefined) completion = yield* body.suspend!(frame);
    else if (leaf.test !== undefined && !leaf.test(frame)) completion = leaf.otherwise(frame);
    else {
      const value = leaf.operand(frame);
      machine.position = leaf.offset;
      let settled: unknown;
      try {
        settled = yield value;
      } catch (error) {
        throw annotateAt(error, leaf.offset);
      }
      completion = leaf.finish(frame, settled);
    }
    if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
    if (fresh) frame = copyFrame(frame);
    if (update !== undefined) {
      if (update.run !== undefined) update.run(frame);
      else yield* perform(update, frame);
    }
  }
}
