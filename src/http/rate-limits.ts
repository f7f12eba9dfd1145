/**
 * How many requests one origin gets at a time, and when it wants none. Learns from 429, 503, `Retry-After` and the
 * fields in which servers tell what is left of a quota: `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers), `RateLimit-Remaining`, `X-RateLimit-Remaining`.
 */
import { pause } from "./deadline.js";
import type { HttpResponse } from "./message.js";
import { LONGEST_RETRY_AFTER_MS, retryAfter } from "./retry.js";

export interface OriginLimits {
  /** Waits for a turn. Call the result once, when the exchange is over. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Learns from an answer. */
  observe(response: Pick<HttpResponse, "status" | "headers">): void;
}

export interface RateLimits {
  of(origin: string): OriginLimits;
}

/**
 * @param concurrency most requests to one origin at a time; `undefined` for no limit
 * @param patient hold requests back while a quota is used up; who wants no retries wants the server's refusal instead
 */
export function makeRateLimits(concurrency: number | undefined, patient: boolean): RateLimits {
  const origins = new Map<string, OriginLimits>();
  return {
    of: (origin) => {
      let limits = origins.get(origin);
      if (limits === undefined)
        origins.set(origin, (limits = originLimits(concurrency ?? Number.POSITIVE_INFINITY, patient)));
      return limits;
    },
  };
}

function originLimits(most: number, patient: boolean): OriginLimits {
  // Halved when the server says it is too much, and then grown by one for every round of good answers.
  let allowed = most;
  let active = 0;
  let closedUntil = 0;
  const waiting: (() => void)[] = [];

  const wake = (): void => {
    while (waiting.length > 0 && active < Math.floor(allowed)) {
      active++;
      waiting.shift()!();
    }
  };

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const start = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        const at = waiting.indexOf(start);
        if (at >= 0) waiting.splice(at, 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(start);
      wake();
    });

  const exit = (): void => {
    active--;
    wake();
  };

  return {
    enter: async (signal) => {
      await turn(signal);
      let left = false;
      const release = (): void => {
        if (left) return;
        left = true;
        exit();
      };
      try {
        for (let wait = closedUntil - Date.now(); wait > 0; wait = closedUntil - Date.now()) await pause(wait, signal);
      } catch (error) {
        release();
        throw error;
      }
      return release;
    },
    observe: ({ status, headers }) => {
      const now = Date.now();
      const busy = status === 429 || status === 503;
      if (busy && Number.isFinite(most)) allowed = Math.max(1, allowed / 2);
      else if (status < 400 && allowed < most) allowed = Math.min(most, allowed + 1 / allowed);
      const named = status === 429 ? retryAfter(headers["retry-after"], now) : undefined;
      const wait = patient ? (named ?? quotaPause(headers, now)) : undefined;
      // A quota that opens in an hour is not waited for: the server's own refusal tells the program more.
      if (wait !== undefined && wait <= LONGEST_RETRY_AFTER_MS) closedUntil = Math.max(closedUntil, now + wait);
      wake();
    },
  };
}

/**
 * Milliseconds until a used-up quota opens again; `undefined` when something is left or nothing is said.
 *
 * @param now milliseconds of the epoch
 */
export function quotaPause(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const structured = headers["ratelimit"];
  if (structured !== undefined) {
    const remaining = /(?:^|[;,\s])(?:r|remaining)\s*=\s*(\d+)/.exec(structured)?.[1];
    const reset = /(?:^|[;,\s])(?:t|reset)\s*=\s*(\d+)/.exec(structured)?.[1];
    if (remaining !== undefined && reset !== undefined)
      return Number(remaining) === 0 ? Number(reset) * 1000 : undefined;
  }
  for (const prefix of ["ratelimit-", "x-ratelimit-", "x-rate-limit-"]) {
    const remaining = headers[`${prefix}remaining`];
    const reset = headers[`${prefix}reset`];
    if (remaining === undefined || reset === undefined) continue;
    if (!/^\d+$/.test(remaining) || !/^\d+(\.\d+)?$/.test(reset) || Number(remaining) > 0) return undefined;
    // Some servers give the time of day in seconds of the epoch, others the seconds that are left.
    const value = Number(reset);
    return value > 1e9 ? Math.max(0, value * 1000 - now) : value * 1000;
  }
  return undefined;
}
