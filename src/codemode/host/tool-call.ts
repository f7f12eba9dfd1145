/** One call of a tool on the host: its hooks, its outcome, and what of it the program may see. */
import type { Cause as CauseType } from "effect/Cause";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { Json } from "../../json/json.js";
import type { CallFailure } from "../../sandbox/protocol.js";
import type { ToolCall } from "../result.js";
import type { Answer } from "../tool.js";
import { ToolError } from "../tool-error.js";

/** What a host is told when a call starts. */
export interface ToolCallStart {
  /** Counts the calls of one execution from 0. */
  readonly index: number;
  /** The dotted name of the tool. */
  readonly tool: string;
  readonly input: Json | undefined;
}

/** What a host is told when a call has ended. */
export interface ToolCallEnd extends ToolCallStart, ToolCall {
  /** What really happened, for the host's eyes only: a failure's own error or its private cause. */
  readonly cause?: unknown;
  /** Names of the files that the host saved for the answer. */
  readonly files?: readonly string[];
}

/** A hook is a plain function or gives an Effect. A `ToolError` of `onToolCallStart` refuses the call. */
export interface Hooks<R = never> {
  /** Before a call: its failure refuses the call, nothing is run. */
  readonly onToolCallStart?: ((call: ToolCallStart) => Effect.Effect<unknown, ToolError, R> | unknown) | undefined;
  /** After a call, whatever came of it. */
  readonly onToolCallEnd?: ((call: ToolCallEnd) => Effect.Effect<unknown, never, R> | unknown) | undefined;
}

/** Runs a hook, whichever form it has. What it throws is its failure. */
export function runHook<A, R>(
  hook: ((call: A) => Effect.Effect<unknown, ToolError, R> | unknown) | undefined,
  call: A,
): Effect.Effect<void, ToolError, R> {
  if (hook === undefined) return Effect.void;
  return Effect.suspend((): Effect.Effect<void, ToolError, R> => {
    const result = hook(call);
    if (Effect.isEffect(result)) return Effect.asVoid(result as Effect.Effect<unknown, ToolError, R>);
    if (result instanceof Promise) return Effect.asVoid(fromPromise(result));
    return Effect.void;
  });
}

/**
 * A method of tools that are functions: calls the function now and gives what is left to do. Nothing is left of a function that
 * answers at once: the Effect is an exit then, and needs no fiber. Neither does a promise.
 */
export const callNow: unique symbol = Symbol("callNow");

/** A tool that has that method, or one that has not. */
export interface CallableNow {
  [callNow]?(input: Json | undefined): Effect.Effect<Answer, ToolError> | Promised;
}

/** Data that a function has promised. */
export class Promised {
  readonly promise: PromiseLike<unknown>;
  /** To be called when it is not waited for any more. */
  readonly abort: () => void;

  constructor(promise: PromiseLike<unknown>, abort: () => void) {
    this.promise = promise;
    this.abort = abort;
  }

  /** The same as an Effect. */
  get effect(): Effect.Effect<unknown, ToolError> {
    return fromPromise(this.promise, this.abort);
  }
}

/**
 * A promise as an Effect: a rejection with a `ToolError` is its failure, any other a defect. `interrupted` is called when it is
 * not waited for any more. One effect and no more, because most functions are asynchronous.
 */
export function fromPromise<A>(
  promise: PromiseLike<A>,
  interrupted: () => void = () => {},
): Effect.Effect<A, ToolError> {
  return Effect.callback((resume) => {
    Promise.resolve(promise).then(
      (value) => resume(Effect.succeed(value)),
      (error) => resume(publicOrDefect(error)),
    );
    return Effect.sync(interrupted);
  });
}

/** What a failure of any kind is for the program: a `ToolError`, or nothing that it may see. */
export function publicOrDefect(error: unknown): Exit.Exit<never, ToolError> {
  return error instanceof ToolError ? Exit.fail(error) : Exit.die(error);
}

/** How a call ended, without its data. */
export interface Outcome {
  readonly outcome: ToolCall["outcome"];
  readonly status?: number;
  readonly message?: string;
  readonly cause?: unknown;
  /** What the program sees of a failure. */
  readonly failure?: CallFailure;
}

const SUCCESS: Outcome = { outcome: "success" };

/** The text that stands for every failure that is not a `ToolError`. */
const PRIVATE = "The tool failed.";

export function outcomeOf(exit: Exit.Exit<unknown, ToolError>): Outcome {
  if (Exit.isSuccess(exit)) {
    const status = (exit.value as { readonly status?: number } | null | undefined)?.status;
    return status === undefined ? SUCCESS : { outcome: "success", status };
  }
  return failureOf(exit.cause);
}

export function failureOf(cause: CauseType<ToolError>): Outcome {
  if (Cause.hasInterruptsOnly(cause)) return { outcome: "interrupted" };
  const error = Cause.squash(cause);
  const failure: CallFailure =
    error instanceof ToolError ? publicParts(error) : { kind: "ToolFailure", message: PRIVATE };
  return {
    outcome: "failure",
    ...(failure.status === undefined ? {} : { status: failure.status }),
    message: failure.message,
    cause: error instanceof ToolError ? (error.cause ?? error) : error,
    failure,
  };
}

function publicParts({ kind, message, status, headers, body, hint }: ToolError): CallFailure {
  return {
    kind,
    message,
    ...(status === undefined ? {} : { status }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
    ...(hint === undefined ? {} : { hint }),
  };
}
