/**
 * No sandbox outlives its host, even one that is caught in an endless loop while the host is killed: a thread of its own
 * waits on a pipe that only the host holds open, and ends the process with it. On that pipe the host may ask where a program is
 * that answers nothing else; the thread answers with what the program's own thread has noted.
 */
import { Worker } from "node:worker_threads";
import { die, LIFELINE, SANDBOX_TO_HOST } from "./channels.js";

/** `place` is the offset in the source of the program, over shared memory. */
export function startWatchdog(place: Int32Array): void {
  // A blocking read costs nothing while it waits. A worker needs no file of its own for two statements.
  const code = `
    const { readSync, writeSync } = require("node:fs");
    const place = require("node:worker_threads").workerData;
    try {
      while (readSync(${LIFELINE}, Buffer.alloc(1)) === 1)
        writeSync(${SANDBOX_TO_HOST}, '{"type":"where","offset":' + place[0] + '}\\n');
    } catch {}
    process.kill(process.pid, "SIGKILL");`;
  const worker = new Worker(code, {
    eval: true,
    workerData: place,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  });
  worker.on("error", die);
}
