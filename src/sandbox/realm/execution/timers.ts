/** Timers of a program: `sleep`, `setTimeout` and its relatives. All of them end with the execution. */
import type { Bridge } from "../bridge.js";

/** The longest time a timer takes, in milliseconds (24.8 days): that of the platform's own timers. */
const LONGEST = 2 ** 31 - 1;

interface Timer {
  readonly run: () => void;
  /** Milliseconds between the runs of an interval. */
  readonly every: number | undefined;
}

export class Timers {
  #bridge: Bridge;
  #timers = new Map<number, Timer>();
  #next = 1;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** How many are still to come. */
  get size(): number {
    return this.#timers.size;
  }

  /** Runs `run` after `ms` milliseconds, or every `ms` milliseconds. The number names the timer. */
  start(run: () => void, ms: unknown, repeated = false): number {
    const delay = delayOf(ms);
    const id = this.#next++;
    this.#timers.set(id, { run, every: repeated ? Math.max(1, delay) : undefined });
    this.#bridge.setTimer(id, delay);
    return id;
  }

  clear(id: unknown): void {
    if (typeof id === "number" && this.#timers.delete(id)) this.#bridge.clearTimer(id);
  }

  clearAll(): void {
    for (const id of this.#timers.keys()) this.#bridge.clearTimer(id);
    this.#timers.clear();
  }

  /** A timer has run out. */
  fire(id: number): void {
    const timer = this.#timers.get(id);
    if (timer === undefined) return;
    if (timer.every === undefined) this.#timers.delete(id);
    else this.#bridge.setTimer(id, timer.every);
    timer.run();
  }
}

function delayOf(ms: unknown): number {
  const delay = Number(ms);
  // As the platform does: what is no number is no delay.
  return delay >= 0 ? Math.min(delay, LONGEST) : 0;
}
