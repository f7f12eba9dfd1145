/** Real server programs: started on a free loopback port in a folder of their own, ended by their process id. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A TCP port of the loopback interface that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `codemode-${name}-`));
}

/** Where a program is, looked up in the usual folders (`/usr/sbin` is often not on PATH). */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(":"), "/usr/sbin", "/usr/bin", "/usr/local/bin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export interface RunningServer {
  readonly folder: string;
  stop(): Promise<void>;
}

export interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Asked until it answers without an error status. */
  readonly readyUrl: string;
  readonly readyHeaders?: Readonly<Record<string, string>>;
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

/** Starts a server and waits until it answers. */
export async function startServer(program: ServerProgram): Promise<RunningServer> {
  const child = spawn(program.command, program.args, {
    cwd: program.folder,
    env: { ...process.env, ...program.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  const keep = (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const stop = async () => {
    child.kill("SIGTERM");
    const stubborn = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await ended(child);
    clearTimeout(stubborn);
    rmSync(program.folder, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`${program.command} ended with ${child.exitCode}:\n${log}`);
    try {
      const response = await fetch(program.readyUrl, program.readyHeaders ? { headers: program.readyHeaders } : {});
      await response.arrayBuffer();
      if (response.ok) return { folder: program.folder, stop };
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`${program.command} did not answer at ${program.readyUrl}:\n${log}`);
}
