/** Identifier references (ECMA-262 §13.1): locals, captured variables, globals, `this` and `new.target`. */
import { throwConstant, throwReferenceError, throwUninitialized } from "./errors.js";
import { type Frame, type Run, UNINITIALIZED } from "./machine.js";
import { ObjectGetOwnPropertyDescriptor } from "./primordials.js";
import type { Binding, Scope } from "./scope.js";
import type { Node } from "./syntax.js";
import { unit } from "./unit.js";

export function compileIdentifier(node: Node, scope: Scope): Run {
  const { binding } = node;
  if (binding === undefined) return readGlobal(node);
  return readBinding(binding, scope, node.checked === true, unit.base + node.start);
}

/** The slot of a variable that can be read from the current frame without a check; 0 for anything else. */
export function plainLocal(node: Node, scope: Scope): number {
  const { binding } = node;
  if ((node.type !== "Identifier" && node.type !== "Temporary") || binding === undefined || node.checked) return 0;
  return scope.depthOf(binding) === 0 ? binding.slot : 0;
}

/** A local that may also be written without a check. */
export function writableLocal(node: Node, scope: Scope): number {
  return node.type === "Identifier" && node.binding?.constant === false ? plainLocal(node, scope) : 0;
}

export function readBinding(binding: Binding, scope: Scope, checked: boolean, offset: number): Run {
  const { name, slot } = binding;
  const depth = scope.depthOf(binding);
  if (checked) {
    const frameOf = outerFrame(depth);
    if (depth === 0)
      return (frame) => {
        const value = frame[slot];
        return value === UNINITIALIZED ? throwUninitialized(name, offset) : value;
      };
    if (depth === 1)
      return (frame) => {
        const value = frame[0][slot];
        return value === UNINITIALIZED ? throwUninitialized(name, offset) : value;
      };
    return (frame) => {
      const value = frameOf(frame)[slot];
      return value === UNINITIALIZED ? throwUninitialized(name, offset) : value;
    };
  }
  switch (depth) {
    case 0:
      return (frame) => frame[slot];
    case 1:
      return (frame) => frame[0][slot];
    case 2:
      return (frame) => frame[0][0][slot];
    case 3:
      return (frame) => frame[0][0][0][slot];
    default: {
      const frameOf = outerFrame(depth);
      return (frame) => frameOf(frame)[slot];
    }
  }
}

/** The frame `depth` levels out. */
export function outerFrame(depth: number): (frame: Frame) => Frame {
  switch (depth) {
    case 0:
      return (frame) => frame;
    case 1:
      return (frame) => frame[0];
    case 2:
      return (frame) => frame[0][0];
    default:
      return (frame) => {
        let outer = frame[0][0][0];
        for (let i = 3; i < depth; i++) outer = outer[0];
        return outer;
      };
  }
}

/** `x = value` on an initialized or checked variable. */
export function writeBinding(node: Node, scope: Scope): (frame: Frame, value: any) => void {
  const offset = unit.base + node.start;
  const { binding } = node;
  if (binding === undefined) return writeGlobal(node);
  const { name, slot } = binding;
  const frameOf = outerFrame(scope.depthOf(binding));
  const { constant } = binding;
  if (node.checked || constant)
    return (frame, value) => {
      const target = frameOf(frame);
      if (target[slot] === UNINITIALIZED) throwUninitialized(name, offset);
      if (constant) throwConstant(offset);
      target[slot] = value;
    };
  if (scope.depthOf(binding) === 0)
    return (frame, value) => {
      frame[slot] = value;
    };
  return (frame, value) => {
    frameOf(frame)[slot] = value;
  };
}

/** Gives a declared variable its first value. */
export function initializeBinding(binding: Binding, scope: Scope): (frame: Frame, value: any) => void {
  const { slot } = binding;
  const depth = scope.depthOf(binding);
  if (depth === 0)
    return (frame, value) => {
      frame[slot] = value;
    };
  const frameOf = outerFrame(depth);
  return (frame, value) => {
    frameOf(frame)[slot] = value;
  };
}

function readGlobal(node: Node): Run {
  const name: string = node["name"];
  const { globals } = unit;
  if (name === "undefined") return () => undefined;
  const own = ObjectGetOwnPropertyDescriptor(globals, name);
  // Globals of a sealed realm never change, so they are constants.
  if (own !== undefined && "value" in own && !own.writable) {
    const { value } = own;
    return () => value;
  }
  if (own !== undefined || unit.openGlobals) {
    const offset = unit.base + node.start;
    return () => (name in globals ? globals[name] : throwReferenceError(`${name} is not defined`, offset));
  }
  const offset = unit.base + node.start;
  return () => throwReferenceError(`${name} is not defined`, offset);
}

function writeGlobal(node: Node): (frame: Frame, value: any) => void {
  const name: string = node["name"];
  const offset = unit.base + node.start;
  const globals = unit.globals as Record<string, unknown>;
  const { openGlobals } = unit;
  return (_frame, value) => {
    if (!(name in globals)) throwReferenceError(`${name} is not defined`, offset);
    if (!openGlobals) throwConstant(offset);
    globals[name] = value;
  };
}

/** `typeof x` of a name that may not exist. */
export function compileTypeofIdentifier(node: Node, scope: Scope): Run {
  if (node.binding !== undefined) {
    const read = compileIdentifier(node, scope);
    return (frame) => typeof read(frame);
  }
  const { globals } = unit;
  const name: string = node["name"];
  return () => typeof globals[name];
}

export function compileThis(node: Node, scope: Scope): Run {
  if (node.binding === undefined) {
    const { topLevelThis } = unit;
    return () => topLevelThis;
  }
  return compileIdentifier(node, scope);
}

export function compileNewTarget(node: Node, scope: Scope): Run {
  return node.binding === undefined ? () => undefined : compileIdentifier(node, scope);
}
