/**
 * The interpreter: a program's syntax tree compiled to closures.
 *
 * Everything in this folder runs INSIDE the sandbox realm (see `src/sandbox/realm`): it may use ECMAScript built-ins and
 * nothing else, no `node:` module, no host object. Program values are the realm's own values.
 */
import { Source } from "./errors.js";
import { compileProgram, faultOf } from "./program.js";

export type Language = "javascript" | "typescript";

/** A position in the user's file: both count from 1; columns in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What the realm gives an interpreted program. */
export interface Environment {
  /** The global bindings: every name that a program may use freely. Null prototype. */
  readonly globals: Readonly<Record<string, unknown>>;
  /**
   * Called by loops, calls and continuations every few thousand steps. Throws the limit's error, which no `catch` or
   * `finally` of the program may intercept.
   */
  checkpoint(position: Position | undefined): void;
  /** True for the errors that `checkpoint` throws: they pass through every `catch`, `finally` and promise. */
  isLimit(error: unknown): boolean;
  /**
   * True for a built-in object that the realm has frozen. A realm that freezes its intrinsics gives this; then an assignment
   * that only an inherited, frozen built-in property would forbid defines an own property instead.
   */
  isFrozenIntrinsic?(object: object): boolean;
  /** True for a proxy that the program made: nothing of the interpreter's own business may run its traps. */
  isProxy?(value: unknown): boolean;
  /** The error for reading or calling a missing member of a tool namespace; `undefined` when `object` is not one. */
  missingMember(object: unknown, key: PropertyKey): Error | undefined;
}

/** A fault of the source text. */
export interface SourceFault {
  readonly kind: "ParseError" | "UnsupportedSyntax";
  readonly message: string;
  readonly position: Position;
  readonly hint?: string;
}

/** A program ready to run. */
export interface Program {
  /** Runs it: top-level `await` and `return`; the completion value where there is no `return`. */
  run(): Promise<unknown>;
}

/**
 * Parses and compiles a program. `typescript` needs the TypeScript parser to be present in the realm (it is loaded only
 * for such programs); plain JavaScript never pays for it. Never throws for a fault of the source.
 */
export type Compiled = { readonly program: Program } | { readonly fault: SourceFault };

export type Compile = (
  source: string,
  language: Language,
  environment: Environment,
  options?: CompileOptions,
) => Compiled;

/** For conformance tests: a strict script in a realm that is not frozen. */
export interface CompileOptions {
  readonly script?: boolean;
  /** Globals may be added and changed while the program runs. */
  readonly openGlobals?: boolean;
  readonly topLevelThis?: unknown;
}

export const compile: Compile = (text, language, environment, options = {}) => {
  const source = new Source(text);
  try {
    return { program: compileProgram(source, language, environment, options) };
  } catch (error) {
    return { fault: faultOf(error, source) };
  }
};

export { prepareAsyncGenerators } from "./async-generators.js";
export { addErrorConstructor, annotate, currentOffset, currentPosition, forgetSources, positionOf } from "./errors.js";
export { sourceOf } from "./function-source.js";
export { mayHaveAccessors, noteAccessors } from "./machine.js";
export { hasTypeArguments, useTypeScript } from "./parse.js";
