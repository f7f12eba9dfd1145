/** Runs the built command line as a user does: a process with arguments, streams and an exit code. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BIN = fileURLToPath(new URL("../../bin/codemode-openapi.js", import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin holds. */
  readonly input?: string;
  /** Called with the process as soon as it runs. */
  readonly during?: (child: ChildProcessWithoutNullStreams) => void;
}

/** Starts the command line and waits for its end. */
export function codemode(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const { FORCE_COLOR: _, ...environment } = process.env;
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: options.cwd ?? ROOT,
      env: { ...environment, NO_COLOR: "1", ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    options.during?.(child);
  });
}

/** The JSON document that `--json` printed. */
export function json(outcome: Outcome): any {
  try {
    return JSON.parse(outcome.stdout);
  } catch {
    throw new Error(
      `no JSON on stdout; exit ${outcome.code}, stdout ${outcome.stdout.slice(0, 500)}, stderr ${outcome.stderr}`,
    );
  }
}
