import { type Define, examples } from "../define.js";
import {
  type DocumentOptions,
  documentOptions,
  jsonOption,
  type LimitOptions,
  limitOptions,
  type RequestOptions,
  requestOptions,
} from "../options.js";
import { count, each, text } from "../values.js";

export interface McpOptions extends DocumentOptions, RequestOptions, LimitOptions {
  readonly json?: boolean;
  readonly http?: number;
  readonly host?: string;
  readonly token?: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly budget?: number;
  readonly executions?: number;
}

export const defineMcp: Define = (program, finish) => {
  const command = program
    .command("mcp")
    .summary("serve one tool, execute, over the Model Context Protocol")
    .description(
      "Serves the tools of the document to an agent through one model-facing tool, execute, which runs programs; search stands beside it. Over stdin and stdout, or over HTTP.",
    )
    .argument("[spec]", "the OpenAPI document")
    .option("--http <port>", "serve over streamable HTTP on this port (0: a free one)", count(0))
    .option("--host <address>", "address to bind (default: 127.0.0.1)")
    .option(
      "--token <source>",
      "the bearer token that clients must send: env:NAME, file:PATH, cmd:COMMAND (default: a new one, shown on stderr)",
    )
    .option("--allow-host <name>", "a further Host header to accept (repeatable)", each(text))
    .option("--allow-origin <origin>", "a web origin to accept (repeatable)", each(text))
    .option("--budget <tokens>", "most tokens of the instructions", count(1))
    .option(
      "--executions <n>",
      "programs that run at a time; further ones wait for their turn (default: twice the processors, at least 4)",
      count(1),
    );
  jsonOption(command);
  documentOptions(command);
  requestOptions(command);
  limitOptions(command, { timeout: "60s", maxOutputBytes: "100kB" });
  examples(
    command,
    `printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | codemode-openapi mcp demo:`,
    "codemode-openapi mcp demo: --http 0 --read-only",
  );
  command.action(async (spec: string | undefined, options: McpOptions) => {
    const { mcpCommand } = await import("../serve-mcp.js");
    finish(await mcpCommand(spec === undefined ? [] : [spec], options));
  });
};
