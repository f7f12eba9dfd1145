/**
 * The program: from a file, from stdin or from `-e`.
 */
import { relative } from "node:path";
import { usageFailure } from "./failure.js";
import { readStdin, readText } from "./input.js";
import type { Source } from "./render/diagnostic.js";

export type Language = "javascript" | "typescript";

export interface ProgramSource extends Source {
  /** `undefined`: JavaScript, or TypeScript where it is no JavaScript. */
  readonly language: Language | undefined;
}

const EXTENSIONS: Readonly<Record<string, Language>> = {
  js: "javascript",
  mjs: "javascript",
  ts: "typescript",
  mts: "typescript",
};

/**
 * @param file the positional argument: a path or `-`
 * @param code the value of `-e`
 * @throws CommandFailure (exit code 2)
 */
export async function readProgram(
  file: string | undefined,
  code: string | undefined,
  language?: Language,
): Promise<ProgramSource> {
  if (code !== undefined) {
    if (file !== undefined) throw usageFailure(`Give the program either as a file (${file}) or with -e, not both.`);
    return { name: "<eval>", text: code, language };
  }
  if (file === undefined) {
    throw usageFailure(
      "No program: [program] is missing.",
      "Give a .ts or .js file, - for stdin, or the code itself with -e '…'.",
    );
  }
  if (file === "-") return { name: "<stdin>", text: await readStdin("the program"), language };
  const text = readText(file, "The program").replace(/^\uFEFF/, "");
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  return { name: relative(process.cwd(), file) || file, text, language: language ?? EXTENSIONS[extension] };
}
