/** Wrong usage: what is wrong, where, what to do; exit code 2 (the document: 3); never a stack trace. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codemode, json } from "./command-line.js";

const STACK = /\n\s+at .+[:(]\d+/;
const folder = mkdtempSync(join(tmpdir(), "codemode-usage-"));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

interface Case {
  readonly title: string;
  readonly args: readonly string[];
  readonly code: number;
  readonly says: readonly (string | RegExp)[];
  readonly input?: string;
}

const cases: readonly Case[] = [
  { title: "unknown command", args: ["lst"], code: 2, says: ["unknown command 'lst'", "list"] },
  { title: "unknown option", args: ["run", "demo:", "--timout", "3s"], code: 2, says: ["--timout", "--timeout"] },
  { title: "missing value of an option", args: ["run", "demo:", "-e"], code: 2, says: ["--eval"] },
  {
    title: "time without sense",
    args: ["run", "demo:", "-e", "1", "--timeout", "soon"],
    code: 2,
    says: ["--timeout", "soon", "30s"],
  },
  {
    title: "size without sense",
    args: ["run", "demo:", "-e", "1", "--memory", "-5"],
    code: 2,
    says: ["--memory", "64MiB"],
  },
  {
    title: "count without sense",
    args: ["run", "demo:", "-e", "1", "--retries", "1.5"],
    code: 2,
    says: ["--retries", "whole number"],
  },
  {
    title: "output format without sense",
    args: ["run", "demo:", "-e", "1", "--output", "xml"],
    code: 2,
    says: ["xml", "ndjson"],
  },
  {
    title: "pair without a name",
    args: ["run", "demo:", "-e", "1", "--arg", "=x"],
    code: 2,
    says: ["--arg", "name=value"],
  },
  { title: "no document", args: ["list"], code: 2, says: ["<spec> is missing"] },
  { title: "no program", args: ["run", "demo:"], code: 2, says: ["program", "-e"] },
  { title: "two programs", args: ["run", "demo:", "fixtures/demo/report.ts", "-e", "1"], code: 2, says: ["not both"] },
  {
    title: "missing program file",
    args: ["run", "demo:", "no-such.ts"],
    code: 2,
    says: ["no-such.ts", "no such file"],
  },
  { title: "a folder as the program", args: ["run", "demo:", "fixtures"], code: 2, says: ["fixtures", "folder"] },
  { title: "too many arguments", args: ["list", "demo:", "more"], code: 2, says: [/too many arguments/i] },
  {
    title: "input that is not JSON",
    args: ["run", "demo:", "-e", "1", "--input", "{a:1}"],
    code: 2,
    says: ["--input is not JSON"],
  },
  {
    title: "missing input file",
    args: ["run", "demo:", "-e", "1", "--input", "@no-such.json"],
    code: 2,
    says: ["no-such.json", "no such file"],
  },
  { title: "stdin for two things", args: ["run", "demo:", "-", "--input", "-"], code: 2, says: ["stdin"], input: "1" },
  { title: "<spec> and --api", args: ["list", "demo:", "--api", "a=demo:"], code: 2, says: ["--api"] },
  { title: "an API twice", args: ["list", "--api", "a=demo:", "--api", "a=demo:"], code: 2, says: ["a twice"] },
  {
    title: "a credential that may be for two APIs",
    args: ["run", "--api", "a=demo:", "--api", "b=demo:", "-e", "1", "--auth", "bearerAuth=env:X"],
    code: 2,
    says: ["which API", "a.bearerAuth"],
  },
  {
    title: "a credential that is no source",
    args: ["run", "demo:", "-e", "1", "--auth", "bearerAuth=s3cr3t"],
    code: 2,
    says: ["env:NAME"],
  },
  {
    title: "a scheme that is none",
    args: ["list", "demo:", "--scheme", "x=telepathy"],
    code: 2,
    says: ["telepathy", "bearer"],
  },
  {
    title: "a convention that is none",
    args: ["list", "demo:", "--convention", "matrix=wild"],
    code: 2,
    says: ["matrix", "deepObject=brackets"],
  },
  {
    title: "a server that is no URL",
    args: ["run", "demo:", "-e", "1", "--server", "example"],
    code: 2,
    says: ["example", "http"],
  },
  {
    title: "missing configuration file",
    args: ["list", "demo:", "--config", "no-such.yaml"],
    code: 2,
    says: ["no-such.yaml", "no such file"],
  },
  { title: "call without a tool", args: ["call", "demo:"], code: 2, says: ["tool"] },
  {
    title: "call of an unknown tool",
    args: ["call", "demo:", "orders.gett"],
    code: 1,
    says: ["orders.gett", "orders.get"],
  },
  {
    title: "call with an unknown input",
    args: ["call", "demo:", "orders.get", "--idd", "1"],
    code: 1,
    says: ["idd", "--id"],
  },
  {
    title: "call with an input of the wrong type",
    args: ["call", "demo:", "orders.get", "--id", "one"],
    code: 1,
    says: ["--id", "whole number"],
  },
  {
    title: "call with an input twice",
    args: ["call", "demo:", "orders.get", "--id", "1", "--id", "2"],
    code: 1,
    says: ["--id", "one value"],
  },
  {
    title: "call with a value missing",
    args: ["call", "demo:", "orders.get", "--id"],
    code: 2,
    says: ["--id needs a value"],
  },
  { title: "search without a query", args: ["search", "demo:"], code: 2, says: ["query"] },
  { title: "unknown shell", args: ["completion", "csh"], code: 2, says: ["csh", "fish"] },
  { title: "missing document", args: ["list", "no-such.yaml"], code: 3, says: ["no-such.yaml", "no such file"] },
  {
    title: "document that is neither JSON nor YAML",
    args: ["list", file("bad.yaml", "openapi: 3.1.0\n  info: [")],
    code: 3,
    says: ["bad.yaml", /\b2\b/],
  },
  {
    title: "document that is not OpenAPI",
    args: ["list", file("other.yaml", "name: x\nversion: 1\n")],
    code: 3,
    says: ["not an OpenAPI document"],
  },
  {
    title: "document of an unknown version",
    args: ["list", file("v4.yaml", "openapi: 4.0.0\npaths: {}\n")],
    code: 3,
    says: ["4.0.0"],
  },
  { title: "empty document", args: ["list", file("empty.yaml", "")], code: 3, says: ["empty"] },
  { title: "empty document on stdin", args: ["list", "-"], code: 3, says: ["stdin"], input: "" },
  {
    title: "document whose server is down",
    args: ["list", "http://127.0.0.1:9/openapi.yaml"],
    code: 3,
    says: ["127.0.0.1:9"],
  },
];

describe("wrong usage", () => {
  it.each(cases)("$title", async ({ args, code, says, input }) => {
    const outcome = await codemode(args, input === undefined ? {} : { input });
    for (const text of says) expect(outcome.stderr).toMatch(text);
    expect(outcome.stderr).toMatch(code === 1 ? /^error\[\w+\]: / : /^error: /);
    expect(outcome.stderr).not.toMatch(STACK);
    expect(outcome.stderr).not.toContain("unexpected");
    expect(outcome).toMatchObject({ code, stdout: "" });
  });

  it("never repeats what may be a secret", async () => {
    const { stderr } = await codemode(["run", "demo:", "-e", "1", "--auth", "bearerAuth=s3cr3t-t0ken"]);
    expect(stderr).not.toContain("s3cr3t-t0ken");
  });
});

describe("a document whose server is relative to nowhere", () => {
  const relative = "fixtures/relative-server/openapi.yaml";

  it("has tools all the same, and refuses their calls until a server is given", async () => {
    const listed = json(await codemode(["list", relative, "--json"]));
    expect(listed.tools.map((tool: { path: string }) => tool.path)).toEqual(["tools.notes.get"]);
    expect(listed.skipped).toEqual([]);
    const refused = await codemode(["call", relative, "notes.get", "--id", "7"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("notes.get has no server to go to");
    expect(refused.stderr).toContain("--server <url>");
    const given = await codemode([
      ...["call", relative, "notes.get", "--id", "7", "--dry-run", "--json"],
      ...["--server", "http://127.0.0.1:9/api"],
    ]);
    expect(json(given)).toMatchObject({ method: "GET", url: "http://127.0.0.1:9/api/notes/7" });
  });
});
