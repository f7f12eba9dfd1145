/** Statements that contain `await` or `yield`: like their plain forms they give completions. */

import { annotateAt } from "./calls.js";
import { suspendClassDeclaration } from "./classes.js";
import { frameDepth, nothing, plainStep, type Step, statementStep, step } from "./compiler.js";
import { annotate } from "./errors.js";
import { enterScope } from "./frames.js";
import { takeReturned } from "./functions.js";
import {
  BREAK,
  type Completion,
  type Frame,
  machine,
  passesThrough,
  RETURN,
  ReturnSignal,
  type Steps,
  type Suspending,
} from "./machine.js";
import { bindPattern } from "./patterns.js";
import type { Scope } from "./scope.js";
import { completionFor, labelsOf } from "./statements.js";
import { suspendExpression } from "./suspend-expressions.js";
import { suspendForIn, suspendForOf } from "./suspend-iteration.js";
import { suspendDoWhile, suspendFor, suspendWhile } from "./suspend-loops.js";
import { type SuspendingBind, suspendPattern } from "./suspend-patterns.js";
import { perform } from "./suspending.js";
import { isAnonymousFunction, type Node, unsupported } from "./syntax.js";
import { unit } from "./unit.js";
import { disposingSuspended, hasUsing, registerResource } from "./using.js";

/** The body of a function that suspends: gives what the function returns. */
export function suspendingBody(node: Node): Suspending {
  const scope: Scope = node["bodyScope"];
  const body: Node = node["body"];
  if (body.type !== "BlockStatement") {
    const only = step(body, scope);
    return (frame) => perform(only, frame);
  }
  return suspendingStatements(body["body"], scope);
}

/** A list of statements as a whole body. */
export function suspendingStatements(statements: readonly Node[], scope: Scope): Suspending {
  const result = (completion: unknown) => (completion === RETURN ? takeReturned() : undefined);
  if (hasUsing(statements)) {
    const run = suspendSequence(statements, scope);
    return (frame) => runBody(frame, run, result);
  }
  const steps = stepsOf(statements, scope);
  return (frame) => runSteps(frame, steps, result);
}

function* runBody(frame: Frame, run: Suspending, result: (completion: unknown) => unknown): Steps {
  return result(yield* run(frame));
}

export function suspendStatement(node: Node, scope: Scope): Suspending {
  switch (node.type) {
    case "ExpressionStatement":
      return expressionStatement(node, scope);
    case "VariableDeclaration":
      return variables(node, scope);
    case "ReturnStatement":
      return returning(node, scope);
    case "ThrowStatement":
      return throwing(node, scope);
    case "IfStatement":
      return conditional(node, scope);
    case "BlockStatement":
      return block(node, scope);
    case "LabeledStatement":
      return labeled(node, scope);
    case "WhileStatement":
      return suspendWhile(node, scope);
    case "DoWhileStatement":
      return suspendDoWhile(node, scope);
    case "ForStatement":
      return suspendFor(node);
    case "ForInStatement":
      return suspendForIn(node);
    case "ForOfStatement":
      return suspendForOf(node);
    case "SwitchStatement":
      return switching(node, scope);
    case "TryStatement":
      return trying(node, scope);
    case "ClassDeclaration":
      return suspendClassDeclaration(node, scope);
    default:
      unsupported(node, `${node.type} with \`await\` is`, "Await into a variable first.");
  }
}

export function suspendSequence(nodes: readonly Node[], scope: Scope): Suspending {
  if (hasUsing(nodes)) return disposingSuspended(nodes, scope, plainSequence);
  return plainSequence(nodes, scope);
}

function plainSequence(nodes: readonly Node[], scope: Scope): Suspending {
  const steps = stepsOf(nodes, scope);
  const end = (completion: unknown) => completion;
  return (frame) => runSteps(frame, steps, end);
}

function stepsOf(nodes: readonly Node[], scope: Scope): Step[] {
  return nodes
    .filter((node) => node.type !== "EmptyStatement" && (node.type !== "FunctionDeclaration" || node["hoistedTo"]))
    .map((node) => statementStep(node, scope));
}

/** Statements one after the other; `end` makes the result of the completion that ends them, if one does. */
function* runSteps(frame: Frame, steps: readonly Step[], end: (completion: unknown) => unknown): Steps {
  for (let i = 0; i < steps.length; i++) {
    const { run, leaf, suspend } = steps[i]!;
    let completion: unknown;
    if (run !== undefined) completion = run(frame);
    else if (leaf?.test !== undefined && !leaf.test(frame)) completion = leaf.otherwise(frame);
    else if (leaf !== undefined) {
      const value = leaf.operand(frame);
      machine.position = leaf.offset;
      let settled: unknown;
      try {
        settled = yield value;
      } catch (error) {
        throw annotateAt(error, leaf.offset);
      }
      completion = leaf.finish(frame, settled);
    } else completion = yield* suspend!(frame);
    if (completion !== undefined) return end(completion);
  }
  return undefined;
}

function expressionStatement(node: Node, scope: Scope): Suspending {
  const evaluate = suspendExpression(node["expression"], scope);
  const { function: fn } = scope;
  if (fn.node.type !== "Program") return (frame) => runExpression(frame, evaluate);
  const slot = fn.node["resultSlot"] as number;
  const depth = frameDepth(scope);
  return (frame) => runTopExpression(frame, evaluate, slot, depth);
}

function* runExpression(frame: Frame, evaluate: Suspending): Steps {
  yield* evaluate(frame);
  return undefined;
}

/** The value may become the result of the program. */
function* runTopExpression(frame: Frame, evaluate: Suspending, slot: number, depth: number): Steps {
  const value = yield* evaluate(frame);
  let target = frame;
  for (let i = 0; i < depth; i++) target = target[0];
  target[slot] = value;
  return undefined;
}

type Bind = ReturnType<typeof bindPattern>;

/** A variable with its initializer; its pattern is plain, or else one that suspends. */
interface Declarator {
  readonly value: Step;
  readonly bind: Bind | undefined;
  readonly suspendBind: SuspendingBind | undefined;
}

function variables(node: Node, scope: Scope): Suspending {
  if (node["kind"] === "using" || node["kind"] === "await using") return usingVariables(node, scope);
  const declarators = (node["declarations"] as Node[])
    .filter((declarator) => declarator["init"] || node["kind"] !== "var")
    .map((declarator): Declarator => {
      const { id, init } = declarator as unknown as { id: Node; init: Node | null };
      const value: Step = init
        ? step(init, scope, id.type === "Identifier" && isAnonymousFunction(init) ? id["name"] : undefined)
        : plainStep(nothing);
      return id.suspends
        ? { value, bind: undefined, suspendBind: suspendPattern(id, scope, true) }
        : { value, bind: bindPattern(id, scope), suspendBind: undefined };
    });
  return (frame) => runVariables(frame, declarators);
}

function* runVariables(frame: Frame, declarators: readonly Declarator[]): Steps {
  for (let i = 0; i < declarators.length; i++) {
    const { value, bind, suspendBind } = declarators[i]!;
    const result = value.run !== undefined ? value.run(frame) : yield* perform(value, frame);
    if (bind !== undefined) bind(frame, result);
    else yield* suspendBind!(frame, result);
  }
  return undefined;
}

/** A variable of `using`. */
interface Resource {
  readonly value: Step;
  readonly register: ReturnType<typeof registerResource>;
  readonly bind: Bind;
}

function usingVariables(node: Node, scope: Scope): Suspending {
  const resources = (node["declarations"] as Node[]).map(
    (declarator): Resource => ({
      value: step(
        declarator["init"],
        scope,
        isAnonymousFunction(declarator["init"]) ? declarator["id"]["name"] : undefined,
      ),
      register: registerResource(declarator, scope, node["kind"]),
      bind: bindPattern(declarator["id"], scope),
    }),
  );
  return (frame) => runUsing(frame, resources);
}

function* runUsing(frame: Frame, resources: readonly Resource[]): Steps {
  for (let i = 0; i < resources.length; i++) {
    const { value, register, bind } = resources[i]!;
    const result = yield* perform(value, frame);
    register(frame, result);
    bind(frame, result);
  }
  return undefined;
}

/** True inside an async generator, where `return` awaits its operand. */
function inAsyncGenerator(scope: Scope): boolean {
  const { node } = scope.function;
  return node["async"] === true && node["generator"] === true;
}

function returning(node: Node, scope: Scope): Suspending {
  const argument: Node = node["argument"];
  const value = step(argument, scope);
  const awaits = inAsyncGenerator(scope);
  return (frame) => runReturn(frame, value, awaits);
}

function* runReturn(frame: Frame, value: Step, awaits: boolean): Steps {
  let result = yield* perform(value, frame);
  if (awaits) result = yield result;
  machine.returned = result;
  return RETURN;
}

function throwing(node: Node, scope: Scope): Suspending {
  const value = step(node["argument"], scope);
  const offset = unit.base + node.start;
  return (frame) => runThrow(frame, value, offset);
}

function* runThrow(frame: Frame, value: Step, offset: number): Steps {
  const error = yield* perform(value, frame);
  machine.position = offset;
  throw annotate(error);
}

function conditional(node: Node, scope: Scope): Suspending {
  const tests: Step[] = [];
  const bodies: Step[] = [];
  let link: Node | null | undefined = node;
  for (; link?.type === "IfStatement"; link = link["alternate"]) {
    tests.push(step(link["test"], scope));
    bodies.push(statementStep(link["consequent"], scope));
  }
  const last = link === null || link === undefined ? undefined : statementStep(link, scope);
  return (frame) => runIf(frame, tests, bodies, last);
}

function* runIf(frame: Frame, tests: readonly Step[], bodies: readonly Step[], last: Step | undefined): Steps {
  for (let i = 0; i < tests.length; i++) if (yield* perform(tests[i]!, frame)) return yield* perform(bodies[i]!, frame);
  return last === undefined ? undefined : yield* perform(last, frame);
}

function block(node: Node, outer: Scope): Suspending {
  const scope = node.scope ?? outer;
  const run = suspendSequence(node["body"], scope);
  const enter = node.scope === undefined ? undefined : enterScope(scope);
  return enter === undefined ? run : (frame) => run(enter(frame));
}

function labeled(node: Node, scope: Scope): Suspending {
  const label: string = node["label"]["name"];
  const body: Node = node["body"];
  body["labels"] = [...labelsOf(node), label];
  const run = suspendStatement(body, scope);
  const own = completionFor("break", label);
  return (frame) => runLabeled(frame, run, own);
}

function* runLabeled(frame: Frame, run: Suspending, own: Completion): Steps {
  const completion = yield* run(frame);
  return completion === own ? undefined : completion;
}

interface Switch {
  readonly discriminant: Step;
  readonly enter: ((frame: Frame) => Frame) | undefined;
  /** The test of each case; `default` has none. */
  readonly tests: readonly (Step | undefined)[];
  /** Index of the first statement of each case. */
  readonly starts: readonly number[];
  /** The same where no test holds. */
  readonly otherwise: number;
  /** The statements of all cases. */
  readonly steps: readonly Step[];
}

function switching(node: Node, outer: Scope): Suspending {
  const scope = node.scope!;
  const discriminant = step(node["discriminant"], outer);
  const cases: Node[] = node["cases"];
  const tests = cases.map((item) => (item["test"] === null ? undefined : step(item["test"], scope)));
  const steps: Step[] = [];
  const starts: number[] = [];
  for (const item of cases) {
    starts.push(steps.length);
    for (const child of item["consequent"]) steps.push(statementStep(child, scope));
  }
  const fallback = cases.findIndex((item) => item["test"] === null);
  const otherwise = fallback < 0 ? steps.length : starts[fallback]!;
  const parts: Switch = { discriminant, enter: enterScope(scope), tests, starts, otherwise, steps };
  return (frame) => runSwitch(frame, parts);
}

function* runSwitch(outer: Frame, { discriminant, enter, tests, starts, otherwise, steps }: Switch): Steps {
  const value = yield* perform(discriminant, outer);
  const frame = enter === undefined ? outer : enter(outer);
  let at = otherwise;
  for (let i = 0; i < tests.length; i++) {
    const test = tests[i];
    if (test !== undefined && (yield* perform(test, frame)) === value) {
      at = starts[i]!;
      break;
    }
  }
  for (; at < steps.length; at++) {
    const completion = yield* perform(steps[at]!, frame);
    if (completion !== undefined) return completion === BREAK ? undefined : completion;
  }
  return undefined;
}

/** A `catch` clause; its parameter is plain, or else a pattern that suspends. */
interface Handler {
  readonly enter: ((frame: Frame) => Frame) | undefined;
  readonly bind: Bind | undefined;
  readonly suspendBind: SuspendingBind | undefined;
  readonly body: Step;
}

function handler(node: Node): Handler {
  const scope = node.scope!;
  const param: Node | null = node["param"];
  return {
    enter: enterScope(scope),
    bind: param && !param.suspends ? bindPattern(param, scope) : undefined,
    suspendBind: param?.suspends ? suspendPattern(param, scope, true) : undefined,
    body: statementStep(node["body"], scope),
  };
}

function* runHandler(frame: Frame, error: unknown, { enter, bind, suspendBind, body }: Handler): Steps {
  const inner = enter === undefined ? frame : enter(frame);
  if (bind !== undefined) bind(inner, error);
  else if (suspendBind !== undefined) yield* suspendBind(inner, error);
  return yield* perform(body, inner);
}

function trying(node: Node, scope: Scope): Suspending {
  const inner = statementStep(node["block"], scope);
  const handle = node["handler"] ? handler(node["handler"]) : undefined;
  const guarded: Suspending =
    handle === undefined ? (frame) => perform(inner, frame) : (frame) => runTryCatch(frame, inner, handle);
  if (!node["finalizer"]) return guarded;
  const last = statementStep(node["finalizer"], scope);
  return (frame) => runTryFinally(frame, guarded, last);
}

function* runTryCatch(frame: Frame, inner: Step, handle: Handler): Steps {
  try {
    return yield* perform(inner, frame);
  } catch (error) {
    if (ReturnSignal.is(error) || passesThrough(error)) throw error;
    annotate(error);
    return yield* runHandler(frame, error, handle);
  }
}

function* runTryFinally(frame: Frame, guarded: Suspending, last: Step): Steps {
  let completion: Completion | undefined;
  try {
    completion = yield* guarded(frame);
  } catch (error) {
    if (passesThrough(error)) throw error;
    if (!ReturnSignal.is(error)) annotate(error);
    const over = yield* perform(last, frame);
    if (over !== undefined) return over;
    throw error;
  }
  const { returned } = machine;
  const over = yield* perform(last, frame);
  if (over !== undefined) return over;
  machine.returned = returned;
  return completion;
}
