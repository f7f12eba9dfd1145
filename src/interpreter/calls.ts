/** Calls and `new` (ECMA-262 §13.3.5–§13.3.8). */

import { chargeNew } from "./charges.js";
import { constructSuper } from "./class-constructors.js";
import { expression } from "./compiler.js";
import { annotate, isErrorConstructor, throwTypeError } from "./errors.js";
import { plainLocal } from "./identifiers.js";
import { appendAll } from "./iterators.js";
import { type Frame, machine, type Run } from "./machine.js";
import {
  constantKey,
  isPrivateMember,
  memberOf,
  memberOffset,
  missingMemberOf,
  superGet,
  superReference,
  throwNullish,
} from "./members.js";
import { append, NativeProxy, NativeTypeError, ReflectApply, ReflectConstruct } from "./primordials.js";
import type { Scope } from "./scope.js";
import { type Node, render } from "./syntax.js";
import { unit } from "./unit.js";

export type Arguments = (frame: Frame) => any[];

/** Any argument list, as an array. */
export function compileArguments(nodes: readonly Node[], scope: Scope): Arguments {
  if (!nodes.some((node) => node.type === "SpreadElement")) {
    const runs = nodes.map((node) => expression(node, scope));
    const [a, b, c, d] = runs as [Run, Run, Run, Run];
    switch (runs.length) {
      case 0:
        return () => [];
      case 1:
        return (frame) => [a(frame)];
      case 2:
        return (frame) => [a(frame), b(frame)];
      case 3:
        return (frame) => [a(frame), b(frame), c(frame)];
      case 4:
        return (frame) => [a(frame), b(frame), c(frame), d(frame)];
    }
    return (frame) => {
      const values: unknown[] = [];
      for (let i = 0; i < runs.length; i++) append(values, runs[i]!(frame));
      return values;
    };
  }
  const parts = nodes.map((node) => {
    const spread = node.type === "SpreadElement";
    const value: Node = spread ? node["argument"] : node;
    return { spread, run: expression(value, scope), text: render(value), offset: unit.base + value.start };
  });
  return (frame) => {
    const values: unknown[] = [];
    for (let i = 0; i < parts.length; i++) {
      const { spread, run, text, offset } = parts[i]!;
      if (spread) appendAll(values, run(frame), text, offset);
      else append(values, run(frame));
    }
    return values;
  };
}

function isSimple(nodes: readonly Node[]): boolean {
  return nodes.length <= 3 && !nodes.some((node) => node.type === "SpreadElement");
}

function notAFunction(callee: Node, offset: number): never {
  throwTypeError(`${render(callee)} is not a function`, offset);
}

export function compileCall(node: Node, scope: Scope): Run {
  const callee: Node = node["callee"];
  const args: Node[] = node["arguments"];
  if (callee.type === "Super") return constructSuper(node, scope, compileArguments(args, scope));
  if (chainDepth(node) > 24) return compileLongCallChain(node, scope);
  if (callee.type === "MemberExpression") {
    if (isSimple(args) && callee["object"].type !== "Super" && !isPrivateMember(callee)) {
      const key = constantKey(callee);
      if (key !== undefined) return simpleMethodCall(callee, key, args, scope);
    }
    return callWithThis(callee, scope, compileArguments(args, scope), memberOffset(callee));
  }
  const offset = unit.base + node.start;
  if (callee.type === "ChainExpression") return callChainResult(callee, args, scope, offset);
  if (!isSimple(args)) return call(callee, scope, compileArguments(args, scope), offset);
  return simpleCall(callee, args, scope, offset);
}

/** `f(a, b)` with up to three arguments. */
function simpleCall(callee: Node, args: readonly Node[], scope: Scope, offset: number): Run {
  const run = expression(callee, scope);
  const [a, b, c] = args.map((arg) => expression(arg, scope)) as [Run, Run, Run];
  const { binding } = callee;
  const outer =
    callee.type === "Identifier" && binding !== undefined && !callee.checked && scope.depthOf(binding) === 1
      ? binding.slot
      : 0;
  switch (args.length) {
    case 0:
      return (frame) => {
        const fn = run(frame);
        if (typeof fn !== "function") notAFunction(callee, offset);
        machine.position = offset;
        return fn();
      };
    case 1: {
      if (outer > 0)
        return (frame) => {
          const fn = frame[0][outer];
          const first = a(frame);
          if (typeof fn !== "function") notAFunction(callee, offset);
          machine.position = offset;
          return fn(first);
        };
      const local = plainLocal(args[0]!, scope);
      if (local > 0)
        return (frame) => {
          const fn = run(frame);
          if (typeof fn !== "function") notAFunction(callee, offset);
          machine.position = offset;
          return fn(frame[local]);
        };
      return (frame) => {
        const fn = run(frame);
        const first = a(frame);
        if (typeof fn !== "function") notAFunction(callee, offset);
        machine.position = offset;
        return fn(first);
      };
    }
    case 2:
      return (frame) => {
        const fn = run(frame);
        const first = a(frame);
        const second = b(frame);
        if (typeof fn !== "function") notAFunction(callee, offset);
        machine.position = offset;
        return fn(first, second);
      };
    default:
      return (frame) => {
        const fn = run(frame);
        const first = a(frame);
        const second = b(frame);
        const third = c(frame);
        if (typeof fn !== "function") notAFunction(callee, offset);
        machine.position = offset;
        return fn(first, second, third);
      };
  }
}

/** `o.m(a, b)` with a constant name and up to three arguments. */
function simpleMethodCall(callee: Node, key: string, args: readonly Node[], scope: Scope): Run {
  const offset = memberOffset(callee);
  const object = expression(callee["object"], scope);
  const missing = missingMemberOf(callee["object"], scope);
  const nullish = (frame: Frame, value: unknown) => throwNullish(value, key, offset, missing && (() => missing(frame)));
  const [a, b, c] = args.map((arg) => expression(arg, scope)) as [Run, Run, Run];
  const local = plainLocal(callee["object"], scope);
  switch (args.length) {
    case 0:
      return (frame) => {
        const self = object(frame);
        if (self === null || self === undefined) nullish(frame, self);
        const fn = self[key];
        if (typeof fn !== "function") notAMethod(self, key, callee, offset);
        machine.position = offset;
        return ReflectApply(fn, self, []);
      };
    case 1:
      if (local > 0)
        return (frame) => {
          const self = frame[local];
          if (self === null || self === undefined) nullish(frame, self);
          const fn = self[key];
          const first = a(frame);
          if (typeof fn !== "function") notAMethod(self, key, callee, offset);
          machine.position = offset;
          return ReflectApply(fn, self, [first]);
        };
      return (frame) => {
        const self = object(frame);
        if (self === null || self === undefined) nullish(frame, self);
        const fn = self[key];
        const first = a(frame);
        if (typeof fn !== "function") notAMethod(self, key, callee, offset);
        machine.position = offset;
        return ReflectApply(fn, self, [first]);
      };
    case 2:
      return (frame) => {
        const self = object(frame);
        if (self === null || self === undefined) nullish(frame, self);
        const fn = self[key];
        const first = a(frame);
        const second = b(frame);
        if (typeof fn !== "function") notAMethod(self, key, callee, offset);
        machine.position = offset;
        return ReflectApply(fn, self, [first, second]);
      };
    default:
      return (frame) => {
        const self = object(frame);
        if (self === null || self === undefined) nullish(frame, self);
        const fn = self[key];
        const first = a(frame);
        const second = b(frame);
        const third = c(frame);
        if (typeof fn !== "function") notAMethod(self, key, callee, offset);
        machine.position = offset;
        return ReflectApply(fn, self, [first, second, third]);
      };
  }
}

function notAMethod(self: unknown, key: PropertyKey, callee: Node, offset: number): never {
  machine.position = offset;
  const better = machine.missingMember(self, key);
  if (better !== undefined) throw annotate(better);
  notAFunction(callee, offset);
}

/** `f(…)` with any arguments: `this` is undefined. */
export function call(callee: Node, scope: Scope, args: Arguments, offset: number): Run {
  const run = expression(callee, scope);
  return (frame) => {
    const fn = run(frame);
    const values = args(frame);
    if (typeof fn !== "function") notAFunction(callee, offset);
    machine.position = offset;
    return ReflectApply(fn, undefined, values);
  };
}

/** `o.m(…)`, `o[k](…)`, `o.#m(…)` or `super.m(…)` with any arguments. */
export function callWithThis(callee: Node, scope: Scope, args: Arguments, offset: number): Run {
  const reference = methodReference(callee, scope, offset);
  return (frame) => {
    const self = reference.self(frame);
    const fn = reference.method(frame, self);
    const values = args(frame);
    if (typeof fn !== "function") notAMethod(self, constantKey(callee) ?? "", callee, offset);
    machine.position = offset;
    return ReflectApply(fn, self, values);
  };
}

/** The two parts of a method call: what it is called on, and the function. */
export function methodReference(
  callee: Node,
  scope: Scope,
  offset: number,
): { self: Run; method: (frame: Frame, self: unknown) => any } {
  if (callee["object"].type === "Super") {
    const { self, home, key } = superReference(callee, scope);
    return {
      self,
      method: (frame, receiver) => {
        const name = key(frame);
        return superGet(home(frame), name, receiver, offset);
      },
    };
  }
  return { self: expression(callee["object"], scope), method: memberOf(callee, scope) };
}

/** `(a?.b)(c)`: the parentheses end the chain but keep `this`. */
function callChainResult(callee: Node, args: readonly Node[], scope: Scope, offset: number): Run {
  const inner: Node = callee["expression"];
  if (inner.type !== "MemberExpression" || inner["object"].type === "Super")
    return call(callee, scope, compileArguments(args, scope), offset);
  const object = expression(
    { type: "ChainExpression", start: callee.start, end: callee.end, expression: inner["object"] },
    scope,
  );
  const get = memberOf(inner, scope);
  const optional: boolean = inner["optional"] || isOptionalBefore(inner["object"]);
  const values = compileArguments(args, scope);
  return (frame) => {
    const self = object(frame);
    const fn = optional && (self === null || self === undefined) ? undefined : get(frame, self);
    const list = values(frame);
    if (typeof fn !== "function") notAFunction(callee, offset);
    machine.position = offset;
    return ReflectApply(fn, self, list);
  };
}

function isOptionalBefore(node: Node): boolean {
  for (
    let link = node;
    link.type === "MemberExpression" || link.type === "CallExpression";
    link = link["object"] ?? link["callee"]
  )
    if (link["optional"]) return true;
  return false;
}

/** A call as an element of an optional chain. */
export function callLink(node: Node, scope: Scope, link: (node: Node, scope: Scope) => Run, stop: unknown): Run {
  const callee: Node = node["callee"];
  const offset = unit.base + (callee.type === "MemberExpression" ? callee["property"].start : node.start);
  const args = compileArguments(node["arguments"], scope);
  const optional: boolean = node["optional"];
  if (callee.type === "Super") return expression(node, scope);
  if (callee.type === "MemberExpression") {
    const isSuper = callee["object"].type === "Super";
    const reference = isSuper
      ? methodReference(callee, scope, offset)
      : { self: link(callee["object"], scope), method: memberOf(callee, scope) };
    const early: boolean = callee["optional"];
    return (frame) => {
      const self = reference.self(frame);
      if (self === stop || (early && (self === null || self === undefined))) return stop;
      const fn = reference.method(frame, self);
      if (optional && (fn === null || fn === undefined)) return stop;
      const values = args(frame);
      if (typeof fn !== "function") notAMethod(self, constantKey(callee) ?? "", callee, offset);
      machine.position = offset;
      return ReflectApply(fn, self, values);
    };
  }
  if (callee.type === "ChainExpression" && callee["expression"].type === "MemberExpression") {
    // The parentheses of `(a?.b)?.(c)` end the inner chain but keep its receiver.
    const inner: Node = callee["expression"];
    const object = link(inner["object"], scope);
    const method = memberOf(inner, scope);
    return (frame) => {
      const self = object(frame);
      const early = self === stop || (inner["optional"] && (self === null || self === undefined));
      const fn = early ? undefined : method(frame, self);
      if (optional && (fn === null || fn === undefined)) return stop;
      const values = args(frame);
      if (typeof fn !== "function") notAFunction(callee, offset);
      machine.position = offset;
      return ReflectApply(fn, self, values);
    };
  }
  const run = link(callee, scope);
  return (frame) => {
    const fn = run(frame);
    if (fn === stop || (optional && (fn === null || fn === undefined))) return stop;
    const values = args(frame);
    if (typeof fn !== "function") notAFunction(callee, offset);
    machine.position = offset;
    return ReflectApply(fn, undefined, values);
  };
}

export function compileNew(node: Node, scope: Scope): Run {
  const callee: Node = node["callee"];
  const offset = unit.base + node.start;
  const run = expression(callee, scope);
  const args: Node[] = node["arguments"];
  if (isSimple(args) && args.length <= 2) {
    const [a, b] = args.map((arg) => expression(arg, scope)) as [Run, Run];
    const count = args.length;
    return (frame) => {
      const fn = run(frame);
      const first = count > 0 ? a(frame) : undefined;
      const second = count > 1 ? b(frame) : undefined;
      if (typeof fn !== "function") throwTypeError(`${render(callee)} is not a constructor`, offset);
      machine.position = offset;
      if (typeof first === "number") chargeNew(fn, first);
      let value: any;
      try {
        value = count === 0 ? new fn() : count === 1 ? new fn(first) : new fn(first, second);
      } catch (error) {
        failNew(fn, error, callee, offset);
      }
      return isErrorConstructor(fn) ? annotateAt(value, offset) : value;
    };
  }
  const values = compileArguments(args, scope);
  return (frame) => {
    const fn = run(frame);
    const list = values(frame);
    return construct(fn, list, callee, offset);
  };
}

export function construct(fn: any, list: unknown[], callee: Node, offset: number): unknown {
  if (typeof fn !== "function") throwTypeError(`${render(callee)} is not a constructor`, offset);
  machine.position = offset;
  let value: unknown;
  try {
    value = ReflectConstruct(fn, list);
  } catch (error) {
    failNew(fn, error, callee, offset);
  }
  return isErrorConstructor(fn) ? annotateAt(value, offset) : value;
}

/** An error that a native constructor just made. */
export function annotateAt<T>(error: T, offset: number): T {
  machine.position = offset;
  return annotate(error, true);
}

function failNew(fn: unknown, error: unknown, callee: Node, offset: number): never {
  // Asked first: the error of a constructor may be a proxy, and this would run its traps.
  if (!isConstructor(fn) && error instanceof NativeTypeError)
    throwTypeError(`${render(callee)} is not a constructor`, offset);
  throw annotate(error);
}

/** A proxy has [[Construct]] when its target has, and this one asks its target for nothing else. */
const ASK = { __proto__: null, construct: () => ({}) } as ProxyHandler<any>;

export function isConstructor(fn: any): boolean {
  if (typeof fn !== "function") return false;
  try {
    ReflectConstruct(new NativeProxy(fn, ASK) as never, []);
    return true;
  } catch {
    return false;
  }
}

function chainDepth(node: Node): number {
  let depth = 0;
  for (let link = node; ; link = link.type === "CallExpression" ? link["callee"] : link["object"]) {
    if (link.type !== "CallExpression" && link.type !== "MemberExpression") return depth;
    if (++depth > 24) return depth;
  }
}

/** `a.b().c().d()…` beyond what nested closures should carry: each step takes the value and the receiver of the next call. */
function compileLongCallChain(node: Node, scope: Scope): Run {
  const links: Node[] = [];
  let root = node;
  while (root.type === "CallExpression" || (root.type === "MemberExpression" && root["object"].type !== "Super")) {
    if (root.type === "CallExpression" && root["callee"].type === "Super") break;
    links.push(root);
    root = root.type === "CallExpression" ? root["callee"] : root["object"];
  }
  const first = expression(root, scope);
  type Apply = (frame: Frame, value: any, self: unknown) => unknown;
  const steps = links.reverse().map((link): { member: boolean; apply: Apply } => {
    if (link.type === "MemberExpression") {
      const get = memberOf(link, scope);
      return { member: true, apply: (frame, value) => get(frame, value) };
    }
    const args = compileArguments(link["arguments"], scope);
    const callee: Node = link["callee"];
    const offset = unit.base + (callee.type === "MemberExpression" ? callee["property"].start : callee.start);
    return {
      member: false,
      apply: (frame, fn, self) => {
        const values = args(frame);
        if (typeof fn !== "function") notAFunction(callee, offset);
        machine.position = offset;
        return ReflectApply(fn, self, values);
      },
    };
  });
  return (frame) => {
    let value = first(frame);
    let self: unknown;
    for (let i = 0; i < steps.length; i++) {
      const { member, apply } = steps[i]!;
      const next = apply(frame, value, self);
      self = member ? value : undefined;
      value = next;
    }
    return value;
  };
}
