import { type Define, examples } from "../define.js";
import { type OutputOptions, outputOptions } from "../options.js";

export const defineDemo: Define = (program, finish) => {
  const command = program
    .command("demo")
    .summary("run a program against a small API on loopback; needs no network")
    .description(
      "Starts a small authenticated API on loopback, runs a program that sequences, fans out and aggregates calls to it,\nand prints the result. The document and the program are shown on the way.",
    )
    .option("-q, --quiet", "print the result only");
  outputOptions(command);
  examples(command, "codemode-openapi demo", "codemode-openapi demo --quiet --output table");
  command.action(async (options: OutputOptions & { quiet?: boolean }) => {
    const { runDemo } = await import("../demo.js");
    finish(await runDemo(options));
  });
};
