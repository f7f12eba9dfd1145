/**
 * No sandbox outlives its host, even one that is caught in an endless loop while the host is killed: a thread of its own
 * waits on a pipe that only the host holds open, and ends the process with it.
 */
import { Worker } from "node:worker_threads";
import { die, LIFELINE } from "./channels.js";

export function startWatchdog(): void {
  // A blocking read costs nothing while it waits. A worker needs no file of its own for two statements.
  const code = `
    try { require("node:fs").readSync(${LIFELINE}, Buffer.alloc(1)); } catch {}
    process.kill(process.pid, "SIGKILL");`;
  const worker = new Worker(code, {
    eval: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  });
  worker.on("error", die);
}
