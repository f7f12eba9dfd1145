/** Which exchanges are tried again, and when (RFC 9110, 9.2.2, 10.2.3, 15.6.4; RFC 6585, 4). */
import { HttpFailure } from "./failure.js";
import type { HttpResponse } from "./message.js";
import { isIdempotentMethod } from "./methods.js";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** A server that wants a longer pause than this gets none: its answer goes to the program, which can decide. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

export interface Retries {
  /** Call for every first attempt. */
  began(): void;
  /**
   * Milliseconds to wait before the next attempt, or `undefined` to keep the outcome.
   *
   * @param attempt how many attempts were made, from 1
   * @param remaining milliseconds left of the deadline
   */
  after(
    outcome: Pick<HttpResponse, "status" | "headers"> | unknown,
    method: string,
    attempt: number,
    remaining: number,
  ): number | undefined;
}

/**
 * A retry budget for all calls of a client: retries may be a fifth of the calls of late, and always a few. Without it,
 * a server in trouble would get three times its load from a program with many calls.
 *
 * A request of which no byte was sent (connection refused, name look-up, connection timeout) is tried again whatever its
 * method: nothing can have been applied. Every other retry is of idempotent methods only.
 */
export function makeRetries(limit: number): Retries {
  const share = 0.2;
  const least = 10;
  let budget = least;
  const most = 100;

  return {
    began: () => {
      budget = Math.min(most, budget + share);
    },
    after: (outcome, method, attempt, remaining) => {
      if (attempt > limit || budget < 1) return undefined;
      const wait = pauseAfter(outcome, method, attempt);
      if (wait === undefined || wait >= remaining) return undefined;
      budget -= 1;
      return wait;
    },
  };
}

function pauseAfter(outcome: unknown, method: string, attempt: number): number | undefined {
  const idempotent = isIdempotentMethod(method);
  if (outcome instanceof Error) {
    if (!(outcome instanceof HttpFailure) || !outcome.temporary || outcome.phase === "body") return undefined;
    return idempotent || outcome.phase === "connect" ? backoff(attempt) : undefined;
  }
  const { status, headers } = outcome as Pick<HttpResponse, "status" | "headers">;
  if (!idempotent || (status !== 429 && status !== 503)) return undefined;
  const asked = retryAfter(headers["retry-after"], Date.now());
  if (asked === undefined) return backoff(attempt);
  return asked > LONGEST_RETRY_AFTER_MS ? undefined : asked;
}

/** Full jitter: many calls that failed together must not come back together. */
function backoff(attempt: number): number {
  const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return Math.round(ceiling / 2 + (Math.random() * ceiling) / 2);
}

/**
 * Reads a `Retry-After` value (RFC 9110, 10.2.3): seconds, or an HTTP date.
 *
 * @param now milliseconds of the epoch
 * @returns milliseconds from now, or `undefined` when the value is absent or malformed
 */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse alone would take almost anything; an HTTP date starts with a day's name.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
