/** Array and object initializers (ECMA-262 §13.2.4, §13.2.5). */
import { expression } from "./compiler.js";
import { throwTypeError } from "./errors.js";
import { enterScope } from "./frames.js";
import { instantiate, setFunctionName } from "./function-objects.js";
import { functionCode } from "./functions.js";
import { initializeBinding } from "./identifiers.js";
import { appendAll } from "./iterators.js";
import { type Frame, machine, noteAccessors, type Run } from "./machine.js";
import { addData, copyDataProperties, defineData, toPropertyKey } from "./objects.js";
import { append, ObjectPrototype, ReflectDefineProperty, ReflectSetPrototypeOf } from "./primordials.js";
import type { Scope } from "./scope.js";
import { intern, isAnonymousFunction, type Node, render } from "./syntax.js";
import { unit } from "./unit.js";

export function compileArray(node: Node, scope: Scope): Run {
  const elements: (Node | null)[] = node["elements"];
  if (elements.some((item) => item === null || item.type === "SpreadElement")) return arrayWithSpread(elements, scope);
  const runs = elements.map((item) => expression(item!, scope));
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
    default:
      return (frame) => {
        const array: unknown[] = [a(frame), b(frame), c(frame), d(frame)];
        for (let i = 4; i < runs.length; i++) append(array, runs[i]!(frame));
        return array;
      };
  }
}

function arrayWithSpread(elements: readonly (Node | null)[], scope: Scope): Run {
  const parts = elements.map((item) => ({
    run: item === null ? undefined : expression(item.type === "SpreadElement" ? item["argument"] : item, scope),
    spread: item?.type === "SpreadElement",
    text: item?.type === "SpreadElement" ? render(item["argument"]) : "",
    offset: unit.base + (item?.type === "SpreadElement" ? item["argument"].start : 0),
  }));
  return (frame) => {
    const array: unknown[] = [];
    for (let i = 0; i < parts.length; i++) {
      const { run, spread, text, offset } = parts[i]!;
      if (run === undefined) array.length++;
      else if (spread) appendAll(array, run(frame), text, offset);
      else append(array, run(frame));
    }
    return array;
  };
}

/** Puts one property into the object being made. */
export type Define = (frame: Frame, object: any) => void;

export function compileObject(node: Node, outer: Scope): Run {
  const properties: Node[] = node["properties"];
  const scope = node.scope ?? outer;
  if (node.scope === undefined) {
    const simple = simpleObject(properties, scope);
    if (simple !== undefined) return simple;
  }
  const add = adderFor(properties);
  const defines = properties.map((property) => compileProperty(property, scope, add));
  const enter = node.scope === undefined ? undefined : enterScope(node.scope);
  const start = newObject(node);
  return (frame) => {
    const inner = enter === undefined ? frame : enter(frame);
    const object = start(inner);
    for (let i = 0; i < defines.length; i++) defines[i]!(inner, object);
    return object;
  };
}

/** An empty object, known as their home to the methods that will be put into it. */
export function newObject(node: Node): (inner: Frame) => object {
  const record = node.scope?.bindings.get("%record");
  if (!record?.captured) return () => ({});
  const setRecord = initializeBinding(record, node.scope!);
  return (inner) => {
    const object = {};
    setRecord(inner, { prototype: object, constructor: object });
    return object;
  };
}

/** A key that plain assignment defines as a data property: nothing on `Object.prototype` has its name. */
function isPlainKey(key: string): boolean {
  return key !== "__proto__" && !(key in ObjectPrototype);
}

/** Objects of only `key: value`, the most frequent kind. */
function simpleObject(properties: readonly Node[], scope: Scope): Run | undefined {
  for (const property of properties)
    if (
      property.type !== "Property" ||
      property["computed"] ||
      property["kind"] !== "init" ||
      !isPlainKey(keyOf(property))
    )
      return undefined;
  const keys = properties.map(keyOf);
  if (new Set(keys).size !== keys.length) return undefined;
  const runs = properties.map((property) => expression(property["value"], scope, keyOf(property)));
  const [ka, kb, kc, kd] = keys as [string, string, string, string];
  const [a, b, c, d] = runs as [Run, Run, Run, Run];
  switch (keys.length) {
    case 0:
      return () => ({});
    case 1:
      return (frame) => {
        const object: any = {};
        const first = a(frame);
        put(object, ka, first);
        return object;
      };
    case 2:
      return (frame) => {
        const object: any = {};
        put(object, ka, a(frame));
        put(object, kb, b(frame));
        return object;
      };
    case 3:
      return (frame) => {
        const object: any = {};
        put(object, ka, a(frame));
        put(object, kb, b(frame));
        put(object, kc, c(frame));
        return object;
      };
    case 4:
      return (frame) => {
        const object: any = {};
        put(object, ka, a(frame));
        put(object, kb, b(frame));
        put(object, kc, c(frame));
        put(object, kd, d(frame));
        return object;
      };
    default:
      return (frame) => {
        const object: any = {};
        for (let i = 0; i < keys.length; i++) put(object, keys[i]!, runs[i]!(frame));
        return object;
      };
  }
}

/** Defines a property whose name was free on `Object.prototype` when the program was compiled. */
function put(object: any, key: string, value: unknown): void {
  if (machine.sealed || !(key in object)) object[key] = value;
  else defineData(object, key, value);
}

/** The key of a property that is not computed. */
export function keyOf(property: Node): string {
  const key: Node = property["key"];
  if (key.type === "Identifier") return intern(key["name"]);
  if (key.type === "PrivateIdentifier") return `#${key["name"]}`;
  return intern(String(key["value"]));
}

function setsPrototype(property: Node): boolean {
  if (property.type === "SpreadElement" || property["computed"] || property["shorthand"] || property["method"])
    return false;
  return property["kind"] === "init" && keyOf(property) === "__proto__";
}

type Add = typeof addData;

/** What puts data properties into the object: with another prototype, maybe a proxy, an assignment is not what it is elsewhere. */
export function adderFor(properties: readonly Node[]): Add {
  return properties.some(setsPrototype) ? defineData : addData;
}

export function compileProperty(property: Node, scope: Scope, add: Add): Define {
  const offset = unit.base + property.start;
  if (property.type === "SpreadElement") {
    const run = expression(property["argument"], scope);
    return (frame, object) => {
      const source = run(frame);
      machine.position = offset;
      copyDataProperties(object, source, add);
    };
  }
  const value: Node = property["value"];
  if (property["kind"] !== "init") return compileAccessor(property, scope);
  if (property["computed"]) {
    const key = expression(property["key"], scope);
    const named = property["method"] || isAnonymousFunction(value);
    const run = expression(value, scope, named ? "" : undefined);
    return (frame, object) => {
      const raw = key(frame);
      machine.position = offset;
      const name = toPropertyKey(raw);
      const result = run(frame);
      if (named) setFunctionName(result, name);
      add(object, name, result);
    };
  }
  const key = keyOf(property);
  if (setsPrototype(property)) {
    const run = expression(value, scope);
    return (frame, object) => {
      const prototype = run(frame);
      if (typeof prototype === "object" || typeof prototype === "function") ReflectSetPrototypeOf(object, prototype);
    };
  }
  const run = expression(value, scope, key);
  return (frame, object) => add(object, key, run(frame));
}

function compileAccessor(property: Node, scope: Scope): Define {
  const kind = property["kind"] as "get" | "set";
  const key = property["computed"] ? expression(property["key"], scope) : undefined;
  const fixed = property["computed"] ? "" : keyOf(property);
  const code = functionCode(property["value"], `${kind} ${fixed}`, property);
  return (frame, object) => {
    const name = key === undefined ? fixed : toPropertyKey(key(frame));
    const fn = instantiate(code, frame);
    if (key !== undefined) setFunctionName(fn, name, kind);
    noteAccessors();
    defineAccessor(object, name, kind, fn, true);
  };
}

export function defineAccessor(
  object: object,
  key: PropertyKey,
  kind: "get" | "set",
  fn: unknown,
  enumerable: boolean,
): void {
  const descriptor = (kind === "get"
    ? { __proto__: null, get: fn, enumerable, configurable: true }
    : { __proto__: null, set: fn, enumerable, configurable: true }) as unknown as PropertyDescriptor;
  if (!ReflectDefineProperty(object, key, descriptor))
    throwTypeError(`Cannot redefine property: ${String(key)}`, machine.position);
}
