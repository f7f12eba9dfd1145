import { logicalTest, nameFor, reference } from "./assignment.js";
import { delegateAsync, Yielded } from "./async-generators.js";
import { operation } from "./binary-operators.js";
import { annotateAt, construct, methodReference } from "./calls.js";
import { constructSuperWith } from "./class-constructors.js";
import { suspendClass } from "./classes.js";
import { expression, nothing, plainStep, type Step, step } from "./compiler.js";
import { annotate, throwTypeError } from "./errors.js";
import { Delegate } from "./generators.js";
import { initializeBinding, writeBinding } from "./identifiers.js";
import { appendAll, iteratorMethod, openIterable } from "./iterators.js";
import { templateObject } from "./literals.js";
import { type Frame, machine, type Suspending } from "./machine.js";
import { memberOf } from "./members.js";
import { toPropertyKey } from "./objects.js";
import { append, ReflectApply } from "./primordials.js";
import type { Scope } from "./scope.js";
import { suspendArray, suspendObject, suspendTemplate } from "./suspend-literals.js";
import { suspendPattern } from "./suspend-patterns.js";
import { type Node, render, temporary } from "./syntax.js";
import { unit } from "./unit.js";

export function* perform(one: Step, frame: Frame): Generator<any, any, any> {
  if (one.run !== undefined) return one.run(frame);
  if (one.leaf === undefined) return yield* one.suspend!(frame);
  const { operand, offset } = one.leaf;
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

export function stash(operands: readonly Node[], scope: Scope): Stash {
  let last = -1;
  operands.forEach((operand, index) => {
    if (operand.suspends) last = index;
  });
  const slots: { step: Step; set: (frame: Frame, value: any) => void }[] = [];
  const nodes = operands.map((operand, index) => {
    if (index > last || operand.type === "Literal") return operand;
    const binding = scope.temporary();
    slots.push({ step: step(operand, scope), set: initializeBinding(binding, scope) });
    return temporary(binding, operand);
  });
  return {
    nodes,
    *fill(frame) {
      for (let i = 0; i < slots.length; i++) {
        const { step: one, set } = slots[i]!;
        set(frame, one.run !== undefined ? one.run(frame) : yield* perform(one, frame));
      }
    },
  };
}

/** Fills the temporaries, then runs the plain form of the node. */
function after(fill: Suspending, node: Node, scope: Scope): Suspending {
  const run = expression({ ...node, suspends: false }, scope);
  return function* (frame) {
    yield* fill(frame);
    return run(frame);
  };
}

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
      return function* (frame) {
        let value: unknown;
        for (let i = 0; i < steps.length; i++) value = yield* perform(steps[i]!, frame);
        return value;
      };
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
    case "ChainExpression": {
      const inner = link(node["expression"], scope);
      return function* (frame) {
        const value = yield* inner(frame);
        return value === STOP ? undefined : value;
      };
    }
    case "MemberExpression":
    case "CallExpression":
      return link(node, scope);
    case "NewExpression":
      return instantiation(node, scope);
    case "ArrayExpression":
      return suspendArray(node["elements"], scope);
    case "ObjectExpression":
      return suspendObject(node, scope);
    case "TemplateLiteral":
      return suspendTemplate(node, scope);
    case "TaggedTemplateExpression":
      return tagged(node, scope);
    case "PropertyKey": {
      const key = step(node["key"], scope);
      return function* (frame) {
        return toPropertyKey(yield* perform(key, frame));
      };
    }
    case "ClassExpression":
      return suspendClass(node, scope, name ?? "");
    default:
      throw new Error(`no suspending form of ${node.type}`);
  }
}

/** `await` hands the value to whoever drives the generator and takes back what it settled to. */
function awaiting(node: Node, scope: Scope): Suspending {
  const operand = step(node["argument"], scope);
  const offset = unit.base + node.start;
  return function* (frame) {
    const value = operand.run !== undefined ? operand.run(frame) : yield* perform(operand, frame);
    machine.position = offset;
    try {
      return yield value;
    } catch (error) {
      machine.position = offset;
      throw annotate(error);
    }
  };
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
    return function* (frame) {
      const value = yield* perform(operand, frame);
      const method = iteratorMethod(value, text, offset);
      return yield new Delegate(openIterable(value, method));
    };
  }
  if (!isAsync)
    return function* (frame) {
      return yield operand.run !== undefined ? operand.run(frame) : yield* perform(operand, frame);
    };
  return function* (frame) {
    // An async generator awaits what it yields.
    const value = yield yield* perform(operand, frame);
    return yield new Yielded(value);
  };
}

function logical(node: Node, scope: Scope): Suspending {
  const left = step(node["left"], scope);
  const right = step(node["right"], scope);
  const keeps = logicalTest(`${node["operator"]}=`);
  return function* (frame) {
    const value = yield* perform(left, frame);
    return keeps(value) ? value : yield* perform(right, frame);
  };
}

function conditional(node: Node, scope: Scope): Suspending {
  const test = step(node["test"], scope);
  const consequent = step(node["consequent"], scope);
  const alternate = step(node["alternate"], scope);
  return function* (frame) {
    return yield* perform((yield* perform(test, frame)) ? consequent : alternate, frame);
  };
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
  const steps = links.reverse().map((item) => ({
    right: step(item["right"], scope),
    operate: operation(item["operator"], unit.base + item.start),
  }));
  return function* (frame) {
    let value = yield* perform(start, frame);
    for (let i = 0; i < steps.length; i++) {
      const { right, operate } = steps[i]!;
      value = operate(value, yield* perform(right, frame));
    }
    return value;
  };
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

function assignment(node: Node, scope: Scope): Suspending {
  const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
  const value = step(right, scope, nameFor(node));
  if (operator === "=" && left.type === "Identifier") {
    const write = writeBinding(left, scope);
    return function* (frame) {
      const result = yield* perform(value, frame);
      write(frame, result);
      return result;
    };
  }
  if (left.type === "ObjectPattern" || left.type === "ArrayPattern") {
    const assign = suspendPattern(left, scope, false);
    return function* (frame) {
      const result = yield* perform(value, frame);
      yield* assign(frame, result);
      return result;
    };
  }
  const { fill, target } =
    left.type === "MemberExpression" ? stashTarget(left, scope) : { fill: undefined, target: left };
  const place = reference(target, scope);
  if (operator === "=")
    return function* (frame) {
      if (fill !== undefined) yield* fill(frame);
      const parts = place.resolve(frame);
      const result = yield* perform(value, frame);
      place.set(frame, parts, result);
      return result;
    };
  const isLogical = operator === "&&=" || operator === "||=" || operator === "??=";
  const keeps = isLogical ? logicalTest(operator) : undefined;
  const operate = isLogical ? undefined : operation(operator.slice(0, -1), unit.base + node.start);
  return function* (frame) {
    if (fill !== undefined) yield* fill(frame);
    const parts = place.resolve(frame);
    const before = place.get(frame, parts);
    if (keeps?.(before)) return before;
    const operand = yield* perform(value, frame);
    const result = operate === undefined ? operand : operate(before, operand);
    place.set(frame, parts, result);
    return result;
  };
}

/** Ends an optional chain early. */
const STOP = Symbol("stop") as any;

type SuspendingArguments = (frame: Frame) => Generator<any, any[], any>;

function argumentsOf(nodes: readonly Node[], scope: Scope): SuspendingArguments {
  const parts = nodes.map((node) => {
    const spread = node.type === "SpreadElement";
    const value: Node = spread ? node["argument"] : node;
    return { spread, step: step(value, scope), text: render(value), offset: unit.base + value.start };
  });
  return function* (frame) {
    const values: any[] = [];
    for (let i = 0; i < parts.length; i++) {
      const { spread, step: one, text, offset } = parts[i]!;
      const value = one.run !== undefined ? one.run(frame) : yield* perform(one, frame);
      if (spread) appendAll(values, value, text, offset);
      else append(values, value);
    }
    return values;
  };
}

/** Members and calls, in or outside optional chains: each link applied to the value before it. */
function link(node: Node, scope: Scope): Suspending {
  if (node.type === "MemberExpression") return memberLink(node, scope);
  if (node.type === "CallExpression") return callLink(node, scope);
  const one = step(node, scope);
  return (frame) => perform(one, frame);
}

/** A member on a base that may be the result of a chain. */
function memberLink(node: Node, scope: Scope): Suspending {
  const base: Node = node["object"];
  if (base.type === "Super") {
    const { fill, target } = stashTarget(node, scope);
    return after(fill, target, scope);
  }
  const objectOf = link(base, scope);
  const optional: boolean = node["optional"];
  const { fill, get } = suspendableKey(node, scope);
  return function* (frame) {
    const value = yield* objectOf(frame);
    if (value === STOP || (optional && (value === null || value === undefined))) return STOP;
    if (fill !== undefined) yield* fill(frame);
    return get(frame, value);
  };
}

function suspendableKey(
  node: Node,
  scope: Scope,
): { fill: Suspending | undefined; get: (frame: Frame, object: any) => any } {
  if (!node["computed"] || !node["property"].suspends) return { fill: undefined, get: memberOf(node, scope) };
  const { nodes, fill } = stash([node["property"]], scope);
  return { fill, get: memberOf({ ...node, property: nodes[0] }, scope) };
}

function callLink(node: Node, scope: Scope): Suspending {
  const callee: Node = node["callee"];
  const args = argumentsOf(node["arguments"], scope);
  const offset = unit.base + (callee.type === "MemberExpression" ? callee["property"].start : node.start);
  if (callee.type === "Super") {
    const complete = constructSuperWith(node, scope);
    return function* (frame) {
      return complete(frame, yield* args(frame));
    };
  }
  const optional: boolean = node["optional"];
  const reference = calleeReference(callee, scope, offset);
  return function* (frame) {
    const found = yield* reference(frame);
    if (found === STOP) return STOP;
    const { fn, self } = found;
    if (optional && (fn === null || fn === undefined)) return STOP;
    const values = yield* args(frame);
    if (typeof fn !== "function") notAFunction(self, callee, offset);
    machine.position = offset;
    return ReflectApply(fn, self, values);
  };
}

function notAFunction(self: unknown, callee: Node, offset: number): never {
  machine.position = offset;
  const better =
    callee.type === "MemberExpression" && !callee["computed"]
      ? machine.missingMember(self, callee["property"]["name"])
      : undefined;
  if (better !== undefined) throw annotate(better);
  throwTypeError(`${render(callee)} is not a function`, offset);
}

/** The function to call and its `this`, or `STOP`. */
function calleeReference(callee: Node, scope: Scope, offset: number): (frame: Frame) => Generator<any, any, any> {
  if (callee.type === "MemberExpression" && callee["object"].type === "Super") {
    const { fill, target } = stashTarget(callee, scope);
    const { self, method } = methodReference(target, scope, offset);
    return function* (frame) {
      yield* fill(frame);
      const receiver = self(frame);
      return { self: receiver, fn: method(frame, receiver) };
    };
  }
  if (callee.type === "MemberExpression") {
    const objectOf = link(callee["object"], scope);
    const early: boolean = callee["optional"];
    const { fill, get } = suspendableKey(callee, scope);
    return function* (frame) {
      const self = yield* objectOf(frame);
      if (self === STOP || (early && (self === null || self === undefined))) return STOP;
      if (fill !== undefined) yield* fill(frame);
      return { self, fn: get(frame, self) };
    };
  }
  if (callee.type === "ChainExpression" && callee["expression"].type === "MemberExpression") {
    // `(a?.b)(await c)` keeps its receiver.
    const inner = calleeReference(callee["expression"], scope, offset);
    return function* (frame) {
      const found = yield* inner(frame);
      return found === STOP ? { self: undefined, fn: undefined } : found;
    };
  }
  const fnOf = link(callee, scope);
  return function* (frame) {
    const fn = yield* fnOf(frame);
    return fn === STOP ? STOP : { self: undefined, fn };
  };
}

function instantiation(node: Node, scope: Scope): Suspending {
  const callee = step(node["callee"], scope);
  const args = argumentsOf(node["arguments"], scope);
  const offset = unit.base + node.start;
  return function* (frame) {
    const fn = yield* perform(callee, frame);
    return construct(fn, yield* args(frame), node["callee"], offset);
  };
}

function tagged(node: Node, scope: Scope): Suspending {
  const tag: Node = node["tag"];
  const offset = unit.base + node.start;
  const reference = calleeReference(tag, scope, offset);
  const strings = templateObject(node["quasi"]);
  const args = argumentsOf(node["quasi"]["expressions"], scope);
  return function* (frame) {
    const { fn, self } = yield* reference(frame);
    const values: any[] = [strings(frame)];
    const rest = yield* args(frame);
    for (let i = 0; i < rest.length; i++) append(values, rest[i]);
    if (typeof fn !== "function") notAFunction(self, tag, offset);
    machine.position = offset;
    return ReflectApply(fn, self, values);
  };
}
