/** GitHub's real document, from the package that GitHub's own clients are generated from. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codemode, json } from "./command-line.js";
import { type Recorder, sendJson, startRecorder } from "./recorder.js";

const SPEC = join(
  dirname(createRequire(import.meta.url).resolve("@octokit/openapi/package.json")),
  "generated",
  "api.github.com.json",
);

let github: Recorder;
beforeAll(async () => {
  github = await startRecorder(({ method, target }, response) => {
    const url = new URL(target, "http://localhost");
    if (method === "POST") return sendJson(response, { number: 99, html_url: "https://example.org/99" }, 201);
    if (url.pathname === "/orgs/acme/repos") {
      if (url.searchParams.get("page") === "2") return sendJson(response, [{ name: "c#" }]);
      return sendJson(response, [{ name: "core" }, { name: "web" }], 200, {
        link: `<${github.origin}/orgs/acme/repos?per_page=2&page=2>; rel="next"`,
      });
    }
    if (url.pathname.endsWith("/issues")) {
      const name = url.pathname.split("/")[3];
      return sendJson(
        response,
        Array.from({ length: name === "web" ? 12 : 3 }, (_, i) => ({ number: i + 1, title: `${name} ${i}` })),
      );
    }
    if (url.pathname === "/repos/acme/core/zipball/v1.0")
      return response.writeHead(302, { location: `${github.origin}/download` }).end();
    if (url.pathname === "/download") return response.writeHead(200, { "content-type": "application/zip" }).end("PK");
    return sendJson(response, { message: "Not Found", documentation_url: "https://docs.github.com" }, 404);
  });
});
afterAll(() => github.close());

const access = () => [
  "--server",
  github.origin,
  "--header",
  "Authorization=literal:token gh-secret",
  "--retries",
  "0",
  "--json",
];

describe("GitHub's document", () => {
  it("gives a tool for each of its operations", async () => {
    const { apis, tools, skipped } = json(await codemode(["list", SPEC, "--json"]));
    expect(apis[0]).toMatchObject({ servers: ["https://api.github.com"] });
    expect(tools.length).toBeGreaterThan(1_000);
    expect(tools.length / (tools.length + skipped.length)).toBeGreaterThan(0.99);
    expect(new Set(tools.map((tool: any) => tool.path)).size).toBe(tools.length);
    expect(tools.find((tool: any) => tool.operationId === "repos/list-for-org")).toMatchObject({
      path: "tools.repos.listForOrg",
      method: "GET",
      pathTemplate: "/orgs/{org}/repos",
    });
  });

  it("is sent exactly the requests that a program means", async () => {
    const program = `
      const repos = [];
      for await (const page of pages(tools.repos.listForOrg, { org: input.org, per_page: 2, sort: "full_name" })) repos.push(...page);
      const busy = (await Promise.all(repos.map(async ({ name }) => {
        const issues = await tools.issues.listForRepo({ owner: input.org, repo: name, state: "open", labels: "bug,help wanted", per_page: 100 });
        return { name, issues: issues.length };
      }))).filter(r => r.issues > 10);
      const made = await tools.issues.create({ owner: input.org, repo: busy[0].name, title: "Too many bugs – 12", labels: ["meta"], assignees: [] });
      const missing = await response(tools.repos.get, { owner: input.org, repo: "no" });
      return { busy, made: made.number, missing: missing.status };`;
    const before = github.requests.length;
    const outcome = await codemode(["run", SPEC, "-e", program, "--arg", "org=acme", ...access()]);
    const result = json(outcome);
    expect(result.error).toBeUndefined();
    expect(result.value).toEqual({ busy: [{ name: "web", issues: 12 }], made: 99, missing: 404 });
    const sent = github.requests.slice(before);
    expect(sent.map(({ method, target }) => `${method} ${target}`).sort()).toEqual([
      "GET /orgs/acme/repos?per_page=2&page=2",
      "GET /orgs/acme/repos?sort=full_name&per_page=2",
      "GET /repos/acme/c%23/issues?state=open&labels=bug%2Chelp%20wanted&per_page=100",
      "GET /repos/acme/core/issues?state=open&labels=bug%2Chelp%20wanted&per_page=100",
      "GET /repos/acme/no",
      "GET /repos/acme/web/issues?state=open&labels=bug%2Chelp%20wanted&per_page=100",
      "POST /repos/acme/web/issues",
    ]);
    for (const { headers } of sent) {
      expect(headers.authorization).toBe("token gh-secret");
      expect(headers.accept).toContain("application/json");
    }
    const post = sent.find(({ method }) => method === "POST")!;
    expect(post.headers["content-type"]).toMatch(/^application\/json/);
    expect(JSON.parse(post.body)).toEqual({ title: "Too many bugs – 12", labels: ["meta"], assignees: [] });
    expect(outcome.stdout + outcome.stderr).not.toContain("gh-secret");
  });

  it("can be called by operationId, by path and by name", async () => {
    const before = github.requests.length;
    const inputs = ["--owner", "acme", "--repo", "core", "--per-page", "5"];
    for (const tool of [
      "issues/list-for-repo",
      "issues.listForRepo",
      "tools.issues.listForRepo",
      "GET /repos/{owner}/{repo}/issues",
    ]) {
      expect(json(await codemode(["call", SPEC, tool, ...inputs, ...access()])).value).toHaveLength(3);
    }
    expect(new Set(github.requests.slice(before).map(({ target }) => target))).toEqual(
      new Set(["/repos/acme/core/issues?per_page=5"]),
    );
  });

  it("finds tools by what they do, and checks programs against them", async () => {
    const { items } = json(await codemode(["search", SPEC, "list issues of a repository", "--json", "--limit", "5"]));
    expect(items.map((item: any) => item.name)).toContain("issues.listForRepo");
    const wrong = await codemode([
      "check",
      SPEC,
      "-e",
      "await tools.issues.listForRepos({ owner: 'a', repo: 'b' })",
      "--json",
    ]);
    expect(wrong.code).toBe(1);
    expect(json(wrong).diagnostics[0]).toMatchObject({
      kind: "UnknownTool",
      location: { line: 1 },
      hint: expect.stringContaining("tools.issues.listForRepo"),
    });
    const right = await codemode([
      "check",
      SPEC,
      "-e",
      "return (await tools.issues.listForRepo({ owner: 'a', repo: 'b' })).length",
      "--json",
    ]);
    expect(json(right)).toMatchObject({ ok: true, diagnostics: [] });
  });
});
