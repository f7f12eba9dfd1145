import { type Define, examples } from "../define.js";
import { ExitCode } from "../failure.js";
import { type DocumentOptions, documentOptions, jsonOption, unusedCredentialOptions } from "../options.js";
import { count } from "../values.js";

export interface SearchCommandOptions extends DocumentOptions {
  readonly json?: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly namespace?: string;
}

export const defineSearch: Define = (program, finish) => {
  const command = program
    .command("search")
    .summary("find tools by what they do")
    .description("Finds tools by what they do, the best first.")
    .argument("[words...]", "the OpenAPI document and the query")
    .usage("[options] <spec> <query...>")
    .option("--limit <n>", "how many to show", count(1), 10)
    .option("--offset <n>", "how many to leave out at the start", count(0), 0)
    .option("--namespace <name>", "only tools below this name");
  unusedCredentialOptions(documentOptions(jsonOption(command)));
  examples(
    command,
    "codemode-openapi search demo: refund an order",
    "codemode-openapi search demo: stock --limit 1 --json",
  );
  command.action(async (words: readonly string[], options: SearchCommandOptions) => {
    const { searchCommand } = await import("../search-tools.js");
    await searchCommand(words, options);
    finish(ExitCode.success);
  });
};
