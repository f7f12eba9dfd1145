/** `++` and `--` (ECMA-262 §13.4). */
import { reference } from "./assignment.js";
import { writableLocal } from "./identifiers.js";
import { machine, type Run } from "./machine.js";
import type { Scope } from "./scope.js";
import type { Node } from "./syntax.js";
import { unit } from "./unit.js";

/** ToNumeric (§7.1.3). */
export function toNumeric(value: any, offset: number): any {
  if (typeof value === "number" || typeof value === "bigint") return value;
  machine.position = offset;
  // The operator converts as the specification says; adding one and taking it away again would round.
  let number = value;
  return number++;
}

export function stepped(value: any, up: boolean): any {
  if (up) return ++value;
  return --value;
}

export function compileUpdate(node: Node, scope: Scope): Run {
  const { argument, operator, prefix } = node as unknown as { argument: Node; operator: string; prefix: boolean };
  const offset = unit.base + node.start;
  const up = operator === "++";
  const slot = writableLocal(argument, scope);
  if (slot > 0) {
    if (up && prefix)
      return (frame) => {
        const before = frame[slot];
        return (frame[slot] = typeof before === "number" ? before + 1 : stepped(toNumeric(before, offset), true));
      };
    if (up)
      return (frame) => {
        const before = frame[slot];
        if (typeof before === "number") {
          frame[slot] = before + 1;
          return before;
        }
        const old = toNumeric(before, offset);
        frame[slot] = stepped(old, true);
        return old;
      };
    return (frame) => {
      const old = toNumeric(frame[slot], offset);
      const value = stepped(old, false);
      frame[slot] = value;
      return prefix ? value : old;
    };
  }
  const target = reference(argument, scope);
  return (frame) => {
    const parts = target.resolve(frame);
    const old = toNumeric(target.get(frame, parts), offset);
    const value = stepped(old, up);
    target.set(frame, parts, value);
    return prefix ? value : old;
  };
}
