import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codemode } from "./command-line.js";

const COMMANDS = [
  "run",
  "call",
  "list",
  "skipped",
  "search",
  "types",
  "check",
  "instructions",
  "mcp",
  "auth",
  "login",
  "demo",
  "completion",
];

describe("--help", () => {
  it("of the program", async () => {
    const { code, stdout, stderr } = await codemode(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatchSnapshot();
  });

  it.each(COMMANDS)("of %s", async (command) => {
    const { code, stdout, stderr } = await codemode([command, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/\nExamples:\n {2}\$ /);
    expect(stdout).toContain("--json");
    expect(stdout).toMatchSnapshot();
    // `help <command>` is the same text.
    expect((await codemode(["help", command])).stdout).toBe(stdout);
  });

  it("of nothing at all is shown on stderr, for that is no use of the program", async () => {
    const { code, stdout, stderr } = await codemode([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage: codemode-openapi <command> [options]");
  });
});

describe("--version", () => {
  it.each(["--version", "-V"])("%s is the package's", async (flag) => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await codemode([flag])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("%s knows every command and option", async (shell) => {
    const { code, stdout } = await codemode(["completion", shell]);
    expect(code).toBe(0);
    for (const word of [...COMMANDS, "max-tool-calls", "ndjson"]) expect(stdout).toContain(word);
  });

  it("--json wraps the script", async () => {
    const { stdout } = await codemode(["completion", "bash", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ shell: "bash", script: expect.stringContaining("complete ") });
  });

  it("completes in a real bash", async () => {
    const { execFileSync } = await import("node:child_process");
    const { stdout } = await codemode(["completion", "bash"]);
    const complete = (words: string[]) =>
      execFileSync(
        "bash",
        [
          "--norc",
          "-c",
          `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _codemode_openapi; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { encoding: "utf8" },
      )
        .trim()
        .split("\n");
    expect(complete(["codemode-openapi", "se"])).toEqual(["search"]);
    expect(complete(["codemode-openapi", "run", "--max-t"])).toEqual(["--max-tool-calls"]);
    expect(complete(["codemode-openapi", "run", "--output", "t"])).toEqual(["table", "text"]);
    expect(complete(["codemode-openapi", "completion", "z"])).toEqual(["zsh"]);
  });
});
