import { describe, expect, it } from "vitest";
import { codemode } from "./command-line.js";

const value = (code: string, format: string, env: Record<string, string> = {}) =>
  codemode(["run", "fixtures/forge/openapi.json", "-e", `return ${code}`, "--output", format], { env });

describe("--output", () => {
  it("json", async () => {
    expect((await value('{ a: [1, "x"], b: null }', "json")).stdout).toBe(
      '{\n  "a": [\n    1,\n    "x"\n  ],\n  "b": null\n}\n',
    );
  });

  it("yaml", async () => {
    expect((await value('{ a: [1, "x", "no"], b: null, c: "two\\nlines" }', "yaml")).stdout).toBe(
      "a:\n  - 1\n  - x\n  - 'no'\nb: null\nc: |-\n  two\n  lines\n",
    );
  });

  it("ndjson", async () => {
    expect((await value('[{ a: 1 }, 2, "x"]', "ndjson")).stdout).toBe('{"a":1}\n2\n"x"\n');
    expect((await value("{ a: 1 }", "ndjson")).stdout).toBe('{"a":1}\n');
    expect((await value("[]", "ndjson")).stdout).toBe("");
  });

  it("text", async () => {
    expect((await value('"as it\\n is"', "text")).stdout).toBe("as it\n is\n");
    expect((await value('["a", 2, true]', "text")).stdout).toBe("a\n2\ntrue\n");
    expect((await value("null", "text")).stdout).toBe("");
  });

  it("table", async () => {
    expect((await value('[{ id: 1, name: "Zoë" }, { id: 20, name: "東京", tags: ["x"] }, {}]', "table")).stdout).toBe(
      'id  name  tags\n1   Zoë\n20  東京  ["x"]\n\n',
    );
    expect((await value("{ id: 1, of: { a: 2 } }", "table")).stdout).toBe('id  1\nof  {"a":2}\n');
    expect((await value('["a", "b"]', "table")).stdout).toBe("a\nb\n");
  });

  it("shows characters that steer a terminal instead of obeying them", async () => {
    const { stdout } = await value('[{ a: "x\\u001b[2Jy" }]', "table");
    expect(stdout).toBe("a\nx\\u001b[2Jy\n");
    const { stderr } = await codemode([
      "run",
      "fixtures/forge/openapi.json",
      "-e",
      "console.log('\\u001b]0;title\\u0007'); throw new Error('\\u001b[31m')",
    ]);
    expect(stderr).not.toMatch(/[\u001b\u0007]/);
  });
});

describe("colour", () => {
  const failing = (env: Record<string, string>) =>
    codemode(["run", "fixtures/forge/openapi.json", "-e", "throw new Error('x')"], { env });

  it("is absent where the output is no terminal or NO_COLOR is set, and there when it is forced", async () => {
    expect((await failing({ NO_COLOR: "" })).stderr).not.toContain("\u001b");
    expect((await failing({ NO_COLOR: "1" })).stderr).not.toContain("\u001b");
    expect((await failing({ FORCE_COLOR: "1", NO_COLOR: "" })).stderr).toContain("\u001b[31m");
  });
});

describe("list", () => {
  it("shows signatures, operations and descriptions on stdout, counts on stderr", async () => {
    const { stdout, stderr } = await codemode(["list", "fixtures/petstore/swagger.yaml"]);
    expect(stdout).toContain("Pet shelter  2.1 · Swagger 2.0 · https://shelter.example/api");
    expect(stdout).toMatch(
      /tools\.addPet\(input: \{ name: string; kind: "cat" \| "dog" \| "bird"; .*\n {4}POST \/pets {2}Take in a pet\n/,
    );
    expect(stderr).toBe("7 tools\n");
  });

  it("filters", async () => {
    const names = async (...args: string[]) =>
      JSON.parse((await codemode(["list", "fixtures/petstore/swagger.yaml", "--json", ...args])).stdout).tools.map(
        (tool: any) => tool.name,
      );
    expect(await names("--read-only")).toEqual(["listPets", "getPet", "getPhoto"]);
    expect(await names("--tag", "photos")).toEqual(["getPhoto", "addPhoto"]);
    expect(await names("--include", "get*", "--exclude", "getPhoto")).toEqual(["getPet"]);
    expect(await names("--include", "GET /pets/*{,/**}", "--include", "addPet")).toEqual([
      "addPet",
      "getPet",
      "getPhoto",
    ]);
  });
});
