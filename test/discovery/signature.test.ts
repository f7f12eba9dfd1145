import fc from "fast-check";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { createCatalog, definitionsOf, signatureOf } from "../../src/discovery/index.js";
import { object, tool } from "./tools.js";

/** The type of a result, as a signature shows it. */
function output(schema: unknown, $defs?: object): string {
  const root = typeof schema === "object" && $defs ? { ...schema, $defs } : schema;
  return /^tools\.t\(\): Promise<(.*)>$/s.exec(signatureOf(tool(object({}), root as never), "tools.t"))![1]!;
}

describe("a signature", () => {
  const pet = { type: "object", required: ["id"], properties: { id: { type: "integer" }, name: { type: "string" } } };

  test("shows the input and what comes back", () => {
    const list = tool(object({ limit: { type: "integer" }, tags: { type: "array", items: { type: "string" } } }), {
      type: "array",
      items: { $ref: "#/$defs/Pet" },
      $defs: { Pet: pet },
    });
    expect(signatureOf(list, "tools.pets.list")).toBe(
      "tools.pets.list(input?: { limit?: number; tags?: string[] }): Promise<{ id: number; name?: string }[]>",
    );
  });

  test("leaves the input out where nothing is taken, and optional only where nothing is required", () => {
    expect(signatureOf(tool(object({})), "tools.a")).toBe("tools.a(): Promise<unknown>");
    expect(signatureOf(tool(object({ "id!": { type: "string" } })), "tools.a")).toBe(
      "tools.a(input: { id: string }): Promise<unknown>",
    );
    expect(signatureOf(tool(undefined), "tools.a")).toBe("tools.a(input?: unknown): Promise<unknown>");
    expect(signatureOf(tool({ type: "string" }), "tools.a")).toBe("tools.a(input: string): Promise<unknown>");
  });

  test("marks streams and files", () => {
    expect(output({ type: "array", "x-codemode": "stream", items: { type: "string" } })).toBe("AsyncIterable<string>");
    expect(output({ type: "object", "x-codemode": "file" })).toBe("FileHandle");
    expect(signatureOf(tool(object({ "f!": { "x-codemode": "file" } })), "tools.up")).toBe(
      "tools.up(input: { f: FileHandle }): Promise<unknown>",
    );
  });

  test.each([
    ["nothing known", {}, "unknown"],
    ["true", true, "unknown"],
    ["false", false, "never"],
    ["null", { type: "null" }, "null"],
    ["integer", { type: "integer" }, "number"],
    ["type list", { type: ["string", "null"] }, "string | null"],
    ["nullable of 3.0", { type: "string", nullable: true }, "string | null"],
    ["enum", { type: "string", enum: ["a", 'b"c', null] }, '"a" | "b\\"c" | null'],
    ["const", { const: 42 }, "42"],
    ["const false", { const: false }, "false"],
    ["array without items", { type: "array" }, "unknown[]"],
    ["array of a union", { type: "array", items: { type: ["string", "number"] } }, "(string | number)[]"],
    [
      "closed tuple",
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false, minItems: 1 },
      "[string, number?]",
    ],
    ["open tuple", { prefixItems: [{ type: "string" }], items: { type: "null" }, minItems: 1 }, "[string, ...null[]]"],
    ["tuple before 2020-12", { items: [{ type: "string" }], additionalItems: false, minItems: 1 }, "[string]"],
    ["map", { type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
    ["any object", { type: "object" }, "Record<string, unknown>"],
    ["closed empty object", { type: "object", additionalProperties: false }, "{}"],
    [
      "pattern properties",
      { type: "object", patternProperties: { "^x-": { type: "string" } } },
      "Record<string, string>",
    ],
    [
      "open object",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
      "{ a?: string; [key: string]: unknown }",
    ],
    [
      "open object of a type",
      {
        type: "object",
        required: ["a"],
        properties: { a: { type: "string" } },
        additionalProperties: { type: "number" },
      },
      "{ a: string; [key: string]: number | string }",
    ],
    [
      "names to quote",
      { type: "object", properties: { "page[size]": { type: "string" }, $filter: {}, "1a": {}, ünï: {} } },
      '{ "page[size]"?: string; $filter?: unknown; "1a"?: unknown; ünï?: unknown }',
    ],
    [
      "allOf merged",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } } },
          { properties: { b: { type: "number" } }, required: ["a"] },
        ],
      },
      "{ a: string; b?: number }",
    ],
    ["oneOf", { oneOf: [{ type: "string" }, { type: "object", properties: { a: {} } }] }, "string | { a?: unknown }"],
    ["base type beside anyOf", { type: "string", anyOf: [{ const: "a" }, { const: "b" }] }, '"a" | "b"'],
    [
      "alternatives that only require",
      { type: "object", properties: { a: {}, b: {} }, oneOf: [{ required: ["a"] }, { required: ["b"] }] },
      "{ a?: unknown; b?: unknown }",
    ],
    [
      "duplicates in a union",
      { anyOf: [{ type: "string" }, { type: "string", format: "uri" }, { const: "x" }] },
      "string",
    ],
    ["what TypeScript cannot say", { not: { type: "string" } }, "unknown"],
    ["an unknown type", { type: "wat" }, "unknown"],
    ["a reference to nowhere", { $ref: "#/$defs/Nope" }, "unknown"],
    ["a reference elsewhere", { $ref: "https://example.com/x.json" }, "unknown"],
  ])("%s", (_, schema, expected) => {
    expect(output(schema)).toBe(expected);
  });

  test("recursion stays a name, and the name's type can be had", () => {
    const schema = {
      $ref: "#/$defs/tree-node",
      $defs: {
        "tree-node": { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/tree-node" } } } },
      },
    };
    const recursive = tool(object({}), schema);
    const signature = signatureOf(recursive, "tools.t");
    expect(signature).toBe("tools.t(): Promise<TreeNode>");
    expect(definitionsOf(recursive, signature)).toBe("type TreeNode = { kids?: TreeNode[] }");
  });

  test("a discriminator says which tag selects which type", () => {
    const animal = {
      oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
      discriminator: {
        propertyName: "kind",
        mapping: { kitty: "#/components/schemas/Cat", tom: "#/components/schemas/Cat" },
      },
    };
    const members = (name: string) => ({
      type: "object",
      required: ["kind"],
      properties: { kind: { type: "string" }, [name]: {} },
    });
    expect(output(animal, { Cat: members("purrs"), Dog: members("barks") })).toBe(
      '{ kind: "kitty" | "tom"; purrs?: unknown } | { kind: "Dog"; barks?: unknown }',
    );
  });

  test("a tag that is a literal already is left alone", () => {
    const animal = { oneOf: [{ $ref: "#/$defs/Cat" }], discriminator: { propertyName: "kind" } };
    expect(
      output(animal, { Cat: { type: "object", required: ["kind"], properties: { kind: { const: "cat" } } } }),
    ).toBe('{ kind: "cat" }');
  });

  test("two definitions whose names come to the same identifier stay two", () => {
    const big = (name: string) => ({
      type: "object",
      properties: { [name]: { type: "string" }, self: { $ref: `#/$defs/${name}` } },
    });
    const schema = {
      type: "array",
      prefixItems: [{ $ref: "#/$defs/a-b" }, { $ref: "#/$defs/a_b" }],
      items: false,
      minItems: 2,
    };
    expect(output(schema, { "a-b": big("a-b"), a_b: big("a_b") })).toBe("[AB, AB_2]");
  });

  test("is bounded whatever the depth of the schemas", () => {
    let deep: object = { type: "string" };
    for (let n = 0; n < 5000; n++) deep = { type: "array", items: deep };
    expect(output(deep)).toMatch(/^unknown(\[\])+$/);
    const search = createCatalog({ a: tool(object({ deep }), { ...deep }) });
    expect(search.entries[0]!.signature.length).toBeLessThan(1500);
  });

  test("is bounded whatever the size of the schemas", () => {
    const wide = Object.fromEntries(
      Array.from({ length: 3000 }, (_, i) => [
        `property${i}`,
        { type: "string", enum: Array.from({ length: 50 }, (_, n) => `value${n}`) },
      ]),
    );
    const signature = signatureOf(tool(object({ ...wide, "last!": { type: "string" } }), object(wide)), "tools.t");
    expect(signature.length).toBeLessThan(1800);
    expect(signature).toContain("last: string");
    expect(signature).toMatch(/\/\* \d+ more \*\//);
  });
});

describe("every signature is TypeScript", () => {
  const leaf = fc.constantFrom<object>(
    {},
    { type: "string" },
    { type: "integer", format: "int64" },
    { type: ["boolean", "null"] },
    { enum: ["a", "*/", 1, null] },
    { const: { deep: ["x"] } },
    { $ref: "#/$defs/A" },
    { $ref: "#/$defs/some thing" },
    { "x-codemode": "file" },
  );
  const schemas = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.record({ type: fc.constant("array"), items: tie("schema") }),
      fc.record({
        type: fc.constant("array"),
        prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
        minItems: fc.nat(3),
      }),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(fc.string({ unit: "grapheme" }), tie("schema"), { maxKeys: 4 }),
      }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(fc.string(), tie("schema"), { maxKeys: 3 }),
        additionalProperties: tie("schema"),
      }),
    ),
  })).schema;

  test("for arbitrary schemas and names", () => {
    fc.assert(
      fc.property(
        schemas,
        schemas,
        schemas,
        fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
        (input, result, definition, segments) => {
          const $defs = {
            A: definition,
            "some thing": { type: "object", properties: { again: { $ref: "#/$defs/A" } } },
          };
          const one = tool({ ...input, $defs }, { ...result, $defs });
          const [entry] = createCatalog({ [segments.join(".")]: one }).entries;
          const { signature } = entry!;
          expect(signature).not.toContain("\n");
          const type = signature.slice(entry!.path.length);
          const source = ts.createSourceFile(
            "s.ts",
            `declare function f${type};\n${definitionsOf(one, signature)}`,
            ts.ScriptTarget.Latest,
          );
          const faults = (source as unknown as { parseDiagnostics: ts.Diagnostic[] }).parseDiagnostics;
          expect(faults.map((fault) => `${fault.messageText}: ${signature}`)).toEqual([]);
          // The path is an expression that names these segments.
          expect(new Function("tools", `return ${entry!.path}`)(nested(entry!.segments))).toBe("here");
        },
      ),
      { numRuns: 300 },
    );
  });

  function nested(segments: readonly string[]): unknown {
    return segments.reduceRight<unknown>((inner, segment) => Object.fromEntries([[segment, inner]]), "here");
  }
});
