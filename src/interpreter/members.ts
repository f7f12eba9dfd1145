/** Property accessors and optional chains (ECMA-262 §13.3.2, §13.3.9). */
import { callLink } from "./calls.js";
import { expression } from "./compiler.js";
import { annotate, showKey, throwTypeError } from "./errors.js";
import { plainLocal } from "./identifiers.js";
import { type Frame, machine, type Run } from "./machine.js";
import { ReflectGet, ReflectGetOwnPropertyDescriptor, ReflectGetPrototypeOf } from "./primordials.js";
import { privateGet } from "./private-names.js";
import type { Scope } from "./scope.js";
import { intern, type Node } from "./syntax.js";
import { unit } from "./unit.js";

/** The error for a property of `null` or `undefined`; for a missing tool namespace, the one that names it. */
export function throwNullish(value: unknown, key: unknown, offset: number, missing?: () => Error | undefined): never {
  machine.position = offset;
  const better = missing?.();
  if (better !== undefined) throw annotate(better);
  throwTypeError(
    `Cannot read properties of ${value === null ? "null" : "undefined"} (reading '${showKey(key)}')`,
    offset,
  );
}

/** The key of a member that is not computed, or a computed string literal. */
export function constantKey(node: Node): string | undefined {
  const { property } = node as unknown as { property: Node };
  if (!node["computed"]) return intern(property["name"]);
  if (property.type === "Literal" && typeof property["value"] === "string") return intern(property["value"]);
  return undefined;
}

export function isPrivateMember(node: Node): boolean {
  return node["property"].type === "PrivateIdentifier";
}

/** Where an error about a member is reported: at its name. */
export function memberOffset(node: Node): number {
  return unit.base + node["property"].start;
}

/**
 * For `a.b.c` where `a.b` is missing: asks the environment whether `a` is a tool namespace. Only data properties are read
 * again, so the program notices nothing.
 */
export function missingMemberOf(object: Node, scope: Scope): ((frame: Frame) => Error | undefined) | undefined {
  const keys: string[] = [];
  let root = object;
  while (root.type === "MemberExpression") {
    const key = constantKey(root);
    if (key === undefined || isPrivateMember(root) || keys.length === 16) return undefined;
    keys.unshift(key);
    root = root["object"];
  }
  if (keys.length === 0 || root.type !== "Identifier") return undefined;
  const read = expression(root, scope);
  return (frame) => {
    let value = read(frame);
    for (let i = 0; i < keys.length; i++) {
      if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
      const own = ReflectGetOwnPropertyDescriptor(value, keys[i]!);
      if (own === undefined) return machine.missingMember(value, keys[i]!);
      value = own.value;
    }
    return undefined;
  };
}

export function compileMember(node: Node, scope: Scope): Run {
  const object: Node = node["object"];
  if (object.type === "Super") return compileSuperMember(node, scope);
  if (longChain(node)) return compileLongChain(node, scope);
  const run = expression(object, scope);
  const offset = memberOffset(node);
  if (isPrivateMember(node)) {
    const name = expression({ ...node["property"], type: "Identifier" }, scope);
    return (frame) => privateGet(run(frame), name(frame), offset);
  }
  const key = constantKey(node);
  if (key === undefined) return computedMember(node, run, scope, offset);
  const missing = missingMemberOf(object, scope);
  const fail = (frame: Frame, value: unknown) => throwNullish(value, key, offset, missing && (() => missing(frame)));
  const slot = plainLocal(object, scope);
  if (key === "length")
    return (frame) => {
      const value = run(frame);
      // A name of its own lets V8 keep arrays and strings apart from everything else.
      if (value === null || value === undefined) fail(frame, value);
      return value.length;
    };
  if (slot > 0)
    return (frame) => {
      const value = frame[slot];
      if (value === null || value === undefined) fail(frame, value);
      return value[key];
    };
  return (frame) => {
    const value = run(frame);
    if (value === null || value === undefined) fail(frame, value);
    return value[key];
  };
}

function computedMember(node: Node, run: Run, scope: Scope, offset: number): Run {
  const object: Node = node["object"];
  const key = expression(node["property"], scope);
  const i = plainLocal(object, scope);
  const j = plainLocal(node["property"], scope);
  if (i > 0 && j > 0)
    return (frame) => {
      const value = frame[i];
      const name = frame[j];
      if (value === null || value === undefined) throwNullish(value, name, offset);
      if (typeof name !== "number") machine.position = offset;
      return value[name];
    };
  return (frame) => {
    const value = run(frame);
    const name = key(frame);
    if (value === null || value === undefined) throwNullish(value, name, offset);
    if (typeof name !== "number") machine.position = offset;
    return value[name];
  };
}

/** A member of a value, for chains and calls: `(frame, object) => object.key`. */
export function memberOf(node: Node, scope: Scope): (frame: Frame, object: any) => any {
  const offset = memberOffset(node);
  if (isPrivateMember(node)) {
    const name = expression({ ...node["property"], type: "Identifier" }, scope);
    return (frame, object) => privateGet(object, name(frame), offset);
  }
  const key = constantKey(node);
  if (key !== undefined) {
    const missing = missingMemberOf(node["object"], scope);
    return (frame, object) => {
      if (object === null || object === undefined) throwNullish(object, key, offset, missing && (() => missing(frame)));
      return object[key];
    };
  }
  const run = expression(node["property"], scope);
  return (frame, object) => {
    const name = run(frame);
    if (object === null || object === undefined) throwNullish(object, name, offset);
    if (typeof name !== "number") machine.position = offset;
    return object[name];
  };
}

/** `super.x` (§13.3.7): looked up on the prototype of the home object, called on `this`. */
export function superReference(node: Node, scope: Scope): { home: Run; self: Run; key: Run } {
  const base: Node = node["object"];
  const record = expression({ ...base, type: "Identifier" }, scope);
  const member = base["static"] ? "constructor" : "prototype";
  const constant = constantKey(node);
  return {
    self: expression(base["this"], scope),
    home: (frame) => ReflectGetPrototypeOf(record(frame)[member]),
    key: constant === undefined ? expression(node["property"], scope) : () => constant,
  };
}

function compileSuperMember(node: Node, scope: Scope): Run {
  const { home, self, key } = superReference(node, scope);
  const offset = memberOffset(node);
  return (frame) => {
    const receiver = self(frame);
    const name = key(frame);
    const base = home(frame);
    return superGet(base, name, receiver, offset);
  };
}

export function superGet(base: any, name: any, receiver: unknown, offset: number): any {
  if (base === null) throwNullish(base, name, offset);
  machine.position = offset;
  return ReflectGet(base, name, receiver);
}

/** Ends an optional chain early. */
const STOP = Symbol("stop") as any;

/** `a?.b.c(d)`: the links after the first, each applied to the value before it. */
export function compileChain(node: Node, scope: Scope): Run {
  const run = compileLink(node["expression"], scope);
  return (frame) => {
    const value = run(frame);
    return value === STOP ? undefined : value;
  };
}

/** An element of a chain: gives `STOP` when a link before it, or its own `?.`, met null or undefined. */
function compileLink(node: Node, scope: Scope): Run {
  if (node.type === "CallExpression") return callLink(node, scope, compileLink, STOP);
  if (node.type !== "MemberExpression" || node["object"].type === "Super") return expression(node, scope);
  const object = compileLink(node["object"], scope);
  const get = memberOf(node, scope);
  const optional: boolean = node["optional"];
  return (frame) => {
    const value = object(frame);
    if (value === STOP || (optional && (value === null || value === undefined))) return STOP;
    return get(frame, value);
  };
}

function longChain(node: Node): boolean {
  let depth = 0;
  for (let link = node; link.type === "MemberExpression"; link = link["object"]) if (++depth > 24) return true;
  return false;
}

/** `a.b.c.…` beyond what nested closures should carry. */
function compileLongChain(node: Node, scope: Scope): Run {
  const links: Node[] = [];
  let root = node;
  for (; root.type === "MemberExpression" && root["object"].type !== "Super"; root = root["object"]) links.push(root);
  const first = expression(root, scope);
  const gets = links.reverse().map((link) => memberOf(link, scope));
  return (frame) => {
    let value = first(frame);
    for (let i = 0; i < gets.length; i++) value = gets[i]!(frame, value);
    return value;
  };
}
