import type { Define } from "../define.js";
import { ExitCode } from "../failure.js";
import { writeOut } from "../terminal.js";

/** What completion scripts call to complete the name of a tool; not for people, so help does not show it. */
export const COMPLETE_TOOL = "complete-tool";

export const defineCompleteTool: Define = (program, finish) => {
  program
    .command(COMPLETE_TOOL, { hidden: true })
    .description("Prints the names of tools that begin as given, one a line, a description after a tab.")
    .argument("<spec>", "the OpenAPI document")
    .argument("[partial]", "the beginning of a name", "")
    .action(async (spec: string, partial: string) => {
      const { toolNames } = await import("../complete-tool.js");
      const lines = (await toolNames(spec, partial)).map(({ name, description }) => `${name}\t${description}\n`);
      await writeOut(lines.join(""));
      finish(ExitCode.success);
    });
};
