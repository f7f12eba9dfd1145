/** Another MCP server as a source of tools: its tools join the tree, and programs call them like any other. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult, Tool as McpTool } from "@modelcontextprotocol/sdk/types.js";
import * as Effect from "effect/Effect";
import type { Answer, JsonSchema, Tool } from "../codemode/tool.js";
import { ToolError } from "../codemode/tool-error.js";
import { isJsonObject, type Json, type JsonObject } from "../json/json.js";

export interface McpSourceOptions {
  /** How this program names itself to the server. */
  readonly client: { readonly name: string; readonly version: string };
  /** Request fields for a server behind a URL, e.g. `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface McpSource {
  /** By the server's own names. */
  readonly tools: Readonly<Record<string, Tool>>;
  /** What the server says of itself; to be shown only where one of its tools is. */
  readonly instructions: string | undefined;
  close(): Promise<void>;
}

/**
 * Connects to an MCP server and lists its tools.
 *
 * @param target an http(s) URL (streamable HTTP), or a command line that speaks MCP on its standard streams.
 * @throws ToolError when the server cannot be reached or does not speak MCP.
 */
export async function connectMcpServer(target: string, options: McpSourceOptions): Promise<McpSource> {
  const client = new Client(options.client, { capabilities: {} });
  try {
    await client.connect(transportTo(target, options));
    const tools: Record<string, Tool> = Object.create(null);
    for await (const tool of listTools(client)) tools[tool.name] = remoteTool(client, tool);
    return { tools, instructions: client.getInstructions(), close: () => client.close() };
  } catch (cause) {
    await client.close().catch(() => {});
    const detail = cause instanceof Error ? `: ${cause.message}` : "";
    throw new ToolError(`The MCP server ${JSON.stringify(target)} could not be used${detail}`, {
      cause,
      hint: "Give a command that speaks MCP on its standard streams, or the URL of a streamable HTTP endpoint.",
    });
  }
}

function transportTo(target: string, options: McpSourceOptions): Transport {
  if (/^https?:\/\//i.test(target)) {
    return new StreamableHTTPClientTransport(new URL(target), {
      requestInit: { headers: { ...options.headers } },
    }) as Transport;
  }
  // The command is the user's own words, quoting included: their shell reads it. The server gets no secret of ours.
  const [command, args] = process.platform === "win32" ? ["cmd", ["/c", target]] : ["sh", ["-c", `exec ${target}`]];
  return new StdioClientTransport({
    command: command as string,
    args: args as string[],
    env: getDefaultEnvironment(),
    stderr: "ignore",
  });
}

async function* listTools(client: Client): AsyncGenerator<McpTool> {
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    yield* page.tools;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function remoteTool(client: Client, tool: McpTool): Tool {
  return {
    description: tool.description ?? tool.title ?? "",
    inputSchema: tool.inputSchema as JsonSchema,
    outputSchema: tool.outputSchema as JsonSchema | undefined,
    facts: { summary: tool.title, readOnly: tool.annotations?.readOnlyHint },
    call: (input) =>
      Effect.gen(function* () {
        if (input !== undefined && input !== null && !isJsonObject(input)) {
          return yield* Effect.fail(new ToolError(`${tool.name} takes an object.`, { kind: "InvalidToolInput" }));
        }
        const result = yield* Effect.tryPromise({
          try: (signal) =>
            client.callTool({ name: tool.name, arguments: (input ?? {}) as JsonObject }, undefined, { signal }),
          catch: (cause) => new ToolError(`The MCP server failed: ${(cause as Error).message}`, { cause }),
        });
        return yield* answerOf(result as CallToolResult);
      }),
  };
}

/** Structured content where there is any; else what the content blocks hold. Text stays text: it is never parsed. */
function answerOf(result: CallToolResult): Effect.Effect<Answer, ToolError> {
  const blocks = result.content ?? [];
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  if (result.isError) return Effect.fail(new ToolError(texts.join("\n") || "The tool reported an error."));
  if (result.structuredContent !== undefined) return Effect.succeed({ data: result.structuredContent as Json });
  if (texts.length === blocks.length) return Effect.succeed({ data: texts.length === 1 ? texts[0]! : texts });
  return Effect.succeed({ data: blocks.map(describeBlock) });
}

/** A content block without its bytes: those never enter a program. */
function describeBlock(block: CallToolResult["content"][number]): Json {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return { type: block.type, mediaType: block.mimeType, bytes: Buffer.byteLength(block.data, "base64") };
    case "resource":
      return "text" in block.resource
        ? { type: "resource", uri: block.resource.uri, text: block.resource.text }
        : { type: "resource", uri: block.resource.uri, bytes: Buffer.byteLength(block.resource.blob, "base64") };
    default:
      return { type: "resource_link", uri: block.uri, name: block.name };
  }
}
