/** TypeScript's `enum`: the one TypeScript declaration with a value of its own. */
import { expression } from "./compiler.js";
import { enterScope } from "./frames.js";
import { initializeBinding } from "./identifiers.js";
import type { Frame, Run } from "./machine.js";
import { defineData } from "./objects.js";
import type { Scope } from "./scope.js";
import type { Node } from "./syntax.js";

export function compileEnum(node: Node, outer: Scope): Run {
  const scope = node.scope!;
  const enter = enterScope(scope);
  const initialize = initializeBinding(node["id"].binding, outer);
  const members = (node["members"] as Node[]).map((member) => {
    const name: string = member["name"];
    return {
      name,
      run: member["initializer"] ? expression(member["initializer"], scope) : undefined,
      // Later members may name earlier ones.
      bind: initializeBinding(member.binding!, scope),
    };
  });
  return (outerFrame: Frame) => {
    const frame = enter === undefined ? outerFrame : enter(outerFrame);
    const result = {};
    let next: unknown = 0;
    for (let i = 0; i < members.length; i++) {
      const { name, run, bind } = members[i]!;
      const value = run === undefined ? next : run(frame);
      bind(frame, value);
      defineData(result, name, value);
      // Numbers also map back to their names.
      if (typeof value === "number") {
        defineData(result, String(value), name);
        next = value + 1;
      } else next = undefined;
    }
    initialize(outerFrame, result);
  };
}
