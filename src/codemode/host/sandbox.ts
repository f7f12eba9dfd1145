import { SandboxPool } from "./sandbox-pool.js";

/** What bounds the processes that programs run in. The library has no defaults: an absent bound is none. */
export interface SandboxOptions {
  /** Bytes that a program may hold. */
  readonly maxMemoryBytes?: number | undefined;
  /**
   * Sandbox processes at a time, and so programs that run at a time; further executions wait for their turn, first come,
   * first served. Waiting does not count against `timeoutMs`, and ends when the execution is interrupted. A program whose
   * tools run programs in the same sandbox occupies a process for each level: leave room for that.
   */
  readonly maxProcesses?: number | undefined;
  /** Processes are meant for one program each: they start sooner, with less memory at hand. Default: false. */
  readonly oneProgram?: boolean | undefined;
}

/** The processes of a runtime. Opaque to users: started ahead by `CodeMode.prestart`, given to `CodeMode.make`. */
export class Sandbox {
  /** @internal */
  readonly pool: SandboxPool;

  /** @throws RangeError when `maxProcesses` is not a whole number of at least 1. */
  constructor({ maxMemoryBytes, maxProcesses, oneProgram }: SandboxOptions) {
    if (maxProcesses !== undefined && (!Number.isSafeInteger(maxProcesses) || maxProcesses < 1)) {
      throw new RangeError(`maxProcesses must be a whole number of at least 1, not ${String(maxProcesses)}.`);
    }
    this.pool = new SandboxPool({ maxMemoryBytes, maxProcesses, oneProgram });
  }

  /** Starts a process, unless one waits. */
  prestart(): void {
    this.pool.prestart();
  }

  /** Ends the processes that wait. */
  close(): void {
    this.pool.close();
  }
}
