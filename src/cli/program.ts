/**
 * The commands together. Their definitions are light: what a command does is loaded when it runs.
 */
import { Command, CommanderError } from "commander";
import { defineAuth } from "./commands/auth.js";
import { defineCall } from "./commands/call.js";
import { defineCheck } from "./commands/check.js";
import { defineCompleteTool } from "./commands/complete-tool.js";
import { defineCompletion } from "./commands/completion.js";
import { defineDemo } from "./commands/demo.js";
import { defineInstructions } from "./commands/instructions.js";
import { defineList } from "./commands/list.js";
import { defineLogin } from "./commands/login.js";
import { defineMcp } from "./commands/mcp.js";
import { defineRun } from "./commands/run.js";
import { defineSearch } from "./commands/search.js";
import { defineSkipped } from "./commands/skipped.js";
import { defineTypes } from "./commands/types.js";
import type { Finish } from "./define.js";
import { ExitCode } from "./failure.js";
import { paintErr } from "./terminal.js";

const DEFINITIONS = [
  defineRun,
  defineCall,
  defineList,
  defineSkipped,
  defineSearch,
  defineTypes,
  defineCheck,
  defineInstructions,
  defineMcp,
  defineAuth,
  defineLogin,
  defineDemo,
  defineCompletion,
  defineCompleteTool,
];

const ABOUT =
  "Script any API that has an OpenAPI document: its operations become tools, and a small confined JavaScript or TypeScript program calls them.";

const AFTER = `
<spec> is a file (YAML or JSON), an http(s) URL, - for stdin, or demo: for a small demo API
that is started on loopback for the time of the command.

Examples:
  $ codemode-openapi demo
  $ codemode-openapi list demo:
  $ codemode-openapi run demo: -e 'return (await tools.orders.list({ status: "open" })).length'
  $ codemode-openapi call demo: orders.get --id 1001

Exit codes: 0 success, 1 the program failed, 2 wrong usage or configuration,
3 the document could not be loaded, 130 interrupted.`;

/** Builds the command tree; `finish` is told the exit code of the command that ran. */
export function buildProgram(version: string, finish: Finish): Command {
  const program = new Command("codemode-openapi")
    .description(ABOUT)
    .usage("<command> [options]")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help of a command")
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureHelp({ styleTitle: (title) => paintErr("bold", title) })
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error:/, paintErr("red", "error") + ":")),
    })
    .addHelpText("after", AFTER);
  for (const define of DEFINITIONS) define(program, finish);
  return program;
}

/** Parses the arguments, runs the command and gives its exit code. */
export async function runProgram(argv: readonly string[], version: string): Promise<number> {
  let code: number = ExitCode.success;
  const program = buildProgram(version, (result) => {
    code = result;
  });
  if (argv.length === 0) {
    program.outputHelp({ error: true });
    return ExitCode.usage;
  }
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    // commander has already said what is wrong; help and version end here, too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.success : ExitCode.usage;
    throw error;
  }
}
