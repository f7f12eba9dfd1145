import { type Define, examples } from "../define.js";
import { ExitCode } from "../failure.js";
import { type DocumentOptions, documentOptions, jsonOption, unusedCredentialOptions } from "../options.js";
import { count } from "../values.js";

export interface InstructionsOptions extends DocumentOptions {
  readonly json?: boolean;
  readonly budget?: number;
}

export const defineInstructions: Define = (program, finish) => {
  const command = program
    .command("instructions")
    .summary("print the text that tells a model how to write programs")
    .description("Prints the model-facing text: the rules of the language and as much of the catalog as fits.")
    .argument("[spec]", "the OpenAPI document")
    .option("--budget <tokens>", "most tokens of the catalog", count(1));
  unusedCredentialOptions(documentOptions(jsonOption(command)));
  examples(command, "codemode-openapi instructions demo:", "codemode-openapi instructions demo: --json");
  command.action(async (spec: string | undefined, options: InstructionsOptions) => {
    const { instructionsCommand } = await import("../write-instructions.js");
    await instructionsCommand(spec === undefined ? [] : [spec], options);
    finish(ExitCode.success);
  });
};
