import { describe, expect, test } from "vitest";
import { createCatalog, declarations } from "../../src/discovery/index.js";
import { object, tool } from "./tools.js";
import { compile } from "./typescript.js";

const pet = object({
  "id!": { type: "integer", format: "int64" },
  "name!": { type: "string", description: "What it\nis called. */" },
  born: { type: "string", format: "date-time" },
});
const $defs = {
  Pet: pet,
  Error: object({ "message!": { type: "string" } }),
  Promise: object({ "odd!": { type: "string" } }),
};
const catalog = createCatalog({
  pets: {
    list: tool(
      object({ limit: { type: "integer", maximum: 100, default: 20 } }),
      { type: "array", items: { $ref: "#/$defs/Pet" }, $defs },
      { summary: "List pets.", method: "GET", pathTemplate: "/pets" },
    ),
    create: tool(
      object({ "pet!": { $ref: "#/$defs/Pet" } }, { $defs }),
      { $ref: "#/$defs/Pet", $defs },
      { deprecated: true },
    ),
    fail: tool(object({}), { anyOf: [{ $ref: "#/$defs/Error" }, { $ref: "#/$defs/Promise" }], $defs }),
  },
  "pets.list.all": tool(object({})),
  files: {
    up: tool(object({ "file!": { "x-codemode": "file" } }), { type: "null" }),
    down: tool(object({}), { "x-codemode": "file" }),
    tail: tool(object({}), {
      type: "array",
      "x-codemode": "stream",
      items: { type: "object", required: ["n"], properties: { n: { type: "number" } } },
    }),
  },
  "odd name": { "to-do": tool(object({})) },
});
const globals = declarations(catalog, { title: "Pets" });

/** Faults of a program under the declarations. */
const faults = (program: string) =>
  compile({ "globals.d.ts": globals, "program.ts": `async function program() {\n${program}\n}` });

describe("declarations", () => {
  test("are accepted without and with the DOM library", () => {
    expect(compile({ "globals.d.ts": globals })).toEqual([]);
    expect(compile({ "globals.d.ts": globals }, undefined)).toEqual([]);
  });

  test("document tools and properties, constraints included", () => {
    expect(globals).toContain("* List pets.");
    expect(globals).toContain("* `GET /pets`");
    expect(globals).toContain("@maximum 100");
    expect(globals).toContain("@default 20");
    expect(globals).toContain("/** @deprecated */");
    expect(globals).toContain("is called. *\\/");
  });

  test("declare a schema once, though several tools bring it", () => {
    expect(globals.match(/interface Pet /g)).toHaveLength(1);
    expect(globals).toContain("interface PetInput {");
  });

  test.each([
    "const [first] = await tools.pets.list(); return first!.name.toUpperCase();",
    "return (await tools.pets.list({ limit: 3 })).length;",
    "await tools.pets.list.all();",
    "return await tools.pets.create({ pet: { id: 12345678901234567890n, name: 'x', born: new Date() } });",
    "const f = await tools.files.down(); await tools.files.up({ file: f }); await tools.files.up({ file: { file: 'named' } });",
    "let n = 0; for await (const { n: m } of await tools.files.tail()) n += m; return n;",
    "await tools['odd name']['to-do']();",
    "const r = await response(tools.pets.list, { limit: 1 }); return [r.status.toFixed(), r.headers['etag'], r.data.anything];",
    "for await (const page of pages(tools.pets.list)) for (const one of page) console.log(one.id);",
    "const { items, next } = search('pets', { limit: 3 }); return [items[0]!.signature, next?.offset];",
    "await sleep(10); return input.anything;",
    "try { await tools.pets.list(); } catch (e) { const error = e as ToolError; return [error.status, error.body.message]; }",
    "const u = new URL('/a', 'https://b'); u.searchParams.append('x', atob(btoa('y'))); return new URLSearchParams({ q: '1' }).get('q');",
    "return structuredClone(new TextDecoder().decode(new TextEncoder().encode('x'))).length;",
    "return [1, 2].values().map((x) => x + 1).toArray();",
    "const error = await tools.pets.fail(); return 'message' in error ? error.message : error.odd;",
  ])("accept %s", (program) => {
    expect(faults(program)).toEqual([]);
  });

  test.each([
    ["a wrong type", "await tools.pets.list({ limit: 'three' });", "TS2322"],
    ["an unknown input", "await tools.pets.list({ nope: 1 });", "TS2353"],
    ["a missing input", "await tools.pets.create({});", "TS2345"],
    ["an unknown tool", "await tools.pets.lsit();", "TS2339"],
    ["an unknown property of a result", "return (await tools.pets.list())[0]!.nmae;", "TS2339"],
    ["a wrong input of response()", "await response(tools.pets.list, { limit: 'x' });", "TS2322"],
    ["what programs do not have", "return fetch('https://example.com');", "TS2304"],
    ["process", "return process.env;", "TS2591"],
  ])("refuse %s", (_, program, code) => {
    expect(faults(program).map((fault) => fault.split(" ")[0])).toContain(code);
  });

  test("different schemas of one name become several types, recursive ones compare by what they lead to", () => {
    const list = (leaf: string) => ({
      Node: object({ next: { $ref: "#/$defs/Node" }, leaf: { $ref: "#/$defs/Leaf" } }),
      Leaf: { type: leaf },
    });
    const node = (leaf: string) => tool(object({}), { $ref: "#/$defs/Node", $defs: list(leaf) });
    const text = declarations(createCatalog({ a: node("string"), b: node("string"), c: node("number") }));
    expect(text.match(/interface Node\w* /g)).toEqual(["interface Node ", "interface Node_2 "]);
    expect(text).toMatch(/a\(\): Promise<Node>;\s+b\(\): Promise<Node>;\s+c\(\): Promise<Node_2>;/);
    expect(text).toContain("type Leaf = string;");
    expect(text).toContain("type Leaf_2 = number;");
  });

  test("where one copy of a schema was cut for size, the whole one is written", () => {
    const cut = { Big: object({ part: { $comment: "Left out: the schema is large." } }) };
    const whole = { Big: object({ part: { type: "string" } }) };
    const one = (defs: object) => tool(object({}), { $ref: "#/$defs/Big", $defs: defs });
    const text = declarations(createCatalog({ a: one(cut), b: one(whole), c: one(cut) }));
    expect(text.match(/interface Big\w* /g)).toHaveLength(1);
    expect(text).toContain("part?: string;");
  });

  test("definitions that are nothing but themselves stand for every value", () => {
    const defs = {
      A: { anyOf: [{ $ref: "#/$defs/B" }] },
      B: { allOf: [{ $ref: "#/$defs/A" }] },
      Json: {
        anyOf: [
          { type: "string" },
          { type: "object", additionalProperties: { $ref: "#/$defs/Json" } },
          { type: "array", items: { $ref: "#/$defs/Json" } },
        ],
      },
    };
    const text = declarations(
      createCatalog({
        a: tool(object({}), {
          type: "array",
          items: { anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/Json" }] },
          $defs: defs,
        }),
      }),
    );
    expect(compile({ "globals.d.ts": text })).toEqual([]);
    expect(text).toContain("type Json = string | {");
  });
});
