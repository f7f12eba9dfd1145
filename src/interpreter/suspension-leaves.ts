/**
 * The shapes in which programs write `await` and `yield` most: `await f();`, `x = await f();`, `const x = await f();`,
 * `return await f();`, the same with `yield`, and each of them as all that an `if` does.
 */
import { completing, expression, frameDepth, type Leaf, nothing } from "./compiler.js";
import { initializeBinding, writeBinding } from "./identifiers.js";
import { type Frame, machine, RETURN } from "./machine.js";
import { bindPattern } from "./patterns.js";
import type { Scope } from "./scope.js";
import type { Node } from "./syntax.js";
import { unit } from "./unit.js";

/** `await operand` or `yield operand` whose operand does not suspend. */
export function suspensionLeaf(node: Node, scope: Scope): Leaf | undefined {
  if (!isAwait(node) && !isPlainYield(node, scope)) return undefined;
  const argument: Node | null = node["argument"];
  if (argument?.suspends) return undefined;
  return {
    test: undefined,
    otherwise: nothing,
    operand: argument === null ? nothing : expression(argument, scope),
    offset: unit.base + node.start,
    finish: (_frame, value) => value,
  };
}

const isAwait = (node: Node): boolean => node.type === "AwaitExpression";

/** A `yield` that only hands out a value: `yield*` does more, and so does `yield` in an async generator. */
function isPlainYield(node: Node, scope: Scope): boolean {
  return node.type === "YieldExpression" && !node["delegate"] && !scope.function.node["async"];
}

/** The leaf with something else to do at its end. Not by spreading: all leaves share a hidden class. */
function finishing({ operand, offset }: Leaf, finish: Leaf["finish"]): Leaf {
  return { test: undefined, otherwise: nothing, operand, offset, finish };
}

/** A statement that suspends once and then does something plain. */
export function statementLeaf(node: Node, scope: Scope): Leaf | undefined {
  switch (node.type) {
    case "ExpressionStatement":
      return expressionLeaf(node["expression"], scope);
    case "VariableDeclaration":
      return declarationLeaf(node, scope);
    case "ReturnStatement": {
      const leaf = suspensionLeaf(node["argument"], scope);
      const fn = scope.function.node;
      // An async generator awaits what it returns once more.
      if (leaf === undefined || (fn["async"] && fn["generator"])) return undefined;
      return finishing(leaf, (_frame, value) => {
        machine.returned = value;
        return RETURN;
      });
    }
    case "BlockStatement":
      // A block of one statement without variables is that statement.
      return node["body"].length === 1 && (node.scope === undefined || node.scope.bindings.size === 0)
        ? statementLeaf(node["body"][0], node.scope ?? scope)
        : undefined;
    case "IfStatement":
      return conditionalLeaf(node, scope);
    default:
      return undefined;
  }
}

function conditionalLeaf(node: Node, scope: Scope): Leaf | undefined {
  const { test, consequent, alternate } = node as unknown as { test: Node; consequent: Node; alternate: Node | null };
  if (test.suspends || !consequent.suspends || alternate?.suspends) return undefined;
  const leaf = statementLeaf(consequent, scope);
  if (leaf === undefined || leaf.test !== undefined) return undefined;
  const { operand, offset, finish } = leaf;
  const otherwise = alternate ? completing(alternate, scope) : nothing;
  return { test: expression(test, scope), otherwise, operand, offset, finish };
}

function expressionLeaf(node: Node, scope: Scope): Leaf | undefined {
  const note = noteResult(scope);
  const direct = suspensionLeaf(node, scope);
  if (direct !== undefined) return finishing(direct, note);
  if (node.type !== "AssignmentExpression" || node["operator"] !== "=" || node["left"].type !== "Identifier")
    return undefined;
  const leaf = suspensionLeaf(node["right"], scope);
  if (leaf === undefined) return undefined;
  const write = writeBinding(node["left"], scope);
  return finishing(leaf, (frame, value) => {
    write(frame, value);
    note(frame, value);
  });
}

/** At the top of a program, the value of an expression statement may become the result. */
function noteResult(scope: Scope): (frame: Frame, value: any) => void {
  const { node } = scope.function;
  if (node.type !== "Program") return () => {};
  const slot = node["resultSlot"] as number;
  const depth = frameDepth(scope);
  return (frame, value) => {
    let target = frame;
    for (let i = 0; i < depth; i++) target = target[0];
    target[slot] = value;
  };
}

function declarationLeaf(node: Node, scope: Scope): Leaf | undefined {
  const declarations: Node[] = node["declarations"];
  const [declarator] = declarations as [Node];
  if (declarations.length !== 1 || node["kind"] === "await using" || node["kind"] === "using") return undefined;
  if (!declarator["init"] || declarator["id"].suspends) return undefined;
  const leaf = suspensionLeaf(declarator["init"], scope);
  if (leaf === undefined) return undefined;
  const id: Node = declarator["id"];
  const finish = id.type === "Identifier" ? initializeBinding(id.binding!, scope) : bindPattern(id, scope);
  return finishing(leaf, finish);
}
