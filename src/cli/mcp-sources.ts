/** MCP servers whose tools join the tree: `--mcp name=target` and `mcp` of the configuration file. */
import type { Tool } from "../codemode/tool.js";
import { ToolError } from "../codemode/tool-error.js";
import { CommandFailure, ExitCode } from "./failure.js";
import { onExit } from "./lifecycle.js";

declare const __VERSION__: string;

export interface McpTools {
  /** What stands under `tools.<name>`. */
  readonly tools: Readonly<Record<string, Tool>>;
  readonly instructions: string | undefined;
}

/**
 * Connects to the servers; they are ended with this process.
 *
 * @param targets by name: a command that speaks MCP on its standard streams, or the URL of an endpoint
 * @throws CommandFailure exit code 3 when one cannot be used
 */
export async function connectMcpSources(targets: Readonly<Record<string, string>>): Promise<Record<string, McpTools>> {
  const entries = Object.entries(targets);
  if (entries.length === 0) return {};
  const { connectMcpServer } = await import("../mcp/mcp-tools.js");
  const sources = await Promise.all(
    entries.map(async ([name, target]) => {
      try {
        const source = await connectMcpServer(target, { client: { name: "codemode-openapi", version: __VERSION__ } });
        onExit(() => source.close());
        return [name, source] as const;
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        throw new CommandFailure(`--mcp ${name}: ${error.message}`, ExitCode.document, error.hint);
      }
    }),
  );
  return Object.fromEntries(sources);
}
