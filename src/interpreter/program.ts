/** A whole program: the body of a strict async function. */

import { analyze, isStrict } from "./analyze.js";
import { resume } from "./async-functions.js";
import { prepareAsyncGenerators } from "./async-generators.js";
import { annotate, type Source } from "./errors.js";
import { newFrame, prologue } from "./frames.js";
import type { CompileOptions, Environment, Language, Program, SourceFault } from "./index.js";
import { type Frame, machine, RETURN, type Suspending } from "./machine.js";
import { parse } from "./parse.js";
import type { Layout, Scope } from "./scope.js";
import { sequence } from "./statements.js";
import { suspendSequence } from "./suspend-statements.js";
import { type Node, SourceError } from "./syntax.js";
import { erase } from "./typescript.js";
import { unit } from "./unit.js";

const STEPS = 2_000;

export function compileProgram(
  source: Source,
  language: Language,
  environment: Environment,
  options: CompileOptions,
): Program {
  const { tree, typescript } = parse(source.text, language, options);
  if (typescript) erase(tree);
  const { scope, functions } = analyze(tree);
  source.functions = functions;
  const previous = { ...unit };
  Object.assign(unit, {
    base: source.base,
    source,
    globals: environment.globals,
    openGlobals: options.openGlobals === true,
    topLevelThis: options.topLevelThis,
  });
  try {
    const body = compileBody(tree, scope, options.script === true);
    const lenient = !isStrict(tree);
    return { run: () => run(body, scope.layout, environment, lenient) };
  } finally {
    Object.assign(unit, previous);
  }
}

type Body = (frame: Frame) => { steps: Generator } | { value: unknown };

function compileBody(tree: Node, scope: Scope, silent: boolean): Body {
  const resultSlot = scope.layout.allocate();
  tree["resultSlot"] = resultSlot;
  const statements: Node[] = tree["body"];
  const prepare = prologue(scope);
  const finish = (frame: Frame, completion: unknown): unknown => {
    if (silent) return undefined;
    if (completion !== RETURN) return frame[resultSlot];
    const { returned } = machine;
    machine.returned = undefined;
    return returned;
  };
  if (statements.some((item) => item.suspends)) {
    const suspend: Suspending = suspendSequence(statements, scope);
    const whole: Suspending = function* (frame) {
      if (prepare !== undefined) prepare(frame);
      return finish(frame, yield* suspend(frame));
    };
    return (frame) => ({ steps: whole(frame) });
  }
  const run = sequence(statements, scope);
  const abrupt = statements.some((item) => item.abrupt);
  return (frame) => {
    if (prepare !== undefined) prepare(frame);
    const completion = run(frame);
    return { value: finish(frame, abrupt ? completion : undefined) };
  };
}

async function run(body: Body, layout: Layout, environment: Environment, lenient: boolean): Promise<unknown> {
  prepareAsyncGenerators();
  machine.lenient = lenient;
  machine.checkpoint = (position) => environment.checkpoint(position);
  machine.isLimit = (error) => environment.isLimit(error);
  machine.missingMember = (object, key) => environment.missingMember(object, key);
  const { isFrozenIntrinsic } = environment;
  machine.sealed = isFrozenIntrinsic !== undefined;
  machine.isFrozenIntrinsic = isFrozenIntrinsic === undefined ? () => false : (object) => isFrozenIntrinsic(object);
  machine.limit = undefined;
  machine.fuel = STEPS;
  try {
    const started = body(newFrame(undefined, layout.size));
    if ("value" in started) return started.value;
    const { steps } = started;
    let result = steps.next();
    while (!result.done) {
      let value: unknown;
      let failed = false;
      try {
        value = await result.value;
      } catch (error) {
        failed = true;
        value = error;
      }
      result = resume(steps, failed, value);
    }
    return result.value;
  } catch (error) {
    throw annotate(error);
  }
}

/** What a compilation that failed says. */
export function faultOf(error: unknown, source: Source): SourceFault {
  if (error instanceof SourceError) {
    const { kind, message, offset, hint } = error;
    return {
      kind,
      message,
      position: source.position(Math.min(offset, source.text.length)),
      ...(hint === undefined ? {} : { hint }),
    };
  }
  if (error instanceof RangeError)
    return {
      kind: "ParseError",
      message: "The program is nested too deeply.",
      position: { line: 1, column: 1 },
      hint: "Split the deepest expression or block into variables or functions.",
    };
  return {
    kind: "UnsupportedSyntax",
    message: `The program could not be compiled: ${(error as Error).message}`,
    position: { line: 1, column: 1 },
  };
}
