/**
 * `call`: one tool, no program and no sandbox.
 */
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { Diagnostic } from "../../codemode/diagnostic.js";
import type { Result, ToolCall } from "../../codemode/result.js";
import type { Answer } from "../../codemode/tool.js";
import { ToolError } from "../../codemode/tool-error.js";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../json/json.js";
import { type LoadedApis, loadApis } from "../apis.js";
import type { CallOptions } from "../commands/call.js";
import { confirmed } from "../confirmation.js";
import { ExitCode, usageFailure } from "../failure.js";
import { argumentValue, readInput } from "../input.js";
import { interruption } from "../lifecycle.js";
import { showResult } from "../result.js";
import { beginSession } from "../session.js";
import { type LimitSettings, limitSettings, outputSetting, specLabel } from "../settings.js";
import { writeOut } from "../terminal.js";
import { readFields } from "./fields.js";
import { type FoundTool, findTool } from "./find-tool.js";

/** Splits the words of the command line: what stands before the first `--field` is `<spec> <tool>`. */
function splitWords(words: readonly string[]): { operands: readonly string[]; fields: readonly string[] } {
  const at = words.findIndex((word) => word.startsWith("-") && word !== "-");
  return at < 0 ? { operands: words, fields: [] } : { operands: words.slice(0, at), fields: words.slice(at) };
}

function diagnosticOf(error: ToolError, tool: string): Diagnostic {
  return {
    kind: error.kind,
    message: error.message,
    tool,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}

/** The data of an answer as one JSON value; a stream is read to its end. */
async function collect({ data }: Answer, onItem: ((item: Json) => Promise<void>) | undefined): Promise<Json> {
  if (data === null || typeof data !== "object" || !(Symbol.asyncIterator in data)) return data as Json;
  const items: Json[] = [];
  for await (const item of data as AsyncIterable<Json>) {
    if (onItem) await onItem(item);
    else items.push(item);
  }
  return items;
}

interface Call {
  readonly found: FoundTool;
  readonly redact: LoadedApis["redact"];
  readonly input: JsonObject;
  readonly limits: LimitSettings;
  /** `{status, headers, data}` of any answer instead of the body of a success. */
  readonly response: boolean;
  readonly confirm: boolean;
  /** Receives the items of a stream as they come; they are then not part of the value. */
  readonly onItem: ((item: Json) => Promise<void>) | undefined;
}

function shownValue(answer: Answer, data: Json, response: boolean): Json {
  return response ? { status: answer.status ?? null, headers: { ...answer.headers }, data } : data;
}

/** Runs the call within its limits; never throws for a fault of the call. */
async function perform({ found, redact, input, limits, response, confirm, onItem }: Call): Promise<Result> {
  const { tool } = found;
  const { name } = found.entry;
  const begin = performance.now();
  const call = Effect.gen(function* () {
    if (confirm) yield* confirmed(name, tool.facts, input);
    const answer = yield* tool.call(input, { mode: response ? "response" : "value" });
    const data = yield* Effect.tryPromise({
      try: () => collect(answer, onItem),
      catch: (cause) => (cause instanceof ToolError ? cause : new ToolError("The answer broke off.", { cause })),
    });
    return { answer, data };
  });
  const limited =
    limits.timeoutMs === undefined
      ? call
      : Effect.timeoutOrElse(call, {
          duration: limits.timeoutMs,
          orElse: () =>
            Effect.fail(
              new ToolError(`The call took longer than ${limits.timeoutMs! / 1000} s.`, {
                kind: "TimeoutExceeded",
                hint: "Give it more time with --timeout.",
              }),
            ),
        });
  const exit = await Effect.runPromiseExit(limited, { signal: interruption.signal });
  const durationMs = Math.round(performance.now() - begin);
  const done = (outcome: ToolCall["outcome"], more: Partial<ToolCall>): readonly ToolCall[] => [
    { tool: name, outcome, durationMs, ...more },
  ];
  if (Exit.isSuccess(exit)) {
    const { answer, data } = exit.value;
    const value = redact(shownValue(answer, data, response));
    const toolCalls = done("success", answer.status === undefined ? {} : { status: answer.status });
    const warnings = (answer.warnings ?? []).map(
      (message): Diagnostic => ({ kind: "InvalidToolOutput", message, tool: name }),
    );
    const size = limits.maxOutputBytes === undefined ? 0 : Buffer.byteLength(stringifyJson(value));
    if (size > (limits.maxOutputBytes ?? size)) {
      const error: Diagnostic = {
        kind: "Truncated",
        message: `The answer has ${size} bytes, more than ${limits.maxOutputBytes}.`,
        tool: name,
        hint: "Raise --max-output-bytes.",
      };
      return { ok: false, error, toolCalls };
    }
    return { ok: true, value, ...(warnings.length > 0 ? { warnings } : {}), toolCalls };
  }
  const failed = exit.cause.reasons.find(Cause.isFailReason)?.error;
  if (Cause.hasInterruptsOnly(exit.cause)) {
    return {
      ok: false,
      error: { kind: "ExecutionFailure", message: "The call was interrupted.", tool: name },
      toolCalls: done("interrupted", {}),
    };
  }
  const error = failed instanceof ToolError ? failed : new ToolError("The tool failed.");
  return {
    ok: false,
    error: diagnosticOf(error, name),
    toolCalls: done("failure", {
      message: error.message,
      ...(error.status === undefined ? {} : { status: error.status }),
    }),
  };
}

/** `call <spec> <tool>` */
export async function callCommand(
  words: readonly string[],
  options: CallOptions,
  showHelp: () => void,
): Promise<ExitCode> {
  const { operands, fields } = splitWords(words);
  if (options.help && operands.length === 0) {
    showHelp();
    return ExitCode.success;
  }
  const session = await beginSession(operands, 1, options);
  const [word] = session.rest;
  if (word === undefined) {
    throw usageFailure(
      "No tool: <tool> is missing.",
      "codemode-openapi list shows the tools, codemode-openapi search finds them.",
    );
  }
  const limits = limitSettings(options, session.loaded, {
    timeoutMs: 5 * 60_000,
    maxOutputBytes: Number.POSITIVE_INFINITY,
  });
  const apis = await loadApis(session, { options, loaded: session.loaded, limits });
  const view = { json: options.json === true, format: outputSetting(options, session.loaded), source: undefined };
  const refuse = (error: Diagnostic) => showResult({ ok: false, error, toolCalls: [] }, view);

  const found = findTool(word, apis);
  if (!("entry" in found)) return refuse({ kind: "UnknownTool", tool: word, ...found });
  const { entry, tool } = found;
  const { inputs } = tool;
  if (options.help) {
    const { toolHelp } = await import("./tool-help.js");
    await writeOut(toolHelp(entry, inputs, session.apis.length === 1 ? specLabel(session.apis[0]!.spec) : "") + "\n");
    return ExitCode.success;
  }

  const offerFile = (path: string) => apis.files!.offer(path);
  const given = options.input === undefined ? {} : await readInput(options.input);
  if (!isJsonObject(given)) throw usageFailure("The input of a tool is a JSON object.");
  let input: JsonObject;
  try {
    const named = { names: inputs.map((field) => field.name), schema: entry.tool.inputSchema };
    input = { ...given, ...readFields(fields, (options.arg ?? []).map(argumentValue), named, offerFile) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return refuse(diagnosticOf(error, entry.name));
  }

  const streams = view.format === "ndjson" && !view.json;
  const onItem = streams ? (item: Json) => writeOut(stringifyJson(apis.redact(item)) + "\n") : undefined;
  const result = await perform({
    found,
    redact: apis.redact,
    input,
    limits,
    response: options.response === true,
    confirm: options.confirm === true,
    onItem,
  });
  await apis.finish();
  const [request] = apis.client.requests;
  if (options.dryRun && result.ok && request !== undefined) {
    await writeOut(stringifyJson({ ...request }, view.json ? undefined : 2) + "\n");
    return ExitCode.success;
  }
  return showResult(result, view);
}
