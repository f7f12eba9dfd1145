/** A deadline and an interruption as one signal. */
import { HttpFailure } from "./failure.js";

export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds left; `Infinity` without a deadline. */
  remaining(): number;
  /** No longer watches: the exchange is over, or it is a stream that may last. */
  clear(): void;
}

/**
 * @param ms total time of one call with its retries and redirects, until the end of the body; `undefined` for none
 * @param interruption aborted when the caller gives up
 */
export function startDeadline(ms: number | undefined, about: string, interruption: AbortSignal): Deadline {
  if (ms === undefined) return { signal: interruption, remaining: () => Number.POSITIVE_INFINITY, clear: () => {} };
  const controller = new AbortController();
  const end = performance.now() + ms;
  const timer = setTimeout(() => {
    controller.abort(new HttpFailure(`${about}: not finished within ${seconds(ms)}.`, "exchange", false));
  }, ms);
  // The deadline must not keep a process alive which has nothing else to do.
  timer.unref();
  return {
    signal: AbortSignal.any([interruption, controller.signal]),
    remaining: () => end - performance.now(),
    clear: () => clearTimeout(timer),
  };
}

export function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

/** Waits; ends early, by throwing the reason, when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
