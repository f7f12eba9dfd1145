import { type Define, examples } from "../define.js";
import { ExitCode } from "../failure.js";
import { type DocumentOptions, documentOptions, jsonOption, unusedCredentialOptions } from "../options.js";

export interface TypesOptions extends DocumentOptions {
  readonly json?: boolean;
  readonly out?: string;
}

export const defineTypes: Define = (program, finish) => {
  const command = program
    .command("types")
    .summary("print TypeScript declarations for an editor")
    .description("Prints TypeScript declarations of `tools`, `input`, `search` and the other globals of a program.")
    .argument("[spec]", "the OpenAPI document")
    .option("-o, --out <file.d.ts>", "write them to a file");
  unusedCredentialOptions(documentOptions(jsonOption(command)));
  examples(command, "codemode-openapi types demo: -o demo.d.ts", "codemode-openapi types demo: --tag orders");
  command.action(async (spec: string | undefined, options: TypesOptions) => {
    const { typesCommand } = await import("../write-types.js");
    await typesCommand(spec === undefined ? [] : [spec], options);
    finish(ExitCode.success);
  });
};
