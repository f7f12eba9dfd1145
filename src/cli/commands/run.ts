import { Option } from "commander";
import { type Define, examples } from "../define.js";
import {
  type DocumentOptions,
  documentOptions,
  type InputOptions,
  inputOptions,
  type LimitOptions,
  limitOptions,
  type OutputOptions,
  outputOptions,
  type RequestOptions,
  requestOptions,
} from "../options.js";

export interface RunOptions extends DocumentOptions, RequestOptions, LimitOptions, InputOptions, OutputOptions {
  readonly eval?: string;
  readonly language?: "javascript" | "typescript";
  readonly check?: boolean;
}

export const defineRun: Define = (program, finish) => {
  const command = program
    .command("run")
    .summary("run a program against the API")
    .description("Runs a JavaScript or TypeScript program whose `tools` are the operations of the document.")
    .argument("[spec]", "the OpenAPI document")
    .argument("[program]", "a .ts or .js file, or - for stdin")
    .usage("[options] <spec> [program]")
    .option("-e, --eval <code>", "the program itself, instead of a file")
    .addOption(
      new Option("--language <language>", "language of the program (default: what it is)").choices([
        "javascript",
        "typescript",
      ]),
    )
    .option("--check", "check the program first; run it only when nothing is wrong");
  inputOptions(command, "the program's global `input`");
  outputOptions(command);
  documentOptions(command);
  requestOptions(command);
  limitOptions(command, { timeout: "5m", maxOutputBytes: "none" });
  examples(
    command,
    "codemode-openapi run demo: -e 'return tools.orders.list({ status: \"open\" })' --output table",
    "codemode-openapi run demo: -e 'return tools.orders.list({ customer_id: input.customer })' --arg customer=c-2",
    "echo 'return Object.keys(tools)' | codemode-openapi run demo: -",
  );
  command.action(async (spec: string | undefined, file: string | undefined, options: RunOptions) => {
    const { runCommand } = await import("../run-program.js");
    finish(
      await runCommand(
        [spec, file].filter((word) => word !== undefined),
        options,
      ),
    );
  });
};
