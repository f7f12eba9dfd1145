/** A program that does not do the same here and in V8, and a smaller one that does not either. */
import * as acorn from "acorn";
import type { CodeModeRuntime } from "../../runtime/built.js";
import type { Native } from "./native.js";
import { withPrelude } from "./program.js";

export interface Difference {
  readonly expected: string;
  readonly actual: string;
}

/** The first line of the trace that differs; `undefined` where V8 and the product agree. */
export async function difference(
  body: string,
  native: Native,
  runtime: CodeModeRuntime<never>,
): Promise<Difference | undefined> {
  const source = withPrelude(body);
  const expected = native.run(source);
  if (expected === undefined) return undefined;
  const result = await runtime.run(source, { language: "javascript" });
  const actual: unknown = result.ok
    ? result.value
    : result.error.kind === "ParseError"
      ? { fault: result.error.message }
      : result.error.message.includes("nothing can settle")
        ? { idle: true }
        : result.error;
  if (!Array.isArray(expected) || !Array.isArray(actual)) {
    const both = [expected, actual].map((one) =>
      Array.isArray(one) ? "value" : Object.keys(one as object)[0] === "fault" ? "fault" : JSON.stringify(one),
    );
    return both[0] === both[1] || JSON.stringify(actual).includes("Cannot use keyword 'await'")
      ? undefined
      : { expected: cut(expected), actual: cut(actual) };
  }
  for (let i = 0; i < Math.max(expected.length, actual.length); i++)
    if (EXCEPTED.test(actual.slice(i, i + 3).join()) || EXCEPTED.test(String(expected[i]))) return undefined;
    else if (comparable(expected[i]) !== comparable(actual[i]))
      return { expected: cut(expected[i]), actual: cut(actual[i]) };
  return undefined;
}

/** Engines show the callee, the value or the pattern in these messages as they see fit. */
const comparable = (line: unknown): string => {
  let text = String(line);
  for (const [pattern, by] of WORDINGS) text = text.replace(pattern, by);
  return text;
};

/**
 * What is known to differ from there on. A target is asked for its value before an assignment pattern looks whether there is
 * anything to take apart: a fault of V8. Older ones ask a sync iterator without `throw` nothing. And assignments to proxies go through `Reflect.set`, for which a frozen built-in
 * property that the target inherits is read-only.
 */
const EXCEPTED =
  /getOwnPropertyDescriptor (?:toString|valueOf|constructor|hasOwnProperty)|does not provide a 'throw' method|Cannot destructure|trap returned falsish for property|Cannot assign to read only property '\w+' of object\b/;

const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/Class extends value[\s\S]*/g, "WRONG"],
  // In quotes is a message alone; without is one in a text. The names of errors stay.
  [
    /(?<=[" :])(?:[^"\\]|\\.)*? is not (?:a function|a function or its return value is not iterable|a constructor|(?:async )?iterable)\b(?:[^"\\]|\\.)*/g,
    "WRONG",
  ],
  [/Spread syntax requires \.\.\.iterable\[Symbol\.iterator\] to be a function/g, "WRONG"],
  [/Cannot destructure [^"]*? as it is (?:undefined|null)\./g, "WRONG"],
  [/Cannot read properties of (?:undefined|null)(?: \(reading '.*?'\))?/g, "WRONG"],
  [
    /(?:Receiver must be an instance of class|Cannot assign to read only property '\w+' of function|Cannot use 'in' operator)[\s\S]*/g,
    "WRONG",
  ],
  [/Class constructors? (?:\S+ )?cannot be invoked/g, "Class constructors cannot be invoked"],
  [/Code generation from strings [^"]*/g, "Code generation from strings"],
  [/(?<=[" :])(?:[^"\\]|\\.)*? is not a symbol/g, "WRONG"],
  [/Function\.prototype\.apply was called on \S+, which is (?:an? )?\S+ and not a function/g, "WRONG"],
  [/incompatible receiver.*/g, "incompatible receiver"],
  [/Iterator result .*? is not an object|\b1 is not an object/g, "NOT AN OBJECT"],
  [/Cannot (?:create property|assign to read only property) '(.*?)' o[nf] /g, "Cannot set '$1' of "],
  ["Assignment to constant variable.", "Cannot set 'undefined' of object '[object Object]'"] as never,
];

const cut = (value: unknown): string =>
  (Array.isArray(value) ? "a trace" : typeof value === "string" ? value : String(JSON.stringify(value))).slice(0, 400);

interface Span {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Smaller texts of a program, the boldest cuts first. */
function cuts(body: string): Span[] {
  let tree: acorn.Node;
  let shift = 0;
  try {
    tree = acorn.parse(`(async function () {${body}})`, { ecmaVersion: "latest" });
    shift = "(async function () {".length;
  } catch {
    return [];
  }
  const spans: Span[] = [];
  const add = (node: { start: number; end: number }, by: string): void => {
    if (node.end - node.start > by.length) spans.push({ start: node.start - shift, end: node.end - shift, by });
  };
  const text = (node: { start: number; end: number }): string => body.slice(node.start - shift, node.end - shift);
  const visit = (node: any, parent: any, field: string): void => {
    if (node === null || typeof node !== "object" || typeof node.type !== "string") return;
    const { type } = node as { type: string };
    const children: any[] = [];
    for (const name of Object.keys(node)) {
      const value = node[name];
      if (Array.isArray(value)) for (const item of value) children.push([item, name]);
      else if (value !== null && typeof value === "object" && typeof value.type === "string")
        children.push([value, name]);
    }
    if (parent !== undefined && field !== "callee" && node.start >= shift) {
      if (/Statement|Declaration$/.test(type) && type !== "VariableDeclaration") add(node, "");
      if (type === "VariableDeclaration" && !/^For/.test(parent.type)) add(node, "");
      if (/Definition|StaticBlock|^Property|Spread|Rest|SwitchCase/.test(type)) {
        add(node, "");
        spans.push({ start: node.start - shift, end: node.end - shift + commaAfter(body, node.end - shift), by: "" });
      }
      if (type.endsWith("Statement"))
        for (const [child] of children)
          if (child?.type?.endsWith("Statement")) add(node, text(child).replace(/^\{([\s\S]*)\}$/, "$1"));
      if (/Expression|Literal$/.test(type) && field !== "key") {
        for (const by of ["1", "undefined"]) add(node, by);
        for (const [child] of children)
          if (child !== null && /Expression|Literal|Identifier/.test(child.type)) add(node, text(child));
      }
      if (type === "AssignmentPattern") add(node, text(node.left));
      if (/^(elements|arguments|params|expressions)$/.test(field))
        spans.push({ start: node.start - shift, end: node.end - shift + commaAfter(body, node.end - shift), by: "" });
      if (type === "MethodDefinition" || type === "FunctionExpression")
        if (node.body?.body?.length > 0) add({ start: node.body.start, end: node.body.end }, "{}");
      if (type === "IfStatement" && node.alternate) add({ start: node.consequent.end, end: node.alternate.end }, "");
      if (type === "TryStatement" && node.handler && node.finalizer)
        for (const part of [node.handler, { start: node.handler.end, end: node.finalizer.end }]) add(part, "");
      if (/^Class/.test(type) && node.superClass)
        add({ start: node.superClass.start - 8, end: node.superClass.end }, "");
    }
    for (const [child, name] of children) visit(child, node, name);
  };
  visit((tree as any).body[0].expression.body, undefined, "");
  return spans.sort((a, b) => b.end - b.start - b.by.length - (a.end - a.start - a.by.length));
}

const commaAfter = (text: string, at: number): number => /^\s*,\s*/.exec(text.slice(at, at + 4))?.[0].length ?? 0;

/** A program that still satisfies `fails`, as small as cutting makes it within `tries`. */
export async function shrunk(
  body: string,
  fails: (body: string) => Promise<boolean>,
  milliseconds = 10_000,
): Promise<string> {
  let best = body;
  const end = performance.now() + milliseconds;
  for (let changed = true; changed && performance.now() < end; ) {
    changed = false;
    let list = cuts(best);
    for (let i = 0; i < list.length && performance.now() < end; i++) {
      const { start, end, by } = list[i]!;
      const smaller = best.slice(0, start) + by + best.slice(end);
      if (smaller.length >= best.length || !parses(smaller)) continue;
      if (!(await fails(smaller))) continue;
      best = smaller;
      changed = true;
      list = cuts(best);
      i = Math.max(-1, Math.min(i, list.length) - 2);
    }
  }
  return best;
}

function parses(body: string): boolean {
  try {
    acorn.parse(`(async function () {"use strict";${body}})`, { ecmaVersion: "latest" });
    return true;
  } catch {
    return false;
  }
}
