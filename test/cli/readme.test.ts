/** Every command of the README works as pasted. */
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { BIN, codemode, ROOT } from "./command-line.js";

const README = readFileSync(join(ROOT, "README.md"), "utf8");
const run = promisify(execFile);

/** A folder with `codemode-openapi` in it, as an installed package puts it on PATH. */
const folder = mkdtempSync(join(tmpdir(), "codemode-path-"));
writeFileSync(join(folder, "codemode-openapi"), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
chmodSync(join(folder, "codemode-openapi"), 0o755);
const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, NO_COLOR: "1", CODEMODE_OUT: folder };

function consoleLines(text: string): string[] {
  return [...text.matchAll(/```console\n([\s\S]*?)```/g)]
    .flatMap(([, block]) => block!.split("\n"))
    .filter((line) => line.startsWith("$ "))
    .map((line) => line.slice(2));
}

/** Commands of the repository itself, and one that is about a file of the reader's. */
const ELSEWHERE = [/^npm /, /shop\.yaml report\.ts/];

const commands = consoleLines(README).filter((line) => !ELSEWHERE.some((pattern) => pattern.test(line)));

async function paste(command: string): Promise<{ stdout: string; stderr: string }> {
  // Files that an example writes go to a temporary folder.
  const script = command.replace(/-o (\S+)/, (_, file: string) => `-o '${join(folder, file)}'`);
  return run("bash", ["-c", `set -o pipefail; ${script}`], { cwd: ROOT, env, maxBuffer: 64 * 1024 * 1024 });
}

describe("README", () => {
  it("has its commands where they are looked for", () => {
    expect(commands.length).toBeGreaterThan(20);
  });

  it.each(commands)("%s", async (command) => {
    const { stdout, stderr } = await paste(command);
    expect(stderr).not.toMatch(/unexpected|^error: /m);
    // What `check` has to say is for a person; what `-o` writes is in the file.
    if (!/ check | -o /.test(command)) expect(stdout).not.toBe("");
  });

  it("lists every skip code", () => {
    const source = readFileSync(join(ROOT, "src/openapi/document.ts"), "utf8");
    const union = /export type SkipCode =([\s\S]*?);/.exec(source)![1]!;
    for (const [, code] of union.matchAll(/"([a-z-]+)"/g)) expect(README).toContain(`| \`${code}\` |`);
  });

  it("names every command", async () => {
    const { stdout } = await codemode(["--help"]);
    const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!).filter((name) => name !== "help");
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(README).toMatch(new RegExp(`\\| \`${name}\\b`));
  });
});

describe("the examples of --help", () => {
  it("work as pasted", async () => {
    const { stdout } = await codemode(["--help"]);
    const names = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!).filter((name) => name !== "help");
    const helps = await Promise.all(names.map(async (name) => (await codemode([name, "--help"])).stdout));
    const lines = [stdout, ...helps].flatMap((help) => [...help.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line]) => line!));
    const examples = [...new Set(lines)].filter((line) => !/fish|--http/.test(line));
    expect(examples.length).toBeGreaterThan(20);
    for (const example of examples) {
      const { stderr } = await paste(example);
      expect(stderr, example).not.toMatch(/unexpected|^error: /m);
    }
  }, 300_000);
});
