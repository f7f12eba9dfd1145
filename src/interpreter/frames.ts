/** Frames: the arrays that hold variables. */

import { instantiate } from "./function-objects.js";
import { functionCode } from "./functions.js";
import { type Frame, UNINITIALIZED } from "./machine.js";
import type { Layout, Scope } from "./scope.js";

/** A frame of at least `size` slots. Literals, because all frames must stay arrays of one kind (no holes) to be fast. */
export function newFrame(parent: Frame | undefined, size: number): Frame {
  if (size <= 2) return [parent, undefined];
  if (size <= 4) return [parent, undefined, undefined, undefined];
  if (size <= 8) return [parent, undefined, undefined, undefined, undefined, undefined, undefined, undefined];
  const frame = [
    parent,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ];
  for (let length = 16; length < size; length++) frame[length] = undefined;
  return frame;
}

/** A copy of the frame of a loop head for the next iteration (CreatePerIterationEnvironment, §14.7.4.4). */
export function copyFrame(frame: Frame): Frame {
  const copy = newFrame(frame[0], frame.length);
  for (let i = 1; i < frame.length; i++) copy[i] = frame[i];
  return copy;
}

/** Marks variables that may be used too early, and creates the functions declared in the scope. */
export function prologue(scope: Scope): ((frame: Frame) => void) | undefined {
  const checked: number[] = [];
  for (const binding of scope.bindings.values())
    if (binding.checked && binding.kind !== "function") checked.push(binding.slot);
  const functions = scope.functions.map((node) => ({
    slot: node["id"].binding.slot as number,
    code: functionCode(node, node["id"]["name"]),
  }));
  if (checked.length === 0 && functions.length === 0) return undefined;
  if (functions.length === 0 && checked.length === 1) {
    const slot = checked[0]!;
    return (frame) => {
      frame[slot] = UNINITIALIZED;
    };
  }
  return (frame) => {
    for (let i = 0; i < checked.length; i++) frame[checked[i]!] = UNINITIALIZED;
    for (let i = 0; i < functions.length; i++) frame[functions[i]!.slot] = instantiate(functions[i]!.code, frame);
  };
}

/** What entering a scope does, or `undefined` when it does nothing. Gives the frame for the code inside. */
export function enterScope(scope: Scope): ((frame: Frame) => Frame) | undefined {
  const prepare = prologue(scope);
  if (!scope.materialized) {
    if (prepare === undefined) return undefined;
    return (frame) => {
      prepare(frame);
      return frame;
    };
  }
  const { layout }: { layout: Layout } = scope;
  if (prepare === undefined) return (frame) => newFrame(frame, layout.size);
  return (frame) => {
    const inner = newFrame(frame, layout.size);
    prepare(inner);
    return inner;
  };
}
