/**
 * `mcp <spec>`: one model-facing tool over a whole API.
 */
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { observerHooks } from "../codemode/call-observer.js";
import { CodeMode } from "../codemode/code-mode.js";
import { CredentialError, parseSource } from "../credentials/sources.js";
import { fileResources } from "../mcp/file-resources.js";
import type { McpHost } from "../mcp/server.js";
import { type LoadedApis, loadApis } from "./apis.js";
import type { McpOptions } from "./commands/mcp.js";
import { ExitCode, systemReason, usageFailure } from "./failure.js";
import { interruption, onExit } from "./lifecycle.js";
import { beginSession } from "./session.js";
import { limitSettings } from "./settings.js";
import { note, paintErr, writeOut } from "./terminal.js";

declare const __VERSION__: string;

async function bearerToken(source: string | undefined, apis: LoadedApis): Promise<{ token: string; fresh: boolean }> {
  if (source === undefined) return { token: randomBytes(24).toString("base64url"), fresh: true };
  try {
    return { token: await parseSource(source, apis.client.redactor).read(), fresh: false };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw usageFailure(`--token: ${error.message}`, error.hint);
  }
}

async function overHttp(host: McpHost, port: number, options: McpOptions, apis: LoadedApis): Promise<void> {
  const { serveHttp } = await import("../mcp/http.js");
  const { token, fresh } = await bearerToken(options.token, apis);
  const serving = await serveHttp(host, {
    port,
    token,
    ...(options.host === undefined ? {} : { hostname: options.host }),
    allowedHosts: options.allowHost ?? [],
    allowedOrigins: options.allowOrigin ?? [],
  }).catch((error: unknown) => {
    throw usageFailure(`Nothing can listen on ${options.host ?? "127.0.0.1"}:${port}: ${systemReason(error)}.`);
  });
  onExit(() => serving.close());
  if (options.json) await writeOut(JSON.stringify({ url: serving.url, token: fresh ? token : null }) + "\n");
  note(`MCP server at ${paintErr("cyan", serving.url)}${fresh ? `\nAuthorization: Bearer ${token}` : ""}`);
  await new Promise<void>((resolve) => interruption.signal.addEventListener("abort", () => resolve()));
}

const withMcpInstructions = ({ mcpInstructions }: LoadedApis, text: string): string =>
  mcpInstructions === "" ? text : `${text}\n\n${mcpInstructions}`;

export async function mcpCommand(words: readonly string[], options: McpOptions): Promise<ExitCode> {
  if (options.json && options.http === undefined)
    throw usageFailure("--json goes with --http: stdout belongs to the protocol.");
  const session = await beginSession(words, 0, options);
  const limits = limitSettings(options, session.loaded, { timeoutMs: 60_000, maxOutputBytes: 100_000 });
  const sandbox = CodeMode.prestart({
    maxMemoryBytes: limits.maxMemoryBytes,
    maxProcesses: options.executions ?? Math.max(4, 2 * availableParallelism()),
  });
  onExit(() => sandbox.close());
  const apis = await loadApis(session, { options, loaded: session.loaded, limits });
  const { maxResponseBytes: _, ...runtimeLimits } = limits;
  const runtime = CodeMode.make({
    tools: apis.tree,
    limits: runtimeLimits,
    sandbox,
    // Requests over HTTP may come from people who do not know each other.
    freshRealms: options.http !== undefined,
    ...observerHooks,
  });
  const titles = apis.apis.map(({ api }) => api.document.title).filter(Boolean);
  const host: McpHost = {
    name: titles.length === 1 ? `codemode-openapi: ${titles[0]}` : "codemode-openapi",
    version: __VERSION__,
    execute: (source, { input }) => runtime.execute(source, { input }),
    instructions: withMcpInstructions(
      apis,
      runtime.instructions(options.budget === undefined ? undefined : { maxTokens: options.budget }),
    ),
    catalog: apis.catalog,
    ...(apis.files === undefined ? {} : { files: fileResources(apis.files) }),
    confirm: options.confirm === true,
    redact: (text) => apis.client.redactor.text(text),
  };
  if (options.http !== undefined) {
    await overHttp(host, options.http, options, apis);
  } else {
    const { serveStdio } = await import("../mcp/stdio.js");
    await serveStdio(host);
  }
  runtime.close();
  await apis.finish();
  return ExitCode.success;
}
