/**
 * Async generators (ECMA-262 §27.6).
 *
 * A native async generator cannot drive ours: its `return` awaits once more than the program's does. So the queue of requests
 * is kept here, step by step as the specification has it, and the three methods of %AsyncGeneratorPrototype% first look
 * whether a generator is one of these; all others they leave to the native methods.
 */
import { asyncIteratorOf, awaitThen, newCapability } from "./async-iterators.js";
import type { Step } from "./compiler.js";
import { annotate, throwTypeError } from "./errors.js";
import { buildFrame } from "./function-objects.js";
import type { Code } from "./functions.js";
import { describe } from "./iterators.js";
import { type Frame, machine, ReturnSignal, refuel, type Steps, type Suspending } from "./machine.js";
import {
  NativeTypeError,
  ObjectCreate,
  ObjectSetPrototypeOf,
  ReflectApply,
  ReflectDefineProperty,
} from "./primordials.js";
import { Identity } from "./private-names.js";
import { perform } from "./suspending.js";

const AsyncGeneratorFunctionPrototype = Object.getPrototypeOf(async function* () {});
const AsyncGeneratorPrototype = AsyncGeneratorFunctionPrototype.prototype;

/** What a generator hands out for its consumer; everything else that it yields is awaited. */
export class Yielded {
  #value: unknown;
  /** A `yield*` wants every kind of resumption as data: `{ kind, value }`. */
  readonly delegated: boolean;
  constructor(value: unknown, delegated = false) {
    this.#value = value;
    this.delegated = delegated;
  }
  get value(): unknown {
    return this.#value;
  }
  /** What is awaited may be a proxy: `instanceof` would run its traps. */
  static is(value: unknown): value is Yielded {
    return typeof value === "object" && value !== null && #value in value;
  }
}

type Kind = "next" | "throw" | "return";

interface Request {
  readonly kind: Kind;
  readonly value: unknown;
  readonly promise: Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

class State {
  phase: "start" | "yield" | "running" | "awaiting-return" | "completed" = "start";
  delegated = false;
  readonly queue: Request[] = [];
  readonly steps: Steps;

  constructor(steps: Steps) {
    this.steps = steps;
  }

  /** AsyncGeneratorCompleteStep (§27.6.3.5). */
  settle(failed: boolean, value: unknown, done: boolean): void {
    const request = this.queue[0]!;
    for (let i = 1; i < this.queue.length; i++) this.queue[i - 1] = this.queue[i]!;
    this.queue.length--;
    if (failed) request.reject(value);
    else request.resolve({ value, done });
  }

  /** AsyncGeneratorResume (§27.6.3.6), and AsyncGeneratorUnwrapYieldResumption. */
  resume(kind: Kind, value: unknown): void {
    this.phase = "running";
    if (kind !== "return") {
      this.run(kind, value);
      return;
    }
    void awaitThen(
      value,
      (settled) => this.run("return", settled),
      (error) => this.run("throw", error),
    );
  }

  run(kind: Kind, value: unknown): void {
    let result: IteratorResult<any>;
    try {
      if (--machine.fuel < 0) refuel();
      if (this.delegated) {
        this.delegated = false;
        result = this.steps.next({ kind, value });
      } else
        result =
          kind === "next"
            ? this.steps.next(value)
            : kind === "throw"
              ? this.steps.throw(value)
              : this.steps.throw(new ReturnSignal(value));
    } catch (error) {
      if (ReturnSignal.is(error)) this.finish(false, error.value);
      else this.finish(true, annotate(error));
      return;
    }
    if (result.done) this.finish(false, result.value);
    else if (Yielded.is(result.value)) this.yield(result.value);
    else
      void awaitThen(
        result.value,
        (settled) => this.run("next", settled),
        (error) => this.run("throw", error),
      );
  }

  /** AsyncGeneratorYield (§27.6.3.8). */
  private yield({ value, delegated }: Yielded): void {
    this.delegated = delegated;
    this.settle(false, value, false);
    if (this.queue.length === 0) this.phase = "yield";
    else this.resume(this.queue[0]!.kind, this.queue[0]!.value);
  }

  private finish(failed: boolean, value: unknown): void {
    this.phase = "completed";
    this.settle(failed, value, true);
    this.drain();
  }

  /** AsyncGeneratorDrainQueue (§27.6.3.10). */
  private drain(): void {
    while (this.queue.length > 0) {
      const { kind, value } = this.queue[0]!;
      if (kind === "return") {
        this.awaitReturn();
        return;
      }
      this.settle(kind === "throw", kind === "throw" ? value : undefined, true);
    }
  }

  /** AsyncGeneratorAwaitReturn (§27.6.3.9). */
  awaitReturn(): void {
    this.phase = "awaiting-return";
    const after = (failed: boolean) => (value: unknown) => this.finish(failed, value);
    void awaitThen(this.queue[0]!.value, after(false), after(true));
  }
}

/** Attaches the state to the generator object that the program sees. */
class Stateful extends Identity {
  #state: State;
  constructor(generator: object, state: State) {
    super(generator);
    this.#state = state;
  }
  static of(value: any): State | undefined {
    return (typeof value === "object" || typeof value === "function") && value !== null && #state in value
      ? value.#state
      : undefined;
  }
}

function request(
  self: unknown,
  kind: Kind,
  value: unknown,
  native: (...args: any[]) => unknown,
  args: unknown[],
): unknown {
  const state = Stateful.of(self);
  if (state === undefined) return ReflectApply(native, self, args);
  const capability = newCapability();
  const { promise } = capability;
  if (kind === "throw" && state.phase === "start") state.phase = "completed";
  if (state.phase === "completed" && kind !== "return") {
    if (kind === "throw") capability.reject(value);
    else capability.resolve({ value: undefined, done: true });
    return promise;
  }
  state.queue[state.queue.length] = { kind, value, ...capability };
  if (state.phase === "yield" || (state.phase === "start" && kind === "next")) state.resume(kind, value);
  else if (kind === "return" && (state.phase === "start" || state.phase === "completed")) state.awaitReturn();
  return promise;
}

const native = {
  next: AsyncGeneratorPrototype.next,
  return: AsyncGeneratorPrototype.return,
  throw: AsyncGeneratorPrototype.throw,
};

/** The methods of %AsyncGeneratorPrototype%, for generators of the interpreter and native ones. */
const methods = {
  next(value: unknown) {
    return request(this, "next", value, native.next, arguments as unknown as unknown[]);
  },
  return(value: unknown) {
    return request(this, "return", value, native.return, arguments as unknown as unknown[]);
  },
  throw(error: unknown) {
    return request(this, "throw", error, native.throw, arguments as unknown as unknown[]);
  },
};

/**
 * Makes the methods of %AsyncGeneratorPrototype% know the generators of the interpreter. A realm calls it before it freezes
 * its intrinsics; in any other, running the first program does.
 */
export function prepareAsyncGenerators(): void {
  if (AsyncGeneratorPrototype.next === methods.next) return;
  for (const key of ["next", "return", "throw"] as const)
    ReflectDefineProperty(AsyncGeneratorPrototype, key, {
      value: methods[key],
      writable: true,
      enumerable: false,
      configurable: true,
    });
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

export function makeAsyncGeneratorFunction(code: Code, scope: Frame): any {
  const { suspend, argumentsSlot } = code;
  let self: any;
  const start = (receiver: unknown, args: any): object => {
    try {
      if (--machine.fuel < 0) refuel(code);
      const frame = buildFrame(code, scope, args);
      if (code.thisSlot > 0) frame[code.thisSlot] = receiver;
      if (code.selfSlot > 0) frame[code.selfSlot] = self;
      if (argumentsSlot > 0) frame[argumentsSlot] = args;
      if (code.prepare !== undefined) code.prepare(frame);
      const { prototype } = self;
      const generator = ObjectCreate(isObject(prototype) ? prototype : AsyncGeneratorPrototype);
      new Stateful(generator, new State(suspend!(frame)));
      return generator;
    } catch (error) {
      throw annotate(error);
    }
  };
  self = {
    method() {
      return start(this, arguments);
    },
  }.method;
  ObjectSetPrototypeOf(self, AsyncGeneratorFunctionPrototype);
  ReflectDefineProperty(self, "name", { value: "", writable: false, enumerable: false, configurable: true });
  ReflectDefineProperty(self, "prototype", {
    value: ObjectCreate(AsyncGeneratorPrototype),
    writable: true,
    enumerable: false,
    configurable: false,
  });
  return self;
}

/** `yield*` in an async generator (§15.5.5). */
export function delegateAsync(operand: Step, text: string, offset: number): Suspending {
  return (frame) => evaluateDelegation(frame, operand, text, offset);
}

function* evaluateDelegation(frame: Frame, operand: Step, text: string, offset: number): Steps {
  const value = yield* perform(operand, frame);
  const { iterator, next } = asyncIteratorOf(value, text, offset);
  let kind: Kind = "next";
  let sent: unknown;
  for (;;) {
    machine.position = offset;
    let result: any;
    if (kind === "next") {
      if (typeof next !== "function") throwTypeError(`${describe(next)} is not a function`, offset);
      result = yield ReflectApply(next, iterator, [sent]);
    } else {
      const method: any = iterator[kind];
      if (method !== undefined && method !== null && typeof method !== "function")
        throwTypeError(`${describe(method)} is not a function`, offset);
      if (method !== undefined && method !== null) result = yield ReflectApply(method, iterator, [sent]);
      else if (kind === "return") {
        sent = yield sent;
        throw new ReturnSignal(sent);
      } else {
        const close = iterator.return;
        if (close !== undefined && close !== null) {
          const closed = yield ReflectApply(close, iterator, []);
          if (!isObject(closed)) throwTypeError(`${describe(closed)} is not an object`, offset);
        }
        machine.position = offset;
        throw annotate(new NativeTypeError("The iterator does not provide a 'throw' method"));
      }
    }
    if (!isObject(result)) throwTypeError(`Iterator result ${describe(result)} is not an object`, offset);
    if ((result as any).done) {
      const last = (result as any).value;
      if (kind !== "return") return last;
      throw new ReturnSignal(last);
    }
    ({ kind, value: sent } = yield new Yielded((result as any).value, true));
  }
}
