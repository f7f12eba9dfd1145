/**
 * A sandbox process as the host sees it: messages in, messages out, and an end. Nothing here believes the process:
 * whatever does not follow the protocol ends it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import type { Socket } from "node:net";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Lines } from "../../sandbox/lines.js";
import { readSandboxMessage, type SandboxMessage } from "../../sandbox/protocol.js";
import { nodeFlags } from "./node-flags.js";
import { residentBytes } from "./resident-bytes.js";

/** How a process ended. `killed` is the host's own doing. */
export type Ending = "killed" | "memory" | "protocol" | "crash" | "failed-to-start";

/** Longest message of a sandbox where no memory limit bounds it, in bytes. */
const LARGEST_MESSAGE = 256 * 1024 * 1024;
/** What is kept of the error output, in characters: enough to tell how a process died. */
const KEPT_ERROR_OUTPUT = 4_000;
/** More than this waiting to be taken by the process, in bytes, holds back further answers. */
const HIGH_WATER = 16 * 1024 * 1024;

/** Messages of one turn of the event loop are written together; as soon as there is this much of them, in characters. */
const WRITE_AT = 8 * 1024;

/** What V8 says when memory runs out, in its different places. */
const OUT_OF_MEMORY =
  /out of memory|allocation fail|invalid (array|table|string|typed array) (length|size)|FATAL ERROR/i;

export interface SandboxListener {
  message(message: SandboxMessage): void;
  /** The process is gone; nothing follows. */
  ended(ending: Ending): void;
}

export class SandboxProcess {
  readonly #child: ChildProcess;
  readonly #toSandbox: Socket;
  readonly #fromSandbox: Socket;
  readonly #lifeline: Socket;
  #listener: SandboxListener | undefined;
  #ending: Ending | undefined;
  #ended = false;
  /** Messages that are not written yet. */
  #unwritten = "";
  #errorOutput = "";
  #tools: string | undefined;
  /** Resident bytes when the process was first ready. */
  #baseline: number | undefined;

  constructor(maxMemoryBytes: number | undefined, oneProgram: boolean, script = sandboxScript()) {
    this.#child = spawn(
      process.execPath,
      [...nodeFlags(dirname(script), maxMemoryBytes, oneProgram), script, ...(oneProgram ? ["once"] : [])],
      {
        env: emptyEnvironment(),
        cwd: "/",
        windowsHide: true,
        stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", "pipe"],
      },
    );
    const [, , errorOutput, toSandbox, fromSandbox, lifeline] = this.#child.stdio as unknown as Socket[];
    this.#toSandbox = toSandbox!;
    this.#fromSandbox = fromSandbox!;
    this.#lifeline = lifeline!;
    for (const socket of [errorOutput!, toSandbox!, fromSandbox!, lifeline!]) socket.on("error", () => {});
    errorOutput!.on("data", (chunk) => {
      if (this.#errorOutput.length < KEPT_ERROR_OUTPUT) this.#errorOutput += String(chunk);
    });
    // Text takes up to half as much again in UTF-8 as in the memory of a program.
    const largest = Math.min(2 * (maxMemoryBytes ?? LARGEST_MESSAGE), LARGEST_MESSAGE);
    const lines = new Lines(
      largest,
      (line) => this.#receive(line),
      () => this.end("protocol"),
    );
    fromSandbox!.on("data", (chunk) => lines.push(chunk));
    this.#child.on("error", () => this.#finish("failed-to-start"));
    // "close", not "exit": what the process wrote before it died has been read by then.
    this.#child.on("close", (_, signal) => this.#finish(this.#ending ?? this.#diagnose(signal)));
  }

  get alive(): boolean {
    return !this.#ended && this.#ending === undefined;
  }

  /** Where messages go from now on. */
  set listener(listener: SandboxListener | undefined) {
    this.#listener = listener;
  }

  /** Whether the host's process waits for this one before it exits. */
  hold(held: boolean): void {
    const handles = [this.#child, ...(this.#child.stdio as unknown as (Socket | null)[])];
    for (const handle of handles) held ? handle?.ref() : handle?.unref();
  }

  /** Tells the process the tools of its programs (a `tools` message), unless it knows them. */
  set tools(message: string) {
    if (message === this.#tools) return;
    this.#tools = message;
    this.send(message);
  }

  /** Sends one message (JSON text). It is on its way when this turn of the event loop ends. */
  send(message: string): void {
    if (!this.alive) return;
    if (this.#unwritten === "") process.nextTick(this.#write);
    this.#unwritten += `${message}\n`;
    if (this.#unwritten.length >= WRITE_AT) this.#write();
  }

  readonly #write = (): void => {
    const messages = this.#unwritten;
    this.#unwritten = "";
    if (messages !== "" && this.alive) this.#toSandbox.write(messages);
  };

  /** Answers the synchronous request that the process waits for. */
  reply(message: string): void {
    if (this.alive) this.#fromSandbox.write(`${message}\n`);
  }

  /** Asks where the program is; a `where` message is the answer, even of a program that nothing else can reach. */
  askWhere(): void {
    if (this.alive) this.#lifeline.write("?");
  }

  /** True while the process takes messages more slowly than they come. */
  get congested(): boolean {
    return this.#toSandbox.writableLength > HIGH_WATER;
  }

  /** Calls `resume` when the process has taken what was sent. */
  onceDrained(resume: () => void): void {
    this.#toSandbox.once("drain", resume);
  }

  /** Stops reading: the process blocks when the pipe is full. */
  pause(paused: boolean): void {
    if (paused) this.#fromSandbox.pause();
    else this.#fromSandbox.resume();
  }

  /** Bytes resident beyond those of a process that has run nothing; `undefined` where the system does not tell. */
  get grownBytes(): number | undefined {
    const now = residentBytes(this.#child.pid);
    return now === undefined || this.#baseline === undefined ? undefined : now - this.#baseline;
  }

  /** Ends the process, whatever it does. `ended` follows. */
  end(ending: Ending = "killed"): void {
    if (!this.alive) return;
    this.#ending = ending;
    this.#child.kill("SIGKILL");
  }

  #receive(line: string): void {
    if (!this.alive) return;
    try {
      const message = readSandboxMessage(line);
      if (message.type === "ready") this.#baseline ??= residentBytes(this.#child.pid);
      this.#listener?.message(message);
    } catch {
      // Malformed, or more than the host's own stack or memory takes: no fault of the host either way.
      this.end("protocol");
    }
  }

  #diagnose(signal: NodeJS.Signals | null): Ending {
    return OUT_OF_MEMORY.test(this.#errorOutput) || signal === "SIGABRT" || signal === "SIGTRAP" ? "memory" : "crash";
  }

  #finish(ending: Ending): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#listener?.ended(ending);
    this.#listener = undefined;
  }
}

/** Nothing is inherited. Windows starts no process without its root folder. */
function emptyEnvironment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return process.platform === "win32" && SystemRoot !== undefined ? { SystemRoot } : {};
}

let script: string | undefined;

/** The script of the sandbox process, which stands beside the bundle that this code is part of. */
function sandboxScript(): string {
  script ??= ["./sandbox/process.cjs", "../sandbox/process.cjs"]
    .map((relative) => fileURLToPath(new URL(relative, import.meta.url)))
    .filter((path) => existsSync(path))
    // The permission to read a folder is for its real path.
    .map((path) => realpathSync(path))[0];
  if (script === undefined) throw new Error("The sandbox's script is missing: build the package first.");
  return script;
}
