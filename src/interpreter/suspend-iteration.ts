/** `for…in`, `for…of` and `for await` with suspension (ECMA-262 §14.7.5, §7.4, §27.1.6). */
import { type Reference, reference } from "./assignment.js";
import { asyncIteratorOf } from "./async-iterators.js";
import { annotateAt } from "./calls.js";
import { type Leaf, type Step, statementStep, step } from "./compiler.js";
import { annotate, throwTypeError } from "./errors.js";
import { enterScope } from "./frames.js";
import { describe, getIterator, iteratorClose } from "./iterators.js";
import { afterBody, step as burn, continues } from "./loops.js";
import {
  type Completion,
  type Frame,
  machine,
  passesThrough,
  ReturnSignal,
  type Steps,
  type Suspending,
} from "./machine.js";
import { assignPattern, bindPattern, Walk } from "./patterns.js";
import { ReflectApply } from "./primordials.js";
import type { Scope } from "./scope.js";
import { closeAfter, type SuspendingBind, suspendPattern } from "./suspend-patterns.js";
import { perform, stashTarget } from "./suspending.js";
import { type Node, render } from "./syntax.js";
import { unit } from "./unit.js";

interface Loop {
  /** Evaluates what is iterated over. */
  readonly subject: Suspending;
  /** Runs the body for a value; gives its completion. */
  readonly once: (frame: Frame, value: any) => Steps;
  /** Where a body is nothing but a leaf: `once` without a generator. */
  readonly short: { readonly enter: (frame: Frame, value: any) => Frame; readonly leaf: Leaf } | undefined;
  readonly goesOn: ReturnType<typeof continues>;
  /** Source text and position of what is iterated over, for errors. */
  readonly text: string;
  readonly offset: number;
}

/** Gives the variables of the head their values: a plain function, or else one that suspends. */
interface Head {
  readonly plain: ((frame: Frame, value: any) => void) | undefined;
  readonly suspending: SuspendingBind | undefined;
}

function head(left: Node, scope: Scope): Head {
  const isDeclaration = left.type === "VariableDeclaration";
  const id: Node = isDeclaration ? left["declarations"][0]["id"] : left;
  if (left.suspends || id.suspends) {
    if (isDeclaration || id.type === "ObjectPattern" || id.type === "ArrayPattern")
      return { plain: undefined, suspending: suspendPattern(id, scope, isDeclaration) };
    const { fill, target } = stashTarget(id, scope);
    const place = reference(target, scope);
    return { plain: undefined, suspending: (frame, value) => assign(frame, value, fill, place) };
  }
  if (isDeclaration) return plain(bindPattern(id, scope));
  if (id.type === "ObjectPattern" || id.type === "ArrayPattern") return plain(assignPattern(id, scope));
  const place = reference(id, scope);
  return plain((frame, value) => place.set(frame, place.resolve(frame), value));
}

function plain(bind: (frame: Frame, value: any) => void): Head {
  return { plain: bind, suspending: undefined };
}

function* assign(frame: Frame, value: unknown, fill: Suspending, place: Reference): Generator<any, void, any> {
  yield* fill(frame);
  place.set(frame, place.resolve(frame), value);
}

const stay = (frame: Frame): Frame => frame;

function compileLoop(node: Node): Loop {
  const scope = node.scope!;
  const bind = head(node["left"], scope);
  const body: Step = statementStep(node["body"], scope);
  const right = step(node["right"], scope);
  const open = enterScope(scope) ?? stay;
  const enter = scope.materialized ? open : stay;
  return {
    subject: (frame) => perform(right, open(frame)),
    once: (frame, value) => runOnce(frame, value, enter, bind, body),
    short: shortForm(bind, body, enter),
    goesOn: continues(node),
    text: render(node["right"]),
    offset: unit.base + node["right"].start,
  };
}

function* runOnce(outer: Frame, value: any, enter: (frame: Frame) => Frame, bind: Head, body: Step): Steps {
  const frame = enter(outer);
  if (bind.plain !== undefined) bind.plain(frame, value);
  else yield* bind.suspending!(frame, value);
  return body.run !== undefined ? body.run(frame) : yield* perform(body, frame);
}

function shortForm({ plain: bind }: Head, { leaf }: Step, open: (outer: Frame) => Frame): Loop["short"] {
  if (bind === undefined || leaf === undefined) return undefined;
  return {
    leaf,
    enter(outer, value) {
      const frame = open(outer);
      bind(frame, value);
      return frame;
    },
  };
}

export function suspendForIn(node: Node): Suspending {
  const loop = compileLoop(node);
  return (frame) => runForIn(frame, loop);
}

function* runForIn(frame: Frame, { subject, once, goesOn, offset }: Loop): Steps {
  const value = yield* subject(frame);
  machine.position = offset;
  for (const key in value) {
    if (--machine.fuel < 0) burn(offset);
    const completion = yield* once(frame, key);
    if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
  }
  return undefined;
}

export function suspendForOf(node: Node): Suspending {
  const loop = compileLoop(node);
  return node["await"] ? (frame) => runForAwait(frame, loop) : (frame) => runForOf(frame, loop);
}

function* runForOf(frame: Frame, { subject, once, short, goesOn, text, offset }: Loop): Steps {
  const value = yield* subject(frame);
  const walk = new Walk(getIterator(value, text, offset), offset);
  for (;;) {
    const item = walk.next();
    if (walk.done) return undefined;
    if (--machine.fuel < 0) burn(offset);
    let completion: Completion | undefined;
    let suspended = false;
    try {
      if (short === undefined) completion = yield* once(frame, item);
      else {
        const { leaf } = short;
        const inner = short.enter(frame, item);
        if (leaf.test !== undefined && !leaf.test(inner)) completion = leaf.otherwise(inner);
        else {
          const handed = leaf.operand(inner);
          machine.position = leaf.offset;
          suspended = true;
          const taken = yield handed;
          suspended = false;
          completion = leaf.finish(inner, taken);
        }
      }
    } catch (error) {
      closeAfter(suspended ? annotateAt(error, short!.leaf.offset) : error, walk.record, offset);
    }
    if (completion !== undefined && !goesOn(completion)) {
      const { returned } = machine;
      iteratorClose(walk.record, offset);
      machine.returned = returned;
      return afterBody(completion);
    }
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function* runForAwait(frame: Frame, { subject, once, goesOn, text, offset }: Loop): Steps {
  const { iterator, next } = asyncIteratorOf(yield* subject(frame), text, offset);
  for (;;) {
    machine.position = offset;
    if (typeof next !== "function") throwTypeError(`${describe(next)} is not a function`, offset);
    const result: any = yield ReflectApply(next, iterator, []);
    if (!isObject(result)) throwTypeError(`Iterator result ${describe(result)} is not an object`, offset);
    if ((result as any).done) return undefined;
    const { value } = result as any;
    let completion: Completion | undefined;
    try {
      if (--machine.fuel < 0) burn(offset);
      completion = yield* once(frame, value);
    } catch (error) {
      if (passesThrough(error)) throw error;
      if (ReturnSignal.is(error)) yield* close(iterator, offset);
      else {
        annotate(error);
        yield* closeQuietly(iterator);
      }
      throw error;
    }
    if (completion !== undefined && !goesOn(completion)) {
      const { returned } = machine;
      yield* close(iterator, offset);
      machine.returned = returned;
      return afterBody(completion);
    }
  }
}

/** AsyncIteratorClose (§7.4.13) for every other completion. */
function* close(iterator: any, offset: number): Generator<any, void, any> {
  machine.position = offset;
  const method = iterator.return;
  if (method === undefined || method === null) return;
  if (typeof method !== "function") throwTypeError(`${describe(method)} is not a function`, offset);
  const result = yield ReflectApply(method, iterator, []);
  if (!isObject(result)) throwTypeError(`${describe(result)} is not an object`, offset);
}

/** AsyncIteratorClose for a throw completion (§7.4.13): errors of `return` do not count. */
function* closeQuietly(iterator: any): Generator<any, void, any> {
  try {
    const method = iterator.return;
    if (method !== undefined && method !== null) yield ReflectApply(method, iterator, []);
  } catch {
    // The first error wins.
  }
}
