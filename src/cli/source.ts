/**
 * The program: from a file, from stdin or from `-e`.
 */
import { relative } from "node:path";
import { usageFailure } from "./failure.js";
import { readStdin, readText } from "./input.js";
import type { Source } from "./render/diagnostic.js";

export type Language = "javascript" | "typescript";

export interface ProgramSource extends Source {
  readonly language: Language;
}

const JAVASCRIPT = /\.(js|mjs|cjs)$/i;

/**
 * @param file the positional argument: a path or `-`
 * @param code the value of `-e`
 * @throws CommandFailure (exit code 2)
 */
export async function readProgram(file: string | undefined, code: string | undefined, language?: Language): Promise<ProgramSource> {
  if (code !== undefined) {
    if (file !== undefined) throw usageFailure(`Give the program either as a file (${file}) or with -e, not both.`);
    return { name: "<eval>", text: code, language: language ?? "typescript" };
  }
  if (file === undefined) {
    throw usageFailure("No program: [program] is missing.", "Give a .ts or .js file, - for stdin, or the code itself with -e '…'.");
  }
  if (file === "-") return { name: "<stdin>", text: await readStdin("the program"), language: language ?? "typescript" };
  const text = readText(file, "The program").replace(/^\uFEFF/, "");
  return { name: relative(process.cwd(), file) || file, text, language: language ?? (JAVASCRIPT.test(file) ? "javascript" : "typescript") };
}
