/**
 * The two streams of the command line. Results go to stdout and nothing else does; everything for a person goes to stderr.
 */
import { writeSync } from "node:fs";
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** https://no-color.org: set and not empty means no colour; FORCE_COLOR wins, a dumb or missing terminal never has any. */
function colours(stream: NodeJS.WriteStream): boolean {
  const { env } = process;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== "dumb";
}

export type Paint = (style: Style, text: string) => string;

function painter(stream: NodeJS.WriteStream): Paint {
  const on = colours(stream);
  return (style, text) => (on && text !== "" ? styleText(style, text) : text);
}

export const paintOut: Paint = painter(process.stdout);
export const paintErr: Paint = painter(process.stderr);

/** Characters that would steer a terminal: text of an API or a program is shown, never obeyed. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text from outside, safe to show on a terminal. */
export function shown(text: string): string {
  return text.replace(CONTROL, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** Writes to stdout and waits until the reader has taken it, so that an exit right after loses nothing. */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes one line (or several) to stderr at once. */
export function note(text: string): void {
  try {
    process.stderr.write(text + "\n");
  } catch {
    // A closed stderr must not turn a good result into a failure.
  }
}

/** For the last words of a dying process: synchronous, never throws. */
export function lastWords(text: string): void {
  try {
    writeSync(2, text + "\n");
  } catch {
    // Nobody is listening.
  }
}

export function warn(text: string): void {
  note(`${paintErr("yellow", "warning")}: ${text}`);
}
