import { type Define, examples } from "../define.js";
import { ExitCode } from "../failure.js";
import { type DocumentOptions, documentOptions, jsonOption, unusedCredentialOptions } from "../options.js";

interface SkippedOptions extends DocumentOptions {
  readonly json?: boolean;
  readonly fail?: boolean;
}

export const defineSkipped: Define = (program, finish) => {
  const command = program
    .command("skipped")
    .summary("show what a document says that cannot be sent exactly")
    .description(
      "Shows operations that are no tools, and parts left out of tools, because the document does not say exactly how to\nsend them: each with a code, the reason and the place in the document.",
    )
    .argument("[spec]", "the OpenAPI document")
    .option("--fail", "exit 1 when there are any");
  unusedCredentialOptions(documentOptions(jsonOption(command)));
  examples(
    command,
    "codemode-openapi skipped demo:",
    "codemode-openapi skipped demo: --json",
    "codemode-openapi skipped demo: --convention deepObject=brackets --fail",
  );
  command.action(async (spec: string | undefined, options: SkippedOptions) => {
    const [{ beginSession }, { loadApis }, { writeSkipped }] = await Promise.all([
      import("../session.js"),
      import("../apis.js"),
      import("../listing.js"),
    ]);
    const session = await beginSession(spec === undefined ? [] : [spec], 0, options);
    const found = await writeSkipped(await loadApis({ apis: session.apis, mcp: {} }), options.json === true);
    finish(options.fail && found > 0 ? ExitCode.failed : ExitCode.success);
  });
};
