import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codemode, json } from "./command-line.js";
import { type Recorder, sendJson, startRecorder } from "./recorder.js";

process.env.FORGE_TOKEN = "t-1";
const DAY = 24 * 60 * 60 * 1000;
let forge: Recorder;

beforeAll(async () => {
  forge = await startRecorder((request, response) => {
    const url = new URL(request.target, "http://localhost");
    if (url.pathname === "/orgs/acme/repos") {
      if (url.searchParams.get("page") === "2") return sendJson(response, [{ id: 2, name: "web" }]);
      const link = `<${url.pathname}?per_page=100&page=2>; rel="next"`;
      return sendJson(response, [{ id: 1, name: "core" }], 200, { link });
    }
    if (url.pathname.endsWith("/issues") && request.method === "GET") {
      const repo = url.pathname.split("/")[3];
      return sendJson(response, [
        {
          number: 7,
          title: `Old in ${repo}`,
          state: "open",
          updated_at: new Date(Date.now() - (repo === "web" ? 90 : 60) * DAY).toISOString(),
        },
        { number: 8, title: "Fresh", state: "open", updated_at: new Date().toISOString() },
      ]);
    }
    if (url.pathname === "/boom") return sendJson(response, { message: "kaputt" }, 500);
    return sendJson(response, { message: "no such thing" }, 404);
  });
});
afterAll(() => forge.close());

const FORGE = "fixtures/forge/openapi.json";
const on = (...args: string[]) => [
  ...args,
  "--server",
  forge.origin,
  "--auth",
  "token=env:FORGE_TOKEN",
  "--retries",
  "0",
];
const folder = mkdtempSync(join(tmpdir(), "codemode-run-"));
function program(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe("run", () => {
  it("runs a TypeScript file that sequences, fans out and aggregates", async () => {
    const before = forge.requests.length;
    const outcome = await codemode([
      "run",
      FORGE,
      "fixtures/forge/stale-issues.ts",
      "--arg",
      "org=acme",
      "--arg",
      "days:=30",
      ...on(),
    ]);
    expect(outcome.stderr).toBe("");
    expect(JSON.parse(outcome.stdout).map((issue: any) => [issue.repo, issue.number, issue.title])).toEqual([
      ["web", 7, "Old in web"],
      ["core", 7, "Old in core"],
    ]);
    expect(outcome.code).toBe(0);
    const sent = forge.requests.slice(before);
    expect(sent.map((request) => `${request.method} ${request.target}`).sort()).toEqual([
      "GET /orgs/acme/repos?per_page=100",
      "GET /orgs/acme/repos?per_page=100&page=2",
      "GET /repos/acme/core/issues?state=open&per_page=100",
      "GET /repos/acme/web/issues?state=open&per_page=100",
    ]);
    for (const request of sent) expect(request.headers.authorization).toBe("Bearer t-1");
  });

  it("takes the program from stdin and from -e", async () => {
    expect(await codemode(["run", FORGE, "-"], { input: "return 6 * 7" })).toMatchObject({
      code: 0,
      stdout: "42\n",
      stderr: "",
    });
    expect(await codemode(["run", FORGE, "-e", "6 * 7"])).toMatchObject({ code: 0, stdout: "42\n" });
    expect(await codemode(["run", FORGE, "-e", "const x: number = 1"])).toMatchObject({ code: 0, stdout: "null\n" });
  });

  it("takes the document from stdin", async () => {
    const { readFileSync } = await import("node:fs");
    const outcome = await codemode(["run", "-", "-e", "return Object.keys(tools).sort()"], {
      input: readFileSync(FORGE, "utf8"),
    });
    expect(JSON.parse(outcome.stdout)).toEqual(["activity", "issues", "repos"]);
  });

  it("takes input as JSON, from a file, from stdin and piecewise", async () => {
    const value = async (args: string[], input?: string) =>
      JSON.parse(
        (await codemode(["run", FORGE, "-e", "return input", ...args], input === undefined ? {} : { input })).stdout,
      );
    expect(await value(["--input", '{"a":[1,null]}'])).toEqual({ a: [1, null] });
    expect(await value(["--input", `@${program("input.json", '{"b":2}')}`])).toEqual({ b: 2 });
    expect(await value(["--input", "-"], "[3]")).toEqual([3]);
    expect(await value(["--arg", "n=5", "--arg", "m:=5", "--arg", "e="])).toEqual({ n: "5", m: 5, e: "" });
    expect(await value(["--input", '{"a":1,"b":1}', "--arg", "b=2"])).toEqual({ a: 1, b: "2" });
  });

  it("prints logs on stderr and the result on stdout", async () => {
    const outcome = await codemode(["run", FORGE, "-e", "console.log('hello', { a: 1 }); return 1"]);
    expect(outcome).toMatchObject({ code: 0, stdout: "1\n" });
    expect(outcome.stderr).toMatch(/hello/);
  });

  it("--json gives the result, its calls and its logs as one document", async () => {
    const code =
      "console.log('one'); await tools.repos.listForOrg({ org: 'acme' }); try { await tools.repos.listForOrg({ org: 'none' }) } catch (e) { return e.status }";
    const outcome = await codemode(["run", FORGE, "-e", code, "--json", ...on()]);
    expect(json(outcome)).toMatchObject({
      ok: true,
      value: 404,
      logs: ["one"],
      toolCalls: [
        { tool: "repos.listForOrg", outcome: "success", status: 200 },
        { tool: "repos.listForOrg", outcome: "failure", status: 404 },
      ],
    });
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
  });

  it("--dry-run sends nothing and records each request", async () => {
    const before = forge.requests.length;
    const code =
      "const issue = await tools.issues.create({ owner: 'a', repo: 'b', title: 'T' }); return typeof issue.number";
    const outcome = await codemode(["run", FORGE, "-e", code, "--json", "--dry-run", ...on()]);
    const result = json(outcome);
    expect(result).toMatchObject({ ok: true, value: "number" });
    expect(result.requests).toEqual([
      {
        method: "POST",
        url: `${forge.origin}/repos/a/b/issues`,
        headers: expect.objectContaining({
          authorization: expect.stringMatching(/\[redacted\]/),
          "content-type": "application/json",
        }),
        body: '{"title":"T"}',
        bodyEncoding: "utf8",
      },
    ]);
    expect(forge.requests.length).toBe(before);
    const shown = json(await codemode(["run", FORGE, "-e", code, "--json", "--dry-run", "--show-secrets", ...on()]));
    expect(shown.requests[0].headers.authorization).toBe("Bearer t-1");
  });

  it("--record keeps what was sent without secrets, --replay answers from it without a network", async () => {
    const har = join(folder, "session.har");
    const code = "return (await tools.repos.listForOrg({ org: 'acme' })).map(r => r.name)";
    const recorded = await codemode(["run", FORGE, "-e", code, "--record", har, ...on()]);
    expect(recorded).toMatchObject({ code: 0 });
    const { readFileSync } = await import("node:fs");
    const text = readFileSync(har, "utf8");
    expect(JSON.parse(text).log.entries).toHaveLength(1);
    expect(text).not.toContain("t-1");
    const before = forge.requests.length;
    const replayed = await codemode(["run", FORGE, "-e", code, "--replay", har, ...on()]);
    expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout });
    expect(forge.requests.length).toBe(before);
  });

  it("several APIs stand side by side", async () => {
    const outcome = await codemode([
      "run",
      "--api",
      `forge=${FORGE}`,
      "--api",
      "shelter=fixtures/petstore/swagger.yaml",
      "-e",
      "return [Object.keys(tools), await tools.forge.repos.listForOrg({ org: 'acme' })]",
      "--server",
      `forge=${forge.origin}`,
      "--auth",
      "forge.token=env:FORGE_TOKEN",
      "--json",
    ]);
    expect(json(outcome).value).toEqual([["forge", "shelter"], [{ id: 1, name: "core" }]]);
  });
});

interface Failure {
  readonly title: string;
  readonly code: string;
  readonly kind: string;
  readonly says: readonly (string | RegExp)[];
  readonly at?: readonly [line: number, column: number];
  readonly args?: readonly string[];
}

const failures: readonly Failure[] = [
  { title: "a syntax error", code: "const a = 1;\nconst b = ;", kind: "ParseError", says: [], at: [2, 11] },
  {
    title: "an import",
    code: "import fs from 'node:fs'\nreturn 1",
    kind: "UnsupportedSyntax",
    says: [/import/i],
    at: [1, 1],
  },
  { title: "an unknown tool", code: "return await tools.issues.lst({})", kind: "UnknownTool", says: ["issues.lst"] },
  {
    title: "a missing input",
    code: "return await tools.repos.listForOrg({})",
    kind: "InvalidToolInput",
    says: ["org"],
  },
  {
    title: "an unknown input",
    code: "return await tools.repos.listForOrg({ org: 'a', orgg: 'b' })",
    kind: "InvalidToolInput",
    says: ["orgg"],
  },
  {
    title: "a wrong type of input",
    code: "return await tools.repos.listForOrg({ org: { a: 1 } })",
    kind: "InvalidToolInput",
    says: ["org"],
  },
  {
    title: "an answer outside 2xx",
    code: "\n return await tools.repos.listForOrg({ org: 'none' })",
    kind: "ToolFailure",
    says: ["404"],
    at: [2, 9],
  },
  {
    title: "an exception",
    code: "throw new TypeError('mine')",
    kind: "ExecutionFailure",
    says: ["TypeError", "mine"],
    at: [1, 7],
  },
  {
    title: "an endless loop",
    code: "let i = 0;\nwhile (true) i++",
    kind: "TimeoutExceeded",
    says: ["2"],
    args: ["--timeout", "1500"],
  },
  {
    title: "an endless wait",
    code: "await new Promise(() => {})",
    kind: "ExecutionFailure",
    says: [],
    args: ["--timeout", "20s"],
  },
  {
    title: "a memory hog",
    code: "const a = [];\nfor (;;) a.push(new Array(1e5).fill(a.length))",
    kind: "MemoryLimitExceeded",
    says: [],
    args: ["--memory", "64"],
  },
  { title: "a value that cannot cross", code: "return { a: [() => 1] }", kind: "InvalidDataValue", says: ["$.a[0]"] },
  {
    title: "too many calls",
    code: "for (;;) await tools.repos.listForOrg({ org: 'acme' })",
    kind: "ToolCallLimitExceeded",
    says: ["3"],
    args: ["--max-tool-calls", "3"],
  },
];

describe("a program that fails", () => {
  it.each(failures)("because of $title", async ({ code, kind, says, at, args }) => {
    const outcome = await codemode(["run", FORGE, "-e", code, ...on(), ...(args ?? [])]);
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toContain(`error[${kind}]: `);
    for (const text of says) expect(outcome.stderr).toMatch(text);
    if (at) expect(outcome.stderr).toContain(`--> <eval>:${at[0]}:${at[1]}`);
    expect(outcome.stderr).not.toMatch(/\n\s+at .+[:(]\d+/);
    const { ok, error } = json(await codemode(["run", FORGE, "-e", code, "--json", ...on(), ...(args ?? [])]));
    expect({ ok, kind: error.kind }).toEqual({ ok: false, kind });
  });

  it("is shown with the line and a caret", async () => {
    const file = program(
      "wrong.ts",
      "const org: string = 'acme'\n\tawait tools.issues.listForRep({ owner: org, repo: 'x' })\n",
    );
    const { stderr } = await codemode(["run", FORGE, file, ...on()]);
    const lines = stderr.split("\n");
    expect(lines[0]).toMatch(/^error\[UnknownTool\]: .*issues\.listForRep/);
    const place = /--> .*wrong\.ts:2:(\d+)$/.exec(lines[1]!)!;
    expect(place).not.toBeNull();
    const frame = lines.find((line) => line.startsWith("2 | "))!;
    const caret = lines.find((line) => /^\s+\|\s+\^$/.test(line))!;
    expect(frame).toContain("await tools.issues.listForRep(");
    // The caret stands under the column; the tab is shown as two spaces.
    expect(caret.indexOf("^") - caret.indexOf("|") - 2).toBe(Number(place[1]) - 1 + 1);
    expect(stderr).toMatch(/Did you mean .*issues\.listForRepo\b/);
  });

  it("because nothing answers", async () => {
    const outcome = await codemode([
      "run",
      FORGE,
      "-e",
      "return await tools.repos.listForOrg({ org: 'a' })",
      "--server",
      "http://127.0.0.1:9",
      "--retries",
      "0",
    ]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/error\[ToolFailure\]: .*127\.0\.0\.1:9.*refused/s);
  });

  it("because a credential is missing: nothing is sent", async () => {
    const before = forge.requests.length;
    const outcome = await codemode([
      "run",
      "fixtures/petstore/swagger.yaml",
      "-e",
      "return await tools.listPets()",
      "--server",
      forge.origin,
    ]);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain("shelterKey");
    expect(outcome.stderr).toContain("--auth shelterKey=");
    expect(forge.requests.length).toBe(before);
  });

  it("because the answer cannot be read", async () => {
    const broken = await startRecorder((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end("{ not json");
    });
    const outcome = await codemode([
      "run",
      FORGE,
      "-e",
      "return await tools.repos.listForOrg({ org: 'a' })",
      "--server",
      broken.origin,
    ]);
    await broken.close();
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/error\[(InvalidToolOutput|ToolFailure)\]: .*JSON/);
  });
});
