/** Statements that contain `await` or `yield`: generator functions that give completions like their plain forms. */

import { annotateAt } from "./calls.js";
import { suspendClassDeclaration } from "./classes.js";
import { frameDepth, nothing, plainStep, type Step, statementStep, step } from "./compiler.js";
import { annotate } from "./errors.js";
import { copyFrame, enterScope, newFrame, prologue } from "./frames.js";
import { takeReturned } from "./functions.js";
import { afterBody, step as burn, continues } from "./loops.js";
import {
  BREAK,
  type Completion,
  type Frame,
  machine,
  passesThrough,
  RETURN,
  ReturnSignal,
  type Suspending,
} from "./machine.js";
import { bindPattern } from "./patterns.js";
import type { Scope } from "./scope.js";
import { completionFor, labelsOf } from "./statements.js";
import { perform, suspendExpression } from "./suspend-expressions.js";
import { suspendForIn, suspendForOf } from "./suspend-iteration.js";
import { suspendPattern } from "./suspend-patterns.js";
import { isAnonymousFunction, type Node, unsupported } from "./syntax.js";
import { unit } from "./unit.js";
import { disposingSuspended, hasUsing, registerResource } from "./using.js";

/** The body of a function that suspends: gives what the function returns. */
export function suspendingBody(node: Node): Suspending {
  const scope: Scope = node["bodyScope"];
  const body: Node = node["body"];
  if (body.type !== "BlockStatement") {
    const only = step(body, scope);
    return function* (frame) {
      return yield* perform(only, frame);
    };
  }
  return suspendingStatements(body["body"], scope);
}

/** A list of statements as a whole body. */
export function suspendingStatements(statements: readonly Node[], scope: Scope): Suspending {
  const result = (completion: unknown) => (completion === RETURN ? takeReturned() : undefined);
  if (!hasUsing(statements)) return runSteps(stepsOf(statements, scope), result);
  const run = suspendSequence(statements, scope);
  return function* (frame) {
    return result(yield* run(frame));
  };
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
      return whileLoop(node, scope);
    case "DoWhileStatement":
      return doLoop(node, scope);
    case "ForStatement":
      return forLoop(node);
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
  return runSteps(stepsOf(nodes, scope), (completion) => completion);
}

function stepsOf(nodes: readonly Node[], scope: Scope): Step[] {
  return nodes
    .filter((node) => node.type !== "EmptyStatement" && (node.type !== "FunctionDeclaration" || node["hoistedTo"]))
    .map((node) => statementStep(node, scope));
}

/** Statements one after the other; `end` makes the result of the completion that ends them, if one does. */
function runSteps(steps: readonly Step[], end: (completion: unknown) => unknown): Suspending {
  return function* (frame) {
    for (let i = 0; i < steps.length; i++) {
      const { run, leaf, suspend } = steps[i]!;
      let completion: unknown;
      if (run !== undefined) completion = run(frame);
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
  };
}

function expressionStatement(node: Node, scope: Scope): Suspending {
  const run = suspendExpression(node["expression"], scope);
  const { function: fn } = scope;
  if (fn.node.type !== "Program")
    return function* (frame) {
      yield* run(frame);
      return undefined;
    };
  const slot = fn.node["resultSlot"] as number;
  const depth = frameDepth(scope);
  return function* (frame) {
    const value = yield* run(frame);
    let target = frame;
    for (let i = 0; i < depth; i++) target = target[0];
    target[slot] = value;
    return undefined;
  };
}

function variables(node: Node, scope: Scope): Suspending {
  if (node["kind"] === "using" || node["kind"] === "await using") return usingVariables(node, scope);
  const parts = (node["declarations"] as Node[])
    .filter((declarator) => declarator["init"] || node["kind"] !== "var")
    .map((declarator) => {
      const { id, init } = declarator as unknown as { id: Node; init: Node | null };
      const value: Step = init
        ? step(init, scope, id.type === "Identifier" && isAnonymousFunction(init) ? id["name"] : undefined)
        : plainStep(nothing);
      return id.suspends
        ? { value, bind: undefined, suspendBind: suspendPattern(id, scope, true) }
        : { value, bind: bindPattern(id, scope), suspendBind: undefined };
    });
  return function* (frame) {
    for (let i = 0; i < parts.length; i++) {
      const { value, bind, suspendBind } = parts[i]!;
      const result = value.run !== undefined ? value.run(frame) : yield* perform(value, frame);
      if (bind !== undefined) bind(frame, result);
      else yield* suspendBind!(frame, result);
    }
    return undefined;
  };
}

function usingVariables(node: Node, scope: Scope): Suspending {
  const parts = (node["declarations"] as Node[]).map((declarator) => ({
    value: step(
      declarator["init"],
      scope,
      isAnonymousFunction(declarator["init"]) ? declarator["id"]["name"] : undefined,
    ),
    register: registerResource(declarator, scope, node["kind"]),
    bind: bindPattern(declarator["id"], scope),
  }));
  return function* (frame) {
    for (let i = 0; i < parts.length; i++) {
      const { value, register, bind } = parts[i]!;
      const result = yield* perform(value, frame);
      register(frame, result);
      bind(frame, result);
    }
    return undefined;
  };
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
  return function* (frame) {
    let result = yield* perform(value, frame);
    if (awaits) result = yield result;
    machine.returned = result;
    return RETURN;
  };
}

function throwing(node: Node, scope: Scope): Suspending {
  const value = step(node["argument"], scope);
  const offset = unit.base + node.start;
  return function* (frame) {
    const error = yield* perform(value, frame);
    machine.position = offset;
    throw annotate(error);
  };
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
  return function* (frame) {
    for (let i = 0; i < tests.length; i++)
      if (yield* perform(tests[i]!, frame)) return yield* perform(bodies[i]!, frame);
    return last === undefined ? undefined : yield* perform(last, frame);
  };
}

function block(node: Node, outer: Scope): Suspending {
  const scope = node.scope ?? outer;
  const run = suspendSequence(node["body"], scope);
  const enter = node.scope === undefined ? undefined : enterScope(scope);
  if (enter === undefined) return run;
  return function* (frame) {
    return yield* run(enter(frame));
  };
}

function labeled(node: Node, scope: Scope): Suspending {
  const label: string = node["label"]["name"];
  const body: Node = node["body"];
  body["labels"] = [...labelsOf(node), label];
  const run = suspendStatement(body, scope);
  const own = completionFor("break", label);
  return function* (frame) {
    const completion = yield* run(frame);
    return completion === own ? undefined : completion;
  };
}

function whileLoop(node: Node, scope: Scope): Suspending {
  const test = step(node["test"], scope);
  const body = statementStep(node["body"], scope);
  const goesOn = continues(node);
  const offset = unit.base + node["test"].start;
  return function* (frame) {
    while (yield* perform(test, frame)) {
      if (--machine.fuel < 0) burn(offset);
      const completion = yield* perform(body, frame);
      if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
    }
    return undefined;
  };
}

function doLoop(node: Node, scope: Scope): Suspending {
  const test = step(node["test"], scope);
  const body = statementStep(node["body"], scope);
  const goesOn = continues(node);
  const offset = unit.base + node["test"].start;
  return function* (frame) {
    do {
      if (--machine.fuel < 0) burn(offset);
      const completion = yield* perform(body, frame);
      if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
    } while (yield* perform(test, frame));
    return undefined;
  };
}

function forLoop(node: Node): Suspending {
  const scope = node.scope!;
  const init =
    node["init"] === null
      ? undefined
      : node["init"].type === "VariableDeclaration"
        ? statementStep(node["init"], scope)
        : step(node["init"], scope);
  const test = node["test"] === null ? undefined : step(node["test"], scope);
  const update = node["update"] === null ? undefined : step(node["update"], scope);
  const body = statementStep(node["body"], scope);
  const goesOn = continues(node);
  const offset = unit.base + node.start;
  const prepare = prologue(scope);
  const fresh = scope.materialized;
  const { layout } = scope;
  const { leaf } = body;
  return function* (outer) {
    let frame = fresh ? newFrame(outer, layout.size) : outer;
    if (prepare !== undefined) prepare(frame);
    if (init !== undefined) yield* perform(init, frame);
    if (fresh) frame = copyFrame(frame);
    for (;;) {
      if (test !== undefined && !(test.run !== undefined ? test.run(frame) : yield* perform(test, frame)))
        return undefined;
      if (--machine.fuel < 0) burn(offset);
      let completion: Completion | undefined;
      if (body.run !== undefined) completion = body.run(frame);
      else if (leaf === undefined) completion = yield* body.suspend!(frame);
      else {
        const value = leaf.operand(frame);
        machine.position = leaf.offset;
        let settled: unknown;
        try {
          settled = yield value;
        } catch (error) {
          throw annotateAt(error, leaf.offset);
        }
        completion = leaf.finish(frame, settled);
      }
      if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
      if (fresh) frame = copyFrame(frame);
      if (update !== undefined) {
        if (update.run !== undefined) update.run(frame);
        else yield* perform(update, frame);
      }
    }
  };
}

function switching(node: Node, outer: Scope): Suspending {
  const scope = node.scope!;
  const discriminant = step(node["discriminant"], outer);
  const cases: Node[] = node["cases"];
  const tests = cases.map((item) => (item["test"] === null ? undefined : step(item["test"], scope)));
  const runs: Step[] = [];
  const starts: number[] = [];
  for (const item of cases) {
    starts.push(runs.length);
    for (const child of item["consequent"]) runs.push(statementStep(child, scope));
  }
  const fallback = cases.findIndex((item) => item["test"] === null);
  const otherwise = fallback < 0 ? runs.length : starts[fallback]!;
  const enter = enterScope(scope);
  return function* (outerFrame) {
    const value = yield* perform(discriminant, outerFrame);
    const frame = enter === undefined ? outerFrame : enter(outerFrame);
    let at = otherwise;
    for (let i = 0; i < tests.length; i++) {
      const test = tests[i];
      if (test !== undefined && (yield* perform(test, frame)) === value) {
        at = starts[i]!;
        break;
      }
    }
    for (; at < runs.length; at++) {
      const completion = yield* perform(runs[at]!, frame);
      if (completion !== undefined) return completion === BREAK ? undefined : completion;
    }
    return undefined;
  };
}

type Handler = (frame: Frame, error: unknown) => Generator<any, Completion | undefined, any>;

function handler(node: Node): Handler {
  const scope = node.scope!;
  const enter = enterScope(scope);
  const param: Node | null = node["param"];
  const bind = param && !param.suspends ? bindPattern(param, scope) : undefined;
  const suspendBind = param?.suspends ? suspendPattern(param, scope, true) : undefined;
  const body = statementStep(node["body"], scope);
  return function* (frame, error) {
    const inner = enter === undefined ? frame : enter(frame);
    if (bind !== undefined) bind(inner, error);
    else if (suspendBind !== undefined) yield* suspendBind(inner, error);
    return yield* perform(body, inner);
  };
}

function trying(node: Node, scope: Scope): Suspending {
  const inner = statementStep(node["block"], scope);
  const handle = node["handler"] ? handler(node["handler"]) : undefined;
  const guarded: Suspending =
    handle === undefined
      ? (frame) => perform(inner, frame)
      : function* (frame) {
          try {
            return yield* perform(inner, frame);
          } catch (error) {
            if (ReturnSignal.is(error) || passesThrough(error)) throw error;
            annotate(error);
            return yield* handle(frame, error);
          }
        };
  if (!node["finalizer"]) return guarded;
  const last = statementStep(node["finalizer"], scope);
  return function* (frame) {
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
  };
}
