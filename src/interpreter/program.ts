/** A whole program: the body of a strict async function. */

import { analyze, isStrict } from "./analyze.js";
import { resume } from "./async-functions.js";
import { prepareAsyncGenerators } from "./async-generators.js";
import { annotate, type Source } from "./errors.js";
import { newFrame, prologue } from "./frames.js";
import { takeReturned } from "./functions.js";
import type { CompileOptions, Environment, Language, Program, SourceFault } from "./index.js";
import { type Frame, machine, RETURN, type Run, type Suspending } from "./machine.js";
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

interface Body {
  /** Creates functions and marks variables, before the first statement. */
  readonly prepare: ((frame: Frame) => void) | undefined;
  /** Runs a program without `await` at its top; gives its completion. */
  readonly run: Run | undefined;
  readonly suspend: Suspending | undefined;
  /** The result, from the completion of the statements. */
  finish(frame: Frame, completion: unknown): unknown;
}

function compileBody(tree: Node, scope: Scope, silent: boolean): Body {
  const resultSlot = scope.layout.allocate();
  tree["resultSlot"] = resultSlot;
  const statements: Node[] = tree["body"];
  const suspends = statements.some((item) => item.suspends);
  const abrupt = statements.some((item) => item.abrupt);
  return {
    prepare: prologue(scope),
    run: suspends ? undefined : sequence(statements, scope),
    suspend: suspends ? suspendSequence(statements, scope) : undefined,
    finish(frame, completion) {
      if (silent) return undefined;
      return abrupt && completion === RETURN ? takeReturned() : frame[resultSlot];
    },
  };
}

async function run(body: Body, layout: Layout, environment: Environment, lenient: boolean): Promise<unknown> {
  prepareAsyncGenerators();
  machine.lenient = lenient;
  machine.checkpoint = (position) => environment.checkpoint(position);
  machine.isLimit = (error) => environment.isLimit(error);
  machine.missingMember = (object, key) => environment.missingMember(object, key);
  machine.isProxy = (value) => environment.isProxy?.(value) === true;
  const { isFrozenIntrinsic } = environment;
  machine.sealed = isFrozenIntrinsic !== undefined;
  machine.isFrozenIntrinsic = isFrozenIntrinsic === undefined ? () => false : (object) => isFrozenIntrinsic(object);
  machine.accessors = false;
  machine.limit = undefined;
  machine.fuel = STEPS;
  try {
    const frame = newFrame(undefined, layout.size);
    if (body.prepare !== undefined) body.prepare(frame);
    if (body.suspend === undefined) return body.finish(frame, body.run!(frame));
    const steps = body.suspend(frame);
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
    return body.finish(frame, result.value);
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
