import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codemode, json } from "./command-line.js";
import { type Recorder, sendJson, startRecorder } from "./recorder.js";

process.env.FORGE_TOKEN = "t-1";
process.env.SHELTER_KEY = "k-1";
const FORGE = "fixtures/forge/openapi.json";
const SHELTER = "fixtures/petstore/swagger.yaml";
const folder = mkdtempSync(join(tmpdir(), "codemode-call-"));

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder(({ method, target }, response) => {
    if (target === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"event":"push"}\n\nevent: done\ndata: two\ndata: lines\n\n');
    } else if (target.endsWith("/photo") && method === "GET") {
      response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from([137, 80, 78, 71, 0]));
    } else if (method === "DELETE") response.writeHead(204).end();
    else if (target.startsWith("/pets/404"))
      sendJson(response, { message: "no such pet" }, 404, { "x-request-id": "r-1" });
    else sendJson(response, { method, target });
  });
});
afterAll(() => recorder.close());

const forge = (...args: string[]) =>
  codemode(["call", FORGE, ...args, "--server", recorder.origin, "--auth", "token=env:FORGE_TOKEN", "--retries", "0"]);
const shelter = (...args: string[]) =>
  codemode([
    "call",
    SHELTER,
    ...args,
    "--server",
    recorder.origin,
    "--auth",
    "shelterKey=env:SHELTER_KEY",
    "--retries",
    "0",
  ]);
const last = () => recorder.requests.at(-1)!;
const ISSUE = ["issues.create", "--owner", "a", "--repo", "b"];

describe("call", () => {
  it("types its options by the document", async () => {
    expect(
      (await forge(...ISSUE, "--title", "007", "--draft", "--labels", "bug", "--labels", "1", "--milestone", "3")).code,
    ).toBe(0);
    expect(JSON.parse(last().body)).toEqual({ title: "007", draft: true, labels: ["bug", "1"], milestone: 3 });
    expect(
      (await forge(...ISSUE, "--title=--odd", "--draft", "false", '--labels=["x","y,z"]', "--milestone", "null")).code,
    ).toBe(0);
    expect(JSON.parse(last().body)).toEqual({ title: "--odd", draft: false, labels: ["x", "y,z"], milestone: null });
  });

  it("accepts names of inputs in any usual spelling", async () => {
    for (const flag of ["--per_page", "--per-page", "--perPage", "--Per-Page"]) {
      expect((await forge("repos.listForOrg", "--org", "acme", flag, "2")).code).toBe(0);
      expect(last().target).toBe("/orgs/acme/repos?per_page=2");
    }
    expect(
      (
        await shelter(
          "listPets",
          "--x-trace",
          "t",
          "--tags",
          "a b",
          "--tags",
          "c",
          "--status",
          "new",
          "--status",
          "known",
        )
      ).code,
    ).toBe(0);
    expect(last().target).toBe("/pets?status=new&status=known&tags=a%20b%7Cc");
    expect(last().headers["x-trace"]).toBe("t");
  });

  it("keeps every digit of an integer, in options and in --input", async () => {
    expect((await shelter("getPet", "--petId", "9007199254740993")).code).toBe(0);
    expect(last().target).toBe("/pets/9007199254740993");
    expect((await shelter("getPet", "--input", '{"petId": 12345678901234567890}')).code).toBe(0);
    expect(last().target).toBe("/pets/12345678901234567890");
  });

  it("merges --input, --arg and options, the later ones win", async () => {
    const outcome = await forge(
      "issues.create",
      "--input",
      '{"owner":"a","repo":"b","title":"one"}',
      "--arg",
      "title=two",
      "--arg",
      'labels:=["z"]',
      "--body",
      "text",
    );
    expect(outcome.code).toBe(0);
    expect(JSON.parse(last().body)).toEqual({ title: "two", labels: ["z"], body: "text" });
  });

  it("takes a file as @path, and saves a file that comes back", async () => {
    const path = join(folder, "cat.png");
    writeFileSync(path, Buffer.from([1, 2, 3]));
    expect((await shelter("addPhoto", "--petId", "1", "--photo", `@${path}`, "--caption", "Mühle")).code).toBe(0);
    expect(last().headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(last().body).toMatch(/name="photo"; filename="cat.png"[\s\S]*name="caption"\r\n[\s\S]*Mühle/);
    const outcome = await shelter("getPhoto", "--petId", "1", "--files", join(folder, "downloads"), "--json");
    const { value } = json(outcome);
    expect(value).toMatchObject({ mediaType: "image/png", bytes: 5 });
    expect([...readFileSync(join(folder, "downloads", value.file))]).toEqual([137, 80, 78, 71, 0]);
  });

  it("sends forms", async () => {
    expect((await shelter("addNote", "--petId", "1", "--text", "a&b=ü", "--private")).code).toBe(0);
    expect(last().headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
    expect(Object.fromEntries(new URLSearchParams(last().body))).toEqual({ text: "a&b=ü", private: "true" });
  });

  it("needs every scheme of an alternative, and names what is missing", async () => {
    const missing = await shelter("adoptPet", "--petId", "1", "--json");
    expect(missing.code).toBe(1);
    expect(JSON.stringify(json(missing).error)).toContain("keeper");
    const both = await shelter("adoptPet", "--petId", "1", "--auth", "keeper=literal:ada:pass word", "--json");
    expect(json(both)).toMatchObject({
      ok: true,
      value: null,
      toolCalls: [{ tool: "adoptPet", outcome: "success", status: 204 }],
    });
    expect(last().headers).toMatchObject({
      "x-shelter-key": "k-1",
      authorization: `Basic ${Buffer.from("ada:pass word").toString("base64")}`,
    });
  });

  it("--response shows the status and the headers of any answer", async () => {
    const { code, stdout } = await shelter("getPet", "--petId", "404", "--response");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 404,
      headers: { "x-request-id": "r-1" },
      data: { message: "no such pet" },
    });
  });

  it("an answer outside 2xx is a failure that names status and message", async () => {
    const outcome = await shelter("getPet", "--petId", "404");
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toMatch(/^error\[ToolFailure\]: .*404.*no such pet/);
  });

  it("reads a stream: one item a line, or a list", async () => {
    expect((await forge("activity.streamEvents", "--output", "ndjson")).stdout).toBe(
      '{"data":"{\\"event\\":\\"push\\"}"}\n{"event":"done","data":"two\\nlines"}\n',
    );
    expect(json(await forge("activity.streamEvents", "--json")).value).toEqual([
      { data: '{"event":"push"}' },
      { event: "done", data: "two\nlines" },
    ]);
  });

  it("knows a tool by operationId, expression, method and path, whatever the path calls its expressions", async () => {
    for (const tool of [
      "repos/list-for-org",
      "tools.repos.listForOrg",
      'tools["repos"].listForOrg',
      "GET /orgs/{org}/repos",
      "get /orgs/{organization}/repos",
    ]) {
      expect((await forge(tool, "--org", "acme")).code).toBe(0);
      expect(last()).toMatchObject({ method: "GET", target: "/orgs/acme/repos" });
    }
  });

  it("--help shows the inputs of the tool", async () => {
    const { code, stdout } = await codemode(["call", FORGE, "issues.create", "--help"]);
    expect(code).toBe(0);
    for (const text of [
      "POST /repos/{owner}/{repo}/issues",
      "--title <string>",
      "[body, required]",
      "--labels <string...>",
      "--owner <string>",
      "[path, required]",
      "Markdown.",
    ]) {
      expect(stdout).toContain(text);
    }
  });

  it("--confirm sends nothing where nobody can be asked, and lets reads pass", async () => {
    const before = recorder.requests.length;
    const outcome = await forge(...ISSUE, "--title", "x", "--confirm");
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain("confirmation");
    expect(recorder.requests.length).toBe(before);
    expect((await forge("repos.listForOrg", "--org", "acme", "--confirm")).code).toBe(0);
  });

  it("--dry-run --json is the request", async () => {
    const outcome = await shelter("addPet", "--name", "Mimi", "--kind", "cat", "--age", "2", "--dry-run", "--json");
    expect(json(outcome)).toEqual({
      method: "POST",
      url: `${recorder.origin}/pets`,
      headers: expect.objectContaining({ "x-shelter-key": "[redacted]", "content-type": "application/json" }),
      body: '{"name":"Mimi","kind":"cat","age":2}',
      bodyEncoding: "utf8",
    });
  });

  it.each([
    ["a missing input", ["repos.listForOrg"], "org"],
    ["an unknown input of --input", ["repos.listForOrg", "--input", '{"org":"a","orgg":1}'], "orgg"],
    ["a value whose shape cannot be sent", ["repos.listForOrg", "--input", '{"org":{"a":1}}'], "org"],
    ["a path that would lead elsewhere", ["repos.listForOrg", "--org", ".."], "org"],
  ])("refuses %s, and nothing is sent", async (_title, args, says) => {
    const before = recorder.requests.length;
    const outcome = await forge(...args, "--json");
    expect(outcome.code).toBe(1);
    expect(json(outcome).error).toMatchObject({ kind: "InvalidToolInput", message: expect.stringContaining(says) });
    expect(recorder.requests.length).toBe(before);
  });

  it("ends at --timeout", async () => {
    const silent = await startRecorder(() => {});
    const outcome = await codemode([
      "call",
      FORGE,
      "repos.listForOrg",
      "--org",
      "a",
      "--server",
      silent.origin,
      "--timeout",
      "1s",
      "--json",
    ]);
    await silent.close();
    expect(outcome.code).toBe(1);
    expect(json(outcome).error.kind).toBe("TimeoutExceeded");
  });
});
