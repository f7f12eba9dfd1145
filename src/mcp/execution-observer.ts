/** What one execution tells its MCP client while it runs: progress, questions, logs, files. */
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ElicitResultSchema, type ResourceLink } from "@modelcontextprotocol/sdk/types.js";
import * as Effect from "effect/Effect";
import type { Result } from "../codemode/result.js";
import type { Answer } from "../codemode/tool.js";
import { ToolError } from "../codemode/tool-error.js";
import type { NamedTool } from "../codemode/tree.js";
import { type Json, stringifyJson } from "../json/json.js";
import type { CallObserver } from "./call-observer.js";
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
    before: (named, input) =>
      Effect.suspend(() => {
        const allowed = host.confirm && named.tool.facts.readOnly !== true ? askFirst(named, input) : Effect.void;
        return Effect.andThen(
          allowed,
          Effect.sync(() => {
            started++;
            progress(`${named.name} started`);
          }),
        );
      }),
    after: (named, answer) => {
      ended++;
      for (const file of filesOf(answer)) saved.add(file);
      progress(`${named.name} ${answer === undefined ? "failed" : "done"}`);
    },
  };

  function askFirst(named: NamedTool<unknown>, input: Json | undefined): Effect.Effect<void, ToolError> {
    if (!elicitation || server.getClientCapabilities()?.elicitation === undefined) {
      return Effect.fail(
        new ToolError(`${named.name} needs the user's confirmation, and this client cannot ask for it.`, {
          hint: "Use a client with elicitation over stdio, or start the server without --confirm.",
        }),
      );
    }
    const { method, pathTemplate } = named.tool.facts;
    const title = method === undefined ? named.name : `${method} ${pathTemplate} (${named.name})`;
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
      catch: (cause) => new ToolError(`${named.name}: the user could not be asked.`, { cause }),
    }).pipe(
      Effect.flatMap(({ action }) =>
        action === "accept" ? Effect.void : Effect.fail(new ToolError(`The user did not allow ${named.name}.`)),
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

/** The names of the files that an answer stands for: those it names, and a handle that is its data. */
function filesOf(answer: Answer | undefined): readonly string[] {
  return answer?.files ?? [];
}
