/** What one execution tells its MCP client while it runs: progress, questions, logs, files. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ElicitResultSchema, type ResourceLink } from "@modelcontextprotocol/sdk/types.js";
import * as Effect from "effect/Effect";
import type { CallObserver } from "../codemode/call-observer.js";
import type { ToolCallStart } from "../codemode/host/tool-call.js";
import type { Result } from "../codemode/result.js";
import { ToolError } from "../codemode/tool-error.js";
import { stringifyJson } from "../json/json.js";
import type { Extra, McpHost } from "./server.js";

/** The files that calls saved. */
export interface FileResources {
  list(): Promise<readonly { readonly uri: string; readonly name: string; readonly mimeType?: string }[]>;
  read(uri: string): Promise<{ uri: string; blob: string; mimeType?: string } | undefined>;
  /** The URI of a saved file by its handle's name. */
  uri(name: string): string;
}

export interface ExecutionObservation {
  readonly observer: CallObserver;
  /** Sends what is told at the end: the program's console as log messages. */
  finish(result: Result): Promise<void>;
  /** A link for each file that a call of this execution saved. */
  links(): ResourceLink[];
}

/** How much of a call's input is shown in a question. */
const SHOWN_INPUT = 2_000;

export function observeExecution(context: {
  readonly host: McpHost;
  readonly server: Server;
  readonly elicitation: boolean;
  readonly extra: Extra;
}): ExecutionObservation {
  const { host, server, elicitation, extra } = context;
  const progressToken = extra._meta?.progressToken;
  const saved = new Set<string>();
  let started = 0;
  let ended = 0;

  // A client that has gone away, or takes no such message, must not fail the execution.
  const notify = (send: () => Promise<void>): void => void send().catch(() => {});
  const progress = (message: string): void => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: started + ended, message };
    notify(() => extra.sendNotification({ method: "notifications/progress", params }));
  };

  const observer: CallObserver = {
    before: (call) =>
      Effect.suspend(() => {
        const changes = host.catalog.get(call.tool)?.tool.facts.readOnly !== true;
        return Effect.andThen(
          host.confirm && changes ? askFirst(call) : Effect.void,
          Effect.sync(() => {
            started++;
            progress(`${call.tool} started`);
          }),
        );
      }),
    after: (call) => {
      ended++;
      for (const file of call.files ?? []) saved.add(file);
      progress(`${call.tool}: ${call.outcome}`);
    },
  };

  function askFirst({ tool, input }: ToolCallStart): Effect.Effect<void, ToolError> {
    if (!elicitation || server.getClientCapabilities()?.elicitation === undefined) {
      return Effect.fail(
        new ToolError(`${tool} needs the user's confirmation, and this client cannot ask for it.`, {
          hint: "Use a client with elicitation over stdio, or start the server without --confirm.",
        }),
      );
    }
    const { method, pathTemplate } = host.catalog.get(tool)?.tool.facts ?? {};
    const title = method === undefined ? tool : `${method} ${pathTemplate} (${tool})`;
    const shown = host.redact(stringifyJson(input ?? null, 2)).slice(0, SHOWN_INPUT);
    const params = {
      mode: "form" as const,
      message: `Allow this call?\n${title}\n${shown}`,
      requestedSchema: { type: "object" as const, properties: {} },
    };
    return Effect.tryPromise({
      try: (signal) =>
        extra.sendRequest({ method: "elicitation/create", params }, ElicitResultSchema, {
          signal,
          timeout: 600_000,
        }),
      catch: (cause) => new ToolError(`${tool}: the user could not be asked.`, { cause }),
    }).pipe(
      Effect.flatMap(({ action }) =>
        action === "accept" ? Effect.void : Effect.fail(new ToolError(`The user did not allow ${tool}.`)),
      ),
    );
  }

  return {
    observer,
    finish: async (result) => {
      for (const line of result.logs ?? []) {
        notify(() =>
          server.sendLoggingMessage({ level: "info", logger: "console", data: host.redact(line) }, extra.sessionId),
        );
      }
    },
    links: () =>
      host.files === undefined
        ? []
        : [...saved].map((name) => ({ type: "resource_link", uri: host.files!.uri(name), name })),
  };
}
