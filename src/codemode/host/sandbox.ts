import type { Limits } from "../limits.js";
import { SandboxPool } from "./sandbox-pool.js";

/** The processes of a runtime. Opaque to users: started ahead by `CodeMode.prestart`, given to `CodeMode.make`. */
export class Sandbox {
  /** @internal */
  readonly pool: SandboxPool;

  constructor({ maxMemoryBytes }: Pick<Limits, "maxMemoryBytes">) {
    this.pool = new SandboxPool(maxMemoryBytes);
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
