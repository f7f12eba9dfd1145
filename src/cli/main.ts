/**
 * The command line's entry point: `codemode-openapi <command> [options]`.
 */
import { CommandFailure, ExitCode } from "./failure.js";
import { describeFailure, end, governProcess, interruption, lastResort } from "./lifecycle.js";
import { note, writeOut } from "./terminal.js";

declare const __VERSION__: string;

/**
 * Runs the command line and ends the process with its exit code.
 *
 * @param argv the arguments after the program's name
 */
export async function main(argv: readonly string[]): Promise<void> {
  governProcess();
  let code: number;
  try {
    code = await execute(argv);
  } catch (error) {
    if (interruption.signal.aborted) {
      // What an interrupted command says of itself is no news.
      code = ExitCode.interrupted;
    } else if (error instanceof CommandFailure) {
      note(describeFailure(error));
      code = error.exitCode;
    } else {
      note(lastResort(error));
      code = ExitCode.failed;
    }
  }
  await end(code);
}

async function execute(argv: readonly string[]): Promise<number> {
  // Answered before anything else is loaded.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    await writeOut(__VERSION__ + "\n");
    return ExitCode.success;
  }
  const { runProgram } = await import("./program.js");
  return runProgram(argv, __VERSION__);
}
