/**
 * One execution on the host: drives a sandbox process through one program, and makes its `Result` whatever happens. It
 * checks what a sound sandbox guarantees anyway, because a program might have taken the sandbox over.
 */
import type { Context } from "effect/Context";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";
import { lineStarts, positionIn } from "../../interpreter/source-lines.js";
import { type Json, stringifyJson } from "../../json/json.js";
import type { Language, SandboxMessage } from "../../sandbox/protocol.js";
import { ProtocolFault } from "../../sandbox/protocol.js";
import type { Diagnostic } from "../diagnostic.js";
import type { Limits } from "../limits.js";
import type { Result } from "../result.js";
import type { Tool } from "../tool.js";
import { Output } from "./output.js";
import type { SandboxPool } from "./sandbox-pool.js";
import type { Ending, SandboxProcess } from "./sandbox-process.js";
import type { Hooks } from "./tool-call.js";
import { ToolCalls } from "./tool-calls.js";

/** How long after the deadline the program's own report of it is waited for, in milliseconds. */
const GRACE = 250;
/** How long a process that is about to be ended may take to say where its program is, in milliseconds. */
const ASK = 150;
/** How long an ended program may take to fall silent before its process is ended, in milliseconds. */
const SETTLE = 100;
/** Time between two looks at the memory of a process, in milliseconds. */
const WATCH = 25;
/** Unfinished calls at which the host stops listening until there are fewer. */
const MOST_UNFINISHED = 10_000;
/** What a process may occupy beyond the memory limit and half of it again: code, stacks, garbage, in bytes. */
const MEMORY_SLACK = 96 * 1024 * 1024;

const LIMITS: ReadonlySet<string> = new Set(["TimeoutExceeded", "MemoryLimitExceeded", "ToolCallLimitExceeded"]);

export interface ExecutionOptions<R> {
  readonly source: string;
  readonly language: Language;
  readonly input: Json | undefined;
  readonly limits: Limits;
  /** The program shares its realm with no other. */
  readonly fresh: boolean;
  readonly hooks: Hooks<R>;
  readonly context: Context<R>;
  readonly pool: SandboxPool;
  /** The `tools` message. */
  readonly tools: string;
  readonly tool: (name: string) => Tool<R> | undefined;
  readonly search: (query: Json, options: Json | undefined) => string;
}

/** How the program ended, before its calls have been cleaned up. */
type End = { readonly value: Json } | { readonly error: Diagnostic };

/** Runs a program. Never fails for the program's fault; interruption ends the process and the calls in flight. */
export function runExecution<R>(options: ExecutionOptions<R>): Effect.Effect<Result> {
  return Effect.suspend(() => {
    const execution = new Execution(options);
    return Effect.onInterrupt(execution.result, () => execution.abandon());
  });
}

class Execution<R> {
  readonly #options: ExecutionOptions<R>;
  readonly #calls: ToolCalls<R>;
  readonly #output: Output;
  readonly #warnings: Diagnostic[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #abort = new AbortController();
  #process: SandboxProcess | undefined;
  #end: End | undefined;
  #finish: ((end: End) => void) | undefined;
  #paused = false;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(options: ExecutionOptions<R>) {
    this.#options = options;
    this.#output = new Output(options.limits.maxOutputBytes);
    this.#calls = new ToolCalls({
      ...options,
      send: (message) => this.#process?.send(message),
      whenTaken: (resume) => this.#whenTaken(resume),
      warn: (tool, message) => this.#warn({ kind: "InvalidToolOutput", message, tool }),
    });
  }

  get result(): Effect.Effect<Result> {
    return Effect.flatMap(this.#program, (end) => this.#conclude(end));
  }

  /** The execution is interrupted: everything ends, and what was in flight cleans up. */
  abandon(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#abort.abort();
      this.#stop();
      this.#process?.end();
      this.#calls.end();
      return this.#calls.cleanedUp;
    });
  }

  /** Resumes with the end of the program; its process is released or on its way out by then. */
  get #program(): Effect.Effect<End> {
    return Effect.callback<End>((resume) => {
      this.#finish = (end) => resume(Effect.succeed(end));
      this.#start().catch(() => this.#done({ error: diagnose("failed-to-start", this.#options.limits) }));
    });
  }

  async #start(): Promise<void> {
    const { pool, tools, source, language, input, limits } = this.#options;
    const process = await pool.acquire(this.#abort.signal);
    if (process !== undefined && this.#abort.signal.aborted) pool.discard(process);
    if (process === undefined || this.#abort.signal.aborted) {
      this.#done({ error: diagnose("failed-to-start", this.#options.limits) });
      return;
    }
    this.#process = process;
    process.listener = { message: (message) => this.#receive(message), ended: (ending) => this.#died(ending) };
    process.tools = tools;
    const { concurrency: _, ...sandboxLimits } = limits;
    const head = this.#options.fresh ? { type: "execute", fresh: true } : { type: "execute" };
    const facts = JSON.stringify({ ...head, language, limits: sandboxLimits, source }).slice(0, -1);
    process.send(input === undefined ? `${facts}}` : `${facts},"input":${stringifyJson(input)}}`);
    this.#watch(process);
  }

  /** The host's own eye on time and memory, for programs that the sandbox cannot stop. */
  #watch(process: SandboxProcess): void {
    const { timeoutMs, maxMemoryBytes } = this.#options.limits;
    if (timeoutMs !== undefined) {
      this.#deadline = performance.now() + timeoutMs;
      this.#later(timeoutMs + GRACE, () => this.#endLate(timeoutMs));
    }
    if (maxMemoryBytes !== undefined) {
      const most = maxMemoryBytes * 1.5 + MEMORY_SLACK;
      const look = setInterval(() => {
        if ((process.grownBytes ?? 0) > most) this.#kill(outOfMemory(maxMemoryBytes));
      }, WATCH);
      this.#timers.push(look.unref());
    }
  }

  /** The time is over and the program has not said so: it is inside a built-in. Its process is ended as soon as it has said where. */
  #endLate(timeoutMs: number): void {
    const process = this.#process;
    if (this.#end !== undefined || process === undefined) {
      process?.end();
      return;
    }
    this.#end = { error: outOfTime(timeoutMs) };
    const listener = {
      message: (message: SandboxMessage) => {
        if (message.type === "failed") this.#end = { error: message.error };
        else if (message.type !== "where") return;
        else if (message.offset >= 0 && message.offset <= this.#options.source.length) {
          const location = positionIn(lineStarts(this.#options.source), message.offset);
          this.#end = { error: { ...outOfTime(timeoutMs), location } };
        }
        process.end();
      },
      ended: (ending: Ending) => this.#died(ending),
    };
    process.listener = listener;
    this.#later(ASK, () => process.end());
    process.askWhere();
  }

  #receive(message: SandboxMessage): void {
    if (this.#end !== undefined) {
      // All that is left to say is that nothing is left to run.
      if (message.type !== "settled") throw new ProtocolFault("order");
      this.#warnings.push(...message.warnings);
      this.#released();
      return;
    }
    switch (message.type) {
      case "call":
        this.#calls.call(message);
        this.#pauseWhileBusy();
        return;
      case "pages":
        this.#calls.pages(message);
        return;
      case "pull":
        this.#calls.pull(message);
        this.#pauseWhileBusy();
        return;
      case "close":
        this.#calls.close(message);
        return;
      case "search":
        this.#process?.reply(this.#calls.search(() => this.#options.search(message.query, message.options)));
        return;
      case "log":
        this.#output.log(message.line);
        return;
      case "done":
      case "failed":
        this.#warnings.push(...message.warnings);
        this.#output.truncated ||= message.truncated;
        this.#programEnded("error" in message ? { error: message.error } : { value: message.value });
        return;
      default:
        throw new ProtocolFault("order");
    }
  }

  /** The program has spoken its last; its process may need a moment to come to rest. */
  #programEnded(end: End): void {
    this.#end = end;
    this.#stop();
    this.#calls.end();
    this.#pause(false);
    this.#later(SETTLE, () => this.#process?.end());
  }

  #released(): void {
    const process = this.#process;
    this.#process = undefined;
    const end = this.#end!;
    if (process !== undefined) {
      process.listener = undefined;
      // A program that went beyond its means may have left anything behind.
      if ("error" in end && LIMITS.has(end.error.kind)) this.#options.pool.discard(process);
      else this.#options.pool.release(process);
    }
    this.#done(end);
  }

  #died(ending: Ending): void {
    const process = this.#process;
    this.#process = undefined;
    this.#stop();
    this.#calls.end();
    if (process !== undefined) this.#options.pool.discard(process);
    this.#done(this.#end ?? { error: diagnose(ending, this.#options.limits) });
  }

  /** Ends the process; `error` is what the program died of. */
  #kill(error: Diagnostic): void {
    this.#end ??= { error };
    this.#process?.end();
  }

  #done(end: End): void {
    this.#stop();
    this.#finish?.(end);
    this.#finish = undefined;
  }

  /** Waits until the interrupted calls have cleaned up, but not beyond the deadline, and makes the result. */
  #conclude(end: End): Effect.Effect<Result> {
    const left = this.#deadline - performance.now();
    const cleanUp =
      left === Number.POSITIVE_INFINITY
        ? Effect.asSome(this.#calls.cleanedUp)
        : Effect.timeoutOption(this.#calls.cleanedUp, Math.max(GRACE, left));
    return Effect.map(cleanUp, (cleanedUp): Result => {
      if (Option.isNone(cleanedUp) && "value" in end) {
        this.#warn({
          kind: "TimeoutExceeded",
          message: `The time limit of ${this.#options.limits.timeoutMs} ms ran out while interrupted tool calls were cleaning up.`,
        });
      }
      return this.#output.result(end, this.#warnings, this.#calls.records);
    });
  }

  #whenTaken(resume: () => void): void {
    const then = () => {
      resume();
      if (this.#paused && this.#calls.unfinished < MOST_UNFINISHED / 2) this.#pause(false);
    };
    if (this.#process?.congested) this.#process.onceDrained(then);
    else then();
  }

  /** A program that calls faster than its calls can end is made to wait. */
  #pauseWhileBusy(): void {
    if (!this.#paused && this.#calls.unfinished >= MOST_UNFINISHED) this.#pause(true);
  }

  #pause(paused: boolean): void {
    if (this.#paused === paused) return;
    this.#paused = paused;
    this.#process?.pause(paused);
  }

  #warn(warning: Diagnostic): void {
    if (this.#warnings.length < 100) this.#warnings.push(warning);
  }

  #later(ms: number, run: () => void): void {
    this.#timers.push(setTimeout(run, ms));
  }

  #stop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }
}

function outOfTime(timeoutMs: number): Diagnostic {
  return {
    kind: "TimeoutExceeded",
    message: `The time limit of ${timeoutMs} ms was exceeded inside a built-in that cannot be interrupted.`,
    hint: "Look for a regular expression that backtracks, or a built-in that goes through a very long list.",
  };
}

function outOfMemory(maxMemoryBytes: number | undefined): Diagnostic {
  const limit = maxMemoryBytes === undefined ? "" : ` of ${Math.round(maxMemoryBytes / 1024 / 1024)} MiB`;
  return {
    kind: "MemoryLimitExceeded",
    message: limit ? `The memory limit${limit} was exceeded.` : "The program ran out of memory.",
    hint: "Keep less at a time: pick the fields that are needed as each answer comes.",
  };
}

function diagnose(ending: Ending, { maxMemoryBytes }: Limits): Diagnostic {
  switch (ending) {
    case "memory":
      return outOfMemory(maxMemoryBytes);
    case "protocol":
      return { kind: "ExecutionFailure", message: "The sandbox sent what it must not send, and was ended." };
    case "failed-to-start":
      return { kind: "ExecutionFailure", message: "The sandbox process did not start." };
    default:
      return { kind: "ExecutionFailure", message: "The sandbox process ended unexpectedly." };
  }
}
