import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { check } from "../../src/discovery/check.js";
import { createCatalog } from "../../src/discovery/index.js";
import { object, tool } from "./tools.js";

const catalog = createCatalog({
  pets: {
    list: tool(object({ limit: { type: "integer" }, status: { enum: ["available", "sold"] } }), {
      type: "array",
      items: object({
        "id!": { type: "integer" },
        "name!": { type: "string" },
        tags: { type: "array", items: { type: "string" } },
      }),
    }),
    get: tool(
      object({ "petId!": { type: "integer", format: "int64" } }),
      object({ "id!": {}, name: { type: ["string", "null"] } }),
    ),
    remove: tool(object({ "petId!": { type: "integer" } }), { type: "null" }),
  },
  "odd name": { get: tool(object({})) },
  raw: tool(object({}), undefined),
});

describe("check, without types", () => {
  const faults = async (source: string, language?: "javascript" | "typescript") => {
    const { ok, diagnostics } = await check(catalog, source, { types: false, ...(language ? { language } : {}) });
    expect(ok).toBe(diagnostics.length === 0);
    return diagnostics.map(({ kind, location, hint, tool: name }) =>
      [kind, location && `${location.line}:${location.column}`, name, hint].filter((part) => part !== undefined),
    );
  };

  test.each([
    "const pets = await tools.pets.list({ limit: 3 });\nreturn pets.filter((pet) => pet.tags?.length).map(({ name }) => name);",
    "return Object.keys(tools.pets).length + Object.keys(tools).length;",
    "const all = [1, 2].map((petId) => tools.pets.get({ petId }));\nreturn Promise.all(all);",
    "tools.pets.list()",
    "tools.pets.list().catch(() => null);\nreturn 1;",
    "void tools.pets.list();\nreturn 1;",
    "const p = tools.pets.list();\nreturn (await p).length;",
    "return tools.pets.list().then((pets) => pets.length);",
    "const { pets } = tools;\nreturn pets.list();",
    "return tools['odd name'].get();",
    "return tools[`pets`].list();",
    "const name = 'pets';\nreturn tools[name].list();",
    "return 'pets' in tools && tools.pets?.list?.();",
    "const f = tools.pets.list;\nreturn [f.name, typeof tools.pets.list];",
    "const tools = { nope: () => 1 };\nreturn tools.nope();",
    "for await (const page of pages(tools.pets.list, {})) console.log(page.length);",
    "label: for (;;) break label;\nclass A { tools = 1; static tools() {} }\nreturn { tools: 1 };",
    "enum Color { Red }\ninterface Pet { id: number }\nreturn (await tools.pets.list() as Pet[]).map((pet: Pet): number => pet.id + Color.Red);",
    "",
  ])("finds nothing wrong with %j", async (source) => {
    expect(await faults(source)).toEqual([]);
  });

  test.each<[string, unknown[]]>([
    ["return 1 +;", ["ParseError", "1:11"]],
    ["const a = 1;\nimport x from 'y';", ["UnsupportedSyntax", "2:1", expect.any(String)]],
    ["return await tools.pets.lst();", ["UnknownTool", "1:25", "pets.lst", "Did you mean tools.pets.list?"]],
    ["return await tools.pet.list();", ["UnknownTool", "1:20", "pet.list", "Did you mean tools.pets.list?"]],
    ["return await tools.pets['remov']();", ["UnknownTool", "1:25", "pets.remov", "Did you mean tools.pets.remove?"]],
    [
      "return await tools.animals.deletePet();",
      ["UnknownTool", "1:20", "animals.deletePet", expect.stringMatching(/^Did you mean tools.pets.remove/)],
    ],
    ["return tools.pets();", ["UnknownTool", "1:14", "pets", expect.any(String)]],
    ["return tools.constructor('x');", ["UnknownTool", "1:14", "constructor", expect.any(String)]],
    [
      "tools.pets.remove({ petId: 1 });\nreturn 1;",
      ["ExecutionFailure", "1:1", "pets.remove", "Put `await` before it."],
    ],
    [
      "for (const petId of [1, 2]) {\n  tools.pets.remove({ petId });\n}",
      ["ExecutionFailure", "2:3", "pets.remove", "Put `await` before it."],
    ],
    [
      "tools.pets.list().then(console.log);\nreturn 1;",
      ["ExecutionFailure", "1:1", "pets.list", "Put `await` before it."],
    ],
    ["return tools.pets.list().length;", ["ExecutionFailure", "1:8", "pets.list", "Put `await` before it."]],
    ["const 🐈 = 1;", ["ParseError", "1:7"]],
    ["/* 🐈 */ return tools.pets.lst();", ["UnknownTool", "1:28", "pets.lst", expect.any(String)]],
    ["return 1;\r\nreturn 2;\u2028return tools.nope();", ["UnknownTool", "3:14", "nope", expect.any(String)]],
  ])("finds the fault of %j", async (source, fault) => {
    const found = await faults(source);
    expect(found).toHaveLength(1);
    // A hint is given where there is something to say.
    expect(found[0]!.slice(0, fault.length)).toEqual(fault);
  });

  test("a JavaScript file is JavaScript", async () => {
    expect(await faults("const a: number = 1;")).toEqual([]);
    expect((await faults("const a: number = 1;", "javascript"))[0]![0]).toBe("ParseError");
  });
});

describe("check, with the TypeScript that is installed", () => {
  const faults = async (source: string, language?: "javascript" | "typescript") => {
    const { diagnostics, typescript } = await check(catalog, source, language ? { language } : {});
    expect(typescript).toMatch(/^\d+\.\d+/);
    return diagnostics;
  };

  test("finds nothing wrong with sound programs", async () => {
    const source = `#!/usr/bin/env codemode-openapi
const found = {};
for (const pet of await tools.pets.list({ limit: 10, status: "available" })) found[pet.name] = pet.tags.length;
const one = await tools.pets.get({ petId: 9007199254740993n });
const anything = await tools.raw();
if (one.name === null) throw new Error("no name");
const { status, data } = await response(tools.pets.get, { petId: 1 });
try { await tools.pets.remove({ petId: 1 }) } catch (error) { if (error.status !== 404) throw error }
return { found, first: anything.items[0], status, data, input, at: new URL("https://a.example").host };`;
    expect(await faults(source)).toEqual([]);
  });

  test("reports faults of type at the user's places, with the tool's signature", async () => {
    const source = [
      "const pets = await tools.pets.list({ limit: 'three' });",
      "const one = await tools.pets.get({});",
      "await tools.pets.list({ nope: 1, status: 'sold' });",
      "return pets.map((pet) => pet.nmae) + tools.pets.lst();",
    ].join("\n");
    const signature = catalog.get("pets.list")!.signature;
    const found = await faults(source);
    expect(found).toEqual([
      {
        kind: "InvalidToolInput",
        message: expect.stringContaining("TS2322"),
        location: { line: 1, column: 38 },
        tool: "pets.list",
        hint: signature,
      },
      {
        kind: "InvalidToolInput",
        message: expect.stringContaining("'petId' is missing"),
        location: { line: 2, column: 34 },
        tool: "pets.get",
        hint: expect.any(String),
      },
      {
        kind: "InvalidToolInput",
        message: expect.stringContaining("'nope' does not exist"),
        location: { line: 3, column: 25 },
        tool: "pets.list",
        hint: signature,
      },
      {
        kind: "ExecutionFailure",
        message: expect.stringMatching(/'nmae' does not exist.*TS2\d+/),
        location: { line: 4, column: 30 },
      },
      {
        kind: "UnknownTool",
        message: 'There is no tool "pets.lst".',
        location: { line: 4, column: 49 },
        tool: "pets.lst",
        hint: "Did you mean tools.pets.list?",
      },
    ]);
  });

  test("syntax is the interpreter's to judge, types are TypeScript's", async () => {
    expect(await faults("const x: string = 1;\nreturn x;")).toMatchObject([
      { location: { line: 1, column: 7 }, message: expect.stringContaining("TS2322") },
    ]);
    expect(await faults("return missing;")).toMatchObject([{ message: "Cannot find name 'missing'. (TS2304)" }]);
    expect(await faults("return fetch('https://a.example');")).toHaveLength(1);
  });

  test("an unknown tool is reported once, wherever its name goes wrong", async () => {
    expect(await faults("return await tools.nope.list({ a: 1 });")).toMatchObject([{ tool: "nope.list" }]);
    expect(await faults("return await tools.pets.nope.deeper();")).toMatchObject([{ tool: "pets.nope.deeper" }]);
  });

  test("a promise that is not awaited is reported once", async () => {
    expect(await faults("return tools.pets.list().length;")).toHaveLength(1);
  });
});

describe("check, with another TypeScript or none", () => {
  const folder = mkdtempSync(join(tmpdir(), "check-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  function install(version: string, script: string): string {
    const own = join(folder, version, "node_modules", "typescript");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "package.json"), JSON.stringify({ name: "typescript", version, bin: { tsc: "./tsc.js" } }));
    writeFileSync(join(own, "tsc.js"), script);
    return join(folder, version);
  }

  test("uses the one above the folder, by its command line alone", async () => {
    const at = install(
      "99.0.0",
      `console.log("globals.d.ts(1,1): error TS1: not the program's\\nprogram.js(3,5): error TS2999: First.\\n  Second.\\n    Third."); process.exit(2);`,
    );
    expect(await check(catalog, "return 1;", { folder: at })).toEqual({
      ok: false,
      diagnostics: [{ kind: "ExecutionFailure", message: "Third. (TS2999)", location: { line: 2, column: 5 } }],
      typescript: "99.0.0",
    });
  });

  test("says so when it cannot be run", async () => {
    const at = install("98.0.0", `console.error("no such option"); process.exit(1);`);
    const { ok, diagnostics } = await check(catalog, "return 1;", { folder: at });
    expect(ok).toBe(false);
    expect(diagnostics[0]!.message).toBe("TypeScript 98.0.0 could not be run: no such option.");
  });
});
