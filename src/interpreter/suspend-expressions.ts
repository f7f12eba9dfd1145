/** Expressions that contain `await` or `yield`. */
import { logicalTest, nameFor, type Reference, reference } from "./assignment.js";
import { delegateAsync, Yielded } from "./async-generators.js";
import { operation } from "./binary-operators.js";
import { suspendClass } from "./classes.js";
import { nothing, plainStep, type Step, step } from "./compiler.js";
import { annotate } from "./errors.js";
import { Delegate } from "./generators.js";
import { writeBinding } from "./identifiers.js";
import { iteratorMethod, openIterable } from "./iterators.js";
import { type Frame, machine, type Steps, type Suspending } from "./machine.js";
import { toPropertyKey } from "./objects.js";
import type { Scope } from "./scope.js";
import { suspendChain, suspendLink, suspendNew, suspendTagged } from "./suspend-calls.js";
import { suspendArray, suspendObject, suspendTemplate } from "./suspend-literals.js";
import { type SuspendingBind, suspendPattern } from "./suspend-patterns.js";
import { after, perform, stash, stashTarget } from "./suspending.js";
import { type Node, render } from "./syntax.js";
import { unit } from "./unit.js";

export function suspendExpression(node: Node, scope: Scope, name?: string): Suspending {
  switch (node.type) {
    case "AwaitExpression":
      return awaiting(node, scope);
    case "YieldExpression":
      return yielding(node, scope);
    case "LogicalExpression":
      return logical(node, scope);
    case "ConditionalExpression":
      return conditional(node, scope);
    case "SequenceExpression": {
      const steps = (node["expressions"] as Node[]).map((item) => step(item, scope));
      return (frame) => evaluateSequence(frame, steps);
    }
    case "AssignmentExpression":
      return assignment(node, scope);
    case "BinaryExpression":
      return binary(node, scope);
    case "UnaryExpression":
    case "UpdateExpression": {
      const argument: Node = node["argument"];
      if (argument.type === "MemberExpression") {
        const { fill, target } = stashTarget(argument, scope);
        return after(fill, { ...node, argument: target }, scope);
      }
      const { nodes, fill } = stash([argument], scope);
      return after(fill, { ...node, argument: nodes[0] }, scope);
    }
    case "ChainExpression":
      return suspendChain(node, scope);
    case "MemberExpression":
    case "CallExpression":
      return suspendLink(node, scope);
    case "NewExpression":
      return suspendNew(node, scope);
    case "ArrayExpression":
      return suspendArray(node["elements"], scope);
    case "ObjectExpression":
      return suspendObject(node, scope);
    case "TemplateLiteral":
      return suspendTemplate(node, scope);
    case "TaggedTemplateExpression":
      return suspendTagged(node, scope);
    case "PropertyKey": {
      const key = step(node["key"], scope);
      return (frame) => evaluateKey(frame, key);
    }
    case "ClassExpression":
      return suspendClass(node, scope, name ?? "");
    default:
      throw new Error(`no suspending form of ${node.type}`);
  }
}

function* evaluateSequence(frame: Frame, steps: readonly Step[]): Steps {
  let value: unknown;
  for (let i = 0; i < steps.length; i++) value = yield* perform(steps[i]!, frame);
  return value;
}

function* evaluateKey(frame: Frame, key: Step): Steps {
  return toPropertyKey(yield* perform(key, frame));
}

/** `await` hands the value to whoever drives the generator and takes back what it settled to. */
function awaiting(node: Node, scope: Scope): Suspending {
  const operand = step(node["argument"], scope);
  const offset = unit.base + node.start;
  return (frame) => evaluateAwait(frame, operand, offset);
}

function* evaluateAwait(frame: Frame, operand: Step, offset: number): Steps {
  const value = operand.run !== undefined ? operand.run(frame) : yield* perform(operand, frame);
  machine.position = offset;
  try {
    return yield value;
  } catch (error) {
    machine.position = offset;
    throw annotate(error);
  }
}

function yielding(node: Node, scope: Scope): Suspending {
  const operand: Step = node["argument"] ? step(node["argument"], scope) : plainStep(nothing);
  const offset = unit.base + node.start;
  let fn = scope.function;
  while (fn.arrow) fn = fn.parent!;
  const isAsync: boolean = fn.node["async"];
  if (node["delegate"]) {
    const text = render(node["argument"]);
    if (isAsync) return delegateAsync(operand, text, offset);
    return (frame) => evaluateDelegation(frame, operand, text, offset);
  }
  return isAsync ? (frame) => evaluateAsyncYield(frame, operand) : (frame) => evaluateYield(frame, operand);
}

function* evaluateDelegation(frame: Frame, operand: Step, text: string, offset: number): Steps {
  const value = yield* perform(operand, frame);
  const method = iteratorMethod(value, text, offset);
  return yield new Delegate(openIterable(value, method));
}

function* evaluateYield(frame: Frame, operand: Step): Steps {
  return yield operand.run !== undefined ? operand.run(frame) : yield* perform(operand, frame);
}

/** An async generator awaits what it yields. */
function* evaluateAsyncYield(frame: Frame, operand: Step): Steps {
  const value = yield yield* perform(operand, frame);
  return yield new Yielded(value);
}

function logical(node: Node, scope: Scope): Suspending {
  const left = step(node["left"], scope);
  const right = step(node["right"], scope);
  const keeps = logicalTest(`${node["operator"]}=`);
  return (frame) => evaluateLogical(frame, left, keeps, right);
}

function* evaluateLogical(frame: Frame, left: Step, keeps: (value: unknown) => boolean, right: Step): Steps {
  const value = yield* perform(left, frame);
  return keeps(value) ? value : yield* perform(right, frame);
}

function conditional(node: Node, scope: Scope): Suspending {
  const test = step(node["test"], scope);
  const consequent = step(node["consequent"], scope);
  const alternate = step(node["alternate"], scope);
  return (frame) => evaluateConditional(frame, test, consequent, alternate);
}

function* evaluateConditional(frame: Frame, test: Step, consequent: Step, alternate: Step): Steps {
  return yield* perform((yield* perform(test, frame)) ? consequent : alternate, frame);
}

type Operate = ReturnType<typeof operation>;

/** An operator and its right operand. */
interface Operation {
  readonly right: Step;
  readonly operate: Operate;
}

/** A long chain of operators, in a loop like its plain form. */
function binary(node: Node, scope: Scope): Suspending {
  const links: Node[] = [];
  let first = node;
  for (; first.type === "BinaryExpression" && first["left"].type !== "PrivateIdentifier"; first = first["left"])
    links.push(first);
  if (links.length === 0) {
    const { nodes, fill } = stash([node["right"]], scope);
    return after(fill, { ...node, right: nodes[0] }, scope);
  }
  const start = step(first, scope);
  const operations = links.reverse().map(
    (item): Operation => ({
      right: step(item["right"], scope),
      operate: operation(item["operator"], unit.base + item.start),
    }),
  );
  return (frame) => evaluateBinary(frame, start, operations);
}

function* evaluateBinary(frame: Frame, start: Step, operations: readonly Operation[]): Steps {
  let value = yield* perform(start, frame);
  for (let i = 0; i < operations.length; i++) {
    const { right, operate } = operations[i]!;
    value = operate(value, yield* perform(right, frame));
  }
  return value;
}

function assignment(node: Node, scope: Scope): Suspending {
  const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
  const value = step(right, scope, nameFor(node));
  if (operator === "=" && left.type === "Identifier") {
    const write = writeBinding(left, scope);
    return (frame) => assignVariable(frame, value, write);
  }
  if (left.type === "ObjectPattern" || left.type === "ArrayPattern") {
    const bind = suspendPattern(left, scope, false);
    return (frame) => destructure(frame, value, bind);
  }
  const { fill, target } =
    left.type === "MemberExpression" ? stashTarget(left, scope) : { fill: undefined, target: left };
  const place = reference(target, scope);
  if (operator === "=") return (frame) => assign(frame, fill, place, value);
  if (operator === "&&=" || operator === "||=" || operator === "??=") {
    const keeps = logicalTest(operator);
    return (frame) => assignLogical(frame, fill, place, keeps, value);
  }
  const operate = operation(operator.slice(0, -1), unit.base + node.start);
  return (frame) => assignCompound(frame, fill, place, operate, value);
}

function* assignVariable(frame: Frame, value: Step, write: ReturnType<typeof writeBinding>): Steps {
  const result = yield* perform(value, frame);
  write(frame, result);
  return result;
}

function* destructure(frame: Frame, value: Step, bind: SuspendingBind): Steps {
  const result = yield* perform(value, frame);
  yield* bind(frame, result);
  return result;
}

function* assign(frame: Frame, fill: Suspending | undefined, place: Reference, value: Step): Steps {
  if (fill !== undefined) yield* fill(frame);
  const parts = place.resolve(frame);
  const result = yield* perform(value, frame);
  place.set(frame, parts, result);
  return result;
}

function* assignLogical(
  frame: Frame,
  fill: Suspending | undefined,
  place: Reference,
  keeps: (value: unknown) => boolean,
  value: Step,
): Steps {
  if (fill !== undefined) yield* fill(frame);
  const parts = place.resolve(frame);
  const before = place.get(frame, parts);
  if (keeps(before)) return before;
  const result = yield* perform(value, frame);
  place.set(frame, parts, result);
  return result;
}

function* assignCompound(
  frame: Frame,
  fill: Suspending | undefined,
  place: Reference,
  operate: Operate,
  value: Step,
): Steps {
  if (fill !== undefined) yield* fill(frame);
  const parts = place.resolve(frame);
  const before = place.get(frame, parts);
  const result = operate(before, yield* perform(value, frame));
  place.set(frame, parts, result);
  return result;
}
