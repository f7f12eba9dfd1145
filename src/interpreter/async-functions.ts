/** Async functions: native async functions that drive the compiled body, so every `await` is V8's own. */
import { annotate } from "./errors.js";
import { enter, unnamed } from "./function-objects.js";
import type { Code } from "./functions.js";
import { type Frame, machine, refuel } from "./machine.js";

export function asyncFunction(code: Code, scope: Frame): unknown {
  const { argumentsSlot } = code;
  switch (code.kind) {
    case "arrow":
      return code.suspend === undefined ? asyncArrowWithoutAwait(code, scope) : asyncArrow(code, scope);
    case "method":
      return {
        async method(...args: unknown[]) {
          try {
            const frame = enter(code, scope, this, args, undefined);
            if (argumentsSlot > 0) frame[argumentsSlot] = arguments;
            const steps = begin(code, frame);
            if (steps === undefined) return code.body(frame);
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
        },
      }.method;
    default: {
      let self: unknown;
      self = unnamed(async function (this: unknown, ...args: unknown[]) {
        try {
          const frame = enter(code, scope, this, args, self);
          if (argumentsSlot > 0) frame[argumentsSlot] = arguments;
          const steps = begin(code, frame);
          if (steps === undefined) return code.body(frame);
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
      });
      return self;
    }
  }
}

/** The generator of a body that suspends, after parameters are initialized. */
function begin(code: Code, frame: Frame): Generator | undefined {
  if (code.suspend === undefined) return undefined;
  if (code.prepare !== undefined) code.prepare(frame);
  return code.suspend(frame);
}

/** Goes on after an `await`. */
export function resume(steps: Generator, failed: boolean, value: unknown): IteratorResult<unknown> {
  if (--machine.fuel < 0) refuel();
  return failed ? steps.throw(value) : steps.next(value);
}

function asyncArrowWithoutAwait(code: Code, scope: Frame): unknown {
  const { body } = code;
  if (code.count === 1 && code.restSlot === 0 && code.layout.size === 2)
    return async (a: unknown) => {
      if (--machine.fuel < 0) refuel(code);
      try {
        return body([scope, a]);
      } catch (error) {
        throw annotate(error);
      }
    };
  return async (...args: unknown[]) => {
    try {
      return body(enter(code, scope, undefined, args, undefined));
    } catch (error) {
      throw annotate(error);
    }
  };
}

function asyncArrow(code: Code, scope: Frame): unknown {
  return async (...args: unknown[]) => {
    try {
      const steps = begin(code, enter(code, scope, undefined, args, undefined))!;
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
  };
}
