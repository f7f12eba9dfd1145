/** What each name in a program means: uses are resolved to bindings once all scopes are known (ECMA-262 §9.1). */
import { type Binding, type FunctionInfo, type Reference, type Scope, varScope } from "./scope.js";
import type { Node } from "./syntax.js";

/** A function declared in a block. */
export interface BlockFunction {
  readonly node: Node;
  readonly scope: Scope;
}

/**
 * Functions declared in blocks are visible in the whole function once their declaration was reached (§B.3.2), unless the name
 * is taken: programs are written with that in mind, also where they would be strict.
 */
export function hoistBlockFunctions(functions: readonly BlockFunction[]): void {
  for (const { node, scope } of functions) {
    const name: string = node["id"]["name"];
    const target = varScope(scope);
    let taken =
      target !== scope &&
      target.function.node["params"]?.some((param: Node) => param.type === "Identifier" && param["name"] === name);
    for (let outer = scope.parent!; outer !== target; outer = outer.parent!) if (outer.bindings.has(name)) taken = true;
    const known = target.bindings.get(name);
    if (taken || (known !== undefined && known.kind !== "var" && known.kind !== "function")) continue;
    node["hoistedTo"] = target.declare(name, "var");
  }
}

/** Gives each collected use its binding; a use without one is a global. */
export function resolveReferences(references: readonly Reference[]): void {
  for (const { node, name, scope: from } of references) {
    let crossed: FunctionInfo | undefined;
    for (let scope: Scope | undefined = from; scope !== undefined; scope = scope.parent) {
      const binding = scope.bindings.get(name) ?? implicitBinding(scope, name);
      if (binding !== undefined) {
        use(node, binding, crossed);
        break;
      }
      if (scope.root) crossed = scope.function;
    }
  }
}

function use(node: Node, binding: Binding, crossed: FunctionInfo | undefined): void {
  node.binding = binding;
  if (crossed !== undefined) binding.captured = true;
  if (binding.kind === "this" && binding.scope.function.derived) {
    node.checked = binding.checked = true;
  } else if (binding.initializedAt >= 0) {
    // After its declaration, in the same run of the same block, a variable is always initialized; a closure that came into
    // being after it can never see it uninitialized either.
    const from = crossed === undefined ? node.start : crossed.createdAt;
    if (from < binding.initializedAt || binding.scope.unordered) node.checked = binding.checked = true;
  }
}

/** Names that every function (but not an arrow) has without declaring them, and the own name of a function expression. */
function implicitBinding(scope: Scope, name: string): Binding | undefined {
  if (!scope.root || scope.function.arrow) return undefined;
  const { node } = scope.function;
  switch (name) {
    case "%this":
      return node.type === "Program" ? undefined : scope.declare(name, "this");
    case "%newtarget":
      return node.type === "Program" ? undefined : scope.declare(name, "other");
    case "arguments":
      return isFunction(node) ? scope.declare(name, "other") : undefined;
    default:
      return node.type === "FunctionExpression" && !node["method"] && node["id"]?.["name"] === name
        ? scope.declare(name, "self")
        : undefined;
  }
}

function isFunction(node: Node): boolean {
  return node.type === "FunctionDeclaration" || node.type === "FunctionExpression";
}
