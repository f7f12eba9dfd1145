/**
 * The run-time state of the interpreter: where the program is, how many steps it may still take before the next look at its
 * limits, and the value of a `return` on its way out of nested statements.
 *
 * One realm runs one program at a time on one thread, so this is one record, and the closures reach it directly.
 */
import type { Environment, Position } from "./index.js";

/** The variables of one activation: slot 0 holds the enclosing frame, the others values. */
export type Frame = any[];
/** An expression or statement, compiled. A statement gives `undefined` or a completion. */
export type Run = (frame: Frame) => any;
/** An evaluation that suspends: yields what it waits for, takes back what that gives, and ends with the result. */
export type Steps = Generator<any, any, any>;
/**
 * What a node that contains `await` or `yield` compiles to. Never itself a generator function: it hands what the node compiled to
 * to one at the top of a module. V8 gives the generators of every function object a hidden class of their own, so functions made
 * per node would show the code that resumes them a new class with every program, and cost it its optimization.
 */
export type Suspending = (frame: Frame) => Steps;

/** How many loop iterations and calls pass between two looks at the limits. */
const STEPS = 2_000;

/** What a probed function throws instead of starting. */
export class Probed {
  #code: object | undefined;
  constructor(code: object | undefined) {
    this.#code = code;
  }
  get code(): object | undefined {
    return this.#code;
  }
  /** Errors of a program may be proxies: `instanceof` would run their traps, and so for the other signals. */
  static is(value: unknown): value is Probed {
    return typeof value === "object" && value !== null && #code in value;
  }
}

export const machine = {
  /** Offset of the last operation that can fail, in the numbering of all sources of the realm (see `errors.ts`). */
  position: 0,
  /** Steps left until the next checkpoint. */
  fuel: STEPS,
  /** The next function that starts is only asked which it is. */
  probing: false,
  probed: undefined as Probed | undefined,
  /** The operand of a `return` that is leaving nested statements. */
  returned: undefined as any,
  /** The limit's error, once thrown: from then on no interpreted function starts. */
  limit: undefined as unknown,
  checkpoint: (() => {}) as (position: Position | undefined) => void,
  isLimit: (() => false) as Environment["isLimit"],
  missingMember: (() => undefined) as Environment["missingMember"],
  isProxy: (() => false) as (value: unknown) => boolean,
  /** Built-in objects are frozen, so what holds of them when a program is compiled holds for ever. */
  sealed: false,
  /** A program of the realm may have made an object with an accessor of its own. */
  accessors: false,
  /** The program does not begin with "use strict". */
  lenient: true,
  /** True for a built-in object that is frozen so that programs cannot change it. */
  isFrozenIntrinsic: (() => false) as (object: object) => boolean,
  positionOfOffset: (() => undefined) as (offset: number) => Position | undefined,
};

/** Called when the fuel has run out; a function that starts says which it is, for `sourceOf`. */
export function refuel(code?: object): void {
  if (machine.probing) {
    machine.probing = false;
    machine.fuel = STEPS;
    throw (machine.probed = new Probed(code));
  }
  if (machine.limit !== undefined) {
    machine.fuel = 0;
    throw machine.limit;
  }
  machine.fuel = STEPS;
  try {
    machine.checkpoint(machine.positionOfOffset(machine.position));
  } catch (error) {
    if (machine.isLimit(error)) {
      machine.limit = error;
      machine.fuel = 0;
    }
    throw error;
  }
}

/** An object with an accessor of its own is, or may be, made. */
export function noteAccessors(): void {
  machine.accessors = true;
}

/** False as long as own properties of all objects of programs can be read without running their code. Proxies are another matter. */
export function mayHaveAccessors(): boolean {
  return machine.accessors;
}

/** True when `error` must pass through `catch` and `finally`. */
export function passesThrough(error: unknown): boolean {
  return (machine.limit !== undefined && error === machine.limit) || machine.isLimit(error);
}

/** What a statement that does not complete normally gives. Compared by identity. */
export class Completion {
  readonly kind: "break" | "continue" | "return";
  readonly label: string | undefined;
  constructor(kind: Completion["kind"], label?: string) {
    this.kind = kind;
    this.label = label;
  }
}
export const BREAK = new Completion("break");
export const CONTINUE = new Completion("continue");
export const RETURN = new Completion("return");

/**
 * Ends a suspended body from outside, as `return()` of a generator does. It travels like an error, so that `finally` blocks and
 * open iterators see it, but no `catch` does. (The native `return()` would be lost where a `finally` yields again, because
 * bodies are nested generators.)
 */
export class ReturnSignal {
  #value: unknown;
  constructor(value: unknown) {
    this.#value = value;
  }
  get value(): unknown {
    return this.#value;
  }
  static is(value: unknown): value is ReturnSignal {
    return typeof value === "object" && value !== null && #value in value;
  }
}

/** The value of a variable before its declaration was evaluated ("temporal dead zone"). Never a program value. */
export const UNINITIALIZED = Symbol("uninitialized") as any;
