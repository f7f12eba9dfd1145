/** Members, calls, `new` and tagged templates that contain `await` or `yield` (ECMA-262 §13.3). */
import { construct, methodReference } from "./calls.js";
import { constructSuperWith } from "./class-constructors.js";
import { type Step, step } from "./compiler.js";
import { annotate, throwTypeError } from "./errors.js";
import { appendAll } from "./iterators.js";
import { templateObject } from "./literals.js";
import { type Frame, machine, type Run, type Steps, type Suspending } from "./machine.js";
import { memberOf } from "./members.js";
import { append, ReflectApply } from "./primordials.js";
import type { Scope } from "./scope.js";
import { compileItem, type Item } from "./suspend-literals.js";
import { after, perform, stash, stashTarget } from "./suspending.js";
import { type Node, render } from "./syntax.js";
import { unit } from "./unit.js";

/** Ends an optional chain early. */
const STOP = Symbol("stop") as any;

type SuspendingArguments = (frame: Frame) => Generator<any, any[], any>;

function argumentsOf(nodes: readonly Node[], scope: Scope): SuspendingArguments {
  const items = nodes.map((node) => compileItem(node, scope));
  return (frame) => evaluateArguments(frame, items);
}

function* evaluateArguments(frame: Frame, items: readonly Item[]): Generator<any, any[], any> {
  const values: any[] = [];
  for (let i = 0; i < items.length; i++) {
    const { spread, step: one, text, offset } = items[i]!;
    const value = one.run !== undefined ? one.run(frame) : yield* perform(one, frame);
    if (spread) appendAll(values, value, text, offset);
    else append(values, value);
  }
  return values;
}

export function suspendChain(node: Node, scope: Scope): Suspending {
  const inner = suspendLink(node["expression"], scope);
  return (frame) => evaluateChain(frame, inner);
}

function* evaluateChain(frame: Frame, inner: Suspending): Steps {
  const value = yield* inner(frame);
  return value === STOP ? undefined : value;
}

/** Members and calls, in or outside optional chains: each link applied to the value before it. */
export function suspendLink(node: Node, scope: Scope): Suspending {
  if (node.type === "MemberExpression") return memberLink(node, scope);
  if (node.type === "CallExpression") return callLink(node, scope);
  const one = step(node, scope);
  return (frame) => perform(one, frame);
}

/** A member of the value before it. */
interface Member {
  readonly optional: boolean;
  /** Evaluates a key that suspends. */
  readonly fill: Suspending | undefined;
  readonly get: (frame: Frame, object: any) => any;
}

function compileMemberLink(node: Node, scope: Scope): Member {
  const optional: boolean = node["optional"];
  if (!node["computed"] || !node["property"].suspends) return { optional, fill: undefined, get: memberOf(node, scope) };
  const { nodes, fill } = stash([node["property"]], scope);
  return { optional, fill, get: memberOf({ ...node, property: nodes[0] }, scope) };
}

/** A member on a base that may be the result of a chain. */
function memberLink(node: Node, scope: Scope): Suspending {
  const base: Node = node["object"];
  if (base.type === "Super") {
    const { fill, target } = stashTarget(node, scope);
    return after(fill, target, scope);
  }
  const objectOf = suspendLink(base, scope);
  const member = compileMemberLink(node, scope);
  return (frame) => evaluateMember(frame, objectOf, member);
}

function* evaluateMember(frame: Frame, objectOf: Suspending, { optional, fill, get }: Member): Steps {
  const value = yield* objectOf(frame);
  if (value === STOP || (optional && (value === null || value === undefined))) return STOP;
  if (fill !== undefined) yield* fill(frame);
  return get(frame, value);
}

interface Call {
  /** Gives the function to call and its `this`, or `STOP`. */
  readonly reference: Suspending;
  readonly optional: boolean;
  readonly args: SuspendingArguments;
  /** The callee and the position of the call, for errors. */
  readonly callee: Node;
  readonly offset: number;
}

function callLink(node: Node, scope: Scope): Suspending {
  const callee: Node = node["callee"];
  const args = argumentsOf(node["arguments"], scope);
  const offset = unit.base + (callee.type === "MemberExpression" ? callee["property"].start : node.start);
  if (callee.type === "Super") {
    const complete = constructSuperWith(node, scope);
    return (frame) => evaluateSuperCall(frame, args, complete);
  }
  const reference = calleeReference(callee, scope, offset);
  const call: Call = { reference, optional: node["optional"], args, callee, offset };
  return (frame) => evaluateCall(frame, call);
}

function* evaluateSuperCall(
  frame: Frame,
  args: SuspendingArguments,
  complete: ReturnType<typeof constructSuperWith>,
): Steps {
  return complete(frame, yield* args(frame));
}

function* evaluateCall(frame: Frame, { reference, optional, args, callee, offset }: Call): Steps {
  const found = yield* reference(frame);
  if (found === STOP) return STOP;
  const { fn, self } = found;
  if (optional && (fn === null || fn === undefined)) return STOP;
  const values = yield* args(frame);
  if (typeof fn !== "function") notAFunction(self, callee, offset);
  machine.position = offset;
  return ReflectApply(fn, self, values);
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
function calleeReference(callee: Node, scope: Scope, offset: number): Suspending {
  if (callee.type === "MemberExpression" && callee["object"].type === "Super") {
    const { fill, target } = stashTarget(callee, scope);
    const { self, method } = methodReference(target, scope, offset);
    return (frame) => referToSuper(frame, fill, self, method);
  }
  if (callee.type === "MemberExpression") {
    const objectOf = suspendLink(callee["object"], scope);
    const member = compileMemberLink(callee, scope);
    return (frame) => referToMember(frame, objectOf, member);
  }
  if (callee.type === "ChainExpression" && callee["expression"].type === "MemberExpression") {
    // `(a?.b)(await c)` keeps its receiver.
    const inner = calleeReference(callee["expression"], scope, offset);
    return (frame) => referToChain(frame, inner);
  }
  const fnOf = suspendLink(callee, scope);
  return (frame) => referToValue(frame, fnOf);
}

function* referToSuper(frame: Frame, fill: Suspending, self: Run, method: (frame: Frame, self: unknown) => any): Steps {
  yield* fill(frame);
  const receiver = self(frame);
  return { self: receiver, fn: method(frame, receiver) };
}

function* referToMember(frame: Frame, objectOf: Suspending, { optional, fill, get }: Member): Steps {
  const self = yield* objectOf(frame);
  if (self === STOP || (optional && (self === null || self === undefined))) return STOP;
  if (fill !== undefined) yield* fill(frame);
  return { self, fn: get(frame, self) };
}

function* referToChain(frame: Frame, inner: Suspending): Steps {
  const found = yield* inner(frame);
  return found === STOP ? { self: undefined, fn: undefined } : found;
}

function* referToValue(frame: Frame, fnOf: Suspending): Steps {
  const fn = yield* fnOf(frame);
  return fn === STOP ? STOP : { self: undefined, fn };
}

export function suspendNew(node: Node, scope: Scope): Suspending {
  const callee: Node = node["callee"];
  const constructExpr = step(callee, scope);
  const args = argumentsOf(node["arguments"], scope);
  const offset = unit.base + node.start;
  return (frame) => evaluateNew(frame, constructExpr, args, callee, offset);
}

function* evaluateNew(
  frame: Frame,
  constructExpr: Step,
  args: SuspendingArguments,
  callee: Node,
  offset: number,
): Steps {
  const fn = yield* perform(constructExpr, frame);
  return construct(fn, yield* args(frame), callee, offset);
}

interface Tagged {
  readonly reference: Suspending;
  readonly strings: ReturnType<typeof templateObject>;
  readonly args: SuspendingArguments;
  /** The callee and the position of the call, for errors. */
  readonly tag: Node;
  readonly offset: number;
}

export function suspendTagged(node: Node, scope: Scope): Suspending {
  const tag: Node = node["tag"];
  const offset = unit.base + node.start;
  const reference = calleeReference(tag, scope, offset);
  const strings = templateObject(node["quasi"]);
  const args = argumentsOf(node["quasi"]["expressions"], scope);
  const call: Tagged = { reference, strings, args, tag, offset };
  return (frame) => evaluateTagged(frame, call);
}

function* evaluateTagged(frame: Frame, { reference, strings, args, tag, offset }: Tagged): Steps {
  const { fn, self } = yield* reference(frame);
  const values: any[] = [strings(frame)];
  const rest = yield* args(frame);
  for (let i = 0; i < rest.length; i++) append(values, rest[i]);
  if (typeof fn !== "function") notAFunction(self, tag, offset);
  machine.position = offset;
  return ReflectApply(fn, self, values);
}
