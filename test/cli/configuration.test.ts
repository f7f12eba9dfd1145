import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codemode, json, ROOT } from "./command-line.js";
import { type Recorder, sendJson, startRecorder } from "./recorder.js";

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder((request, response) => sendJson(response, [{ at: request.target }]));
});
afterAll(() => recorder.close());

/** A folder with a configuration file, and a folder below it. */
function project(configuration: string, name = "codemode.config.yaml"): { top: string; below: string } {
  const top = mkdtempSync(join(tmpdir(), "codemode-config-"));
  const below = join(top, "a", "b");
  mkdirSync(below, { recursive: true });
  writeFileSync(join(top, name), configuration);
  return { top, below };
}

const FORGE = join(ROOT, "fixtures/forge/openapi.json");
const SHELTER = join(ROOT, "fixtures/petstore/swagger.yaml");

const two = () => `
apis:
  forge: { spec: ${FORGE}, server: ${recorder.origin}/forge, auth: { token: env:FORGE_TOKEN } }
  shelter:
    spec: ${SHELTER}
    server: ${recorder.origin}/shelter
    auth: { shelterKey: "literal:k-1" }
    headers: { X-Client: tests }
    readOnly: true
limits: { timeout: 20s, maxToolCalls: 3 }
output: yaml
`;

const env = { FORGE_TOKEN: "t-1" };

describe("the configuration file", () => {
  it("is found in the nearest parent folder and names APIs, servers, credentials and limits", async () => {
    const { below } = project(two());
    const program =
      "const a = await tools.forge.repos.listForOrg({ org: 'x' }); const b = await tools.shelter.listPets({ limit: 2 }); return [a, b]";
    const outcome = await codemode(["run", "-e", program], { cwd: below, env });
    expect(outcome.stderr).toBe("");
    expect(outcome.stdout).toBe("- - at: /forge/orgs/x/repos\n- - at: /shelter/pets?limit=2\n");
    const [first, second] = recorder.requests.slice(-2);
    expect(first!.headers["authorization"]).toBe("Bearer t-1");
    expect(second!.headers).toMatchObject({ "x-shelter-key": "k-1", "x-client": "tests" });
    expect(first!.headers["x-client"]).toBeUndefined();
  });

  it("loses to flags", async () => {
    const { below } = project(two());
    const program = "for (let i = 0; i < 4; i++) await tools.forge.repos.listForOrg({ org: 'x' }); return 'done'";
    const refused = await codemode(["run", "-e", program, "--json"], { cwd: below, env });
    expect(json(refused).error.kind).toBe("ToolCallLimitExceeded");
    const allowed = await codemode(["run", "-e", program, "--max-tool-calls", "none", "--output", "text"], {
      cwd: below,
      env,
    });
    expect(allowed).toMatchObject({ code: 0, stdout: "done\n" });
  });

  it("filters operations", async () => {
    const { below } = project(two());
    const { tools } = json(await codemode(["list", "--json"], { cwd: below, env }));
    const names: string[] = tools.map((tool: { name: string }) => tool.name);
    expect(names).toContain("forge.issues.create");
    expect(names).toContain("shelter.listPets");
    expect(names).not.toContain("shelter.addPet");
  });

  it("gives one of its APIs by name, directly under tools", async () => {
    const { below } = project(two());
    const outcome = await codemode(["call", "forge", "repos.listForOrg", "--org", "one", "--json"], {
      cwd: below,
      env,
    });
    expect(json(outcome).value).toEqual([{ at: "/forge/orgs/one/repos" }]);
  });

  it("applies to the document that it names", async () => {
    const { below } = project(two());
    const outcome = await codemode(["call", FORGE, "repos.listForOrg", "--org", "two", "--json"], { cwd: below, env });
    expect(json(outcome).value).toEqual([{ at: "/forge/orgs/two/repos" }]);
  });

  it("lets a query begin right away", async () => {
    const { below } = project(two());
    const { items } = json(await codemode(["search", "list", "issues", "--json"], { cwd: below, env }));
    expect(items[0].name).toBe("forge.issues.listForRepo");
  });

  it("may be JSON, with paths relative to itself", async () => {
    const { top, below } = project(JSON.stringify({ apis: { a: { spec: "./spec.yaml" } } }), "codemode.config.json");
    writeFileSync(
      join(top, "spec.yaml"),
      "openapi: 3.0.0\ninfo: {title: Own, version: '1'}\nservers: [{url: 'https://own.example'}]\npaths: {/x: {get: {responses: {'204': {description: ok}}}}}\n",
    );
    const { apis, tools } = json(await codemode(["list", "--json"], { cwd: below }));
    expect(apis[0]).toMatchObject({ name: "a", title: "Own" });
    expect(tools[0].path).toBe("tools.a.getX");
  });

  it("can be left unread", async () => {
    const { below } = project("nonsense: [");
    expect((await codemode(["list", FORGE, "--no-config"], { cwd: below })).code).toBe(0);
  });

  it.each([
    ["a key that is none", "apis: {a: {spec: x, servr: y}}", ["#/apis/a/servr"]],
    ["a value of the wrong type", "apis: {a: {spec: 5}}", ["#/apis/a/spec"]],
    ["a missing key", "apis: {a: {server: 'http://x'}}", ["#/apis/a/spec"]],
    ["several faults at once", "apis: {a: {spec: 5, readOnly: maybe}}", ["#/apis/a/spec", "#/apis/a/readOnly"]],
    ["a limit without sense", "limits: {timeout: soon}", ["#/limits/timeout", "30s"]],
    ["text that is no YAML", "apis: [\n", ["codemode.config.yaml:2"]],
  ])("names the place of %s", async (_title, text, says) => {
    const { top, below } = project(text);
    const outcome = await codemode(["run", FORGE, "-e", "1"], { cwd: below });
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    for (const part of ["codemode.config.yaml", ...says]) expect(outcome.stderr).toContain(part);
    expect(top).toBeTruthy();
  });
});
