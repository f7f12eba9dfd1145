import { type Define, examples } from "../define.js";
import { ExitCode } from "../failure.js";
import { type DocumentOptions, documentOptions, jsonOption, unusedCredentialOptions } from "../options.js";

interface ListOptions extends DocumentOptions {
  readonly json?: boolean;
}

export const defineList: Define = (program, finish) => {
  const command = program
    .command("list")
    .summary("show the tools that a document gives")
    .description("Shows the tools: their signatures, methods, path templates and descriptions.")
    .argument("[spec]", "the OpenAPI document");
  unusedCredentialOptions(documentOptions(jsonOption(command)));
  examples(command, "codemode-openapi list demo:", "codemode-openapi list demo: --tag orders --json");
  command.action(async (spec: string | undefined, options: ListOptions) => {
    const [{ beginSession }, { loadApis }, { writeListing }] = await Promise.all([
      import("../session.js"),
      import("../apis.js"),
      import("../listing.js"),
    ]);
    const session = await beginSession(spec === undefined ? [] : [spec], 0, options);
    await writeListing(await loadApis({ apis: session.apis, mcp: {} }), options.json === true);
    finish(ExitCode.success);
  });
};
