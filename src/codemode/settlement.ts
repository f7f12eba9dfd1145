/**
 * The settlement of an execution as the model reads it. What was changed comes first and is bounded by itself, so that no
 * client that cuts the text can hide it; the value comes last. This is the one place where the text is put together.
 */

import { stringifyJson } from "../json/json.js";
import type { Diagnostic } from "./diagnostic.js";
import type { Result, ToolCall } from "./result.js";
import type { ToolFacts } from "./tool.js";

/** How many calls with side effects are listed one by one. */
const LISTED_CALLS = 25;
const LISTED_LOGS = 50;
const LONGEST_MESSAGE = 300;

/**
 * The text of a settlement.
 *
 * @param factsOf what is known of a tool; one that is not known to be read-only counts as having side effects.
 */
export function settlementText(result: Result, factsOf: (tool: string) => ToolFacts | undefined): string {
  const lines = [...effectLines(result.toolCalls, factsOf)];
  if (!result.ok) lines.push(diagnosticLine("error", result.error));
  for (const warning of (result.warnings ?? []).slice(0, LISTED_CALLS)) lines.push(diagnosticLine("warning", warning));
  if (result.logs?.length) lines.push("", ...boundedLogs(result.logs));
  if (result.ok) lines.push("", stringifyJson(result.value, 2));
  return lines.join("\n");
}

function* effectLines(calls: readonly ToolCall[], factsOf: (tool: string) => ToolFacts | undefined): Generator<string> {
  if (calls.length === 0) {
    yield "calls: none";
    return;
  }
  const count = (outcome: ToolCall["outcome"]) => calls.filter((call) => call.outcome === outcome).length;
  yield `calls: ${count("success")} succeeded, ${count("failure")} failed, ${count("interrupted")} interrupted`;
  const effects = calls.filter((call) => call.tool !== "search" && factsOf(call.tool)?.readOnly !== true);
  if (effects.length === 0) {
    yield "side effects: none";
    return;
  }
  yield "side effects:";
  for (const call of effects.slice(0, LISTED_CALLS)) {
    const method = factsOf(call.tool)?.method;
    const status = call.status === undefined ? "" : ` (${call.status})`;
    // An interrupted call may have reached the server: the model must not take it for undone.
    const outcome = call.outcome === "interrupted" ? "interrupted, may have taken effect" : call.outcome;
    const message = call.message === undefined ? "" : `: ${shorten(call.message)}`;
    yield `- ${method === undefined ? "" : `${method} `}${call.tool}: ${outcome}${status}${message}`;
  }
  const more = effects.slice(LISTED_CALLS);
  if (more.length > 0) {
    const failed = more.filter((call) => call.outcome !== "success").length;
    yield `- and ${more.length} more, ${failed} of them failed or interrupted`;
  }
}

function diagnosticLine(label: string, diagnostic: Diagnostic): string {
  const { kind, message, location, hint } = diagnostic;
  const place = location === undefined ? "" : ` at line ${location.line}, column ${location.column}`;
  return `${label} ${kind}${place}: ${message}${hint === undefined ? "" : ` ${hint}`}`;
}

function* boundedLogs(logs: readonly string[]): Generator<string> {
  yield "console:";
  yield* logs.slice(0, LISTED_LOGS).map(shorten);
  if (logs.length > LISTED_LOGS) yield `… ${logs.length - LISTED_LOGS} more lines`;
}

function shorten(text: string): string {
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`;
}
