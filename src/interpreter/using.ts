/** `using` and `await using` (explicit resource management). */

import type { Run, Suspending } from "./machine.js";
import type { Scope } from "./scope.js";
import type { Node } from "./syntax.js";
import { unsupported } from "./syntax.js";

export function hasUsing(nodes: readonly Node[]): boolean {
  return nodes.some(
    (node) => node.type === "VariableDeclaration" && (node["kind"] === "using" || node["kind"] === "await using"),
  );
}

export function disposing(
  nodes: readonly Node[],
  _scope: Scope,
  _rest: (nodes: readonly Node[], scope: Scope) => Run,
): Run {
  unsupported(nodes.find((node) => node["kind"] === "using")!, "`using` is", "Use `try` and `finally`.");
}

export function disposingSuspended(
  nodes: readonly Node[],
  _scope: Scope,
  _rest: (nodes: readonly Node[], scope: Scope) => Suspending,
): Suspending {
  unsupported(nodes[0]!, "`await using` is", "Use `try` and `finally`.");
}
