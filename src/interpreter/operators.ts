/** Unary, logical, conditional and comma operators (ECMA-262 §13.5, §13.13–§13.16). */
import { expression } from "./compiler.js";
import { throwTypeError } from "./errors.js";
import { compileTypeofIdentifier } from "./identifiers.js";
import { machine, type Run } from "./machine.js";
import type { Scope } from "./scope.js";
import type { Node } from "./syntax.js";
import { unit } from "./unit.js";

export function compileUnary(node: Node, scope: Scope): Run {
  const { argument, operator } = node as unknown as { argument: Node; operator: string };
  const offset = unit.base + node.start;
  if (operator === "typeof" && argument.type === "Identifier") return compileTypeofIdentifier(argument, scope);
  if (operator === "delete") return compileDelete(argument, scope, offset);
  const run = expression(argument, scope);
  switch (operator) {
    case "typeof":
      return (frame) => typeof run(frame);
    case "!":
      return (frame) => !run(frame);
    case "void":
      return (frame) => {
        run(frame);
        return undefined;
      };
    case "-": {
      if (argument.type === "Literal" && typeof argument["value"] === "number") {
        const value = -argument["value"];
        return () => value;
      }
      return (frame) => {
        const value = run(frame);
        if (typeof value === "number") return -value;
        machine.position = offset;
        return -value;
      };
    }
    case "+":
      return (frame) => {
        const value = run(frame);
        if (typeof value === "number") return value;
        machine.position = offset;
        return +value;
      };
    default:
      return (frame) => {
        const value = run(frame);
        if (typeof value === "number") return ~value;
        machine.position = offset;
        return ~value;
      };
  }
}

function compileDelete(target: Node, scope: Scope, offset: number): Run {
  if (target.type === "ChainExpression") return compileDeleteInChain(target["expression"], scope, offset);
  if (target.type !== "MemberExpression") {
    const run = expression(target, scope);
    return (frame) => {
      run(frame);
      return true;
    };
  }
  if (target["object"].type === "Super") {
    const key = target["computed"] ? expression(target["property"], scope) : undefined;
    const self = expression(target["object"]["this"], scope);
    return (frame) => {
      self(frame);
      key?.(frame);
      machine.position = offset;
      throw new ReferenceError("Unsupported reference to 'super'");
    };
  }
  const object = expression(target["object"], scope);
  const remove = deleteMember(target, scope, offset);
  return (frame) => remove(frame, object(frame));
}

function deleteMember(target: Node, scope: Scope, offset: number): (frame: any[], object: any) => boolean {
  const fixed: string = target["property"]["name"];
  const key = target["computed"] ? expression(target["property"], scope) : undefined;
  return (frame, object) => {
    const name: any = key === undefined ? fixed : key(frame);
    machine.position = offset;
    if (object === null || object === undefined) throwTypeError("Cannot convert undefined or null to object", offset);
    return delete object[name];
  };
}

/** `delete a?.b.c`: true when the chain ends early. */
function compileDeleteInChain(member: Node, scope: Scope, offset: number): Run {
  if (member.type !== "MemberExpression") {
    const run = expression(
      { type: "ChainExpression", start: member.start, end: member.end, expression: member },
      scope,
    );
    return (frame) => {
      run(frame);
      return true;
    };
  }
  const inner: Node = member["object"];
  const object = isChainLink(inner)
    ? expression({ type: "ChainExpression", start: inner.start, end: inner.end, expression: inner }, scope)
    : expression(inner, scope);
  const remove = deleteMember(member, scope, offset);
  const optional = member["optional"] === true || containsOptional(inner);
  return (frame) => {
    const value = object(frame);
    return optional && (value === null || value === undefined) ? true : remove(frame, value);
  };
}

function isChainLink(node: Node): boolean {
  return node.type === "MemberExpression" || node.type === "CallExpression";
}

function containsOptional(node: Node): boolean {
  for (let link = node; isChainLink(link); link = link["object"] ?? link["callee"]) if (link["optional"]) return true;
  return false;
}

export function compileLogical(node: Node, scope: Scope): Run {
  // `a || b || c …` as one list of operands, so that its length does not cost stack.
  const operands: Node[] = [];
  const operator: string = node["operator"];
  let link = node;
  for (; link.type === "LogicalExpression" && link["operator"] === operator; link = link["left"])
    operands.push(link["right"]);
  operands.push(link);
  const runs = operands.reverse().map((operand) => expression(operand, scope));
  const [a, b] = runs as [Run, Run];
  const last = runs.length - 1;
  switch (operator) {
    case "&&":
      if (last === 1) return (frame) => a(frame) && b(frame);
      return (frame) => {
        for (let i = 0; i < last; i++) {
          const value = runs[i]!(frame);
          if (!value) return value;
        }
        return runs[last]!(frame);
      };
    case "||":
      if (last === 1) return (frame) => a(frame) || b(frame);
      return (frame) => {
        for (let i = 0; i < last; i++) {
          const value = runs[i]!(frame);
          if (value) return value;
        }
        return runs[last]!(frame);
      };
    default:
      if (last === 1) return (frame) => a(frame) ?? b(frame);
      return (frame) => {
        for (let i = 0; i < last; i++) {
          const value = runs[i]!(frame);
          if (value !== null && value !== undefined) return value;
        }
        return runs[last]!(frame);
      };
  }
}

export function compileConditional(node: Node, scope: Scope): Run {
  const test = expression(node["test"], scope);
  const consequent = expression(node["consequent"], scope);
  const alternate = expression(node["alternate"], scope);
  return (frame) => (test(frame) ? consequent(frame) : alternate(frame));
}

export function compileSequence(node: Node, scope: Scope): Run {
  const runs: Run[] = node["expressions"].map((item: Node) => expression(item, scope));
  const last = runs.length - 1;
  return (frame) => {
    for (let i = 0; i < last; i++) runs[i]!(frame);
    return runs[last]!(frame);
  };
}
