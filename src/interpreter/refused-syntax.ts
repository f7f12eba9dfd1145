/** Syntax that programs do without, being neither modules nor classes with decorators. */
import { type Node, unsupported } from "./syntax.js";

const GLOBALS_HINT = "Everything a program may use is a global: `tools`, `search`, `input` and the standard library.";

/** By type of node: what is refused, and what to write instead. */
const REFUSED: Record<string, readonly [what: string, advice: string]> = {
  __proto__: null as never,
  ImportDeclaration: ["`import` is", GLOBALS_HINT],
  ImportExpression: ["`import()` is", GLOBALS_HINT],
  ExportNamedDeclaration: ["`export` is", "Give the result with `return`."],
  ExportDefaultDeclaration: ["`export` is", "Give the result with `return`."],
  ExportAllDeclaration: ["`export` is", "Give the result with `return`."],
  Decorator: ["Decorators are", "Call the function instead."],
};

/** Throws the fault of a node that programs may not have. */
export function refuse(node: Node): void {
  const refused = REFUSED[node.type];
  if (refused !== undefined) unsupported(node, refused[0], refused[1]);
}
