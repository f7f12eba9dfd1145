/**
 * Where a secret comes from: `env:NAME`, `file:PATH`, `cmd:COMMAND`, `literal:VALUE`. A source is read when it is first
 * needed, once, and what it gives is known to the redactor before anyone else sees it.
 */
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import type { Redactor } from "./redaction.js";

/** Wrong configuration of credentials: for the person who runs the program, never for a server. */
export class CredentialError extends Error {
  override readonly name = "CredentialError";
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

export const SOURCE_FORMS = "env:NAME, file:PATH, cmd:COMMAND or literal:VALUE";

/** How long a command may take to print a secret, in milliseconds: it may ask for a fingerprint. */
const COMMAND_MS = 60_000;

/** Larger than any key or token. */
const MAX_BYTES = 256 * 1024;

export type SourceKind = "env" | "file" | "cmd" | "literal";

export interface SecretSource {
  readonly kind: SourceKind;
  /** What to call it in messages: never the secret itself, nor a path of this machine. */
  readonly label: string;
  /** Where exactly it is, for the person who configured it. */
  readonly hint: string | undefined;
  /** Why it cannot give anything, as far as can be told without reading it. */
  problem(): string | undefined;
  /** @throws CredentialError */
  read(): Promise<string>;
}

/**
 * Reads a source as written on the command line or in a configuration file.
 *
 * @throws CredentialError when the text is none of the four forms
 */
export function parseSource(text: string, redactor: Redactor): SecretSource {
  const colon = text.indexOf(":");
  const kind = text.slice(0, Math.max(colon, 0));
  const rest = text.slice(colon + 1);
  if (kind !== "env" && kind !== "file" && kind !== "cmd" && kind !== "literal") {
    // What stands there may be the secret itself: it is not repeated.
    throw new CredentialError("A credential is not given as a source.", `Write it as ${SOURCE_FORMS}.`);
  }
  if (rest === "")
    throw new CredentialError(`Nothing follows "${kind}:" in a credential.`, `Write it as ${SOURCE_FORMS}.`);
  return once(SOURCES[kind](rest), redactor);
}

/** A header value that may be a source or plain text (`--header`); either way it is secret. */
export function parseSourceOrText(text: string, redactor: Redactor): SecretSource {
  return /^(env|file|cmd|literal):./s.test(text) ? parseSource(text, redactor) : once(SOURCES.literal(text), redactor);
}

const SOURCES: Readonly<Record<SourceKind, (rest: string) => SecretSource>> = {
  env: (name) => ({
    kind: "env",
    label: `the environment variable ${name}`,
    hint: undefined,
    problem: () => {
      const value = process.env[name];
      return value === undefined ? "is not set" : value === "" ? "is empty" : undefined;
    },
    read: async () => process.env[name] ?? "",
  }),
  file: (path) => {
    const expanded = path.startsWith("~/") ? homedir() + path.slice(1) : path;
    return {
      kind: "file",
      label: "the file of a credential",
      hint: `The file is ${path}.`,
      problem: () => {
        const found = statSync(expanded, { throwIfNoEntry: false });
        if (found === undefined) return "does not exist";
        if (found.isDirectory()) return "is a folder";
        return found.size > MAX_BYTES ? "is too large for a credential" : undefined;
      },
      read: async () => withoutLineBreak(await readFile(expanded, "utf8")),
    };
  },
  cmd: (command) => ({
    kind: "cmd",
    label: "the command of a credential",
    hint: "Run it by hand to see what it says.",
    problem: () => undefined,
    read: () => run(command),
  }),
  literal: (value) => ({
    kind: "literal",
    label: "the literal credential",
    hint: undefined,
    problem: () => undefined,
    read: async () => value,
  }),
};

function once(source: SecretSource, redactor: Redactor): SecretSource {
  let value: Promise<string> | undefined;
  const read = async (): Promise<string> => {
    const problem = safely(() => source.problem());
    if (problem !== undefined) throw new CredentialError(`${capital(source.label)} ${problem}.`, source.hint);
    let text: string;
    try {
      text = await source.read();
    } catch (error) {
      if (error instanceof CredentialError) throw error;
      throw new CredentialError(`${capital(source.label)} cannot be read.`, source.hint);
    }
    if (text === "") throw new CredentialError(`${capital(source.label)} is empty.`, source.hint);
    redactor.add(text);
    return text;
  };
  return {
    ...source,
    problem: () => safely(() => source.problem()),
    read: () => {
      value ??= read();
      // A failure is not kept: the variable or file may be there the next time.
      value.catch(() => (value = undefined));
      return value;
    },
  };
}

function safely(problem: () => string | undefined): string | undefined {
  try {
    return problem();
  } catch {
    return "cannot be read";
  }
}

function run(command: string): Promise<string> {
  const [shell, flag] = process.platform === "win32" ? ["cmd.exe", "/c"] : ["/bin/sh", "-c"];
  return new Promise((resolve, reject) => {
    const child = execFile(
      shell!,
      [flag!, command],
      { timeout: COMMAND_MS, maxBuffer: MAX_BYTES, encoding: "utf8", windowsHide: true },
      (error, stdout) => {
        if (error === null) return resolve(withoutLineBreak(stdout));
        const how =
          error.killed === true
            ? "did not end in time"
            : typeof error.code === "number"
              ? `ended with exit code ${error.code}`
              : "failed";
        reject(new CredentialError(`The command of a credential ${how}.`, "Run it by hand to see what it says."));
      },
    );
    child.stdin?.end();
  });
}

function withoutLineBreak(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
