/** The lines that a program writes to its console: sent on at once, bounded by `maxOutputBytes`. */
import type { ConsoleSink } from "../realm.js";
import { utf8Length } from "./utf8-length.js";

// As the engine made it: that of a program is charged for what it writes.
const { stringify } = JSON;

/** What the console may write in all where no limit is given: more helps nobody and would fill the host's memory. */
const CEILING = 8 * 1024 * 1024;

export class ConsoleLines implements ConsoleSink {
  #left: number;
  #post: (message: string) => void;
  /** Whether something was cut or dropped. */
  truncated = false;

  constructor(maxOutputBytes: number | undefined, post: (message: string) => void) {
    this.#left = Math.min(maxOutputBytes ?? CEILING, CEILING);
    this.#post = post;
  }

  get budget(): number {
    return this.#left;
  }

  line(text: string): void {
    if (this.#left <= 0) {
      this.truncated = true;
      return;
    }
    // The console cuts a line at the budget, so one as long as that is one that was cut.
    let line = text;
    if (line.length >= this.#left) {
      this.truncated = true;
      line = `${line.slice(0, this.#left)}…`;
    }
    // The line break counts, so that empty lines do.
    this.#left -= utf8Length(line) + 1;
    this.#post(`{"type":"log","line":${stringify(line)}}`);
  }
}
