import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codemode, json } from "../cli/command-line.js";
import { findProgram, freePort, type RunningServer, startServer, temporaryFolder } from "./server-process.js";

const token = randomBytes(16).toString("hex");
let server: RunningServer;
let origin: string;
let root: string;

beforeAll(async () => {
  const program = findProgram("jupyter-server");
  if (!program) throw new Error("jupyter-server is missing: apt-get install jupyter-server");
  const folder = temporaryFolder("jupyter");
  root = join(folder, "root");
  mkdirSync(root);
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = await startServer({
    command: program,
    folder,
    // The token through the environment, where a process list does not show it.
    env: { HOME: folder, JUPYTER_TOKEN: token, PATH: `/usr/bin:${process.env.PATH}` },
    args: [
      "--no-browser",
      "--allow-root",
      "--ip=127.0.0.1",
      `--port=${port}`,
      "--ServerApp.port_retries=0",
      `--ServerApp.root_dir=${root}`,
    ],
    readyUrl: `${origin}/api/status?token=${token}`,
  });
});

afterAll(() => server?.stop());

const env = { JUPYTER_AUTHORIZATION: `token ${token}` };
const access = () => [
  "--spec-header",
  "Authorization=env:JUPYTER_AUTHORIZATION",
  "--header",
  "Authorization=env:JUPYTER_AUTHORIZATION",
];
const spec = () => `${origin}/api/spec.yaml`;

describe("Jupyter Server", () => {
  it("gives tools for its own document", async () => {
    const { apis, tools } = json(await codemode(["list", spec(), "--json", ...access()], { env }));
    expect(apis[0]).toMatchObject({ title: "Jupyter Server API", servers: [origin] });
    expect(tools.map((tool: any) => `${tool.method} ${tool.pathTemplate}`)).toContain("PUT /api/contents/{path}");
  });

  it("keeps files: made, read, renamed, listed, checkpointed, deleted in one program", async () => {
    // Operations without an id are named by method and path; where a parameter and a property of the body are both called
    // "path", each has its place in its name.
    const program = `
      const path = "notes/päper & ink #1.txt";
      await tools.putApiContentsByPath({ path_path: "notes", type: "directory" });
      const made = await response(tools.putApiContentsByPath, { path_path: path, type: "file", format: "text", content: "first\\nline ✓" });
      const read = await tools.getApiContentsByPath({ path, type: "file", format: "text" });
      const point = await tools.postApiContentsByPathCheckpoints({ path });
      const moved = await tools.patchApiContentsByPath({ path_path: path, body_path: "notes/b.txt" });
      const listed = (await tools.getApiContentsByPath({ path: "notes" })).content.map(file => file.name);
      await tools.deleteApiContentsByPath({ path: moved.path });
      const gone = await response(tools.getApiContentsByPath, { path: moved.path });
      return { status: made.status, text: read.content, point: typeof point.id, listed, gone: gone.status };`;
    const outcome = await codemode(["run", spec(), "-e", program, "--json", ...access()], { env });
    const result = json(outcome);
    expect(result.error).toBeUndefined();
    expect(result.value).toEqual({
      status: 201,
      text: "first\nline ✓",
      point: "string",
      listed: ["b.txt"],
      gone: 404,
    });
    expect(outcome.stdout + outcome.stderr).not.toContain(token);
  });

  it("downloads a file as a handle, byte for byte", async () => {
    writeFileSync(join(root, "raw.bin"), Buffer.from([0, 255, 10, 13, 128]));
    const own = join(server.folder, "files.yaml");
    writeFileSync(
      own,
      "openapi: 3.1.0\ninfo: {title: Files, version: '1'}\npaths:\n  /files/{path}:\n    get:\n      operationId: getFile\n      parameters: [{name: path, in: path, required: true, schema: {type: string}}]\n      responses: {'200': {description: The file., content: {'*/*': {}}}}\n",
    );
    const downloads = join(server.folder, "downloads");
    const outcome = await codemode(
      [
        "call",
        own,
        "getFile",
        "--path",
        "raw.bin",
        "--server",
        origin,
        "--header",
        "Authorization=env:JUPYTER_AUTHORIZATION",
        "--files",
        downloads,
        "--json",
      ],
      { env },
    );
    const { value } = json(outcome);
    expect(value).toMatchObject({ bytes: 5, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect([...readFileSync(join(downloads, value.file))]).toEqual([0, 255, 10, 13, 128]);
  });
});
