/** What bounds an execution. The library has no defaults: an absent limit is no limit. */
export interface Limits {
  /** Milliseconds for a program, tool calls included. */
  readonly timeoutMs?: number | undefined;
  /** Tool calls of one execution; a search and each page of a listing count as one. */
  readonly maxToolCalls?: number | undefined;
  /** Bytes of UTF-8 for the value and the logs of an execution. */
  readonly maxOutputBytes?: number | undefined;
  /** Bytes that a program may hold. */
  readonly maxMemoryBytes?: number | undefined;
  /** Tool calls that run at the same time; further ones wait for their turn. */
  readonly concurrency?: number | undefined;
}

/** The least that each limit may be. */
const LEAST: { readonly [name in keyof Limits]-?: number } = {
  timeoutMs: 1,
  maxToolCalls: 0,
  maxOutputBytes: 1,
  // Less than this holds no program at all.
  maxMemoryBytes: 1024 * 1024,
  concurrency: 1,
};

/**
 * Checks limits as a user gave them.
 *
 * @throws RangeError for a limit that is not a whole number in its range, or that does not exist.
 */
export function checkedLimits(limits: Limits = {}): Limits {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(LEAST, name)) {
      throw new RangeError(
        `There is no limit ${JSON.stringify(name)}: the limits are ${Object.keys(LEAST).join(", ")}.`,
      );
    }
    const least = LEAST[name as keyof Limits];
    if (value !== undefined && (!Number.isSafeInteger(value) || value < least)) {
      throw new RangeError(`The limit ${name} must be a whole number of at least ${least}, not ${String(value)}.`);
    }
  }
  return { ...limits };
}
