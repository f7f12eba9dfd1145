/**
 * Diagnostics as a person reads them: what, where (with the line and a caret), and what to do.
 *
 *     error[UnknownTool]: There is no tool `tools.pets.lst`.
 *      --> prog.ts:3:15
 *       |
 *     3 | const all = await tools.pets.lst()
 *       |                              ^
 *       = hint: Did you mean tools.pets.list?
 */
import type { Diagnostic, Location } from "../../codemode/diagnostic.js";
import { paintErr, shown } from "../terminal.js";
import { width } from "./width.js";

/** The program as the user wrote it, and what to call it. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

/** More than this of a line is not shown: minified programs have one line. */
const FRAME_COLUMNS = 120;

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;

function codeFrame(source: Source, { line, column }: Location): string[] {
  const full = source.text.split(LINE_BREAK)[line - 1];
  const number = String(line);
  const gutter = " ".repeat(number.length);
  const bar = paintErr("blue", "|");
  const place = `${gutter}${paintErr("blue", "-->")} ${shown(source.name)}:${line}:${column}`;
  if (full === undefined) return [place];
  // A window of the line around the column.
  const start = Math.max(
    0,
    full.length <= FRAME_COLUMNS ? 0 : Math.min(column - 1 - FRAME_COLUMNS / 2, full.length - FRAME_COLUMNS),
  );
  const clean = (text: string) => shown(text.replaceAll("\t", "  "));
  const before = clean(full.slice(start, column - 1));
  const rest = clean(full.slice(column - 1, start + FRAME_COLUMNS));
  return [
    place,
    `${gutter} ${bar}`,
    `${paintErr("blue", number)} ${bar} ${before}${rest}`,
    `${gutter} ${bar} ${" ".repeat(width(before))}${paintErr("red", "^")}`,
  ];
}

/** A diagnostic for stderr; several lines, without a final line break. */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  severity: "error" | "warning",
  source: Source | undefined,
): string {
  const colour = severity === "error" ? "red" : "yellow";
  const [first = "", ...more] = shown(diagnostic.message).split("\n");
  const lines = [`${paintErr(colour, `${severity}[${diagnostic.kind}]`)}: ${first}`];
  for (const line of more) lines.push("  " + line);
  let gutter = " ";
  if (diagnostic.location && source) {
    lines.push(...codeFrame(source, diagnostic.location));
    gutter = " ".repeat(String(diagnostic.location.line).length);
  }
  for (const line of diagnostic.hint?.split("\n") ?? [])
    lines.push(`${gutter} ${paintErr("blue", "=")} ${paintErr("cyan", "hint")}: ${shown(line)}`);
  return lines.join("\n");
}
