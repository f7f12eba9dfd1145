/**
 * Type checking with the TypeScript that the user has. Its command line is the one interface that versions 5, 6 and 7 share
 * (7 has no programmatic one), and its own process keeps a compiler's memory out of ours.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TypeFault {
  /** TypeScript's number, e.g. 2345. */
  readonly code: number;
  readonly message: string;
  /** In the program as the user wrote it; both count from 1. */
  readonly line: number;
  readonly column: number;
}

export interface TypeCheck {
  readonly version: string;
  readonly faults: readonly TypeFault[];
}

interface Compiler {
  readonly version: string;
  readonly script: string;
}

/** The TypeScript installed at or above a folder, else the one beside this package, else none. */
async function findTypeScript(folder: string): Promise<Compiler | undefined> {
  for (const from of [join(folder, "program.js"), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve("typescript/package.json");
      const { version, bin } = JSON.parse(await readFile(manifest, "utf8")) as {
        version: string;
        bin: { tsc: string };
      };
      return { version, script: join(dirname(manifest), bin.tsc) };
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

const OPTIONS = {
  noEmit: true,
  strict: true,
  // An absent value is how optional parts of an answer look; documents mark far more as optional than ever is absent, and
  // inputs take null for "absent". Checking for it would bury the faults that matter.
  strictNullChecks: false,
  noImplicitAny: false,
  useUnknownInCatchVariables: false,
  allowUnreachableCode: true,
  allowUnusedLabels: true,
  skipLibCheck: true,
  lib: ["esnext"],
  types: [],
  target: "esnext",
  module: "esnext",
  moduleResolution: "bundler",
  allowJs: true,
  checkJs: true,
};

/**
 * Checks a program against declarations. The program is the body of an async function, so top-level `await` and `return` are
 * as they are in a program.
 *
 * @param folder where TypeScript is looked for.
 * @returns `undefined` when there is no TypeScript.
 * @throws Error when TypeScript cannot be run or does not end within a minute.
 */
export async function typeCheck(
  source: string,
  language: "javascript" | "typescript",
  declarations: string,
  folder: string,
): Promise<TypeCheck | undefined> {
  const compiler = await findTypeScript(folder);
  if (!compiler) return undefined;
  const directory = await mkdtemp(join(tmpdir(), "codemode-check-"));
  try {
    const file = language === "typescript" ? "program.ts" : "program.js";
    // The head stands on a line of its own: columns stay the user's, lines are one more.
    const body = source.replace(/^#!/, "//");
    await Promise.all([
      writeFile(join(directory, "globals.d.ts"), declarations),
      writeFile(join(directory, file), `async function program() {\n${body}\n}\n`),
      writeFile(
        join(directory, "tsconfig.json"),
        JSON.stringify({ compilerOptions: OPTIONS, files: ["globals.d.ts", file] }),
      ),
    ]);
    const output = await run(compiler, directory);
    return { version: compiler.version, faults: parseFaults(output, file) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const PATIENCE = 60_000;

function run(compiler: Compiler, directory: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [compiler.script, "-p", "tsconfig.json", "--pretty", "false"], {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: PATIENCE,
      killSignal: "SIGKILL",
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (signal !== null)
        reject(new Error(`TypeScript ${compiler.version} did not answer within ${PATIENCE / 1000} s.`));
      // 1 and 2 mean that there are faults, and those are in the output.
      else if (code !== 0 && !/\bTS\d+: /.test(output)) {
        reject(
          new Error(
            `TypeScript ${compiler.version} could not be run: ${output.trim().slice(0, 300) || `exit code ${code}`}.`,
          ),
        );
      } else resolve(output);
    });
  });
}

const FAULT = /^(.+?)\((\d+),(\d+)\): error TS(\d+): (.*)$/;

/** The faults in the program; further lines of a message are indented. */
function parseFaults(output: string, file: string): TypeFault[] {
  const faults: { code: number; message: string; line: number; column: number }[] = [];
  let open = false;
  for (const text of output.split(/\r?\n/)) {
    const match = FAULT.exec(text);
    if (match) {
      open = match[1] === file;
      if (open)
        faults.push({
          code: Number(match[4]),
          message: match[5]!,
          line: Number(match[2]) - 1,
          column: Number(match[3]),
        });
    } else if (open && /^\s+\S/.test(text)) {
      faults.at(-1)!.message += `\n${text.trimEnd()}`;
    } else open = false;
  }
  return faults;
}
