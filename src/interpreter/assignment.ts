/** Assignment operators (ECMA-262 §13.15). */
import { operation } from "./binary-operators.js";
import { expression } from "./compiler.js";
import { showKey, throwTypeError } from "./errors.js";
import { compileIdentifier, plainLocal, writableLocal, writeBinding } from "./identifiers.js";
import { numberLiteral } from "./literals.js";
import { type Frame, machine, type Run } from "./machine.js";
import { constantKey, isPrivateMember, memberOffset, superGet, superReference, throwNullish } from "./members.js";
import { assignMember, defineData, toPropertyKey } from "./objects.js";
import { assignPattern } from "./patterns.js";
import { ReflectSet } from "./primordials.js";
import { type PrivateName, privateGet, privateSet } from "./private-names.js";
import type { Scope } from "./scope.js";
import { isAnonymousFunction, type Node } from "./syntax.js";
import { unit } from "./unit.js";

/** A place that can be read and written, its parts evaluated once. `Parts` differ by kind and stay inside. */
export interface Reference {
  /** Evaluates the parts: object and key. */
  resolve(frame: Frame): any;
  get(frame: Frame, parts: any): any;
  set(frame: Frame, parts: any, value: any): void;
}

export function throwNullishWrite(value: unknown, key: unknown, offset: number): never {
  throwTypeError(
    `Cannot set properties of ${value === null ? "null" : "undefined"} (setting '${showKey(key)}')`,
    offset,
  );
}

/** `object[key] = value`, with all checks. */
export function put(object: any, key: any, value: unknown, offset: number): void {
  if (object === null || object === undefined) throwNullishWrite(object, key, offset);
  assignMember(object, key, value, offset);
}

/** The reference of an identifier or member. */
export function reference(node: Node, scope: Scope): Reference {
  if (node.type === "Identifier") {
    const read = compileIdentifier(node, scope);
    const write = writeBinding(node, scope);
    return {
      resolve: () => undefined,
      get: (frame) => read(frame),
      set: (frame, _parts, value) => write(frame, value),
    };
  }
  const offset = memberOffset(node);
  if (node["object"].type === "Super") {
    const { home, self, key } = superReference(node, scope);
    return {
      resolve: (frame) => {
        const receiver = self(frame);
        const name = key(frame);
        return { receiver, name, base: home(frame) };
      },
      get: (_frame, { receiver, name, base }) => superGet(base, name, receiver, offset),
      set: (_frame, { receiver, name, base }, value) => superSet(base, name, receiver, value, offset),
    };
  }
  const object = expression(node["object"], scope);
  if (isPrivateMember(node)) {
    const name = expression({ ...node["property"], type: "Identifier" }, scope);
    return {
      resolve: object,
      get: (frame, self) => privateGet(self, name(frame) as PrivateName, offset),
      set: (frame, self, value) => privateSet(self, name(frame) as PrivateName, value, offset),
    };
  }
  const fixed = constantKey(node);
  if (fixed !== undefined)
    return {
      resolve: object,
      get: (_frame, self) => {
        if (self === null || self === undefined) throwNullish(self, fixed, offset);
        return self[fixed];
      },
      set: (_frame, self, value) => put(self, fixed, value, offset),
    };
  const key = expression(node["property"], scope);
  return {
    resolve: (frame) => {
      const self = object(frame);
      return { self, key: key(frame) };
    },
    get: (_frame, parts) => {
      if (parts.self === null || parts.self === undefined) throwNullish(parts.self, parts.key, offset);
      machine.position = offset;
      // The key is converted once, although it is used twice.
      parts.key = typeof parts.key === "number" ? parts.key : toPropertyKey(parts.key);
      return parts.self[parts.key];
    },
    set: (_frame, parts, value) => put(parts.self, parts.key, value, offset),
  };
}

export function superSet(base: any, name: any, receiver: any, value: unknown, offset: number): void {
  machine.position = offset;
  const key = typeof name === "number" ? name : toPropertyKey(name);
  if (base === null) throwNullishWrite(base, key, offset);
  if (ReflectSet(base, key, value, receiver)) return;
  // A method that a built-in prototype has frozen: see `assignMember`.
  if (machine.sealed && machine.isFrozenIntrinsic(base) && Object(receiver) === receiver)
    defineData(receiver, key, value);
  else throwTypeError(`Cannot assign to read only property '${showKey(key)}' of object`, offset);
}

export function compileAssignment(node: Node, scope: Scope): Run {
  const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
  if (operator === "=") return simpleAssignment(node, left, right, scope);
  const offset = unit.base + node.start;
  if (operator === "&&=" || operator === "||=" || operator === "??=")
    return logicalAssignment(node, left, right, scope);
  const operate = operation(operator.slice(0, -1), offset);
  const local = writableLocal(left, scope);
  if (local > 0) return compoundLocal(operator, local, right, scope, operate);
  const run = expression(right, scope);
  const target = reference(left, scope);
  return (frame) => {
    const parts = target.resolve(frame);
    const before = target.get(frame, parts);
    const operand = run(frame);
    const value =
      typeof before === "number" && typeof operand === "number" && operator === "+="
        ? before + operand
        : operate(before, operand);
    target.set(frame, parts, value);
    return value;
  };
}

function compoundLocal(
  operator: string,
  slot: number,
  right: Node,
  scope: Scope,
  operate: (a: any, b: any) => any,
): Run {
  const run = expression(right, scope);
  if (operator === "+=") {
    const constant = numberLiteral(right);
    if (constant !== undefined)
      return (frame) => {
        const before = frame[slot];
        return (frame[slot] = typeof before === "number" ? before + constant : operate(before, constant));
      };
    return (frame) => {
      const before = frame[slot];
      const operand = run(frame);
      return (frame[slot] =
        typeof before === "number" && typeof operand === "number" ? before + operand : operate(before, operand));
    };
  }
  return (frame) => {
    const before = frame[slot];
    return (frame[slot] = operate(before, run(frame)));
  };
}

function logicalAssignment(node: Node, left: Node, right: Node, scope: Scope): Run {
  const target = reference(left, scope);
  const run = expression(right, scope, nameFor(node));
  const keeps = logicalTest(node["operator"]);
  return (frame) => {
    const parts = target.resolve(frame);
    const before = target.get(frame, parts);
    if (keeps(before)) return before;
    const value = run(frame);
    target.set(frame, parts, value);
    return value;
  };
}

/** The name that an anonymous function takes from the variable it is assigned to; `(f) = …` gives none. */
export function nameFor({ start, left, right }: Node): string | undefined {
  return left.type === "Identifier" && left.start === start && isAnonymousFunction(right) ? left.name : undefined;
}

/** True when the old value stays. */
export function logicalTest(operator: string): (value: unknown) => boolean {
  if (operator === "&&=") return (value) => !value;
  if (operator === "||=") return (value) => Boolean(value);
  return (value) => value !== null && value !== undefined;
}

function simpleAssignment(node: Node, left: Node, right: Node, scope: Scope): Run {
  switch (left.type) {
    case "Identifier": {
      const run = expression(right, scope, nameFor(node));
      const local = writableLocal(left, scope);
      if (local > 0) return (frame) => (frame[local] = run(frame));
      const write = writeBinding(left, scope);
      return (frame) => {
        const value = run(frame);
        write(frame, value);
        return value;
      };
    }
    case "MemberExpression":
      return memberAssignment(left, right, scope);
    case "ObjectPattern":
    case "ArrayPattern": {
      const run = expression(right, scope);
      const assign = assignPattern(left, scope, right);
      return (frame) => {
        const value = run(frame);
        assign(frame, value);
        return value;
      };
    }
    default: {
      // TypeScript's `(x as T) = y` was erased before; anything else is a parse error.
      const run = expression(left, scope);
      return run;
    }
  }
}

function memberAssignment(left: Node, right: Node, scope: Scope): Run {
  const run = expression(right, scope);
  const offset = memberOffset(left);
  if (left["object"].type === "Super" || isPrivateMember(left)) {
    const target = reference(left, scope);
    return (frame) => {
      const parts = target.resolve(frame);
      const value = run(frame);
      target.set(frame, parts, value);
      return value;
    };
  }
  const object = expression(left["object"], scope);
  const key = constantKey(left);
  if (key !== undefined)
    return (frame) => {
      const self = object(frame);
      const value = run(frame);
      put(self, key, value, offset);
      return value;
    };
  const computed = expression(left["property"], scope);
  const i = plainLocal(left["object"], scope);
  const j = plainLocal(left["property"], scope);
  if (i > 0 && j > 0)
    return (frame) => {
      const self = frame[i];
      const name = frame[j];
      const value = run(frame);
      put(self, name, value, offset);
      return value;
    };
  return (frame) => {
    const self = object(frame);
    const name = computed(frame);
    const value = run(frame);
    put(self, name, value, offset);
    return value;
  };
}
