/** `for`, `while` and `do` (ECMA-262 §14.7.2–§14.7.4). */
import { completing, expression, statement } from "./compiler.js";
import { copyFrame, newFrame, prologue } from "./frames.js";
import { plainLocal, writableLocal } from "./identifiers.js";
import { numberLiteral } from "./literals.js";
import { BREAK, CONTINUE, type Completion, machine, type Run, refuel } from "./machine.js";
import type { Scope } from "./scope.js";
import { completionFor, labelsOf } from "./statements.js";
import type { Node } from "./syntax.js";
import { unit } from "./unit.js";

/** Whether a completion of the body goes on with this loop. */
export function continues(node: Node): (completion: Completion) => boolean {
  const own = labelsOf(node).map((label) => completionFor("continue", label));
  if (own.length === 0) return (completion) => completion === CONTINUE;
  return (completion) => completion === CONTINUE || own.includes(completion);
}

/** What the loop itself completes with when its body ended it. */
export function afterBody(completion: Completion): Completion | undefined {
  return completion === BREAK ? undefined : completion;
}

export function compileWhile(node: Node, scope: Scope): Run {
  const test = expression(node["test"], scope);
  const offset = unit.base + node["test"].start;
  if (!node.abrupt) {
    const body = statement(node["body"], scope);
    return (frame) => {
      while (test(frame)) {
        if (--machine.fuel < 0) step(offset);
        body(frame);
      }
    };
  }
  const body = completing(node["body"], scope);
  const goesOn = continues(node);
  return (frame) => {
    while (test(frame)) {
      if (--machine.fuel < 0) step(offset);
      const completion = body(frame);
      if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
    }
    return undefined;
  };
}

export function compileDoWhile(node: Node, scope: Scope): Run {
  const test = expression(node["test"], scope);
  const body = completing(node["body"], scope);
  const offset = unit.base + node["test"].start;
  const goesOn = continues(node);
  return (frame) => {
    do {
      if (--machine.fuel < 0) step(offset);
      const completion = body(frame);
      if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
    } while (test(frame));
    return undefined;
  };
}

/** The fuel is used up: says where the program is, and looks at the limits. */
export function step(offset: number): void {
  machine.position = offset;
  refuel();
}

export function compileFor(node: Node, outer: Scope): Run {
  const scope = node.scope!;
  if (scope.materialized) return forWithFrames(node, scope);
  const prepare = prologue(scope);
  const run = plainFor(node, scope);
  void outer;
  if (prepare === undefined) return run;
  return (frame) => {
    prepare(frame);
    return run(frame);
  };
}

/** The init of a loop head is an expression or a declaration. */
export function compileInit(init: Node | null, scope: Scope): Run | undefined {
  if (init === null) return undefined;
  return init.type === "VariableDeclaration" ? statement(init, scope) : expression(init, scope);
}

const always: Run = () => true;
const never: Run = () => undefined;

function plainFor(node: Node, scope: Scope): Run {
  const init = compileInit(node["init"], scope) ?? never;
  const test = node["test"] === null ? always : expression(node["test"], scope);
  const update = node["update"] === null ? never : expression(node["update"], scope);
  const offset = unit.base + node.start;
  const counter = countedLoop(node, scope);
  if (!node.abrupt) {
    const body = statement(node["body"], scope);
    if (counter !== undefined) return countedFor(counter, { init, test, update, body, offset });
    return (frame) => {
      init(frame);
      for (; test(frame); update(frame)) {
        if (--machine.fuel < 0) step(offset);
        body(frame);
      }
    };
  }
  const body = completing(node["body"], scope);
  const goesOn = continues(node);
  return (frame) => {
    init(frame);
    for (; test(frame); update(frame)) {
      if (--machine.fuel < 0) step(offset);
      const completion = body(frame);
      if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
    }
    return undefined;
  };
}

/**
 * `i < n; i++` over a local and a number or local: the loop that programs write most. Not around another loop: V8 makes one of a
 * loop and its body as long as it sees one kind of body there.
 */
interface Counter {
  readonly slot: number;
  readonly constant: number;
  /** The slot of the limit; 0 when it is the constant. */
  readonly limit: number;
}

function countedLoop(node: Node, scope: Scope): Counter | undefined {
  if (!node["innermost"]) return undefined;
  const { test, update } = node as unknown as { test: Node | null; update: Node | null };
  if (test?.type !== "BinaryExpression" || test["operator"] !== "<") return undefined;
  if (update?.type !== "UpdateExpression" || update["operator"] !== "++") return undefined;
  const slot = writableLocal(update["argument"], scope);
  if (slot === 0 || writableLocal(test["left"], scope) !== slot) return undefined;
  const constant = numberLiteral(test["right"]);
  if (constant !== undefined) return { slot, constant, limit: 0 };
  // Only what can be evaluated twice without notice: when the operands are no numbers, the test evaluates it again.
  const limit = plainLocal(test["right"], scope);
  return limit > 0 ? { slot, constant: 0, limit } : undefined;
}

interface Parts {
  readonly init: Run;
  readonly test: Run;
  readonly update: Run;
  readonly body: Run;
  readonly offset: number;
}

function countedFor({ slot, constant, limit }: Counter, { init, test, update, body, offset }: Parts): Run {
  return (frame) => {
    init(frame);
    for (;;) {
      const i = frame[slot];
      const n = limit === 0 ? constant : frame[limit];
      if (typeof i === "number" && typeof n === "number") {
        if (!(i < n)) return;
      } else if (!test(frame)) return;
      if (--machine.fuel < 0) step(offset);
      body(frame);
      const next = frame[slot];
      if (typeof next === "number") frame[slot] = next + 1;
      else update(frame);
    }
  };
}

/** A closure captures a variable of the head: every iteration has variables of its own. */
function forWithFrames(node: Node, scope: Scope): Run {
  const init = compileInit(node["init"], scope) ?? never;
  const test = node["test"] === null ? always : expression(node["test"], scope);
  const update = node["update"] === null ? never : expression(node["update"], scope);
  const body = completing(node["body"], scope);
  const offset = unit.base + node.start;
  const prepare = prologue(scope);
  const { layout } = scope;
  const goesOn = continues(node);
  return (outer) => {
    let frame = newFrame(outer, layout.size);
    if (prepare !== undefined) prepare(frame);
    init(frame);
    frame = copyFrame(frame);
    while (test(frame)) {
      if (--machine.fuel < 0) step(offset);
      const completion = body(frame);
      if (completion !== undefined && !goesOn(completion)) return afterBody(completion);
      frame = copyFrame(frame);
      update(frame);
    }
    return undefined;
  };
}
