/** `switch` (ECMA-262 §14.12). */
import { completing, expression } from "./compiler.js";
import { enterScope } from "./frames.js";
import { BREAK, type Run } from "./machine.js";
import type { Scope } from "./scope.js";
import type { Node } from "./syntax.js";

export function compileSwitch(node: Node, outer: Scope): Run {
  const scope = node.scope!;
  const discriminant = expression(node["discriminant"], outer);
  const cases: Node[] = node["cases"];
  const tests = cases.map((item) => (item["test"] === null ? undefined : expression(item["test"], scope)));
  // All statements in one list; a case is the index of its first.
  const runs: Run[] = [];
  const starts: number[] = [];
  for (const item of cases) {
    starts.push(runs.length);
    for (const child of item["consequent"]) runs.push(completing(child, scope));
  }
  const fallback = cases.findIndex((item) => item["test"] === null);
  const otherwise = fallback < 0 ? runs.length : starts[fallback]!;
  const enter = enterScope(scope);
  return (outerFrame) => {
    const value = discriminant(outerFrame);
    const frame = enter === undefined ? outerFrame : enter(outerFrame);
    let at = otherwise;
    for (let i = 0; i < tests.length; i++) {
      const test = tests[i];
      if (test !== undefined && test(frame) === value) {
        at = starts[i]!;
        break;
      }
    }
    for (; at < runs.length; at++) {
      const completion = runs[at]!(frame);
      if (completion !== undefined) return completion === BREAK ? undefined : completion;
    }
    return undefined;
  };
}
