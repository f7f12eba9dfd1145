/**
 * What an execution gave, shown: the value on stdout, everything else on stderr.
 */
import type { Result } from "../codemode/result.js";
import { type Json, stringifyJson } from "../json/json.js";
import { ExitCode } from "./failure.js";
import type { OutputFormat } from "./options.js";
import { renderDiagnostic, type Source } from "./render/diagnostic.js";
import { renderValue } from "./render/value.js";
import { note, paintErr, shown, writeOut } from "./terminal.js";

export interface ResultView {
  readonly json: boolean;
  readonly format: OutputFormat;
  readonly source: Source | undefined;
  /** Members added to the JSON document, e.g. the requests of a dry run. */
  readonly extra?: { readonly [key: string]: Json };
}

/** Prints a result and gives the exit code. */
export async function showResult(result: Result, view: ResultView): Promise<ExitCode> {
  const code = result.ok ? ExitCode.success : ExitCode.failed;
  if (view.json) {
    await writeOut(stringifyJson({ ...result, ...view.extra } as unknown as Json) + "\n");
    return code;
  }
  for (const line of result.logs ?? []) note(paintErr("dim", line.split("\n").map(shown).join("\n")));
  for (const warning of result.warnings ?? []) note(renderDiagnostic(warning, "warning", view.source));
  if (result.ok) {
    const text = await renderValue(result.value, view.format);
    if (text !== "") await writeOut(text + "\n");
    if (result.truncated) note(`${paintErr("yellow", "warning")}: the result was cut at --max-output-bytes`);
  } else {
    note(renderDiagnostic(result.error, "error", view.source));
  }
  return code;
}
