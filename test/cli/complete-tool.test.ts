import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { codemode } from "./command-line.js";

const binary = fileURLToPath(new URL("../../bin/codemode-openapi.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "complete-"));
const env = { ...process.env, XDG_CACHE_HOME: join(folder, "cache") };
afterAll(() => rmSync(folder, { recursive: true }));

it("completes tools of `call` in a real bash, a segment at a time, and expands nothing", async () => {
  const marker = join(folder, "executed");
  const spec = join(folder, "api.json");
  const operation = (operationId: string) => ({ get: { operationId, responses: { 204: { description: "" } } } });
  writeFileSync(
    spec,
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "t", version: "1" },
      servers: [{ url: "https://a.example" }],
      paths: {
        "/a": operation("pets.list"),
        "/b": operation("pets.get"),
        "/c": operation(`$(touch ${marker})`),
        "/d": operation("$HOME"),
      },
    }),
  );
  const { stdout: script } = await codemode(["completion", "bash"]);
  const complete = (partial: string) =>
    execFileSync(
      "bash",
      [
        "--norc",
        "-c",
        `codemode-openapi() { '${process.execPath}' '${binary}' "$@"; }\n${script}\nCOMP_WORDS=(codemode-openapi call '${spec}' '${partial}'); COMP_CWORD=3; _codemode_openapi; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { encoding: "utf8", env },
    )
      .trim()
      .split("\n");
  expect(complete("pe")).toEqual(["pets."]);
  expect(complete("pets.")).toEqual(["pets.get", "pets.list"]);
  expect(complete("$HO")).toEqual(["$HOME"]);
  expect(complete("")).toContain("pets.");
  expect(() => execFileSync("test", ["-e", marker])).toThrow();
});

it("offers nothing for a document that is not there, and fetches none", async () => {
  for (const spec of [join(folder, "nope.json"), "http://127.0.0.1:9/openapi.json"]) {
    expect(await codemode(["complete-tool", spec, "x"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
  }
});
