/**
 * `check`: what is wrong with a program, without running it.
 */
import type { Diagnostic } from "../codemode/diagnostic.js";
import { check } from "../discovery/check.js";
import { type LoadedApis, loadApis } from "./apis.js";
import type { CheckOptions } from "./commands/check.js";
import { ExitCode } from "./failure.js";
import { renderDiagnostic, type Source } from "./render/diagnostic.js";
import { beginSession } from "./session.js";
import { type ProgramSource, readProgram } from "./source.js";
import { note, paintErr, writeOut } from "./terminal.js";

export function checkProgram(apis: LoadedApis, program: ProgramSource) {
  return check(apis.catalog, program.text, program.language === undefined ? {} : { language: program.language });
}

export function showDiagnostics(diagnostics: readonly Diagnostic[], source: Source): void {
  for (const diagnostic of diagnostics) note(renderDiagnostic(diagnostic, "error", source));
}

/** `check <spec> <program>` */
export async function checkCommand(words: readonly string[], options: CheckOptions): Promise<ExitCode> {
  const session = await beginSession(words, options.eval === undefined ? 1 : 0, options, 1);
  const program = await readProgram(session.rest[0], options.eval);
  const { ok, diagnostics, typescript } = await checkProgram(await loadApis(session), program);
  if (options.json) {
    await writeOut(JSON.stringify({ ok, diagnostics, typescript }) + "\n");
  } else {
    showDiagnostics(diagnostics, program);
    const types =
      typescript === null ? "; types were not checked, for no TypeScript is installed (npm install typescript)" : "";
    const faults = diagnostics.length === 1 ? "1 mistake" : `${diagnostics.length} mistakes`;
    note(paintErr("dim", `${ok ? "Nothing is wrong" : faults} in ${program.name}${types}`));
  }
  return ok ? ExitCode.success : ExitCode.failed;
}
