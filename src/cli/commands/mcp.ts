import { type Define, examples } from "../define.js";
import { type DocumentOptions, documentOptions, jsonOption } from "../options.js";

export interface McpOptions extends DocumentOptions {
  readonly json?: boolean;
}

export const defineMcp: Define = (program, finish) => {
  const command = program.command("mcp").summary("serve one tool, execute, over the Model Context Protocol").argument("[spec]", "the OpenAPI document");
  documentOptions(jsonOption(command));
  examples(command, "codemode-openapi mcp demo:");
  command.action(async () => {
    finish(0);
  });
};
