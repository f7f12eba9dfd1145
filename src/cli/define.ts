import type { Command } from "commander";
import type { ExitCode } from "./failure.js";

/** Told the exit code of the command that ran. */
export type Finish = (code: ExitCode) => void;

/** Adds one command to the program. */
export type Define = (program: Command, finish: Finish) => void;

/** A command's help ends with examples that work as pasted. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText("after", "\nExamples:\n" + lines.map((line) => `  $ ${line}`).join("\n"));
}
