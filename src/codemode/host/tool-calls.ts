/**
 * The tool calls of one execution: a fiber for each, no more at a time than `concurrency`, and an end to all of them when
 * the execution ends. Streams and pages are pulled by the program, item by item.
 */
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import { Tracer } from "effect/Tracer";
import type { Json } from "../../json/json.js";
import { type CallFailure, ProtocolFault, type SandboxMessage } from "../../sandbox/protocol.js";
import type { Limits } from "../limits.js";
import type { ToolCall } from "../result.js";
import type { Answer, CallMode, Tool } from "../tool.js";
import { ToolError } from "../tool-error.js";
import { answerText, failureText, itemText } from "./answer-text.js";
import {
  type CallableNow,
  callNow,
  type Hooks,
  type Outcome,
  outcomeOf,
  Promised,
  publicOrDefect,
  runHook,
  type ToolCallEnd,
  type ToolCallStart,
} from "./tool-call.js";

type Message<Type extends SandboxMessage["type"]> = Extract<SandboxMessage, { type: Type }>;

export interface ToolCallsOptions<R> {
  readonly tool: (name: string) => Tool<R> | undefined;
  readonly limits: Limits;
  readonly hooks: Hooks<R>;
  readonly context: Context.Context<R>;
  /** Sends a message to the program. */
  readonly send: (message: string) => void;
  /** Runs `resume` as soon as the program takes messages; at once where it does. */
  readonly whenTaken: (resume: () => void) => void;
  /** A note for the person who runs the program. */
  readonly warn: (tool: string, message: string) => void;
}

/** Something that the program pulls from. */
interface Source {
  readonly tool: string;
  readonly iterator: AsyncIterator<unknown>;
  /** Of a listing: each page is a call of its own, with this input. */
  readonly pages: { readonly input: Json | undefined } | undefined;
  pulling: boolean;
}

/** A call of a tool for its answer. */
interface Call<R> {
  readonly id: number;
  readonly tool: Tool<R>;
  readonly mode: CallMode;
  readonly start: ToolCallStart;
  readonly record: Record_;
  started: number;
  /** The message of the answer. */
  text: string;
}

type Record_ = { -readonly [member in keyof ToolCall]: ToolCall[member] };

export class ToolCalls<R> {
  /** In the order in which the program made them. */
  readonly records: Record_[] = [];
  readonly #context: Context.Context<R>;
  readonly #hooks: Hooks<R>;
  readonly #find: ToolCallsOptions<R>["tool"];
  readonly #write: ToolCallsOptions<R>["send"];
  readonly #whenTaken: ToolCallsOptions<R>["whenTaken"];
  readonly #warn: ToolCallsOptions<R>["warn"];
  readonly #maxToolCalls: number;
  readonly #concurrency: number;
  readonly #fibers = new Set<Fiber.Fiber<unknown, unknown>>();
  /** What ends the wait for each promise. */
  readonly #promised = new Set<() => void>();
  readonly #queue: (() => void)[] = [];
  readonly #sources = new Map<number, Source>();
  readonly #abort = new AbortController();
  readonly #runFork: <A, E>(effect: Effect.Effect<A, E, R>) => Fiber.Fiber<A, E>;
  /** Whether anybody sees the spans of calls: without a tracer a span is made for nobody. */
  readonly #traced: boolean;
  #running = 0;
  #starting = false;
  #lastId = 0;
  #counted = 0;
  #ended = false;

  // Taken apart once: objects that come from spreading differ in shape, which is dear where each call looks into them.
  constructor({ context, hooks, tool, send, whenTaken, warn, limits }: ToolCallsOptions<R>) {
    this.#context = context;
    this.#hooks = hooks;
    this.#find = tool;
    this.#write = send;
    this.#whenTaken = whenTaken;
    this.#warn = warn;
    this.#maxToolCalls = limits.maxToolCalls ?? Number.POSITIVE_INFINITY;
    this.#concurrency = limits.concurrency ?? Number.POSITIVE_INFINITY;
    this.#runFork = Effect.runForkWith(context);
    this.#traced = Context.getOrUndefined(context, Tracer) !== undefined;
  }

  /** Calls that have not ended. */
  get unfinished(): number {
    return this.#running + this.#queue.length;
  }

  call({ id, tool: name, mode, input }: Message<"call">): void {
    this.#useId(id);
    this.#count(1);
    const tool = this.#tool(name);
    const record: Record_ = { tool: name, outcome: "interrupted", durationMs: 0 };
    const call: Call<R> = {
      id,
      tool,
      mode,
      start: { index: this.records.length, tool: name, input },
      record,
      started: 0,
      text: "",
    };
    this.records.push(record);
    this.#enqueue(() => this.#start(call));
  }

  pages({ id, tool: name, input }: Message<"pages">): void {
    this.#useId(id);
    const tool = this.#tool(name);
    this.#sources.set(id, source(name, this.#pages(tool, input), { input }));
  }

  pull({ id }: Message<"pull">): void {
    const from = this.#sources.get(id);
    if (from === undefined || from.pulling) throw new ProtocolFault("pull");
    from.pulling = true;
    const next = Effect.map(fromIterator(from.iterator), (result): unknown => {
      from.pulling = false;
      if (!result.done) return result.value;
      this.#sources.delete(id);
      return END;
    });
    if (from.pages === undefined) this.#runPull(id, next);
    else this.#runPage(id, from, from.pages.input, next);
  }

  close({ id }: Message<"close">): void {
    const from = this.#sources.get(id);
    if (from === undefined) throw new ProtocolFault("close");
    this.#sources.delete(id);
    release(from.iterator);
  }

  /** Counts a synchronous search, and records it. */
  search(answer: () => string): string {
    this.#count(1);
    const started = performance.now();
    const text = answer();
    this.records.push({ tool: "search", outcome: "success", durationMs: since(started) });
    return text;
  }

  /** Ends everything that still runs, without waiting. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#queue.length = 0;
    this.#abort.abort();
    for (const { iterator } of this.#sources.values()) release(iterator);
    this.#sources.clear();
    for (const fiber of this.#fibers) fiber.interruptUnsafe();
    for (const leave of this.#promised) leave();
    this.#promised.clear();
  }

  /** Waits until what `end` interrupted has cleaned up after itself. */
  get cleanedUp(): Effect.Effect<void> {
    return Effect.suspend(() => Effect.asVoid(Fiber.awaitAll([...this.#fibers])));
  }

  #tool(name: string): Tool<R> {
    const tool = this.#find(name);
    if (tool === undefined) throw new ProtocolFault("tool");
    return tool;
  }

  #useId(id: number): void {
    if (id <= this.#lastId) throw new ProtocolFault("id");
    this.#lastId = id;
  }

  /** The program's own realm keeps the limit; a sandbox that does not is not to be trusted. */
  #count(calls: number): void {
    this.#counted += calls;
    if (this.#counted > this.#maxToolCalls) throw new ProtocolFault("count");
  }

  /** The pages of a listing; of a tool without a notion of pages, its answer is the only one. */
  async *#pages(tool: Tool<R>, input: Json | undefined): AsyncGenerator<Answer> {
    const { signal } = this.#abort;
    if (tool.pages !== undefined) yield* tool.pages(input, { signal });
    else yield await Effect.runPromiseWith(this.#context)(tool.call(input, { mode: "value", signal }), { signal });
  }

  /** The turn of a call has come. It takes a fiber, unless it is a function's and nobody looks on. */
  #start(call: Call<R>): void {
    call.started = performance.now();
    const { tool, mode, start } = call;
    if (this.#traced || this.#hooks.onToolCallStart !== undefined) {
      const called = Effect.suspend(() => tool.call(start.input, { mode, signal: this.#abort.signal }));
      // Inside the span, to which an answer that is no JSON belongs as well.
      const told = Effect.map(called, (answer) => this.#tell(call, answer));
      this.#fork(this.#spanned(start, told), (exit) => this.#conclude(call, exit));
      return;
    }
    let left: Effect.Effect<Answer, ToolError, R> | Promised;
    try {
      left =
        (tool as CallableNow)[callNow]?.(start.input) ?? tool.call(start.input, { mode, signal: this.#abort.signal });
    } catch (error) {
      left = Exit.die(error);
    }
    if (left instanceof Promised) this.#await(call, left);
    else if (isExit(left)) this.#answered(call, left);
    else this.#fork(left, (exit) => this.#answered(call, exit));
  }

  #await(call: Call<R>, { promise, abort }: Promised): void {
    const leave = (): void => {
      abort();
      this.#answered(call, Exit.interrupt());
    };
    this.#promised.add(leave);
    // Whatever kind of promise it is: this one calls back once, later, and with a value that is no promise.
    Promise.resolve(promise).then(
      (data) => {
        if (this.#promised.delete(leave)) this.#answered(call, Exit.succeed({ data: data as Json }));
      },
      (error) => {
        if (this.#promised.delete(leave)) this.#answered(call, publicOrDefect(error));
      },
    );
  }

  #answered(call: Call<R>, exit: Exit.Exit<Answer, ToolError>): void {
    let ended = exit;
    try {
      if (Exit.isSuccess(exit)) this.#tell(call, exit.value);
    } catch (error) {
      ended = Exit.die(error);
    }
    this.#conclude(call, ended);
  }

  /** Passes on the notes of an answer and makes the message of it. */
  #tell(call: Call<R>, answer: Answer): Answer {
    const { id, start } = call;
    const { data, warnings } = answer;
    if (warnings !== undefined) for (const warning of warnings) this.#warn(start.tool, warning);
    const streamed = isAsyncIterable(data);
    if (streamed) this.#sources.set(id, source(start.tool, data, undefined));
    call.text = answerText(id, answer, streamed);
    return answer;
  }

  #conclude({ id, start, record, started, text }: Call<R>, exit: Exit.Exit<Answer, ToolError>): void {
    const outcome = settle(record, exit, started);
    this.#callEnded(start, record, outcome.cause, Exit.isSuccess(exit) ? exit.value.files : undefined);
    if (Exit.isSuccess(exit)) this.#send(text);
    else if (outcome.failure !== undefined) this.#send(failureText(id, outcome.failure));
  }

  #runPage(id: number, from: Source, input: Json | undefined, next: Effect.Effect<unknown, ToolError>): void {
    const record: Record_ = { tool: from.tool, outcome: "interrupted", durationMs: 0 };
    const start = { index: this.records.length, tool: from.tool, input };
    this.records.push(record);
    this.#enqueue(() => {
      const started = performance.now();
      this.#fork(this.#spanned(start, next), (exit) => {
        if (exit._tag === "Success" && exit.value === END) {
          // There was no further page, so there was no call.
          this.records.splice(this.records.indexOf(record), 1);
          this.#nextTurn();
          this.#send(`{"type":"end","id":${id}}`);
          return;
        }
        const page = exit._tag === "Success" ? (exit.value as Answer) : undefined;
        const { failure, cause } = settle(record, exit, started);
        this.#callEnded(start, record, cause, page?.files);
        for (const warning of page?.warnings ?? []) this.#warn(from.tool, warning);
        this.#sendItem(id, page?.data, failure);
      });
    });
  }

  /** The hook and then the call itself, in a span of its own below that of the execution. */
  #spanned<A>(start: ToolCallStart, effect: Effect.Effect<A, ToolError, R>): Effect.Effect<A, ToolError, R> {
    const { onToolCallStart } = this.#hooks;
    const called =
      onToolCallStart === undefined
        ? effect
        : Effect.andThen(runHook<ToolCallStart, R>(onToolCallStart, start), effect);
    if (!this.#traced) return called;
    return Effect.withSpan(called, "codemode.call", {
      attributes: { "codemode.tool": start.tool, "codemode.call.index": start.index },
      kind: "client",
      // The stack is this project's own, the same for every call.
      captureStackTrace: false,
    });
  }

  #runPull(id: number, next: Effect.Effect<unknown, ToolError>): void {
    this.#fork(next, (exit) => {
      if (exit._tag === "Success" && exit.value === END) this.#send(`{"type":"end","id":${id}}`);
      else this.#sendItem(id, exit._tag === "Success" ? exit.value : undefined, outcomeOf(exit).failure);
    });
  }

  #sendItem(id: number, item: unknown, failure: CallFailure | undefined): void {
    if (failure !== undefined) {
      this.#sources.delete(id);
      this.#send(failureText(id, failure));
      return;
    }
    try {
      this.#send(itemText(id, item));
    } catch (error) {
      this.#sources.delete(id);
      this.#send(failureText(id, { kind: "InvalidToolOutput", message: (error as ToolError).message }));
    }
  }

  #enqueue(start: () => void): void {
    if (this.#ended) return;
    this.#queue.push(start);
    this.#startWaiting();
  }

  /** Starts the calls whose turn it is. A loop: calls that end at once must not pile up on the stack. */
  #startWaiting(): void {
    if (this.#starting) return;
    this.#starting = true;
    while (this.#running < this.#concurrency) {
      const start = this.#queue.shift();
      if (start === undefined) break;
      this.#running++;
      start();
    }
    this.#starting = false;
  }

  #fork<A>(effect: Effect.Effect<A, ToolError, R>, onExit: (exit: Exit.Exit<A, ToolError>) => void): void {
    const fiber = this.#runFork(effect);
    const exit = fiber.pollUnsafe();
    if (exit !== undefined) {
      // It ended before anything could have interrupted it.
      onExit(exit);
      return;
    }
    this.#fibers.add(fiber);
    fiber.addObserver((ended) => {
      this.#fibers.delete(fiber);
      onExit(ended);
    });
  }

  /** A call has ended: the hook is told, and the next call has its turn. */
  #callEnded(start: ToolCallStart, record: ToolCall, cause: unknown, files: readonly string[] | undefined): void {
    const { onToolCallEnd } = this.#hooks;
    if (onToolCallEnd !== undefined) {
      const end = callEnd(start, record, cause, files);
      this.#fork(Effect.ignoreCause(runHook<ToolCallEnd, R>(onToolCallEnd, end)), () => {});
    }
    this.#nextTurn();
  }

  #nextTurn(): void {
    // The turn of the next call comes when the program has room for the answer of this one.
    this.#whenTaken(() => {
      this.#running--;
      this.#startWaiting();
    });
  }

  #send(message: string): void {
    if (!this.#ended) this.#write(message);
  }
}

const END = Symbol("end");

const isExit = <A, E>(effect: Effect.Effect<A, E, any>): effect is Exit.Exit<A, E> => Exit.isExit(effect);

/** Writes how a call ended into its record; gives what the record does not hold. */
function settle(record: Record_, exit: Exit.Exit<unknown, ToolError>, started: number): Outcome {
  const ended = outcomeOf(exit);
  record.outcome = ended.outcome;
  record.durationMs = since(started);
  if (ended.status !== undefined) record.status = ended.status;
  if (ended.message !== undefined) record.message = ended.message;
  return ended;
}

function callEnd(
  start: ToolCallStart,
  record: ToolCall,
  cause: unknown,
  files: readonly string[] | undefined,
): ToolCallEnd {
  return { ...start, ...record, ...(cause === undefined ? {} : { cause }), ...(files?.length ? { files } : {}) };
}

function source(tool: string, items: AsyncIterable<unknown>, pages: Source["pages"]): Source {
  return { tool, iterator: items[Symbol.asyncIterator](), pages, pulling: false };
}

function fromIterator(iterator: AsyncIterator<unknown>): Effect.Effect<IteratorResult<unknown>, ToolError> {
  return Effect.catch(
    Effect.tryPromise({ try: () => iterator.next(), catch: (error) => error }),
    (error): Effect.Effect<never, ToolError> => (error instanceof ToolError ? Effect.fail(error) : Effect.die(error)),
  );
}

/** Ends an iterator that is left early; whatever becomes of that is nobody's concern any more. */
function release(iterator: AsyncIterator<unknown>): void {
  try {
    void iterator.return?.()?.then(undefined, () => {});
  } catch {
    // The same.
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

const since = (started: number): number => Math.round((performance.now() - started) * 10) / 10;
