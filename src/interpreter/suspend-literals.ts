/** Array and object literals and templates that contain `await` or `yield` (ECMA-262 §13.2.4, §13.2.5, §13.2.8). */
import { compileProperty, type Define, newObject } from "./array-object-literals.js";
import { step } from "./compiler.js";
import { enterScope } from "./frames.js";
import { appendAll } from "./iterators.js";
import { toTemplateText } from "./literals.js";
import { machine, type Suspending } from "./machine.js";
import { append } from "./primordials.js";
import type { Scope } from "./scope.js";
import { perform, stash } from "./suspend-expressions.js";
import { type Node, render } from "./syntax.js";
import { unit } from "./unit.js";

export function suspendArray(elements: readonly (Node | null)[], scope: Scope): Suspending {
  const parts = elements.map((item) => {
    if (item === null) return undefined;
    const spread = item.type === "SpreadElement";
    const value: Node = spread ? item["argument"] : item;
    return { spread, step: step(value, scope), text: render(value), offset: unit.base + value.start };
  });
  return function* (frame) {
    const values: any[] = [];
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      if (part === undefined) values.length++;
      else {
        const value = yield* perform(part.step, frame);
        if (part.spread) appendAll(values, value, part.text, part.offset);
        else append(values, value);
      }
    }
    return values;
  };
}

export function suspendObject(node: Node, outer: Scope): Suspending {
  const scope = node.scope ?? outer;
  const enter = node.scope === undefined ? undefined : enterScope(node.scope);
  const start = newObject(node);
  const parts = (node["properties"] as Node[]).map((property): { fill: Suspending | undefined; define: Define } => {
    if (property.type === "SpreadElement") {
      const { nodes, fill } = stash([property["argument"]], scope);
      return { fill, define: compileProperty({ ...property, argument: nodes[0] }, scope) };
    }
    const computed: boolean = property["computed"];
    if (!property["value"].suspends && !(computed && property["key"].suspends))
      return { fill: undefined, define: compileProperty(property, scope) };
    const { nodes, fill } = stash(
      computed ? [keyNode(property["key"]), property["value"]] : [property["value"]],
      scope,
    );
    const value = nodes.pop();
    return {
      fill,
      define: compileProperty(
        { ...property, key: computed ? nodes[0] : property["key"], value, shorthand: false },
        scope,
      ),
    };
  });
  return function* (frame) {
    const inner = enter === undefined ? frame : enter(frame);
    const made = start(inner);
    for (let i = 0; i < parts.length; i++) {
      const { fill, define } = parts[i]!;
      if (fill !== undefined) yield* fill(inner);
      define(inner, made);
    }
    return made;
  };
}

/** A computed key is converted when it is evaluated, before the value. */
export function keyNode(key: Node): Node {
  return { type: "PropertyKey", start: key.start, end: key.end, key, ...(key.suspends ? { suspends: true } : {}) };
}

export function suspendTemplate(node: Node, scope: Scope): Suspending {
  const strings: string[] = node["quasis"].map((quasi: Node) => quasi["value"].cooked);
  const steps = (node["expressions"] as Node[]).map((item) => step(item, scope));
  const offset = unit.base + node.start;
  return function* (frame) {
    let text = strings[0]!;
    for (let i = 0; i < steps.length; i++) {
      const value = yield* perform(steps[i]!, frame);
      machine.position = offset;
      text += toTemplateText(value) + strings[i + 1];
    }
    return text;
  };
}
