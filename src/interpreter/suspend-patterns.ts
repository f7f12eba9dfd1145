/** Destructuring patterns with `await` or `yield` in their expressions. */
import { keyOf } from "./array-object-literals.js";
import { type Reference, reference } from "./assignment.js";
import { type Step, step } from "./compiler.js";
import { initializeBinding, writeBinding } from "./identifiers.js";
import {
  describe,
  type IteratorRecord,
  iteratorClose,
  iteratorCloseQuietly,
  iteratorFrom,
  iteratorMethod,
} from "./iterators.js";
import { type Frame, machine, passesThrough, ReturnSignal, type Steps, type Suspending } from "./machine.js";
import { toPropertyKey } from "./objects.js";
import { throwNotDestructurable, Walk, withoutKeys } from "./patterns.js";
import { append } from "./primordials.js";
import type { Scope } from "./scope.js";
import { perform, stashTarget } from "./suspending.js";
import { isAnonymousFunction, type Node } from "./syntax.js";
import { unit } from "./unit.js";

/** Gives the variables or places of a pattern their values; like `Suspending`, never itself a generator function. */
export type SuspendingBind = (frame: Frame, value: any) => Generator<any, void, any>;

/** Where a part of the value goes. */
interface Target {
  /** Evaluates the object and key of a member; other targets have nothing to evaluate before the value. */
  readonly resolve: Suspending | undefined;
  readonly initial: Step | undefined;
  /** For a nested pattern, `pattern` instead. */
  readonly set: ((frame: Frame, place: any, value: any) => void) | undefined;
  readonly pattern: SuspendingBind | undefined;
}

export function suspendPattern(node: Node, scope: Scope, initialize: boolean): SuspendingBind {
  if (node.type === "ObjectPattern") return objectPattern(node, scope, initialize);
  if (node.type === "ArrayPattern") return arrayPattern(node, scope, initialize);
  const only = target(node, scope, initialize);
  return (frame, value) => bindTarget(frame, value, only);
}

function* bindTarget(frame: Frame, value: any, to: Target): Generator<any, void, any> {
  const place = to.resolve === undefined ? undefined : yield* to.resolve(frame);
  yield* put(to, frame, place, value);
}

function* put({ initial, set, pattern }: Target, frame: Frame, place: any, value: any): Generator<any, void, any> {
  if (value === undefined && initial !== undefined) value = yield* perform(initial, frame);
  if (set !== undefined) set(frame, place, value);
  else yield* pattern!(frame, value);
}

function target(node: Node, scope: Scope, initialize: boolean): Target {
  switch (node.type) {
    case "AssignmentPattern": {
      const { left, right } = node as unknown as { left: Node; right: Node };
      const { resolve, set, pattern } = target(left, scope, initialize);
      const name: string | undefined =
        left.type === "Identifier" && isAnonymousFunction(right) ? left["name"] : undefined;
      return { resolve, initial: step(right, scope, name), set, pattern };
    }
    case "Identifier": {
      const write = initialize ? initializeBinding(node.binding!, scope) : writeBinding(node, scope);
      return {
        resolve: undefined,
        initial: undefined,
        set: (frame, _place, value) => write(frame, value),
        pattern: undefined,
      };
    }
    case "ObjectPattern":
    case "ArrayPattern":
      return {
        resolve: undefined,
        initial: undefined,
        set: undefined,
        pattern: suspendPattern(node, scope, initialize),
      };
    default: {
      const { fill, target: member } = stashTarget(node, scope);
      const place = reference(member, scope);
      return {
        resolve: (frame) => resolveMember(frame, fill, place),
        initial: undefined,
        set: (frame, parts, value) => place.set(frame, parts, value),
        pattern: undefined,
      };
    }
  }
}

function* resolveMember(frame: Frame, fill: Suspending, place: Reference): Steps {
  yield* fill(frame);
  return place.resolve(frame);
}

interface Property {
  readonly rest: boolean;
  /** A key that is written out. */
  readonly fixed: PropertyKey;
  /** A key that is computed. */
  readonly key: Step | undefined;
  readonly to: Target;
}

function objectPattern(node: Node, scope: Scope, initialize: boolean): SuspendingBind {
  const offset = unit.base + node.start;
  const properties = (node["properties"] as Node[]).map((property): Property => {
    const rest = property.type === "RestElement";
    return {
      rest,
      fixed: rest || property["computed"] ? "" : keyOf(property),
      key: !rest && property["computed"] ? step(property["key"], scope) : undefined,
      to: target(rest ? property["argument"] : property["value"], scope, initialize),
    };
  });
  return (frame, value) => bindObject(frame, value, node, properties, offset);
}

function* bindObject(
  frame: Frame,
  value: any,
  node: Node,
  properties: readonly Property[],
  offset: number,
): Generator<any, void, any> {
  if (value === null || value === undefined) throwNotDestructurable(node, value, undefined, offset);
  const seen: PropertyKey[] = [];
  for (let i = 0; i < properties.length; i++) {
    const { rest, fixed, key, to } = properties[i]!;
    const name = key === undefined ? fixed : toPropertyKey(yield* perform(key, frame));
    const place = to.resolve === undefined ? undefined : yield* to.resolve(frame);
    machine.position = offset;
    if (rest) yield* put(to, frame, place, withoutKeys(value, seen));
    else {
      append(seen, name);
      yield* put(to, frame, place, value[name]);
    }
  }
}

interface Element {
  readonly rest: boolean;
  readonly to: Target;
}

function arrayPattern(node: Node, scope: Scope, initialize: boolean): SuspendingBind {
  const offset = unit.base + node.start;
  const elements = (node["elements"] as (Node | null)[]).map((element): Element | undefined => {
    if (element === null) return undefined;
    const rest = element.type === "RestElement";
    return { rest, to: target(rest ? element["argument"] : element, scope, initialize) };
  });
  return (frame, value) => bindArray(frame, value, elements, offset);
}

function* bindArray(
  frame: Frame,
  value: any,
  elements: readonly (Element | undefined)[],
  offset: number,
): Generator<any, void, any> {
  const method = iteratorMethod(
    value,
    typeof value === "object" && value !== null ? "object" : describe(value),
    offset,
  );
  const walk = new Walk(iteratorFrom(value, method, offset), offset);
  try {
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i];
      if (element === undefined) {
        walk.skip();
        continue;
      }
      const { rest, to } = element;
      const place = to.resolve === undefined ? undefined : yield* to.resolve(frame);
      yield* put(to, frame, place, rest ? walk.rest() : walk.next());
    }
  } catch (error) {
    closeAfter(error, walk.done ? undefined : walk.record, offset);
  }
  if (!walk.done) iteratorClose(walk.record, offset);
}

/** Closes an iterator that an error or the end of the generator leaves open, and goes on with that. */
export function closeAfter(error: unknown, record: IteratorRecord | undefined, offset: number): never {
  if (record !== undefined && !passesThrough(error)) {
    if (ReturnSignal.is(error)) iteratorClose(record, offset);
    else iteratorCloseQuietly(record);
  }
  throw error;
}
