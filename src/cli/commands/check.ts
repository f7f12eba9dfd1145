import { type Define, examples } from "../define.js";
import { type DocumentOptions, documentOptions, jsonOption, unusedCredentialOptions } from "../options.js";

export interface CheckOptions extends DocumentOptions {
  readonly json?: boolean;
  readonly eval?: string;
}

export const defineCheck: Define = (program, finish) => {
  const command = program
    .command("check")
    .summary("check a program without sending anything")
    .description("Parses the program, finds unsupported syntax and unknown tools, and type-checks it. Nothing is sent.")
    .argument("[spec]", "the OpenAPI document")
    .argument("[program]", "a .ts or .js file, or - for stdin")
    .usage("[options] <spec> [program]")
    .option("-e, --eval <code>", "the program itself, instead of a file");
  unusedCredentialOptions(documentOptions(jsonOption(command)));
  examples(
    command,
    "codemode-openapi check demo: -e 'return tools.orders.get({ id: 1001 })'",
    "codemode-openapi check demo: -e 'return tools.orders.gett({ id: 1 })' --json || echo 'exit code 1: there is a mistake'",
  );
  command.action(async (spec: string | undefined, file: string | undefined, options: CheckOptions) => {
    const { checkCommand } = await import("../check-program.js");
    finish(
      await checkCommand(
        [spec, file].filter((word) => word !== undefined),
        options,
      ),
    );
  });
};
