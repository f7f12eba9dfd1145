/** Array and object literals and templates that contain `await` or `yield` (ECMA-262 §13.2.4, §13.2.5, §13.2.8). */
import { adderFor, compileProperty, type Define, newObject } from "./array-object-literals.js";
import { type Step, step } from "./compiler.js";
import { enterScope } from "./frames.js";
import { appendAll } from "./iterators.js";
import { toTemplateText } from "./literals.js";
import { type Frame, machine, type Steps, type Suspending } from "./machine.js";
import { append } from "./primordials.js";
import type { Scope } from "./scope.js";
import { perform, stash } from "./suspending.js";
import { type Node, render } from "./syntax.js";
import { unit } from "./unit.js";

/** An element of an array literal, or an argument of a call. */
export interface Item {
  readonly spread: boolean;
  readonly step: Step;
  /** Source text and position of the value, for errors. */
  readonly text: string;
  readonly offset: number;
}

export function compileItem(node: Node, scope: Scope): Item {
  const spread = node.type === "SpreadElement";
  const value: Node = spread ? node["argument"] : node;
  return { spread, step: step(value, scope), text: render(value), offset: unit.base + value.start };
}

export function suspendArray(elements: readonly (Node | null)[], scope: Scope): Suspending {
  const items = elements.map((element) => (element === null ? undefined : compileItem(element, scope)));
  return (frame) => evaluateArray(frame, items);
}

function* evaluateArray(frame: Frame, items: readonly (Item | undefined)[]): Steps {
  const values: any[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (item === undefined) values.length++;
    else {
      const value = yield* perform(item.step, frame);
      if (item.spread) appendAll(values, value, item.text, item.offset);
      else append(values, value);
    }
  }
  return values;
}

interface Property {
  readonly fill: Suspending | undefined;
  readonly define: Define;
}

export function suspendObject(node: Node, outer: Scope): Suspending {
  const scope = node.scope ?? outer;
  const enter = node.scope === undefined ? undefined : enterScope(node.scope);
  const start = newObject(node);
  const add = adderFor(node["properties"]);
  const properties = (node["properties"] as Node[]).map((property): Property => {
    if (property.type === "SpreadElement") {
      const { nodes, fill } = stash([property["argument"]], scope);
      return { fill, define: compileProperty({ ...property, argument: nodes[0] }, scope, add) };
    }
    const computed: boolean = property["computed"];
    if (!property["value"].suspends && !(computed && property["key"].suspends))
      return { fill: undefined, define: compileProperty(property, scope, add) };
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
        add,
      ),
    };
  });
  const evaluate: Suspending = (frame) => evaluateObject(frame, start, properties);
  return enter === undefined ? evaluate : (frame) => evaluate(enter(frame));
}

function* evaluateObject(frame: Frame, start: (frame: Frame) => any, properties: readonly Property[]): Steps {
  const made = start(frame);
  for (let i = 0; i < properties.length; i++) {
    const { fill, define } = properties[i]!;
    if (fill !== undefined) yield* fill(frame);
    define(frame, made);
  }
  return made;
}

/** A computed key is converted when it is evaluated, before the value. */
export function keyNode(key: Node): Node {
  return { type: "PropertyKey", start: key.start, end: key.end, key, ...(key.suspends ? { suspends: true } : {}) };
}

export function suspendTemplate(node: Node, scope: Scope): Suspending {
  const strings: string[] = node["quasis"].map((quasi: Node) => quasi["value"].cooked);
  const steps = (node["expressions"] as Node[]).map((item) => step(item, scope));
  const offset = unit.base + node.start;
  return (frame) => evaluateTemplate(frame, strings, steps, offset);
}

function* evaluateTemplate(frame: Frame, strings: readonly string[], steps: readonly Step[], offset: number): Steps {
  let text = strings[0]!;
  for (let i = 0; i < steps.length; i++) {
    const value = yield* perform(steps[i]!, frame);
    machine.position = offset;
    text += toTemplateText(value) + strings[i + 1];
  }
  return text;
}
