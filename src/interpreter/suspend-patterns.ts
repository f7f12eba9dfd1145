/** Destructuring patterns with `await` or `yield` in their expressions. */
import { keyOf } from "./array-object-literals.js";
import { reference } from "./assignment.js";
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
import { type Frame, machine, passesThrough, ReturnSignal } from "./machine.js";
import { toPropertyKey } from "./objects.js";
import { throwNotDestructurable, Walk, withoutKeys } from "./patterns.js";
import { append } from "./primordials.js";
import type { Scope } from "./scope.js";
import { perform, stashTarget } from "./suspend-expressions.js";
import { isAnonymousFunction, type Node } from "./syntax.js";
import { unit } from "./unit.js";

export type SuspendingBind = (frame: Frame, value: any) => Generator<any, void, any>;

/** Where a part of the value goes, in three steps that may all suspend. */
interface Target {
  resolve(frame: Frame): Generator<any, any, any>;
  readonly initial: Step | undefined;
  set(frame: Frame, parts: any, value: any): Generator<any, void, any>;
}

export function suspendPattern(node: Node, scope: Scope, initialize: boolean): SuspendingBind {
  if (node.type === "ObjectPattern") return objectPattern(node, scope, initialize);
  if (node.type === "ArrayPattern") return arrayPattern(node, scope, initialize);
  const only = target(node, scope, initialize);
  return function* (frame, value) {
    const parts = yield* only.resolve(frame);
    yield* put(only, frame, parts, value);
  };
}

function* put(to: Target, frame: Frame, parts: any, value: any): Generator<any, void, any> {
  if (value === undefined && to.initial !== undefined) value = yield* perform(to.initial, frame);
  yield* to.set(frame, parts, value);
}

// biome-ignore lint/correctness/useYield: nothing to evaluate
function* nothing(): Generator<any, undefined, any> {
  return undefined;
}

function target(node: Node, scope: Scope, initialize: boolean): Target {
  switch (node.type) {
    case "AssignmentPattern": {
      const { left, right } = node as unknown as { left: Node; right: Node };
      return {
        ...target(left, scope, initialize),
        initial: step(
          right,
          scope,
          left.type === "Identifier" && isAnonymousFunction(right) ? left["name"] : undefined,
        ),
      };
    }
    case "Identifier": {
      const write = initialize ? initializeBinding(node.binding!, scope) : writeBinding(node, scope);
      return {
        resolve: nothing,
        initial: undefined,
        // biome-ignore lint/correctness/useYield: part of a protocol
        *set(frame, _parts, value) {
          write(frame, value);
        },
      };
    }
    case "ObjectPattern":
    case "ArrayPattern": {
      const bind = suspendPattern(node, scope, initialize);
      return { resolve: nothing, initial: undefined, set: (frame, _parts, value) => bind(frame, value) };
    }
    default: {
      const { fill, target: member } = stashTarget(node, scope);
      const place = reference(member, scope);
      return {
        *resolve(frame) {
          yield* fill(frame);
          return place.resolve(frame);
        },
        initial: undefined,
        // biome-ignore lint/correctness/useYield: part of a protocol
        *set(frame, parts, value) {
          place.set(frame, parts, value);
        },
      };
    }
  }
}

function objectPattern(node: Node, scope: Scope, initialize: boolean): SuspendingBind {
  const offset = unit.base + node.start;
  const parts = (node["properties"] as Node[]).map((property) => {
    const rest = property.type === "RestElement";
    return {
      rest,
      fixed: rest || property["computed"] ? "" : keyOf(property),
      key: !rest && property["computed"] ? step(property["key"], scope) : undefined,
      to: target(rest ? property["argument"] : property["value"], scope, initialize),
    };
  });
  return function* (frame, value) {
    if (value === null || value === undefined) throwNotDestructurable(node, value, undefined, offset);
    const seen: PropertyKey[] = [];
    for (let i = 0; i < parts.length; i++) {
      const { rest, fixed, key, to } = parts[i]!;
      const name = key === undefined ? fixed : toPropertyKey(yield* perform(key, frame));
      const place = yield* to.resolve(frame);
      machine.position = offset;
      if (rest) yield* to.set(frame, place, withoutKeys(value, seen));
      else {
        append(seen, name);
        yield* put(to, frame, place, value[name]);
      }
    }
  };
}

function arrayPattern(node: Node, scope: Scope, initialize: boolean): SuspendingBind {
  const offset = unit.base + node.start;
  const parts = (node["elements"] as (Node | null)[]).map((element) => {
    if (element === null) return undefined;
    const rest = element.type === "RestElement";
    return { rest, to: target(rest ? element["argument"] : element, scope, initialize) };
  });
  return function* (frame, value) {
    const method = iteratorMethod(
      value,
      typeof value === "object" && value !== null ? "object" : describe(value),
      offset,
    );
    const walk = new Walk(iteratorFrom(value, method, offset), offset);
    try {
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i];
        if (part === undefined) {
          walk.skip();
          continue;
        }
        const place = yield* part.to.resolve(frame);
        yield* put(part.to, frame, place, part.rest ? walk.rest() : walk.next());
      }
    } catch (error) {
      closeAfter(error, walk.done ? undefined : walk.record, offset);
    }
    if (!walk.done) iteratorClose(walk.record, offset);
  };
}

/** Closes an iterator that an error or the end of the generator leaves open, and goes on with that. */
export function closeAfter(error: unknown, record: IteratorRecord | undefined, offset: number): never {
  if (record !== undefined && !passesThrough(error)) {
    if (ReturnSignal.is(error)) iteratorClose(record, offset);
    else iteratorCloseQuietly(record);
  }
  throw error;
}
