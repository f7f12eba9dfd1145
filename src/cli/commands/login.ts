import { type Define, examples } from "../define.js";
import { type DocumentOptions, documentOptions, jsonOption } from "../options.js";

export interface LoginOptions extends DocumentOptions {
  readonly json?: boolean;
}

export const defineLogin: Define = (program, finish) => {
  const command = program
    .command("login")
    .summary("obtain OAuth tokens in the browser")
    .argument("[words...]", "the OpenAPI document and the scheme");
  documentOptions(jsonOption(command));
  examples(command, "codemode-openapi login --help");
  command.action(async () => {
    finish(0);
  });
};
