import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BIN, codemode, ROOT } from "./command-line.js";
import { startRecorder } from "./recorder.js";

const FORGE = "fixtures/forge/openapi.json";

/** Processes whose parent is `pid`. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** A process that runs, and is no remainder that nobody has waited for yet. */
function alive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("an interrupted command", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("%s ends it at once, with everything it started", async (signal) => {
    let asked: () => void = () => {};
    const waiting = new Promise<void>((resolve) => {
      asked = resolve;
    });
    // Never answers.
    const server = await startRecorder(() => asked());
    let children: number[] = [];
    let since = 0;
    const outcome = await codemode(
      ["run", FORGE, "-e", "await tools.repos.listForOrg({ org: 'a' })", "--server", server.origin],
      {
        during: (child) => {
          void waiting.then(async () => {
            children = await childrenOf(child.pid!);
            since = Date.now();
            child.kill(signal);
          });
        },
      },
    );
    const took = Date.now() - since;
    await server.close();
    expect(outcome.code).toBe(130);
    expect(outcome.stdout).toBe("");
    expect(took).toBeLessThan(5_000);
    expect(children.length).toBeGreaterThan(0);
    expect(children.filter(alive)).toEqual([]);
  });

  it("stops a program that never yields", async () => {
    const outcome = await codemode(["run", FORGE, "-e", "for (;;);"], {
      during: (child) => void setTimeout(() => child.kill("SIGINT"), 1_500),
    });
    expect(outcome.code).toBe(130);
  });
});

describe("a reader that goes away", () => {
  it("ends the command without a word", async () => {
    const child = spawn(
      process.execPath,
      [BIN, "run", FORGE, "-e", "return 'x'.repeat(5_000_000).match(/.{1,80}/g)", "--output", "ndjson"],
      {
        cwd: ROOT,
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [code] = await once(child, "close");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});
