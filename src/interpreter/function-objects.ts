/**
 * Function objects: real functions of the realm, so that native code calls and constructs them like any other.
 *
 * The forms with up to three plain parameters place them in the frame themselves; everything else goes through `buildFrame`. Where
 * nothing can hold on to a frame beyond the call, because the code makes no function, the frame of a call that has ended is that of
 * the next one: frames cost little to make, but the memory of thousands of them is new memory, which is dear, and soon garbage to
 * collect. A recursive call finds no spare frame and makes its own. Async functions and generators are native async functions and generators that run the compiled body, so
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

/** What a call has left in its frame must not be there in the next, nor be kept alive. */
function emptied(frame: Frame): Frame {
  for (let i = 1; i < frame.length; i++) frame[i] = undefined;
  return frame;
}

function arrow(code: Code, scope: Frame): unknown {
  const { body, leaf } = code;
  const { size } = code.layout;
  let spare: Frame | undefined;
  switch (code.count) {
    case 0:
      if (leaf && size === 1) return arrowWithoutVariables(code, [scope]);
      return () => {
        if (--machine.fuel < 0) refuel(code);
        const frame = spare === undefined ? newFrame(scope, size) : spare;
        spare = undefined;
        let value: unknown;
        try {
          value = body(frame);
        } catch (error) {
          throw annotate(error);
        }
        if (leaf) spare = emptied(frame);
        return value;
      };
    case 1:
      return (a: unknown) => {
        if (--machine.fuel < 0) refuel(code);
        const frame = spare === undefined ? newFrame(scope, size) : spare;
        spare = undefined;
        frame[1] = a;
        let value: unknown;
        try {
          value = body(frame);
        } catch (error) {
          throw annotate(error);
        }
        if (leaf) spare = emptied(frame);
        return value;
      };
    case 2:
      return (a: unknown, b: unknown) => {
        if (--machine.fuel < 0) refuel(code);
        const frame = spare === undefined ? newFrame(scope, size) : spare;
        spare = undefined;
        frame[1] = a;
        frame[2] = b;
        let value: unknown;
        try {
          value = body(frame);
        } catch (error) {
          throw annotate(error);
        }
        if (leaf) spare = emptied(frame);
        return value;
      };
    default:
      return (a: unknown, b: unknown, c: unknown) => {
        if (--machine.fuel < 0) refuel(code);
        const frame = spare === undefined ? newFrame(scope, size) : spare;
        spare = undefined;
        frame[1] = a;
        frame[2] = b;
        frame[3] = c;
        let value: unknown;
        try {
          value = body(frame);
        } catch (error) {
          throw annotate(error);
        }
        if (leaf) spare = emptied(frame);
        return value;
      };
  }
}

/** All its calls can have the same frame. */
function arrowWithoutVariables(code: Code, frame: Frame): unknown {
  const { body } = code;
  return () => {
    if (--machine.fuel < 0) refuel(code);
    try {
      return body(frame);
    } catch (error) {
      throw annotate(error);
    }
  };
}

function method(code: Code, scope: Frame): unknown {
  const { body, leaf, thisSlot } = code;
  const { size } = code.layout;
  let spare: Frame | undefined;
  switch (code.count) {
    case 0:
      return {
        method() {
          if (--machine.fuel < 0) refuel(code);
          const frame = spare === undefined ? newFrame(scope, size) : spare;
          spare = undefined;
          if (thisSlot > 0) frame[thisSlot] = this;
          let value: unknown;
          try {
            value = body(frame);
          } catch (error) {
            throw annotate(error);
          }
          if (leaf) spare = emptied(frame);
          return value;
        },
      }.method;
    case 1:
      return {
        method(a: unknown) {
          if (--machine.fuel < 0) refuel(code);
          const frame = spare === undefined ? newFrame(scope, size) : spare;
          spare = undefined;
          frame[1] = a;
          if (thisSlot > 0) frame[thisSlot] = this;
          let value: unknown;
          try {
            value = body(frame);
          } catch (error) {
            throw annotate(error);
          }
          if (leaf) spare = emptied(frame);
          return value;
        },
      }.method;
    case 2:
      return {
        method(a: unknown, b: unknown) {
          if (--machine.fuel < 0) refuel(code);
          const frame = spare === undefined ? newFrame(scope, size) : spare;
          spare = undefined;
          frame[1] = a;
          frame[2] = b;
          if (thisSlot > 0) frame[thisSlot] = this;
          let value: unknown;
          try {
            value = body(frame);
          } catch (error) {
            throw annotate(error);
          }
          if (leaf) spare = emptied(frame);
          return value;
        },
      }.method;
    default:
      return {
        method(a: unknown, b: unknown, c: unknown) {
          if (--machine.fuel < 0) refuel(code);
          const frame = spare === undefined ? newFrame(scope, size) : spare;
          spare = undefined;
          frame[1] = a;
          frame[2] = b;
          frame[3] = c;
          if (thisSlot > 0) frame[thisSlot] = this;
          let value: unknown;
          try {
            value = body(frame);
          } catch (error) {
            throw annotate(error);
          }
          if (leaf) spare = emptied(frame);
          return value;
        },
      }.method;
  }
}

function plainFunction(code: Code, scope: Frame): unknown {
  const { body, leaf, thisSlot } = code;
  const { size } = code.layout;
  let spare: Frame | undefined;
  switch (code.count) {
    case 0:
      return function (this: unknown) {
        if (--machine.fuel < 0) refuel(code);
        const frame = spare === undefined ? newFrame(scope, size) : spare;
        spare = undefined;
        if (thisSlot > 0) frame[thisSlot] = this;
        let value: unknown;
        try {
          value = body(frame);
        } catch (error) {
          throw annotate(error);
        }
        if (leaf) spare = emptied(frame);
        return value;
      };
    case 1:
      return function (this: unknown, a: unknown) {
        if (--machine.fuel < 0) refuel(code);
        const frame = spare === undefined ? newFrame(scope, size) : spare;
        spare = undefined;
        frame[1] = a;
        if (thisSlot > 0) frame[thisSlot] = this;
        let value: unknown;
        try {
          value = body(frame);
        } catch (error) {
          throw annotate(error);
        }
        if (leaf) spare = emptied(frame);
        return value;
      };
    case 2:
      return function (this: unknown, a: unknown, b: unknown) {
        if (--machine.fuel < 0) refuel(code);
        const frame = spare === undefined ? newFrame(scope, size) : spare;
        spare = undefined;
        frame[1] = a;
        frame[2] = b;
        if (thisSlot > 0) frame[thisSlot] = this;
        let value: unknown;
        try {
          value = body(frame);
        } catch (error) {
          throw annotate(error);
        }
        if (leaf) spare = emptied(frame);
        return value;
      };
    default:
      return function (this: unknown, a: unknown, b: unknown, c: unknown) {
        if (--machine.fuel < 0) refuel(code);
        const frame = spare === undefined ? newFrame(scope, size) : spare;
        spare = undefined;
        frame[1] = a;
        frame[2] = b;
        frame[3] = c;
        if (thisSlot > 0) frame[thisSlot] = this;
        let value: unknown;
        try {
          value = body(frame);
        } catch (error) {
          throw annotate(error);
        }
        if (leaf) spare = emptied(frame);
        return value;
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
