/** Classes (ECMA-262 §15.7). */
import { defineAccessor, keyOf } from "./array-object-literals.js";
import { isConstructor } from "./calls.js";
import { constructorOf } from "./class-constructors.js";
import { expression, type Step, step } from "./compiler.js";
import { throwTypeError } from "./errors.js";
import { enterScope, newFrame, prologue } from "./frames.js";
import { instantiate, setFunctionName } from "./function-objects.js";
import { sourceOf } from "./function-source.js";
import { functionCode, statementsResult } from "./functions.js";
import { initializeBinding } from "./identifiers.js";
import { type Frame, machine, type Run, type Steps, type Suspending } from "./machine.js";
import { defineData, defineMethod, toPropertyKey } from "./objects.js";
import { FunctionPrototype, ReflectApply, ReflectSetPrototypeOf } from "./primordials.js";
import { makePrivateName, type PrivateName, privateAdd } from "./private-names.js";
import type { Layout, Scope } from "./scope.js";
import { perform } from "./suspending.js";
import { isAnonymousFunction, type Node, render } from "./syntax.js";
import { unit } from "./unit.js";

/** One evaluation of a class, as its methods and constructor know it. */
export interface ClassRecord {
  /** Home object of prototype members. */
  prototype: any;
  /** Home object of static members, and the class itself. */
  constructor: any;
  /** Adds private methods and fields to a new instance. */
  initialize: ((instance: object) => void) | undefined;
}

/** What a new instance, or the class itself for static elements, gets after all methods are there. */
type Initialize = (frame: Frame, target: any, keys: readonly any[], record: ClassRecord) => void;

interface Plan {
  readonly heritage: Step | undefined;
  readonly keys: readonly (Step | undefined)[];
  readonly enter: ((frame: Frame) => Frame) | undefined;
  finish(frame: Frame, name: PropertyKey, heritage: unknown, keys: any[]): any;
}

export function compileClass(node: Node, outer: Scope, name = ""): Run {
  const plan = planClass(node, name);
  const heritage = plan.heritage?.run;
  void outer;
  return (frame) => {
    const inner = plan.enter === undefined ? frame : plan.enter(frame);
    const parent = heritage === undefined ? undefined : heritage(inner);
    const keys: any[] = [];
    for (let i = 0; i < plan.keys.length; i++) {
      const key = plan.keys[i];
      keys[i] = key === undefined ? undefined : toPropertyKey(key.run!(inner));
    }
    return plan.finish(inner, name, parent, keys);
  };
}

export function suspendClass(node: Node, outer: Scope, name: string): Suspending {
  const plan = planClass(node, name);
  void outer;
  return (frame) => evaluateClass(frame, plan, name);
}

function* evaluateClass(frame: Frame, plan: Plan, name: string): Steps {
  const inner = plan.enter === undefined ? frame : plan.enter(frame);
  const parent = plan.heritage === undefined ? undefined : yield* perform(plan.heritage, inner);
  const keys: any[] = [];
  for (let i = 0; i < plan.keys.length; i++) {
    const key = plan.keys[i];
    keys[i] = key === undefined ? undefined : toPropertyKey(yield* perform(key, inner));
  }
  return plan.finish(inner, name, parent, keys);
}

export function compileClassDeclaration(node: Node, scope: Scope): Run {
  const run = compileClass(node, scope, node["id"]["name"]);
  const initialize = initializeBinding(node["id"].binding, scope);
  return (frame) => initialize(frame, run(frame));
}

export function suspendClassDeclaration(node: Node, scope: Scope): Suspending {
  const run = suspendClass(node, scope, node["id"]["name"]);
  const initialize = initializeBinding(node["id"].binding, scope);
  return (frame) => runClassDeclaration(frame, run, initialize);
}

function* runClassDeclaration(
  frame: Frame,
  evaluate: Suspending,
  initialize: ReturnType<typeof initializeBinding>,
): Steps {
  initialize(frame, yield* evaluate(frame));
  return undefined;
}

function planClass(node: Node, name: string): Plan {
  const scope = node.scope!;
  const className: string = node["id"]?.["name"] ?? name;
  node["inferredName"] = className;
  const elements: Node[] = (node["body"]["body"] as Node[]).filter(
    (element) => element.type !== "TSIndexSignature" && !element["declare"],
  );
  const constructorElement = elements.find((element) => element["kind"] === "constructor");
  const hasHeritage = node["superClass"] !== null && node["superClass"] !== undefined;
  const offset = unit.base + node.start;
  const heritageOffset = hasHeritage ? unit.base + node["superClass"].start : offset;
  const heritage = hasHeritage ? step(node["superClass"], scope) : undefined;
  const makeConstructor = constructorOf(constructorElement, node, className, hasHeritage);
  const record = scope.bindings.get("%record")!;
  const setRecord = record.captured ? initializeBinding(record, scope) : undefined;
  const inner = node["innerBinding"];
  const setInner = inner ? initializeBinding(inner, scope) : undefined;
  const names = privateNames(elements, scope);
  const members = elements.map((element) => compileElement(element, node, scope));
  const instance = members.flatMap((member) => (member.instance ? [member.instance] : []));
  const statics = members.flatMap((member) => (member.static ? [member.static] : []));
  const fieldsLayout: Layout = node["fieldsScope"].layout;
  const staticLayout: Layout = node["staticScope"].layout;
  const privateInstance = members.flatMap((member) => (member.privateInstance ? [member.privateInstance] : []));
  const privateStatic = members.flatMap((member) => (member.privateStatic ? [member.privateStatic] : []));
  const classText = render(node["superClass"] ?? node);

  return {
    heritage,
    keys: members.map((member) => member.key),
    enter: enterScope(scope),
    finish(frame, _name, parent, keys) {
      for (let i = 0; i < names.length; i++) names[i]!(frame);
      machine.position = heritageOffset;
      if (hasHeritage && parent !== null && !isConstructor(parent))
        throwTypeError(
          `Class extends value ${describeHeritage(parent, classText)} is not a constructor or null`,
          heritageOffset,
        );
      const classRecord: ClassRecord = { prototype: undefined, constructor: undefined, initialize: undefined };
      if (setRecord !== undefined) setRecord(frame, classRecord);
      const made = makeConstructor(frame, classRecord);
      if (hasHeritage) linkHeritage(made, parent, heritageOffset);
      classRecord.constructor = made;
      classRecord.prototype = made.prototype;
      machine.position = offset;
      for (let i = 0; i < members.length; i++) members[i]!.define?.(frame, classRecord, keys[i]);
      if (instance.length > 0 || privateInstance.length > 0)
        classRecord.initialize = (target) => {
          for (let i = 0; i < privateInstance.length; i++) privateInstance[i]!(frame, target, keys, classRecord);
          if (instance.length === 0) return;
          const inside = newFrame(frame, fieldsLayout.size);
          inside[1] = target;
          for (let i = 0; i < instance.length; i++) instance[i]!(inside, target, keys, classRecord);
        };
      if (setInner !== undefined) setInner(frame, made);
      for (let i = 0; i < privateStatic.length; i++) privateStatic[i]!(frame, made, keys, classRecord);
      if (statics.length > 0) {
        const inside = newFrame(frame, staticLayout.size);
        inside[1] = made;
        for (let i = 0; i < statics.length; i++) statics[i]!(inside, made, keys, classRecord);
      }
      return made;
    },
  };
}

export function describeHeritage(value: unknown, text: string): string {
  if (typeof value === "function") return sourceOf(value) ?? text;
  if (typeof value === "object" && value !== null) return "#<Object>";
  return typeof value === "symbol" ? "Symbol()" : String(value);
}

/** The prototype chains of a derived class. */
function linkHeritage(made: any, parent: any, offset: number): void {
  if (parent === null) {
    ReflectSetPrototypeOf(made, FunctionPrototype);
    ReflectSetPrototypeOf(made.prototype, null);
    return;
  }
  machine.position = offset;
  const { prototype } = parent;
  if (typeof prototype !== "object" && typeof prototype !== "function" && prototype !== undefined)
    throwTypeError(`Class extends value does not have valid prototype property ${String(prototype)}`, offset);
  if (prototype === undefined)
    throwTypeError("Class extends value does not have valid prototype property undefined", offset);
  ReflectSetPrototypeOf(made, parent);
  ReflectSetPrototypeOf(made.prototype, prototype);
}

/** Makes the private names of the class: one per name, a getter and setter of one name share it. */
function privateNames(elements: readonly Node[], scope: Scope): ((frame: Frame) => void)[] {
  const kinds = new Map<string, PrivateName["kind"]>();
  for (const element of elements) {
    if (element["key"]?.type !== "PrivateIdentifier") continue;
    const kind = element.type !== "MethodDefinition" ? "field" : element["kind"] === "method" ? "method" : "accessor";
    kinds.set(element["key"]["name"], kind);
  }
  return [...kinds].map(([name, kind]) => {
    const initialize = initializeBinding(scope.bindings.get(`#${name}`)!, scope);
    return (frame) => initialize(frame, makePrivateName(name, kind));
  });
}

interface CompiledElement {
  readonly key: Step | undefined;
  readonly define?: (frame: Frame, record: ClassRecord, key: any) => void;
  readonly instance?: Initialize;
  readonly static?: Initialize;
  readonly privateInstance?: Initialize;
  readonly privateStatic?: Initialize;
}

function compileElement(element: Node, node: Node, scope: Scope): CompiledElement {
  const index = (node["body"]["body"] as Node[])
    .filter((item) => item.type !== "TSIndexSignature" && !item["declare"])
    .indexOf(element);
  if (element.type === "StaticBlock") return { key: undefined, static: staticBlock(element, scope) };
  const key = element["computed"] ? step(element["key"], scope) : undefined;
  if (element.type === "MethodDefinition") {
    if (element["kind"] === "constructor") return { key: undefined };
    return element["key"].type === "PrivateIdentifier"
      ? privateMethod(element, scope)
      : { key, define: method(element) };
  }
  if (element.type !== "PropertyDefinition") return { key: undefined };
  const field = compileField(element, node, index);
  return element["static"] ? { key, static: field } : { key, instance: field };
}

function method(element: Node): (frame: Frame, record: ClassRecord, key: any) => void {
  const kind: string = element["kind"];
  const isStatic: boolean = element["static"];
  const fixed = element["computed"] ? undefined : keyOf(element);
  const prefix = kind === "get" || kind === "set" ? kind : undefined;
  const code = functionCode(
    element["value"],
    fixed === undefined ? "" : prefix === undefined ? fixed : `${prefix} ${fixed}`,
    element,
  );
  return (frame, record, computed) => {
    const key = fixed ?? computed;
    const home = isStatic ? record.constructor : record.prototype;
    const fn = instantiate(code, frame);
    if (fixed === undefined) setFunctionName(fn, key, prefix);
    if (prefix === undefined) defineMethod(home, key, fn);
    else defineAccessor(home, key, prefix as "get" | "set", fn, false);
  };
}

/** A private method or accessor half: created with the class, added to instances before fields. */
function privateMethod(element: Node, scope: Scope): CompiledElement {
  const kind: string = element["kind"];
  const name: string = element["key"]["name"];
  const offset = unit.base + element.start;
  const code = functionCode(element["value"], kind === "method" ? `#${name}` : `${kind} #${name}`, element);
  const binding = scope.bindings.get(`#${name}`)!;
  const nameOf = expression(
    { type: "Identifier", start: element.start, end: element.end, name: `#${name}`, binding },
    scope,
  );
  // The member is made once per class evaluation and remembered by its private name.
  const define = (frame: Frame): void => {
    const privateName = nameOf(frame);
    const fn = instantiate(code, frame);
    if (kind === "method") privateName.member = fn;
    else
      (privateName.member ??= { get: undefined, set: undefined })[kind] =
        kind === "get"
          ? (self: unknown) => ReflectApply(fn, self, [])
          : (self: unknown, value: unknown) => ReflectApply(fn, self, [value]);
  };
  const add: Initialize = (frame, target) => {
    const privateName = nameOf(frame);
    // A getter and a setter are one member.
    if (kind === "set" && privateName.member.get !== undefined) return;
    privateAdd(target, privateName, privateName.member, offset);
  };
  return element["static"]
    ? { key: undefined, define, privateStatic: add }
    : { key: undefined, define, privateInstance: add };
}

function compileField(element: Node, node: Node, index: number): Initialize {
  const scope: Scope = element["static"] ? node["staticScope"] : node["fieldsScope"];
  const value: Node | null = element["value"];
  const offset = unit.base + element.start;
  const isPrivate = element["key"].type === "PrivateIdentifier";
  const ordinary = !element["static"] && !node["superClass"];
  const fixed = element["computed"] ? undefined : keyOf(element);
  const anonymous = value !== null && value !== undefined && isAnonymousFunction(value);
  const run = value ? expression(value, scope, anonymous ? (fixed ?? "") : undefined) : undefined;
  if (isPrivate) {
    const nameOf = expression({ ...element["key"], type: "Identifier" }, scope);
    return (frame, target) => {
      const result = run === undefined ? undefined : run(frame);
      privateAdd(target, nameOf(frame), result, offset);
    };
  }
  return (frame, target, keys) => {
    const key = fixed ?? keys[index];
    const result = run === undefined ? undefined : run(frame);
    if (anonymous && fixed === undefined) setFunctionName(result, key);
    machine.position = offset;
    // On an instance that this class has made itself, a free name can simply be assigned.
    if (ordinary && !(key in target)) target[key] = result;
    else defineData(target, key, result);
  };
}

function staticBlock(element: Node, outer: Scope): Initialize {
  const scope = element.scope!;
  const prepare = prologue(scope);
  const run = statementsResult(element["body"], scope);
  const { layout } = scope;
  void outer;
  return (frame, target) => {
    // The block is a function of its own beside the static fields: both lie directly in the scope of the class.
    const inside = newFrame(frame[0], layout.size);
    inside[1] = target;
    if (prepare !== undefined) prepare(inside);
    run(inside);
  };
}
