/** What a program holds: the heap and the buffers beside it, beyond what the sandbox held before the program started. */
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The sandbox and a realm hold less than half of this, in bytes. */
const MUCH = 64 * 1024 * 1024;

/** Young objects beyond this, in bytes, are looked through between two programs. */
const YOUNG = 2 * 1024 * 1024;

let collect: ((options?: { readonly type: "minor" }) => void) | undefined;

/** Collects all garbage, or the young only. The function is fetched at the first need, and no context made later has it. */
function collectGarbage(options?: { readonly type: "minor" }): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as NonNullable<typeof collect>;
    setFlagsFromString("--no-expose-gc");
  }
  collect(options);
}

export class Memory {
  /** Nothing is collected before the next program. */
  #asItIs: boolean;
  #base = 0;

  /** `once`: one program will be all, and the first is not to wait until room is made. */
  constructor(once: boolean) {
    this.#asItIs = once;
  }

  /**
   * What is held from here on counts. Garbage of the program before is collected first: it would count for nothing.
   *
   * Each collection makes the other half of the young generation the one in use, so there are two of them: all programs begin in the
   * same half, whose pages are there. The system takes longer to provide those of the other than programs take to fill them. The
   * second one finds next to nothing to do. Before the first program it is the sandbox itself that is moved out of the way.
   */
  start(): void {
    const recent = young();
    const full = held() - recent > MUCH;
    if (!this.#asItIs && (full || recent > YOUNG)) {
      collectGarbage(full ? undefined : { type: "minor" });
      collectGarbage({ type: "minor" });
    }
    this.#asItIs = false;
    this.#base = held();
  }

  /** Bytes; `exact` collects garbage first. */
  used(exact: boolean): number {
    if (exact) collectGarbage();
    return Math.max(0, held() - this.#base);
  }
}

function held(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

function young(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_used_size ?? 0;
}
