/** The MCP server: the model-facing tool `execute`, and `search` beside it, over any transport. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import * as Effect from "effect/Effect";
import { CurrentCallObserver } from "../codemode/call-observer.js";
import type { Result } from "../codemode/result.js";
import { settlementText } from "../codemode/settlement.js";
import { type Catalog, search } from "../discovery/index.js";
import { type Json, type JsonObject, stringifyJson } from "../json/json.js";
import { type FileResources, observeExecution } from "./execution-observer.js";
import { EXECUTE_TOOL, SEARCH_TOOL } from "./model-tools.js";

/** What the server serves. The runtime must have been made with `observerHooks`. */
export interface McpHost {
  readonly name: string;
  readonly version: string;
  /** `CodeMode`'s own `execute`: never fails for a fault of the program. */
  execute(source: string, options: { readonly input?: Json }): Effect.Effect<Result>;
  /** The model-facing text: the description of `execute`. */
  readonly instructions: string;
  readonly catalog: Catalog;
  /** Ask the user, through elicitation, before each call that may change something. */
  readonly confirm: boolean;
  /** Files that calls saved, offered as resources. */
  readonly files?: FileResources;
  /** Takes secrets out of what leaves the process. */
  redact(text: string): string;
}

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A server for one connection; `elicitation` says whether the transport can carry a question back to the client. */
export function createMcpServer(host: McpHost, transport: { readonly elicitation: boolean }): Server {
  const server = new Server(
    { name: host.name, version: host.version },
    { capabilities: { tools: {}, logging: {}, ...(host.files ? { resources: {} } : {}) } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ ...EXECUTE_TOOL, description: host.instructions }, SEARCH_TOOL],
  }));
  server.setRequestHandler(CallToolRequestSchema, (request, extra) => {
    const args = (request.params.arguments ?? {}) as JsonObject;
    switch (request.params.name) {
      case EXECUTE_TOOL.name:
        return execute(host, server, transport.elicitation, args, extra);
      case SEARCH_TOOL.name:
        return searchTools(host, args);
      default:
        throw new McpError(
          ErrorCode.InvalidParams,
          `Unknown tool ${JSON.stringify(request.params.name)}: this server has "execute" and "search".`,
        );
    }
  });
  const { files } = host;
  if (files) {
    server.setRequestHandler(ListResourcesRequestSchema, async () => ({ resources: [...(await files.list())] }));
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => {
      const content = await files.read(params.uri);
      if (content === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no file ${params.uri}.`);
      return { contents: [content] };
    });
  }
  return server;
}

async function execute(
  host: McpHost,
  server: Server,
  elicitation: boolean,
  args: JsonObject,
  extra: Extra,
): Promise<CallToolResult> {
  const { code, input } = args;
  if (typeof code !== "string") return refusal('"code" must be a string: the program to run.');
  const observation = observeExecution({ host, server, elicitation, extra });
  const result = await Effect.runPromise(
    host
      .execute(code, input === undefined ? {} : { input })
      .pipe(Effect.provideService(CurrentCallObserver, observation.observer)),
    { signal: extra.signal },
  );
  await observation.finish(result);
  const text = settlementText(result, (name) => host.catalog.get(name)?.tool.facts);
  return {
    content: [{ type: "text", text: host.redact(text) }, ...observation.links()],
    structuredContent: JSON.parse(host.redact(stringifyJson(result as unknown as Json))) as Record<string, unknown>,
    isError: !result.ok,
  };
}

function searchTools(host: McpHost, args: JsonObject): CallToolResult {
  const { query = "", limit, offset, namespace } = args;
  if (typeof query !== "string") return refusal('"query" must be a string.');
  for (const [name, value, least] of [
    ["limit", limit, 1],
    ["offset", offset, 0],
  ] as const) {
    if (value !== undefined && !(Number.isInteger(value) && (value as number) >= least)) {
      return refusal(`"${name}" must be an integer of at least ${least}.`);
    }
  }
  if (namespace !== undefined && typeof namespace !== "string") return refusal('"namespace" must be a string.');
  const found = search(host.catalog, query, {
    ...(limit === undefined ? {} : { limit: limit as number }),
    ...(offset === undefined ? {} : { offset: offset as number }),
    ...(namespace === undefined ? {} : { namespace }),
  });
  const lines = found.items.map((item) => `${item.signature}${item.description ? ` // ${item.description}` : ""}`);
  const rest = found.next === null ? "" : `\n${found.total - found.next.offset} more: offset ${found.next.offset}`;
  return {
    content: [{ type: "text", text: lines.length ? lines.join("\n") + rest : "No tool matches." }],
    structuredContent: found as unknown as Record<string, unknown>,
  };
}

/** A mistake of the model: told as a tool's error, so that the model reads it and tries again. */
function refusal(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
