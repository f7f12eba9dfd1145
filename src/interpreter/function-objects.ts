/**
 * Function objects: real functions of the realm, so that native code calls and constructs them like any other.
 *
 * The forms with up to three plain parameters build their frame as one array literal; everything else goes through
 * `buildFrame`. Async functions and generators are native async functions and generators that run the compiled body, so
 * promises, prototypes and the order of jobs are V8's own.
 */
import { makeAsyncGeneratorFunction } from "./async-generators.js";
import { annotate } from "./errors.js";
import { newFrame } from "./frames.js";
import type { Code } from "./functions.js";
import { type Frame, machine, ReturnSignal, refuel } from "./machine.js";
import { ReflectDefineProperty, symbolDescriptionOf } from "./primordials.js";
import { Identity } from "./private-names.js";

/** Marks interpreted functions and remembers the code they came from. */
class Stamp extends Identity {
  #code: Code;
  constructor(fn: object, code: Code) {
    super(fn);
    this.#code = code;
  }
  static read(fn: any): Code | undefined {
    return #code in fn ? fn.#code : undefined;
  }
}

/** Makes a function of its source known: `Function.prototype.toString` shows it. */
export function stamp<F extends object>(fn: F, code: Code): F {
  new Stamp(fn, code);
  return fn;
}

/** The source text of an interpreted function or class; `undefined` for every other value. */
export function sourceOf(fn: unknown): string | undefined {
  if (typeof fn !== "function") return undefined;
  const code = Stamp.read(fn);
  return code?.source.text.slice(code.start, code.end);
}

/** Sets `name`, as SetFunctionName (§10.2.9) does for computed keys. */
export function setFunctionName(fn: any, key: PropertyKey, prefix?: string): void {
  let name =
    typeof key === "symbol"
      ? symbolDescriptionOf(key) === undefined
        ? ""
        : `[${symbolDescriptionOf(key)}]`
      : String(key);
  if (prefix !== undefined) name = `${prefix} ${name}`;
  defineName(fn, name);
}

function defineName(fn: object, name: string): void {
  ReflectDefineProperty(fn, "name", {
    __proto__: null,
    value: name,
    writable: false,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}
function defineLength(fn: object, length: number): void {
  ReflectDefineProperty(fn, "length", {
    __proto__: null,
    value: length,
    writable: false,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}

/** Keeps a function from taking the name of the variable that it is assigned to. */
const unnamed = <F>(fn: F): F => fn;

/** The frame of a call, for every kind of function. */
export function buildFrame(code: Code, scope: Frame, args: readonly unknown[]): Frame {
  const frame = newFrame(scope, code.layout.size);
  const { count, restSlot } = code;
  const given = args.length < count ? args.length : count;
  for (let i = 0; i < given; i++) frame[i + 1] = args[i];
  if (restSlot > 0) {
    const rest: unknown[] = [];
    for (let i = count; i < args.length; i++) rest[rest.length] = args[i];
    frame[restSlot] = rest;
  }
  return frame;
}

function enter(code: Code, scope: Frame, self: unknown, args: readonly unknown[], callee: unknown): Frame {
  if (--machine.fuel < 0) refuel();
  const frame = buildFrame(code, scope, args);
  if (code.thisSlot > 0) frame[code.thisSlot] = self;
  if (code.selfSlot > 0) frame[code.selfSlot] = callee;
  return frame;
}

export function instantiate(code: Code, scope: Frame): any {
  let fn: any;
  let length = code.count;
  if (code.generator) {
    fn = code.async ? makeAsyncGeneratorFunction(code, scope) : generatorFunction(code, scope);
    length = 0;
  } else if (code.async) {
    fn = asyncFunction(code, scope);
    length = 0;
  } else if (
    code.argumentsSlot > 0 ||
    code.restSlot > 0 ||
    code.newTargetSlot > 0 ||
    code.selfSlot > 0 ||
    code.count > 3
  ) {
    fn = anyFunction(code, scope);
    length = 0;
  } else
    fn =
      code.kind === "arrow"
        ? arrow(code, scope)
        : code.kind === "method"
          ? method(code, scope)
          : plainFunction(code, scope);
  if (length !== code.length) defineLength(fn, code.length);
  if (code.name !== "") defineName(fn, code.name);
  return stamp(fn, code);
}

function arrow(code: Code, scope: Frame): unknown {
  const { body } = code;
  const { size } = code.layout;
  const extra = size - 1 - code.count;
  switch (code.count) {
    case 0:
      if (extra === 0)
        return () => {
          if (--machine.fuel < 0) refuel();
          try {
            return body([scope]);
          } catch (error) {
            throw annotate(error);
          }
        };
      return () => {
        if (--machine.fuel < 0) refuel();
        try {
          return body(newFrame(scope, size));
        } catch (error) {
          throw annotate(error);
        }
      };
    case 1:
      if (extra === 0)
        return (a: unknown) => {
          if (--machine.fuel < 0) refuel();
          try {
            return body([scope, a]);
          } catch (error) {
            throw annotate(error);
          }
        };
      return (a: unknown) => {
        if (--machine.fuel < 0) refuel();
        try {
          return body(
            extra <= 6
              ? [scope, a, undefined, undefined, undefined, undefined, undefined, undefined]
              : withArguments(newFrame(scope, size), a),
          );
        } catch (error) {
          throw annotate(error);
        }
      };
    case 2:
      if (extra === 0)
        return (a: unknown, b: unknown) => {
          if (--machine.fuel < 0) refuel();
          try {
            return body([scope, a, b]);
          } catch (error) {
            throw annotate(error);
          }
        };
      return (a: unknown, b: unknown) => {
        if (--machine.fuel < 0) refuel();
        try {
          return body(
            extra <= 5
              ? [scope, a, b, undefined, undefined, undefined, undefined, undefined]
              : withArguments(newFrame(scope, size), a, b),
          );
        } catch (error) {
          throw annotate(error);
        }
      };
    default:
      return (a: unknown, b: unknown, c: unknown) => {
        if (--machine.fuel < 0) refuel();
        try {
          return body(
            extra <= 4
              ? [scope, a, b, c, undefined, undefined, undefined, undefined]
              : withArguments(newFrame(scope, size), a, b, c),
          );
        } catch (error) {
          throw annotate(error);
        }
      };
  }
}

/** Puts arguments into a new frame, which has room for three. */
function withArguments(frame: Frame, a: unknown, b?: unknown, c?: unknown): Frame {
  frame[1] = a;
  frame[2] = b;
  frame[3] = c;
  return frame;
}

function method(code: Code, scope: Frame): unknown {
  const { body, thisSlot, count } = code;
  const { size } = code.layout;
  const small = size <= 8;
  switch (count) {
    case 0:
      return {
        method() {
          if (--machine.fuel < 0) refuel();
          const frame = newFrame(scope, size);
          if (thisSlot > 0) frame[thisSlot] = this;
          try {
            return body(frame);
          } catch (error) {
            throw annotate(error);
          }
        },
      }.method;
    case 1:
      return {
        method(a: unknown) {
          if (--machine.fuel < 0) refuel();
          const frame: Frame = small
            ? [scope, a, undefined, undefined, undefined, undefined, undefined, undefined]
            : withArguments(newFrame(scope, size), a);
          if (thisSlot > 0) frame[thisSlot] = this;
          try {
            return body(frame);
          } catch (error) {
            throw annotate(error);
          }
        },
      }.method;
    case 2:
      return {
        method(a: unknown, b: unknown) {
          if (--machine.fuel < 0) refuel();
          const frame: Frame = small
            ? [scope, a, b, undefined, undefined, undefined, undefined, undefined]
            : withArguments(newFrame(scope, size), a, b);
          if (thisSlot > 0) frame[thisSlot] = this;
          try {
            return body(frame);
          } catch (error) {
            throw annotate(error);
          }
        },
      }.method;
    default:
      return {
        method(a: unknown, b: unknown, c: unknown) {
          if (--machine.fuel < 0) refuel();
          const frame: Frame = small
            ? [scope, a, b, c, undefined, undefined, undefined, undefined]
            : withArguments(newFrame(scope, size), a, b, c);
          if (thisSlot > 0) frame[thisSlot] = this;
          try {
            return body(frame);
          } catch (error) {
            throw annotate(error);
          }
        },
      }.method;
  }
}

function plainFunction(code: Code, scope: Frame): unknown {
  const { body, thisSlot, count } = code;
  const { size } = code.layout;
  const small = size <= 8;
  const tight = size === 2 && count === 1;
  switch (count) {
    case 0:
      return function (this: unknown) {
        if (--machine.fuel < 0) refuel();
        const frame = newFrame(scope, size);
        if (thisSlot > 0) frame[thisSlot] = this;
        try {
          return body(frame);
        } catch (error) {
          throw annotate(error);
        }
      };
    case 1:
      if (tight)
        return (a: unknown) => {
          if (--machine.fuel < 0) refuel();
          try {
            return body([scope, a]);
          } catch (error) {
            throw annotate(error);
          }
        };
      return function (this: unknown, a: unknown) {
        if (--machine.fuel < 0) refuel();
        const frame: Frame = small
          ? [scope, a, undefined, undefined, undefined, undefined, undefined, undefined]
          : withArguments(newFrame(scope, size), a);
        if (thisSlot > 0) frame[thisSlot] = this;
        try {
          return body(frame);
        } catch (error) {
          throw annotate(error);
        }
      };
    case 2:
      return function (this: unknown, a: unknown, b: unknown) {
        if (--machine.fuel < 0) refuel();
        const frame: Frame = small
          ? [scope, a, b, undefined, undefined, undefined, undefined, undefined]
          : withArguments(newFrame(scope, size), a, b);
        if (thisSlot > 0) frame[thisSlot] = this;
        try {
          return body(frame);
        } catch (error) {
          throw annotate(error);
        }
      };
    default:
      return function (this: unknown, a: unknown, b: unknown, c: unknown) {
        if (--machine.fuel < 0) refuel();
        const frame: Frame = small
          ? [scope, a, b, c, undefined, undefined, undefined, undefined]
          : withArguments(newFrame(scope, size), a, b, c);
        if (thisSlot > 0) frame[thisSlot] = this;
        try {
          return body(frame);
        } catch (error) {
          throw annotate(error);
        }
      };
  }
}

/** Functions with many parameters, a rest parameter, `arguments`, `new.target` or their own name in use. */
function anyFunction(code: Code, scope: Frame): unknown {
  const { body, argumentsSlot, newTargetSlot } = code;
  switch (code.kind) {
    case "arrow":
      return (...args: unknown[]) => {
        try {
          return body(enter(code, scope, undefined, args, undefined));
        } catch (error) {
          throw annotate(error);
        }
      };
    case "method":
      return {
        method(...args: unknown[]) {
          try {
            const frame = enter(code, scope, this, args, undefined);
            // biome-ignore lint/complexity/noArguments: this is that object
            if (argumentsSlot > 0) frame[argumentsSlot] = arguments;
            return body(frame);
          } catch (error) {
            throw annotate(error);
          }
        },
      }.method;
    default: {
      let self: unknown;
      self = unnamed(function (this: unknown, ...args: unknown[]) {
        try {
          const frame = enter(code, scope, this, args, self);
          // biome-ignore lint/complexity/noArguments: this is that object
          if (argumentsSlot > 0) frame[argumentsSlot] = arguments;
          if (newTargetSlot > 0) frame[newTargetSlot] = new.target;
          return body(frame);
        } catch (error) {
          throw annotate(error);
        }
      });
      return self;
    }
  }
}

function asyncFunction(code: Code, scope: Frame): unknown {
  const { argumentsSlot } = code;
  switch (code.kind) {
    case "arrow":
      return code.suspend === undefined ? asyncArrowWithoutAwait(code, scope) : asyncArrow(code, scope);
    case "method":
      return {
        async method(...args: unknown[]) {
          try {
            const frame = enter(code, scope, this, args, undefined);
            // biome-ignore lint/complexity/noArguments: this is that object
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
          // biome-ignore lint/complexity/noArguments: this is that object
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
export function begin(code: Code, frame: Frame): Generator | undefined {
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

/** A `yield*` of the program: the native one does it, in the generator that the program sees. */
export class Delegate {
  readonly iterable: Iterable<any>;
  constructor(iterable: Iterable<any>) {
    this.iterable = iterable;
  }
}

/** Runs the body of a generator inside the native generator of the program. */
function* generate(steps: Generator<any, any, any>): Generator<any, any, any> {
  try {
    return yield* pump(steps, steps.next());
  } catch (error) {
    throw annotate(error);
  }
}

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
          // biome-ignore lint/correctness/noUnsafeFinally: a completion of the body replaces the one before
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
function generatorFunction(code: Code, scope: Frame): unknown {
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
      // biome-ignore lint/complexity/noArguments: this is that object
      *method(this: unknown, ...{ [NONE]: frame = start(this, arguments, undefined) }: any) {
        return yield* generate(suspend!(frame));
      },
    }.method;
  let self: unknown;
  // biome-ignore lint/complexity/noArguments: this is that object
  self = unnamed(function* (this: unknown, ...{ [NONE]: frame = start(this, arguments, self) }: any) {
    return yield* generate(suspend!(frame));
  });
  return self;
}
