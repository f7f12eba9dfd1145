/**
 * Sandbox processes, made ahead of their use. Each execution has one to itself; a clean one is used again. Where their number
 * is bounded, executions beyond it wait for their turn, first come, first served.
 */
import { availableParallelism } from "node:os";
import type { Ending, SandboxListener } from "./sandbox-process.js";
import { SandboxProcess } from "./sandbox-process.js";

/** Most processes that wait for work. More would not even get a processor of their own to start on. */
const MOST_SPARES = Math.max(4, 2 * availableParallelism());
/** A process that has waited for this long, in milliseconds, is ended, unless it is the only one that waits. */
const IDLE = 15_000;
/** A process that has grown by more than this, in bytes, is not used again. */
const MOST_GROWTH = 256 * 1024 * 1024;
/** Longest start of a process, in milliseconds. */
const START_TIMEOUT = 30_000;

export interface SandboxPoolOptions {
  /** Bytes that a program may hold. Default: no limit. */
  readonly maxMemoryBytes?: number | undefined;
  /** Processes are meant for one program each. */
  readonly oneProgram?: boolean | undefined;
  /** Processes at a time, those that wait for work included. Default: no limit. */
  readonly maxProcesses?: number | undefined;
}

/** An execution that waits for its turn; `undefined` when it was aborted. */
type Waiter = (spare: Spare | undefined) => void;

export class SandboxPool {
  readonly #maxMemoryBytes: number | undefined;
  readonly #maxProcesses: number;
  readonly #oneProgram: boolean;
  /** Ready or about to be. The last was used last. */
  #spares: Spare[] = [];
  /** Processes that belong to an execution. */
  #taken = 0;
  /** In the order of their coming. While there is one, every process is taken. */
  readonly #waiting = new Set<Waiter>();
  #closed = false;

  constructor({ maxMemoryBytes, maxProcesses = Number.POSITIVE_INFINITY, oneProgram = false }: SandboxPoolOptions) {
    this.#maxMemoryBytes = maxMemoryBytes;
    this.#maxProcesses = maxProcesses;
    this.#oneProgram = oneProgram;
  }

  /** Starts a process now, so that a later execution finds it ready. Does nothing where one waits already. */
  prestart(): void {
    if (!this.#closed && this.#spares.length === 0 && this.#hasRoom) this.#keep(this.#start());
  }

  /**
   * A ready process, held until it is released or discarded; `undefined` when none can be started, or when `signal` is
   * aborted. Waits for a turn where as many processes run as may.
   */
  async acquire(signal: AbortSignal): Promise<SandboxProcess | undefined> {
    const spare = await this.#turn(signal);
    if (spare === undefined) return undefined;
    const { process } = spare;
    process.hold(true);
    const abort = () => process.end();
    signal.addEventListener("abort", abort, { once: true });
    // Aborted since its turn came: a process that was ready before stays ready in name.
    if (signal.aborted) abort();
    const ready = await spare.ready;
    signal.removeEventListener("abort", abort);
    process.listener = undefined;
    if (ready && process.alive) return process;
    this.discard(process);
    return undefined;
  }

  /** Gives a process back whose program has ended without a trace; it makes its next realm meanwhile. */
  release(process: SandboxProcess): void {
    const next = this.#firstWaiting();
    const clean = process.alive && (process.grownBytes ?? 0) < MOST_GROWTH;
    if (!clean || (next === undefined && (this.#closed || this.#spares.length >= MOST_SPARES))) {
      this.discard(process);
    } else if (next !== undefined) {
      next(new Spare(process));
    } else {
      this.#taken--;
      this.#keep(process);
    }
  }

  /** Ends a process that was acquired, and makes up for it. */
  discard(process: SandboxProcess): void {
    process.hold(false);
    process.end();
    const next = this.#firstWaiting();
    if (next !== undefined) {
      next(new Spare(this.#start()));
    } else {
      this.#taken--;
      this.prestart();
    }
  }

  /** Ends the processes that wait for work. Executions that run or wait for their turn are not affected. */
  close(): void {
    this.#closed = true;
    for (const spare of this.#spares.splice(0)) spare.end();
  }

  get #hasRoom(): boolean {
    return this.#taken + this.#spares.length < this.#maxProcesses;
  }

  #start(): SandboxProcess {
    return new SandboxProcess(this.#maxMemoryBytes, this.#oneProgram);
  }

  /** A process for an execution: one that waits, a new one, or the next that another execution leaves. */
  #turn(signal: AbortSignal): Promise<Spare | undefined> | Spare | undefined {
    if (signal.aborted) return undefined;
    const spare = this.#takeSpare() ?? (this.#hasRoom ? new Spare(this.#start()) : undefined);
    if (spare !== undefined) {
      this.#taken++;
      return spare;
    }
    return new Promise((resolve) => {
      const abort = () => settle(undefined);
      const settle: Waiter = (given) => {
        this.#waiting.delete(settle);
        signal.removeEventListener("abort", abort);
        resolve(given);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.add(settle);
    });
  }

  #firstWaiting(): Waiter | undefined {
    return this.#waiting.values().next().value;
  }

  /** The spare that is ready and was used last, so that those beyond need grow old; or else the one that started first. */
  #takeSpare(): Spare | undefined {
    const ready = this.#spares.findLastIndex((spare) => spare.isReady);
    const [spare] = this.#spares.splice(Math.max(0, ready), 1);
    spare?.taken();
    return spare;
  }

  #keep(process: SandboxProcess): void {
    process.hold(false);
    const remove = () => {
      const at = this.#spares.indexOf(spare);
      if (at >= 0) this.#spares.splice(at, 1);
    };
    const spare: Spare = new Spare(process, remove);
    spare.whenIdle(() => {
      if (this.#spares.length < 2) return;
      remove();
      spare.end();
    });
    this.#spares.push(spare);
  }
}

/** A process on its way to being ready. */
class Spare implements SandboxListener {
  readonly ready: Promise<boolean>;
  isReady = false;
  #settle!: (ready: boolean) => void;
  #onEnded: () => void;
  #timeout: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    readonly process: SandboxProcess,
    onEnded: () => void = () => {},
  ) {
    this.#onEnded = onEnded;
    this.ready = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#timeout = setTimeout(() => process.end(), START_TIMEOUT).unref();
    process.listener = this;
  }

  /** Calls `run` when nobody has taken the process for a while. */
  whenIdle(run: () => void): void {
    this.#idle = setTimeout(run, IDLE).unref();
  }

  /** The process belongs to an execution now. */
  taken(): void {
    clearTimeout(this.#idle);
  }

  end(): void {
    clearTimeout(this.#idle);
    this.process.end();
  }

  message({ type }: { type: string }): void {
    clearTimeout(this.#timeout);
    // Nothing runs in it, so nothing else can be meant.
    if (type !== "ready" || this.isReady) {
      this.process.end("protocol");
      return;
    }
    this.isReady = true;
    this.#settle(true);
  }

  ended(_: Ending): void {
    clearTimeout(this.#timeout);
    clearTimeout(this.#idle);
    this.#settle(false);
    this.#onEnded();
  }
}
