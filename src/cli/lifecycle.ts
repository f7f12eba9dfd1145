/**
 * The life of the process: it ends at once and cleanly when it is interrupted, when nobody reads its output any more, and
 * when something breaks that should not have.
 */
import { type CommandFailure, ExitCode } from "./failure.js";
import { lastWords, paintErr, shown } from "./terminal.js";

/** Work to do before the process ends, newest first. Each gets a moment, not a say. */
const cleanups: (() => void | Promise<void>)[] = [];

/** Aborted when the user interrupts: calls in flight end, the sandbox is closed. */
export const interruption = new AbortController();

/** How long an interrupted command may take to end by itself, in milliseconds. */
const GRACE_MS = 300;

/** How long tidying up may take after that. */
const TIDY_MS = 1_200;

/** Registers clean-up; the answer runs it now and forgets it. */
export function onExit(cleanup: () => void | Promise<void>): () => Promise<void> {
  cleanups.push(cleanup);
  return async () => {
    const index = cleanups.indexOf(cleanup);
    if (index < 0) return;
    cleanups.splice(index, 1);
    await cleanup();
  };
}

async function tidyUp(): Promise<void> {
  while (cleanups.length > 0) {
    try {
      await cleanups.pop()!();
    } catch {
      // The process is ending; what could not be tidied ends with it.
    }
  }
}

/** Ends the process with a code after tidying up; with that of an interruption when there was one. */
export async function end(code: number): Promise<never> {
  const exit = () => process.exit(interruption.signal.aborted ? ExitCode.interrupted : code);
  setTimeout(exit, TIDY_MS).unref();
  await tidyUp();
  return exit();
}

function interrupted(): void {
  // A second signal does not wait for anything.
  if (interruption.signal.aborted) process.exit(ExitCode.interrupted);
  // A program and its calls end now, and the command with them; one that waits for something else is not waited for.
  interruption.abort();
  setTimeout(() => void end(ExitCode.interrupted), GRACE_MS);
}

/** One line for a failure, with its hint below. */
export function describeFailure(failure: CommandFailure): string {
  const [first = "", ...rest] = shown(failure.message).split("\n");
  const lines = [`${paintErr("red", "error")}: ${first}`, ...rest.map((line) => "  " + line)];
  for (const line of failure.hint?.split("\n") ?? []) lines.push(`  ${paintErr("cyan", "hint")}: ${shown(line)}`);
  return lines.join("\n");
}

function broken(error: unknown): void {
  if ((error as NodeJS.ErrnoException | undefined)?.code === "EPIPE") process.exit(ExitCode.success);
  lastWords(lastResort(error));
  process.exit(ExitCode.failed);
}

/** What is said of an error that nobody expected: one line, never a stack trace. */
export function lastResort(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const text = `error: unexpected: ${shown(message.split("\n")[0] ?? "")} (a fault of codemode-openapi; please report it)`;
  if (process.env.CODEMODE_DEBUG && error instanceof Error) return `${text}\n${error.stack}`;
  return text;
}

/** Installs the handlers. Called once, before anything is read or written. */
export function governProcess(): void {
  process.on("SIGINT", interrupted);
  process.on("SIGTERM", interrupted);
  process.on("SIGHUP", interrupted);
  process.on("uncaughtException", broken);
  process.on("unhandledRejection", broken);
  // The reader of stdout went away (`| head`): there is nobody left to work for.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") void end(ExitCode.success);
    else broken(error);
  });
  process.stderr.on("error", () => {});
}
