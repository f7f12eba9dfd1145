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

export interface CallOptions extends DocumentOptions, RequestOptions, LimitOptions, InputOptions, OutputOptions {
  readonly help?: boolean;
  readonly response?: boolean;
}

export const defineCall: Define = (program, finish) => {
  const command = program
    .command("call")
    .summary("call one tool without a program")
    .description(
      'Calls one tool. <tool> is a tool\'s name or path, an operationId, or "GET /path/{x}". Its inputs are options:\n--<field> <value>, typed by the document; lists repeat the option or take JSON; a file is @path.',
    )
    .argument("[words...]", "the OpenAPI document, the tool and its inputs")
    .usage("[options] <spec> <tool> [--<field> <value>...]")
    .allowUnknownOption()
    .helpOption(false)
    .option("-h, --help", "show help; with <spec> and <tool>, the inputs of the tool")
    .option("--response", "print { status, headers, data } of whatever the server answers");
  inputOptions(command, "the tool's input");
  outputOptions(command);
  documentOptions(command);
  requestOptions(command);
  limitOptions(command, { timeout: "5m", maxOutputBytes: "none" });
  examples(
    command,
    "codemode-openapi call demo: orders.get --id 1001",
    "codemode-openapi call demo: 'GET /orders' --status open --per-page 2 --output table",
    'codemode-openapi call demo: orders/create --customerId c-1 --lines \'[{"sku": "cup-set", "quantity": 1}]\'',
    "codemode-openapi call demo: orders.refund --help",
  );
  command.action(async (words: readonly string[], options: CallOptions) => {
    const { callCommand } = await import("../call/call-tool.js");
    finish(await callCommand(words, options, () => command.outputHelp()));
  });
};
