/**
 * Function objects: real functions of the realm, so that native code calls and constructs them like any other.
 *
 * The forms with up to three plain parameters build their frame as one array literal; everything else goes through
 * `buildFrame`. Async functions and generators are native async functions and generators that run the compiled body, so
 * promises, prototypes and the order of jobs are V8's own.
 */
import { asyncFunction } from "./async-functions.js";
import { makeAsyncGeneratorFunction } from "./async-generators.js";
import { annotate } from "./errors.js";
import { newFrame } from "./frames.js";
import type { Code } from "./functions.js";
import { generatorFunction } from "./generators.js";
import { type Frame, machine, refuel } from "./machine.js";
import { append, ReflectDefineProperty, symbolDescriptionOf } from "./primordials.js";

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

/** Sets `name` with the attributes that it has on every function. */
export function defineName(fn: object, name: string): void {
  ReflectDefineProperty(fn, "name", {
    __proto__: null,
    value: name,
    writable: false,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}

/** The same for `length`. */
export function defineLength(fn: object, length: number): void {
  ReflectDefineProperty(fn, "length", {
    __proto__: null,
    value: length,
    writable: false,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}

/** Keeps a function from taking the name of the variable that it is assigned to. */
export const unnamed = <F>(fn: F): F => fn;

/** The frame of a call, for every kind of function. */
export function buildFrame(code: Code, scope: Frame, args: readonly unknown[]): Frame {
  const frame = newFrame(scope, code.layout.size);
  const { count, restSlot } = code;
  const given = Math.min(args.length, count);
  for (let i = 0; i < given; i++) frame[i + 1] = args[i];
  if (restSlot > 0) {
    const rest: unknown[] = [];
    for (let i = count; i < args.length; i++) append(rest, args[i]);
    frame[restSlot] = rest;
  }
  return frame;
}

export function enter(code: Code, scope: Frame, self: unknown, args: readonly unknown[], callee: unknown): Frame {
  if (--machine.fuel < 0) refuel(code);
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
    length = fn.length;
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
  return fn;
}

function arrow(code: Code, scope: Frame): unknown {
  const { body } = code;
  const { size } = code.layout;
  const extra = size - 1 - code.count;
  switch (code.count) {
    case 0:
      if (extra === 0)
        return () => {
          if (--machine.fuel < 0) refuel(code);
          try {
            return body([scope]);
          } catch (error) {
            throw annotate(error);
          }
        };
      return () => {
        if (--machine.fuel < 0) refuel(code);
        try {
          return body(newFrame(scope, size));
        } catch (error) {
          throw annotate(error);
        }
      };
    case 1:
      if (extra === 0)
        return (a: unknown) => {
          if (--machine.fuel < 0) refuel(code);
          try {
            return body([scope, a]);
          } catch (error) {
            throw annotate(error);
          }
        };
      return (a: unknown) => {
        if (--machine.fuel < 0) refuel(code);
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
          if (--machine.fuel < 0) refuel(code);
          try {
            return body([scope, a, b]);
          } catch (error) {
            throw annotate(error);
          }
        };
      return (a: unknown, b: unknown) => {
        if (--machine.fuel < 0) refuel(code);
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
        if (--machine.fuel < 0) refuel(code);
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
          if (--machine.fuel < 0) refuel(code);
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
          if (--machine.fuel < 0) refuel(code);
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
          if (--machine.fuel < 0) refuel(code);
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
          if (--machine.fuel < 0) refuel(code);
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
        if (--machine.fuel < 0) refuel(code);
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
        // biome-ignore lint/complexity/useArrowFunction: a function of the program can be constructed
        return function (a: unknown) {
          if (--machine.fuel < 0) refuel(code);
          try {
            return body([scope, a]);
          } catch (error) {
            throw annotate(error);
          }
        };
      return function (this: unknown, a: unknown) {
        if (--machine.fuel < 0) refuel(code);
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
        if (--machine.fuel < 0) refuel(code);
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
        if (--machine.fuel < 0) refuel(code);
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
