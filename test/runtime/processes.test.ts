/** Sandbox processes: what they may do, that they are used again, and that none is left behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { CodeMode, Tool } from "./built.js";

const isLinux = process.platform === "linux";

/** The sandbox processes that are children of a process. */
function sandboxesOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter(Boolean)
    .map(Number)
    .filter((child) => commandOf(child).includes("process.cjs"));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const hosts: ChildProcess[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) host.kill("SIGKILL");
});

/** A host of its own that runs a program for ever. */
async function hostThatRuns(source: string): Promise<{ host: ChildProcess; sandbox: number }> {
  const code = `
    import { CodeMode } from ${JSON.stringify(resolve("dist/index.js"))};
    const runtime = CodeMode.make({ tools: {} });
    void runtime.run(${JSON.stringify(source)});`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "ignore" });
  hosts.push(host);
  await until(() => sandboxesOf(host.pid!).length > 0);
  const [sandbox] = sandboxesOf(host.pid!);
  // Long enough for the program to be in the middle of its work.
  await until(() => cpuTicks(sandbox!) > 40);
  return { host, sandbox: sandbox! };
}

/** Processor time of a process in hundredths of a second. */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

describe.runIf(isLinux)("no sandbox outlives its host", () => {
  it.each([
    ["a loop", "for (;;) ;"],
    ["a built-in that cannot be interrupted", "return /^(a+)+$/.test('a'.repeat(60) + '!')"],
    ["microtasks", "for (;;) await null"],
  ])("in %s, when the host is killed", async (_, source) => {
    const { host, sandbox } = await hostThatRuns(source);
    host.kill("SIGKILL");
    await until(() => !existsSync(`/proc/${sandbox}`) || commandOf(sandbox) === "");
  });
});

describe.runIf(isLinux)("a process", () => {
  it("has an empty environment, no files of the host's, and no way to code from strings", async () => {
    const runtime = CodeMode.make({ tools: {}, limits: { maxMemoryBytes: 64 << 20 } });
    process.env["CODEMODE_TEST_SECRET"] = "secret";
    await runtime.run("return 1");
    const [pid] = sandboxesOf(process.pid);
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toBe("");
    const command = commandOf(pid!);
    for (const flag of [
      "--disallow-code-generation-from-strings",
      "permission",
      "--allow-fs-read=",
      "--max-old-space-size=",
    ]) {
      expect(command).toContain(flag);
    }
    // Beside its pipes only what Node opens for itself: event loops, and the null device.
    const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => [fd, linkOf(`/proc/${pid}/fd/${fd}`)] as const);
    for (const [fd, target] of targets) {
      expect(Number(fd) <= 5 ? "own pipe" : target).toMatch(/^own pipe$|anon_inode|^pipe:|^\/dev\/null$|^socket:|^$/);
    }
    runtime.close();
    await until(() => sandboxesOf(process.pid).every((one) => one !== pid));
  });

  it("is used again, and makes way for another when it was ended", async () => {
    const runtime = CodeMode.make({ tools: {}, limits: { timeoutMs: 500 } });
    await runtime.run("return 1");
    const first = sandboxesOf(process.pid);
    await runtime.run("return 2");
    expect(sandboxesOf(process.pid)).toEqual(first);
    expect(await runtime.run("return /^(a+)+$/.test('a'.repeat(60) + '!')")).toMatchObject({
      error: { kind: "TimeoutExceeded" },
    });
    expect(await runtime.run("return 3")).toMatchObject({ value: 3 });
    expect(sandboxesOf(process.pid)).not.toContain(first[0]);
    runtime.close();
    await until(() => sandboxesOf(process.pid).length === 0);
  });

  it("that waits does not keep its host alive", async () => {
    const code = `
      import { CodeMode } from ${JSON.stringify(resolve("dist/index.js"))};
      const runtime = CodeMode.make({ tools: {} });
      const result = await runtime.run("return 6 * 7");
      process.stdout.write(String(result.value));`;
    const host = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    host.stdout.on("data", (chunk) => (output += chunk));
    const code_ = await new Promise((done) => host.on("close", done));
    expect([code_, output]).toEqual([0, "42"]);
  });
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

it("many executions leave nothing behind", async () => {
  const echo = Tool.make({ description: "", run: (input: unknown) => input });
  const runtime = CodeMode.make({ tools: { echo } });
  const source =
    "const kept = Array.from({ length: 1000 }, (_, i) => ({ i })); await tools.echo(kept.length); return kept.length";
  const runs = Number(process.env["CODEMODE_EXECUTIONS"] ?? 150);
  const memory: number[] = [];
  for (let n = 0; n < runs; n++) {
    expect((await runtime.run(source)).ok).toBe(true);
    if (isLinux && n % 25 === 24) {
      const bytes = sandboxesOf(process.pid).map(
        (pid) => Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096,
      );
      memory.push(Math.max(...bytes));
    }
  }
  runtime.close();
  if (process.env["CODEMODE_EXECUTIONS"]) console.log(memory.map((bytes) => Math.round(bytes / 1e6)).join(" "));
  // A realm is some megabytes: keeping each of them would be hundreds.
  expect(Math.max(...memory) - memory[0]!).toBeLessThan(200e6);
});
