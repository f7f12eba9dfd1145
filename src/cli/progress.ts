/**
 * Tool calls as they happen, for a person at a terminal: one line each on stderr when it ends, and what is still running
 * on a last line that is rewritten.
 */

import { truncate } from "./render/width.js";
import { paintErr, shown } from "./terminal.js";

export interface Progress {
  started(tool: string): void;
  ended(call: {
    readonly tool: string;
    readonly outcome: "success" | "failure" | "interrupted";
    readonly durationMs: number;
    readonly status?: number;
  }): void;
  /** Removes the last line; called before anything else is written. */
  stop(): void;
}

const SILENT: Progress = { started() {}, ended() {}, stop() {} };

const MARKS = { success: ["green", "✓"], failure: ["red", "✗"], interrupted: ["yellow", "–"] } as const;

/** Most lines that are worth reading; a fan-out over thousands is counted, not listed. */
const MOST_LINES = 40;

/** Progress on stderr where it is a terminal, nothing otherwise. */
export function makeProgress(): Progress {
  const stream = process.stderr;
  if (!stream.isTTY || process.env.TERM === "dumb") return SILENT;
  const running = new Map<string, number>();
  let ended = 0;
  let drawn = false;
  const clear = () => {
    if (drawn) stream.write("\r\u001b[2K");
    drawn = false;
  };
  const draw = () => {
    clear();
    let total = 0;
    for (const count of running.values()) total += count;
    if (total === 0) return;
    const [first] = running.keys();
    const others = total > 1 ? ` and ${total - 1} more` : "";
    stream.write(paintErr("dim", truncate(`… ${shown(first!)}${others} (${ended} done)`, (stream.columns ?? 80) - 1)));
    drawn = true;
  };
  return {
    started(tool) {
      running.set(tool, (running.get(tool) ?? 0) + 1);
      draw();
    },
    ended({ tool, outcome, durationMs, status }) {
      const left = (running.get(tool) ?? 1) - 1;
      if (left > 0) running.set(tool, left);
      else running.delete(tool);
      ended++;
      clear();
      if (ended <= MOST_LINES || outcome === "failure") {
        const [colour, mark] = MARKS[outcome];
        const details = [status, `${Math.round(durationMs)} ms`].filter((part) => part !== undefined).join(", ");
        stream.write(`${paintErr(colour, mark)} ${shown(tool)} ${paintErr("dim", details)}\n`);
      }
      draw();
    },
    stop: clear,
  };
}
