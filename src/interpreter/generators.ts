/** Generators: native generators that run the compiled body. */
import { annotate } from "./errors.js";
import { enter, unnamed } from "./function-objects.js";
import type { Code } from "./functions.js";
import { type Frame, machine, ReturnSignal, refuel, type Steps } from "./machine.js";

/** A `yield*` of the program: the native one does it, in the generator that the program sees. */
export class Delegate {
  #iterable: Iterable<any>;
  constructor(iterable: Iterable<any>) {
    this.#iterable = iterable;
  }
  get iterable(): Iterable<any> {
    return this.#iterable;
  }
  /** What is yielded may be a proxy: `instanceof` would run its traps. */
  static is(value: unknown): value is Delegate {
    return typeof value === "object" && value !== null && #iterable in value;
  }
}

/** A key that no array of arguments has, so that its default is always evaluated. */
const NONE = Symbol("none");

/**
 * A native generator function whose parameters are initialized by the call, as JavaScript does, while its body waits for
 * `next`: the default of a property that is never there is evaluated with the arguments. `start` gives the compiled body; with
 * `signal` its execution begins by throwing that.
 *
 * The loop stands in the generator that the program sees, because each native `yield*` between the two would read `done` of
 * the results of the program's own iterators once more.
 */
function native(
  start: (self: unknown, args: ArrayLike<unknown>, callee: unknown) => Steps,
  signal?: ReturnSignal,
): (...args: unknown[]) => Steps {
  let self: unknown;
  self = unnamed(function* (this: unknown, ...{ [NONE]: steps = start(this, arguments, self) }: any): Steps {
    try {
      let result: IteratorResult<any> = signal === undefined ? steps.next() : steps.throw(signal);
      while (!result.done) {
        let kind: "next" | "throw" | "return" = "return";
        let sent: unknown;
        try {
          sent = Delegate.is(result.value) ? yield* result.value.iterable as Steps : yield result.value;
          kind = "next";
        } catch (error) {
          sent = error;
          kind = "throw";
        } finally {
          // `return()` was called: its value is not known here, and need not be. The body runs its `finally` blocks; unless
          // they end otherwise, the native generator goes on to return that value.
          if (kind === "return") {
            const leaving = new ReturnSignal(undefined);
            try {
              return yield* native(() => steps, leaving)();
            } catch (error) {
              if (error !== leaving) throw error;
            }
          }
        }
        if (--machine.fuel < 0) refuel();
        result = kind === "throw" ? steps.throw(sent) : steps.next(sent);
      }
      return result.value;
    } catch (error) {
      throw error === signal ? error : annotate(error);
    }
  });
  return self as (...args: unknown[]) => Steps;
}

/** The function object of a generator function or method. */
export function generatorFunction(code: Code, scope: Frame): unknown {
  const { suspend } = code;
  const isMethod = code.kind === "method";
  return native((self, args, callee) => {
    try {
      const frame = enter(code, scope, self, args as any, isMethod ? undefined : callee);
      if (code.argumentsSlot > 0) frame[code.argumentsSlot] = args;
      if (code.prepare !== undefined) code.prepare(frame);
      return suspend!(frame);
    } catch (error) {
      throw annotate(error);
    }
  });
}
