/**
 * From nodes to closures: which file compiles which node.
 *
 * `expression` and `statement` give plain closures and must not be asked for nodes that suspend; `suspendingExpression` and
 * `suspendingStatement` give generator functions for those; `step` gives whichever fits.
 */
import { compileArray, compileObject } from "./array-object-literals.js";
import { compileAssignment } from "./assignment.js";
import { compileBinary } from "./binary-operators.js";
import { compileCall, compileNew } from "./calls.js";
import { compileClass, compileClassDeclaration } from "./classes.js";
import { compileEnum } from "./enums.js";
import { compileThrow, compileTry } from "./exceptions.js";
import { compileFunctionExpression } from "./functions.js";
import { compileIdentifier, compileNewTarget, compileThis } from "./identifiers.js";
import { compileForIn, compileForOf } from "./iteration.js";
import { compileLiteral, compileTaggedTemplate, compileTemplate } from "./literals.js";
import { compileDoWhile, compileFor, compileWhile } from "./loops.js";
import type { Frame, Run, Suspending } from "./machine.js";
import { compileChain, compileMember } from "./members.js";
import { toPropertyKey } from "./objects.js";
import { compileConditional, compileLogical, compileSequence, compileUnary } from "./operators.js";
import type { Scope } from "./scope.js";
import {
  compileBlock,
  compileFunctionDeclaration,
  compileIf,
  compileLabeled,
  compileReturn,
  compileVariables,
  jump,
} from "./statements.js";
import { suspendExpression } from "./suspend-expressions.js";
import { suspendStatement } from "./suspend-statements.js";
import { statementLeaf, suspensionLeaf } from "./suspension-leaves.js";
import { compileSwitch } from "./switch.js";
import { type Node, unsupported } from "./syntax.js";
import { compileUpdate } from "./update.js";

type Compile = (node: Node, scope: Scope, name?: string) => Run;

const EXPRESSIONS: Record<string, Compile> = {
  __proto__: null as never,
  ArrayExpression: compileArray,
  ArrowFunctionExpression: compileFunctionExpression,
  AssignmentExpression: compileAssignment,
  BinaryExpression: compileBinary,
  CallExpression: compileCall,
  ChainExpression: compileChain,
  ClassExpression: compileClass,
  ConditionalExpression: compileConditional,
  FunctionExpression: compileFunctionExpression,
  Identifier: compileIdentifier,
  Literal: compileLiteral,
  LogicalExpression: compileLogical,
  MemberExpression: compileMember,
  MetaProperty: compileNewTarget,
  NewExpression: compileNew,
  ObjectExpression: compileObject,
  PropertyKey: (node, scope) => {
    const key = expression(node["key"], scope);
    return (frame) => toPropertyKey(key(frame));
  },
  SequenceExpression: compileSequence,
  TaggedTemplateExpression: compileTaggedTemplate,
  TemplateLiteral: compileTemplate,
  Temporary: compileIdentifier,
  ThisExpression: compileThis,
  UnaryExpression: compileUnary,
  UpdateExpression: compileUpdate,
};

const STATEMENTS: Record<string, (node: Node, scope: Scope) => Run> = {
  __proto__: null as never,
  BlockStatement: compileBlock,
  BreakStatement: jump,
  ClassDeclaration: compileClassDeclaration,
  ContinueStatement: jump,
  DebuggerStatement: () => nothing,
  DoWhileStatement: compileDoWhile,
  EmptyStatement: () => nothing,
  ExpressionStatement: compileExpressionStatement,
  ForInStatement: compileForIn,
  ForOfStatement: compileForOf,
  ForStatement: compileFor,
  FunctionDeclaration: compileFunctionDeclaration,
  IfStatement: compileIf,
  LabeledStatement: compileLabeled,
  ReturnStatement: compileReturn,
  SwitchStatement: compileSwitch,
  TSEnumDeclaration: compileEnum,
  ThrowStatement: compileThrow,
  TryStatement: compileTry,
  VariableDeclaration: compileVariables,
  WhileStatement: compileWhile,
};

export const nothing: Run = () => undefined;

/** Compiles an expression; `name` is what an anonymous function takes from its place. */
export function expression(node: Node, scope: Scope, name?: string): Run {
  const compile = EXPRESSIONS[node.type];
  if (compile === undefined) unsupported(node, `${node.type} is`, "Write it in plain JavaScript.");
  return compile(node, scope, name);
}

/**
 * Compiles a statement. Unless `node.abrupt`, what the closure gives means nothing and must be ignored; an abrupt one gives
 * `undefined` or a completion.
 */
export function statement(node: Node, scope: Scope): Run {
  const compile = STATEMENTS[node.type];
  if (compile === undefined) unsupported(node, `${node.type} is`, "Write it in plain JavaScript.");
  return compile(node, scope);
}

/** A statement whose closure gives `undefined` or a completion, whatever it is. */
export function completing(node: Node, scope: Scope): Run {
  const run = statement(node, scope);
  if (node.abrupt) return run;
  return (frame) => {
    run(frame);
  };
}

/** The last expression statement of a program gives its result: those statements note their value. */
function compileExpressionStatement(node: Node, scope: Scope): Run {
  const run = expression(node["expression"], scope);
  const { function: fn } = scope;
  if (fn.node.type !== "Program") return run;
  const slot = fn.node["resultSlot"] as number;
  const depth = frameDepth(scope);
  return (frame) => {
    const value = run(frame);
    let target = frame;
    for (let i = 0; i < depth; i++) target = target[0];
    target[slot] = value;
  };
}

/** Frames between a scope and the root of its function. */
export function frameDepth(scope: Scope): number {
  let depth = 0;
  for (let from = scope.frameScope; !from.root; from = from.parent!.frameScope) depth++;
  return depth;
}

/**
 * An `await` or `yield` at the end of everything else: the operand is plain, and so is what follows it. Whoever runs such a step
 * yields the operand itself, which saves a generator for each.
 */
export interface Leaf {
  /** Asked first, where it may be that nothing suspends: if it says no, `otherwise` gives the completion. */
  readonly test: Run | undefined;
  readonly otherwise: Run;
  readonly operand: Run;
  readonly offset: number;
  /** What is done with the awaited value; for a statement, its completion. */
  finish(frame: Frame, value: any): any;
}

/** An operand or statement that may suspend: exactly one of the three is there. */
export interface Step {
  readonly run: Run | undefined;
  readonly leaf: Leaf | undefined;
  readonly suspend: Suspending | undefined;
}

export function step(node: Node, scope: Scope, name?: string): Step {
  if (!node.suspends) return plainStep(expression(node, scope, name));
  const leaf = suspensionLeaf(node, scope);
  if (leaf !== undefined) return { run: undefined, leaf, suspend: undefined };
  return { run: undefined, leaf: undefined, suspend: suspendExpression(node, scope, name) };
}

export function plainStep(run: Run): Step {
  return { run, leaf: undefined, suspend: undefined };
}

export function statementStep(node: Node, scope: Scope): Step {
  if (!node.suspends) return plainStep(completing(node, scope));
  const leaf = statementLeaf(node, scope);
  if (leaf !== undefined) return { run: undefined, leaf, suspend: undefined };
  return { run: undefined, leaf: undefined, suspend: suspendStatement(node, scope) };
}
