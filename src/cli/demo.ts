/**
 * `demo`: everything at work on one screen. The result goes to stdout, the story to stderr.
 */
import { readFileSync } from "node:fs";
import { CodeMode } from "../codemode/code-mode.js";
import { type LoadedApis, loadApis } from "./apis.js";
import type { ExitCode } from "./failure.js";
import type { OutputOptions } from "./options.js";
import { packageFile } from "./package-root.js";
import { showResult } from "./result.js";
import { runProgram } from "./run-program.js";
import { apiSettings, limitSettings } from "./settings.js";
import type { ProgramSource } from "./source.js";
import { note, paintErr, shown } from "./terminal.js";

const NO_FILE = { path: undefined, configuration: {} };

function heading(text: string): void {
  note(`\n${paintErr("bold", text)}`);
}

function tellDocument({ apis, catalog }: LoadedApis): void {
  const { document, skipped } = apis[0]!.api;
  heading(
    `The document: ${document.title}, OpenAPI ${document.openapi} (fixtures/demo/openapi.yaml), behind a bearer token`,
  );
  for (const { signature } of catalog.entries) note(`  ${shown(signature)}`);
  for (const { method, pathTemplate, code } of skipped) {
    note(paintErr("dim", `  skipped: ${method} ${pathTemplate}, ${code} (codemode-openapi skipped demo: says why)`));
  }
}

function tellProgram(program: ProgramSource): void {
  heading("The program (fixtures/demo/report.ts)");
  note(
    program.text
      .trimEnd()
      .split("\n")
      .map((line) => `  ${paintErr(line.startsWith("//") ? "dim" : "reset", line)}`)
      .join("\n"),
  );
}

export async function runDemo(options: OutputOptions & { readonly quiet?: boolean }): Promise<ExitCode> {
  const limits = limitSettings({}, NO_FILE, { timeoutMs: 60_000, maxOutputBytes: Number.POSITIVE_INFINITY });
  const sandbox = CodeMode.prestart({ maxMemoryBytes: limits.maxMemoryBytes, oneProgram: true });
  const path = packageFile("fixtures", "demo", "report.ts");
  const program: ProgramSource = { name: "report.ts", text: readFileSync(path, "utf8"), language: "typescript" };
  const apis = await loadApis(
    { apis: apiSettings("demo:", {}, NO_FILE), mcp: {} },
    { options: {}, loaded: NO_FILE, limits },
  );
  const quiet = options.quiet === true || options.json === true;
  if (!quiet) {
    tellDocument(apis);
    tellProgram(program);
  }
  const begin = performance.now();
  const result = await runProgram(apis, { program, input: undefined, limits, confirm: false, sandbox });
  const ms = Math.round(performance.now() - begin);
  await apis.finish();
  if (!quiet) {
    heading("The tool calls");
    for (const call of result.toolCalls) {
      note(
        `  ${call.outcome === "success" ? paintErr("green", "✓") : paintErr("red", "✗")} ${call.tool} ${paintErr("dim", `${call.status ?? ""} ${Math.round(call.durationMs)} ms`)}`,
      );
    }
    heading(`The result, after ${result.toolCalls.length} calls in ${ms} ms`);
  }
  return showResult(quiet ? withoutLogs(result, options.json === true) : result, {
    json: options.json === true,
    format: options.output ?? "json",
    source: program,
  });
}

/** `--quiet` is about stderr; `--json` is the whole result. */
function withoutLogs<T extends { readonly logs?: readonly string[] }>(result: T, keep: boolean): T {
  return keep ? result : { ...result, logs: [] };
}
