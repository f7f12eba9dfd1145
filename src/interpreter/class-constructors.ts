/** The function objects of classes: base and derived constructors (ECMA-262 §15.7.14), and `super` calls (§13.3.7). */
import { type Arguments, annotateAt, isConstructor } from "./calls.js";
import { type ClassRecord, describeHeritage } from "./classes.js";
import { expression } from "./compiler.js";
import { annotate, isErrorConstructor, throwReferenceError, throwTypeError } from "./errors.js";
import { newFrame } from "./frames.js";
import { buildFrame, defineLength, defineName } from "./function-objects.js";
import { markClass, type SourceRange } from "./function-source.js";
import { type Code, functionCode } from "./functions.js";
import { outerFrame } from "./identifiers.js";
import { type Frame, machine, type Run, refuel, UNINITIALIZED } from "./machine.js";
import { NativeTypeError, ReflectConstruct, ReflectGetPrototypeOf } from "./primordials.js";
import type { Scope } from "./scope.js";
import type { Node } from "./syntax.js";
import { unit } from "./unit.js";

/** Makes the function object of a class, for one evaluation. */
export function constructorOf(
  element: Node | undefined,
  node: Node,
  name: string,
  derived: boolean,
): (frame: Frame, record: ClassRecord) => any {
  const range: SourceRange = { source: unit.source!, start: node.start, end: node.end };
  const offset = unit.base + node.start;
  const code: Code | undefined = element && functionCode(element["value"], name, node);
  const length = code?.length ?? 0;
  return (frame, record) => {
    const made = derived
      ? code === undefined
        ? defaultDerived(record, offset)
        : derivedClass(code, frame, offset)
      : baseClass(code, frame, record);
    defineLength(made, length);
    defineName(made, name);
    return markClass(made, range);
  };
}

function construct(code: Code, scope: Frame, self: unknown, args: any, newTarget: unknown): Frame {
  if (--machine.fuel < 0) refuel();
  const frame = buildFrame(code, scope, args);
  if (code.thisSlot > 0) frame[code.thisSlot] = self;
  if (code.argumentsSlot > 0) frame[code.argumentsSlot] = args;
  if (code.newTargetSlot > 0) frame[code.newTargetSlot] = newTarget;
  return frame;
}

/** Up to three plain parameters, which go straight into a new frame. */
function isSimple(code: Code): boolean {
  return code.count <= 3 && code.argumentsSlot === 0 && code.restSlot === 0 && code.newTargetSlot === 0;
}

function baseClass(code: Code | undefined, scope: Frame, record: ClassRecord): any {
  if (code === undefined)
    return class {
      constructor() {
        if (--machine.fuel < 0) refuel();
        try {
          if (record.initialize !== undefined) record.initialize(this);
        } catch (error) {
          throw annotate(error);
        }
      }
    };
  if (isSimple(code)) return simpleBaseClass(code, scope, record);
  const known = code;
  return class {
    constructor() {
      try {
        const frame = construct(known, scope, this, arguments, new.target);
        if (record.initialize !== undefined) record.initialize(this);
        const result = known.body(frame) as object;
        if ((typeof result === "object" && result !== null) || typeof result === "function") return result;
      } catch (error) {
        throw annotate(error);
      }
    }
  };
}

function simpleBaseClass(code: Code, scope: Frame, record: ClassRecord): any {
  const { body, thisSlot, count } = code;
  const { size } = code.layout;
  return class {
    constructor(a: unknown, b: unknown, c: unknown) {
      if (--machine.fuel < 0) refuel();
      try {
        if (record.initialize !== undefined) record.initialize(this);
        const frame = newFrame(scope, size);
        if (count > 0) frame[1] = a;
        if (count > 1) frame[2] = b;
        if (count > 2) frame[3] = c;
        if (thisSlot > 0) frame[thisSlot] = this;
        const result = body(frame) as object;
        if ((typeof result === "object" && result !== null) || typeof result === "function") return result;
      } catch (error) {
        throw annotate(error);
      }
    }
  };
}

function derivedClass(code: Code, scope: Frame, offset: number): any {
  // Its own constructor never calls `super`: the program's does, through `constructSuper`.
  return class extends (null as any) {
    // @ts-expect-error: a derived constructor that gives another object needs no `super()`
    constructor() {
      let frame: Frame;
      try {
        frame = construct(code, scope, UNINITIALIZED, arguments, new.target);
        const result = code.body(frame) as object;
        if ((typeof result === "object" && result !== null) || typeof result === "function") return result;
        if (result !== undefined) throwTypeError("Derived constructors may only return object or undefined", offset);
        const self = code.thisSlot > 0 ? frame[code.thisSlot] : UNINITIALIZED;
        if (self === UNINITIALIZED)
          throwReferenceError(
            "Must call super constructor in derived class before accessing 'this' or returning from derived constructor",
            offset,
          );
        return self;
      } catch (error) {
        throw annotate(error);
      }
    }
  };
}

/** `constructor(...args) { super(...args); }`, without touching the iterator of arrays (§15.7.14 step 14). */
function defaultDerived(record: ClassRecord, offset: number): any {
  return class extends (null as any) {
    // @ts-expect-error: a derived constructor that gives another object needs no `super()`
    constructor() {
      try {
        if (--machine.fuel < 0) refuel();
        const parent = ReflectGetPrototypeOf(record.constructor);
        const self = constructParent(parent, arguments as never, new.target, offset);
        if (isErrorConstructor(parent)) annotate(self, true);
        if (record.initialize !== undefined) record.initialize(self);
        return self;
      } catch (error) {
        throw annotate(error);
      }
    }
  };
}

function constructParent(parent: any, args: any[], newTarget: any, offset: number): any {
  machine.position = offset;
  if (typeof parent === "function")
    try {
      return ReflectConstruct(parent, args, newTarget);
    } catch (error) {
      if (isConstructor(parent) || !(error instanceof NativeTypeError)) throw error;
    }
  throwTypeError(
    `Super constructor ${describeHeritage(parent, "null")} of anonymous class is not a constructor`,
    offset,
  );
}

/** `super(…)`. */
export function constructSuper(node: Node, scope: Scope, args: Arguments): Run {
  const complete = constructSuperWith(node, scope);
  return (frame) => {
    const parent = complete.parent(frame);
    return complete.construct(frame, parent, args(frame));
  };
}

interface SuperCall {
  (frame: Frame, args: any[]): any;
  /** The constructor is looked up before the arguments are evaluated. */
  parent(frame: Frame): any;
  construct(frame: Frame, parent: any, args: any[]): any;
}

export function constructSuperWith(node: Node, scope: Scope): SuperCall {
  const callee: Node = node["callee"];
  const offset = unit.base + node.start;
  const record = expression({ ...callee, type: "Identifier" }, scope);
  const newTarget = expression(callee["newTarget"], scope);
  const binding = callee["this"].binding!;
  const frameOf = outerFrame(scope.depthOf(binding));
  const { slot } = binding;
  const parent = (frame: Frame): any => ReflectGetPrototypeOf(record(frame).constructor);
  const construct = (frame: Frame, base: any, args: any[]): any => {
    const self: any = constructParent(base, args, newTarget(frame), offset);
    if (isErrorConstructor(base)) annotateAt(self, offset);
    const target = frameOf(frame);
    if (target[slot] !== UNINITIALIZED) throwReferenceError("Super constructor may only be called once", offset);
    target[slot] = self;
    const { initialize } = record(frame) as ClassRecord;
    if (initialize !== undefined) initialize(self);
    return self;
  };
  return Object.assign((frame: Frame, args: any[]) => construct(frame, parent(frame), args), { parent, construct });
}
