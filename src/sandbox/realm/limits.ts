/**
 * The limits of one execution, and the one way to hit them.
 *
 * A realm serves one execution at a time, so there is one `Limits` per realm. Three callers: the interpreter's `checkpoint` (loops,
 * calls), the guards of built-ins that allocate or loop out of proportion to their input, and the execution itself.
 */
import type { DiagnosticKind } from "../../codemode/diagnostic.js";
import type { Bridge } from "./bridge.js";

/** Kinds of diagnostics that end a program whatever it does. */
export type LimitKind = Extract<
  DiagnosticKind,
  "TimeoutExceeded" | "MemoryLimitExceeded" | "ToolCallLimitExceeded" | "ExecutionFailure"
>;

export interface LimitSettings {
  /** Milliseconds of `Bridge.now` at which the execution ends; `undefined` is no deadline. */
  readonly deadline?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly memoryBytes?: number | undefined;
  /** Told once, at the first limit hit, before the error is thrown. The program gets no say after that. */
  readonly onExceeded?: ((error: LimitError) => void) | undefined;
}

/** Ends a program: passes through every `catch`, `finally` and promise. Never handed to the program. */
export interface LimitError extends Error {
  readonly kind: LimitKind;
}

/** Rough speed of a native loop over absent or generic elements: what a guard assumes to foresee a time-out. */
const STEPS_PER_MS = 50_000;
/** A native loop longer than this is refused even without a deadline: nothing can interrupt it. */
const UNINTERRUPTIBLE_MS = 600_000;
/** Reserved bytes are summed up to this many before the real use is asked for. */
const GRAIN = 1 << 20;
/** Milliseconds between two looks at the real use of memory. */
const MEASURE_MS = 2;

export class Limits {
  #bridge: Bridge;
  #settings: LimitSettings = {};
  #errors = new WeakSet<object>();
  #exceeded: LimitError | undefined;
  #pending = 0;
  #nextMeasure = 0;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Sets the limits of the execution that starts now. Until then what is left of the one before still meets its end. */
  start(settings: LimitSettings): void {
    this.#settings = settings;
    this.#exceeded = undefined;
    this.#pending = 0;
    this.#nextMeasure = 0;
  }

  /** The limit that was hit, once there is one. */
  get exceeded(): LimitError | undefined {
    return this.#exceeded;
  }

  /** True for the errors thrown here: no `catch`, `finally` or promise of a program may see them. */
  isLimit(error: unknown): boolean {
    return typeof error === "object" && error !== null && this.#errors.has(error);
  }

  /** Ends the execution for `kind`; the first limit hit stays the reason. */
  exceed(kind: LimitKind, message: string): never {
    if (this.#exceeded === undefined) {
      const error = new Error(message) as Error & { kind: LimitKind };
      error.kind = kind;
      this.#errors.add(error);
      this.#exceeded = error;
      this.#settings.onExceeded?.(error);
    }
    throw this.#exceeded;
  }

  /**
   * Runs what the runtime itself has to say of a program that has ended: the built-ins that it uses are those of the program, which
   * check that there still is one.
   */
  lifted<T>(report: () => T): T {
    const settings = this.#settings;
    const exceeded = this.#exceeded;
    this.#settings = {};
    this.#exceeded = undefined;
    try {
      return report();
    } finally {
      this.#settings = settings;
      this.#exceeded = exceeded;
    }
  }

  /** Throws when the deadline has passed or a limit was hit before. Cheap enough for every few thousand steps. */
  check(): void {
    if (this.#exceeded !== undefined) throw this.#exceeded;
    const { deadline, memoryBytes } = this.#settings;
    // Also where nothing is limited: calls that are held back leave when the time is asked for.
    const now = this.#bridge.now();
    if (deadline !== undefined && now >= deadline) this.timeOut();
    if (memoryBytes !== undefined && now >= this.#nextMeasure) {
      this.#nextMeasure = now + MEASURE_MS;
      this.#measure(0);
    }
  }

  timeOut(what?: string): never {
    const { timeoutMs } = this.#settings;
    const limit = timeoutMs === undefined ? "" : ` of ${timeoutMs} ms`;
    this.exceed(
      "TimeoutExceeded",
      what ? `${what} would exceed the time limit${limit}.` : `The time limit${limit} was exceeded.`,
    );
  }

  /** Charges a native loop of `steps` steps before it starts. `what` names the built-in in the diagnostic. */
  chargeSteps(steps: number, what: string): void {
    if (this.#exceeded !== undefined) throw this.#exceeded;
    const ms = steps / STEPS_PER_MS;
    if (!(ms >= 1)) return;
    const { deadline } = this.#settings;
    const now = this.#bridge.now();
    const left = deadline === undefined ? UNINTERRUPTIBLE_MS : deadline - now;
    if (ms > left) this.timeOut(what);
  }

  /** Charges `bytes` about to be allocated. `what` names the built-in in the diagnostic. */
  chargeBytes(bytes: number, what: string): void {
    if (this.#exceeded !== undefined) throw this.#exceeded;
    const limit = this.#settings.memoryBytes;
    if (limit === undefined || bytes === 0) return;
    if (bytes > limit) this.#outOfMemory(what);
    this.#pending += bytes;
    if (this.#pending < GRAIN) return;
    this.#pending = 0;
    this.#measure(bytes, what);
  }

  /** Refuses one object of `bytes` that is larger than all the memory there is. Cheaper than a charge. */
  bound(bytes: number, what: string): void {
    const limit = this.#settings.memoryBytes;
    if (limit !== undefined && bytes > limit) this.#outOfMemory(what);
  }

  /** Compares the real use, plus `bytes` to come, with the limit; collects garbage before giving up. */
  #measure(bytes: number, what?: string): void {
    const limit = this.#settings.memoryBytes!;
    if (this.#bridge.memory(false) + bytes <= limit) return;
    if (this.#bridge.memory(true) + bytes > limit) this.#outOfMemory(what);
  }

  #outOfMemory(what?: string): never {
    const limit = ` of ${Math.round((this.#settings.memoryBytes! / 1048576) * 10) / 10} MiB`;
    this.exceed(
      "MemoryLimitExceeded",
      what ? `${what} would exceed the memory limit${limit}.` : `The memory limit${limit} was exceeded.`,
    );
  }
}
