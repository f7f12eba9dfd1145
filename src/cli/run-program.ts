/**
 * `run`: a program in a sandbox. The sandbox's process starts while the document loads.
 */
import { CodeMode } from "../codemode/code-mode.js";
import type { Result } from "../codemode/result.js";
import { flattenTools } from "../codemode/tree.js";
import type { Json } from "../json/json.js";
import { type LoadedApis, loadApis } from "./apis.js";
import type { RunOptions } from "./commands/run.js";
import { confirmed } from "./confirmation.js";
import { ExitCode } from "./failure.js";
import { programInput } from "./input.js";
import { interruption, onExit } from "./lifecycle.js";
import { makeProgress } from "./progress.js";
import { showResult } from "./result.js";
import { beginSession } from "./session.js";
import { type LimitSettings, limitSettings, outputSetting } from "./settings.js";
import { type ProgramSource, readProgram } from "./source.js";
import { note, paintErr, shown } from "./terminal.js";

type StartedSandbox = ReturnType<typeof CodeMode.prestart>;

export interface Execution {
  readonly program: ProgramSource;
  readonly input: Json | undefined;
  readonly limits: LimitSettings;
  readonly confirm: boolean;
  readonly sandbox: StartedSandbox;
}

/** Runs a program over loaded APIs. */
export async function runProgram(apis: LoadedApis, execution: Execution): Promise<Result> {
  const { program, input, confirm, sandbox } = execution;
  const { maxResponseBytes: _, ...limits } = execution.limits;
  const progress = makeProgress();
  const tools = apis.callable;
  const named = confirm ? flattenTools(tools) : undefined;
  const runtime = CodeMode.make({
    tools,
    limits,
    sandbox,
    onToolCallStart: (call) => {
      progress.started(call.tool);
      const facts = named?.get(call.tool)?.tool.facts;
      return facts ? confirmed(call.tool, facts, call.input) : undefined;
    },
    onToolCallEnd: (call) => progress.ended(call),
  });
  const closed = onExit(() => runtime.close());
  try {
    const result = await runtime.run(program.text, { input, language: program.language, signal: interruption.signal });
    return apis.redact(result as unknown as Json) as unknown as Result;
  } finally {
    progress.stop();
    await closed();
  }
}

/** `run <spec> [program]` */
export async function runCommand(words: readonly string[], options: RunOptions): Promise<ExitCode> {
  const session = await beginSession(words, options.eval === undefined ? 1 : 0, options, 1);
  const limits = limitSettings(options, session.loaded, {
    timeoutMs: 5 * 60_000,
    maxOutputBytes: Number.POSITIVE_INFINITY,
  });
  const sandbox = CodeMode.prestart({ maxMemoryBytes: limits.maxMemoryBytes, oneProgram: true });
  const stopped = onExit(() => sandbox.close());
  const program = await readProgram(session.rest[0], options.eval, options.language);
  const input = await programInput(options);
  const apis = await loadApis(session, { options, loaded: session.loaded, limits });
  const view = { json: options.json === true, format: outputSetting(options, session.loaded), source: program };
  if (options.check) {
    const { checkProgram, showDiagnostics } = await import("./check-program.js");
    const { diagnostics } = await checkProgram(apis, program);
    if (diagnostics.length > 0) {
      if (view.json) return showResult({ ok: false, error: diagnostics[0]!, toolCalls: [] }, view);
      showDiagnostics(diagnostics, program);
      return ExitCode.failed;
    }
  }
  const result = await runProgram(apis, { program, input, limits, confirm: options.confirm === true, sandbox });
  await stopped();
  await apis.finish();
  const requests = apis.client.requests;
  if (options.dryRun && !view.json) tellRequests(requests);
  return showResult(result, options.dryRun ? { ...view, extra: { requests: requests as unknown as Json } } : view);
}

/** What a dry run would have sent; on stderr, for stdout has the value of the program. */
function tellRequests(requests: LoadedApis["client"]["requests"]): void {
  for (const { method, url, body } of requests) {
    note(`${paintErr("yellow", "not sent")} ${shown(`${method} ${url}`)}${body ? `\n         ${shown(body)}` : ""}`);
  }
}
