/** Generators: native generators that run the compiled body. */
import { annotate } from "./errors.js";
import { enter, unnamed } from "./function-objects.js";
import type { Code } from "./functions.js";
import { type Frame, machine, ReturnSignal, refuel } from "./machine.js";

/** A `yield*` of the program: the native one does it, in the generator that the program sees. */
export class Delegate {
  readonly iterable: Iterable<any>;
  constructor(iterable: Iterable<any>) {
    this.iterable = iterable;
  }
}

/** Runs the body of a generator inside the native generator of the program. */
function* pump(steps: Generator<any, any, any>, result: IteratorResult<any>): Generator<any, any, any> {
  while (!result.done) {
    let kind: "next" | "throw" | "return" = "return";
    let sent: unknown;
    try {
      sent = result.value instanceof Delegate ? yield* result.value.iterable as Generator : yield result.value;
      kind = "next";
    } catch (error) {
      sent = error;
      kind = "throw";
    } finally {
      // `return()` was called: its value is not known here, and need not be. The body runs its `finally` blocks; unless
      // they end otherwise, the native generator goes on to return that value.
      if (kind === "return") {
        const signal = new ReturnSignal(undefined);
        try {
          return yield* pump(steps, steps.throw(signal));
        } catch (error) {
          if (error !== signal) throw error;
        }
      }
    }
    if (--machine.fuel < 0) refuel();
    result = kind === "throw" ? steps.throw(sent) : steps.next(sent);
  }
  return result.value;
}

/** A key that no array of arguments has, so that its default is always evaluated. */
const NONE = Symbol("none");

/**
 * A native generator function whose parameters are initialized by the call, as JavaScript does, while its body waits for
 * `next`: the default of a property that is never there is evaluated with the arguments.
 */
export function generatorFunction(code: Code, scope: Frame): unknown {
  const start = (self: unknown, args: any, callee: unknown): Frame => {
    try {
      const frame = enter(code, scope, self, args, callee);
      if (code.argumentsSlot > 0) frame[code.argumentsSlot] = args;
      if (code.prepare !== undefined) code.prepare(frame);
      return frame;
    } catch (error) {
      throw annotate(error);
    }
  };
  const { suspend } = code;
  if (code.kind === "method")
    return {
      *method(this: unknown, ...{ [NONE]: frame = start(this, arguments, undefined) }: any) {
        try {
          const steps = suspend!(frame);
          return yield* pump(steps, steps.next());
        } catch (error) {
          throw annotate(error);
        }
      },
    }.method;
  let self: unknown;
  self = unnamed(function* (this: unknown, ...{ [NONE]: frame = start(this, arguments, self) }: any) {
    try {
      const steps = suspend!(frame);
      return yield* pump(steps, steps.next());
    } catch (error) {
      throw annotate(error);
    }
  });
  return self;
}
