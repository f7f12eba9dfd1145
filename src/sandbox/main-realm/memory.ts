/** What a program holds: the heap and the buffers beside it, beyond what the sandbox held before the program started. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/** Collects all garbage. The function is fetched at the first need, and no context made later has it. */
function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
    setFlagsFromString("--no-expose-gc");
  }
  collect();
}

export class Memory {
  #base = 0;

  /** What is held from here on counts. */
  start(): void {
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
