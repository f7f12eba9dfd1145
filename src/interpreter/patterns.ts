/** Destructuring (ECMA-262 §8.6.2, §13.15.5): patterns of declarations, parameters and assignments. */
import { keyOf } from "./array-object-literals.js";
import { reference } from "./assignment.js";
import { expression } from "./compiler.js";
import { throwTypeError } from "./errors.js";
import { initializeBinding, writeBinding } from "./identifiers.js";
import {
  describe,
  type IteratorRecord,
  isPlainArrayIteration,
  iteratorClose,
  iteratorCloseQuietly,
  iteratorFrom,
  iteratorMethod,
  iteratorStep,
} from "./iterators.js";
import { type Frame, machine, type Run } from "./machine.js";
import { addData, canBeRead, enumerableKeys, toPropertyKey } from "./objects.js";
import { append, ReflectGetOwnPropertyDescriptor, ReflectOwnKeys } from "./primordials.js";
import type { Scope } from "./scope.js";
import { isAnonymousFunction, type Node, render } from "./syntax.js";
import { unit } from "./unit.js";

export type Bind = (frame: Frame, value: any) => void;

/** Where a part of the value goes. */
export interface Target {
  /** Evaluates object and key of a member, before the value is taken. */
  readonly resolve: ((frame: Frame) => any) | undefined;
  readonly initial: Run | undefined;
  set(frame: Frame, parts: any, value: any): void;
}

/** Initializes the variables of a declaration or parameter. */
export function bindPattern(node: Node, scope: Scope): Bind {
  if (node.type === "Identifier") return initializeBinding(node.binding!, scope);
  return destructure(node, scope, true, undefined);
}

/** Assigns to the targets of an assignment pattern. `origin` is the assigned expression, for messages. */
export function assignPattern(node: Node, scope: Scope, origin?: Node): Bind {
  return destructure(node, scope, false, origin);
}

function destructure(node: Node, scope: Scope, initialize: boolean, origin: Node | undefined): Bind {
  return node.type === "ObjectPattern"
    ? objectPattern(node, scope, initialize, origin)
    : arrayPattern(node, scope, initialize, origin);
}

export function target(node: Node, scope: Scope, initialize: boolean): Target {
  if (node.type === "AssignmentPattern") {
    const { left, right } = node as unknown as { left: Node; right: Node };
    const inner = target(left, scope, initialize);
    return {
      ...inner,
      initial: expression(
        right,
        scope,
        left.type === "Identifier" && isAnonymousFunction(right) ? left["name"] : undefined,
      ),
    };
  }
  switch (node.type) {
    case "Identifier": {
      const write = initialize ? initializeBinding(node.binding!, scope) : writeBinding(node, scope);
      return { resolve: undefined, initial: undefined, set: (frame, _parts, value) => write(frame, value) };
    }
    case "ObjectPattern":
    case "ArrayPattern": {
      const bind = destructure(node, scope, initialize, undefined);
      return { resolve: undefined, initial: undefined, set: (frame, _parts, value) => bind(frame, value) };
    }
    default: {
      const place = reference(node, scope);
      return { resolve: place.resolve, initial: undefined, set: place.set };
    }
  }
}

/** The error for a pattern that meets null or undefined. */
export function throwNotDestructurable(node: Node, value: unknown, origin: Node | undefined, offset: number): never {
  const [first] = node["properties"] as Node[];
  const subject =
    origin === undefined
      ? String(value)
      : origin.type === "Literal" || origin.type === "Identifier" || origin.type === "MemberExpression"
        ? render(origin)
        : "(intermediate value)";
  if (first?.type === "Property" && !first["computed"])
    throwTypeError(
      `Cannot destructure property '${keyOf(first)}' of '${subject}' as it is ${value === null ? "null" : "undefined"}.`,
      offset,
    );
  throwTypeError(`Cannot destructure '${subject}' as it is ${value === null ? "null" : "undefined"}.`, offset);
}

function objectPattern(node: Node, scope: Scope, initialize: boolean, origin: Node | undefined): Bind {
  const offset = unit.base + node.start;
  const parts = (node["properties"] as Node[]).map((property) => {
    if (property.type === "RestElement")
      return { rest: true, fixed: "", key: undefined, to: target(property["argument"], scope, initialize) };
    const computed: boolean = property["computed"];
    return {
      rest: false,
      fixed: computed ? "" : keyOf(property),
      key: computed ? expression(property["key"], scope) : undefined,
      to: target(property["value"], scope, initialize),
    };
  });
  const hasRest = parts.some((part) => part.rest);
  return (frame, value) => {
    if (value === null || value === undefined) throwNotDestructurable(node, value, origin, offset);
    const seen: PropertyKey[] | undefined = hasRest ? [] : undefined;
    for (let i = 0; i < parts.length; i++) {
      const { rest, fixed, key, to } = parts[i]!;
      if (rest) {
        const place = to.resolve === undefined ? undefined : to.resolve(frame);
        machine.position = offset;
        to.set(frame, place, withoutKeys(value, seen!));
        continue;
      }
      let name: PropertyKey = fixed;
      if (key !== undefined) name = toPropertyKey(key(frame));
      if (seen !== undefined) append(seen, name);
      const place = to.resolve === undefined ? undefined : to.resolve(frame);
      machine.position = offset;
      let part = value[name];
      if (part === undefined && to.initial !== undefined) part = to.initial(frame);
      to.set(frame, place, part);
    }
  };
}

/** The rest of an object: a copy of its own enumerable properties, but for those already taken (§7.3.26). */
export function withoutKeys(value: any, keys: readonly PropertyKey[]): object {
  const source = Object(value);
  const rest = {};
  const listed = canBeRead(source);
  const own = listed ? enumerableKeys(source) : ReflectOwnKeys(source);
  for (let i = 0; i < own.length; i++) {
    const key = own[i]!;
    let taken = false;
    for (let j = 0; j < keys.length && !taken; j++)
      taken = keys[j] === key || (typeof keys[j] === "number" && String(keys[j]) === key);
    if (!taken && (listed || ReflectGetOwnPropertyDescriptor(source, key)?.enumerable)) addData(rest, key, source[key]);
  }
  return rest;
}

function arrayPattern(node: Node, scope: Scope, initialize: boolean, origin: Node | undefined): Bind {
  const offset = unit.base + node.start;
  const text = origin === undefined ? undefined : render(origin);
  const parts = (node["elements"] as (Node | null)[]).map((element) =>
    element === null
      ? undefined
      : element.type === "RestElement"
        ? { rest: true, to: target(element["argument"], scope, initialize) }
        : { rest: false, to: target(element, scope, initialize) },
  );
  const single = parts.length;
  return (frame, value) => {
    const method = iteratorMethod(
      value,
      text ??
        (value === null || value === undefined
          ? String(value)
          : typeof value === "object"
            ? "object"
            : describe(value)),
      offset,
    );
    if (isPlainArrayIteration(value, method)) {
      let index = 0;
      let done = false;
      for (let i = 0; i < single; i++) {
        const part = parts[i];
        const place = part?.to.resolve === undefined ? undefined : part.to.resolve(frame);
        if (part?.rest) {
          const rest: unknown[] = [];
          if (!done) for (; index < value.length; index++) append(rest, value[index]);
          part.to.set(frame, place, rest);
          return;
        }
        let item: unknown;
        if (!done) {
          if (index < value.length) item = value[index++];
          else done = true;
        }
        if (part === undefined) continue;
        if (item === undefined && part.to.initial !== undefined) item = part.to.initial(frame);
        part.to.set(frame, place, item);
      }
      return;
    }
    const walk = new Walk(iteratorFrom(value, method, offset), offset);
    try {
      for (let i = 0; i < single; i++) {
        const part = parts[i];
        const place = part?.to.resolve === undefined ? undefined : part.to.resolve(frame);
        if (part === undefined) {
          walk.skip();
          continue;
        }
        let item = part.rest ? walk.rest() : walk.next();
        if (item === undefined && part.to.initial !== undefined) item = part.to.initial(frame);
        part.to.set(frame, place, item);
      }
    } catch (error) {
      if (!walk.done) iteratorCloseQuietly(walk.record);
      throw error;
    }
    if (!walk.done) iteratorClose(walk.record, offset);
  };
}

/** Takes the values of an iterator one by one and knows when it must not be closed any more. */
export class Walk {
  done = false;
  readonly record: IteratorRecord;
  private readonly offset: number;
  constructor(record: IteratorRecord, offset: number) {
    this.record = record;
    this.offset = offset;
  }

  next(): unknown {
    if (this.done) return undefined;
    // An iterator that throws is not closed.
    this.done = true;
    const result = iteratorStep(this.record, this.offset);
    if (result.done) return undefined;
    const { value } = result;
    this.done = false;
    return value;
  }

  /** An elision: a step whose value nobody asks for (§8.6.3). */
  skip(): void {
    if (this.done) return;
    this.done = true;
    if (!iteratorStep(this.record, this.offset).done) this.done = false;
  }

  rest(): unknown[] {
    const values: unknown[] = [];
    for (;;) {
      const value = this.next();
      if (this.done) return values;
      append(values, value);
    }
  }
}
