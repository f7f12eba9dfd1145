import { describe, expect, it } from "vitest";
import type { Located, OpenApiDocument } from "../../src/openapi/document.js";
import { documentFromObject, loadDocument } from "../../src/openapi/load.js";
import { type Direction, SchemaWriter } from "../../src/openapi/schema-object.js";
import { viewSchema } from "../../src/openapi/schema-view.js";
import { description, folderOf } from "./files.js";

type Fields = Record<string, unknown>;

function toJsonSchema(document: OpenApiDocument, node: Located, direction: Direction): unknown {
  const writer = new SchemaWriter(document, direction);
  const schema = writer.write(node) as object;
  const $defs = writer.definitions();
  return $defs === undefined ? schema : { ...schema, $defs };
}

/** The schema `A` of a document's components, as JSON Schema. */
function written(schemas: Fields, openapi = "3.0.4", direction: Direction = "response"): unknown {
  const document = documentFromObject(description({}, { openapi, components: { schemas } }));
  const node: Located = { value: schemas["A"], uri: document.uri, pointer: "/components/schemas/A" };
  // The same text for objects with and without a prototype.
  return JSON.parse(JSON.stringify(toJsonSchema(document, node, direction)));
}

function viewed(schemas: Fields, openapi = "3.0.4") {
  const document = documentFromObject(description({}, { openapi, components: { schemas } }));
  return viewSchema(document, { value: schemas["A"], uri: document.uri, pointer: "/components/schemas/A" });
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("schemas as JSON Schema", () => {
  it.each<[string, Fields, unknown]>([
    ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
    [
      "a nullable enum",
      { type: "string", nullable: true, enum: ["a"] },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "exclusive bounds",
      { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      { exclusiveMinimum: 1, maximum: 9 },
    ],
    ["an example", { type: "string", example: "x" }, { type: "string", examples: ["x"] }],
    ["what is not JSON Schema", { type: "object", xml: {}, externalDocs: {}, "x-a": 1 }, { type: "object" }],
    [
      "free-form members",
      { type: "object", additionalProperties: { type: "integer" } },
      { type: "object", additionalProperties: { type: "integer" } },
    ],
    [
      "a nullable composition",
      { nullable: true, allOf: [{ type: "object" }] },
      { anyOf: [{ type: "object" }, { type: "null" }] },
    ],
    [
      "alternatives",
      { oneOf: [{ type: "string" }, { type: "integer" }] },
      { oneOf: [{ type: "string" }, { type: "integer" }] },
    ],
    ["an allOf of one", { allOf: [{ type: "string" }], description: "d" }, { type: "string", description: "d" }],
  ])("%s (3.0)", (_, schema, expected) => {
    expect(written({ A: schema })).toEqual(expected);
  });

  it.each<[string, Fields, unknown]>([
    ["types", { type: ["string", "null"] }, { type: ["string", "null"] }],
    ["bounds", { exclusiveMinimum: 1 }, { exclusiveMinimum: 1 }],
    [
      "tuples",
      { prefixItems: [{ type: "string" }], items: false },
      { prefixItems: [{ type: "string" }], items: false },
    ],
    ["conditions", { if: { required: ["a"] }, not: {} }, { if: { required: ["a"] }, not: {} }],
    ["constants", { const: 1, examples: [1] }, { const: 1, examples: [1] }],
  ])("%s (3.1)", (_, schema, expected) => {
    expect(written({ A: schema }, "3.1.0")).toEqual(expected);
  });

  it("definitions are local, recursive ones too", () => {
    const Node = { type: "object", properties: { kids: { type: "array", items: ref("Node") }, parent: ref("Other") } };
    expect(
      written({ A: ref("Node"), Node, Other: { allOf: [ref("Node"), { properties: { n: { type: "integer" } } }] } }),
    ).toEqual({
      $ref: "#/$defs/Node",
      $defs: {
        Node: {
          type: "object",
          properties: { kids: { type: "array", items: { $ref: "#/$defs/Node" } }, parent: { $ref: "#/$defs/Other" } },
        },
        Other: {
          type: "object",
          properties: {
            kids: { type: "array", items: { $ref: "#/$defs/Node" } },
            parent: { $ref: "#/$defs/Other" },
            n: { type: "integer" },
          },
        },
      },
    });
  });

  it("what stands beside a reference counts from 3.1 on", () => {
    const schemas = { A: { ...ref("B"), description: "d", minLength: 2 }, B: { type: "string" } };
    expect(written(schemas)).toEqual({ $ref: "#/$defs/B", $defs: { B: { type: "string" } } });
    expect(written(schemas, "3.1.0")).toEqual({
      $ref: "#/$defs/B",
      description: "d",
      minLength: 2,
      $defs: { B: { type: "string" } },
    });
  });

  it("a direction leaves out what it does not carry", () => {
    const schemas = {
      A: {
        type: "object",
        required: ["id", "secret", "name"],
        properties: { id: ref("Id"), secret: { type: "string", writeOnly: true }, name: { type: "string" } },
      },
      Id: { type: "integer", readOnly: true },
    };
    expect(written(schemas, "3.0.4", "request")).toMatchObject({
      properties: { secret: {}, name: {} },
      required: ["secret", "name"],
    });
    expect(Object.keys((written(schemas, "3.0.4", "request") as { properties: Fields }).properties)).toEqual([
      "secret",
      "name",
    ]);
    expect(Object.keys((written(schemas) as { properties: Fields }).properties)).toEqual(["id", "name"]);
  });

  it("a broken reference allows everything, and is told", () => {
    const document = documentFromObject(description({}));
    const writer = new SchemaWriter(document, "response");
    const schema = writer.write({ value: { properties: { a: ref("None") } }, uri: document.uri, pointer: "/x" });
    expect(JSON.parse(JSON.stringify(schema))).toEqual({
      properties: { a: { $comment: expect.stringContaining("None") } },
    });
  });

  it("names of any kind are names", () => {
    const A = JSON.parse(
      '{"type": "object", "properties": {"__proto__": {"type": "string"}, "$ref": {"type": "string"}}}',
    ) as Fields;
    expect(JSON.stringify(written({ A }))).toBe(JSON.stringify(A));
  });

  it("files may use one name for different schemas", async () => {
    const folder = folderOf({
      "openapi.json": description(
        {},
        {
          components: {
            schemas: {
              A: { type: "object", properties: { a: ref("Pet"), b: { $ref: "b.yaml#/Pet" } } },
              Pet: { type: "string" },
            },
          },
        },
      ),
      "b.yaml": "Pet: {type: integer}\n",
    });
    const document = await loadDocument(`${folder}/openapi.json`);
    document.addFile(`file://${folder}/b.yaml`, `file://${folder}/b.yaml`, { Pet: { type: "integer" } });
    const node = document.child(
      document.child(document.child(document.root, "components") as Located, "schemas") as Located,
      "A",
    ) as Located;
    expect(JSON.parse(JSON.stringify(toJsonSchema(document, node, "response")))).toMatchObject({
      properties: { a: { $ref: "#/$defs/Pet" }, b: { $ref: "#/$defs/Pet_2" } },
      $defs: { Pet: { type: "string" }, Pet_2: { type: "integer" } },
    });
  });

  it("large schemas are cut far from the root", () => {
    const schemas: Fields = { A: { type: "object", properties: { near: ref("S0") } } };
    for (let n = 0; n < 2_000; n++)
      schemas[`S${n}`] = { type: "object", properties: { next: ref(`S${n + 1}`), s: { type: "string" } } };
    schemas["S2000"] = { type: "string" };
    const schema = written(schemas) as { $defs: Record<string, Fields> };
    expect(schema.$defs["S0"]).toMatchObject({ type: "object" });
    expect(JSON.stringify(schema).length).toBeLessThan(100_000);
    for (const text of JSON.stringify(schema).match(/#\/\$defs\/\w+/g) ?? [])
      expect(schema.$defs).toHaveProperty(text.slice(8));
  });
});

describe("views of schemas", () => {
  it("merge what allOf joins", () => {
    const A = {
      allOf: [
        ref("B"),
        { properties: { b: { minLength: 1 }, c: { type: "string" } }, required: ["c"], additionalProperties: false },
      ],
      properties: { d: {} },
    };
    const view = viewed({
      A,
      B: { type: "object", properties: { a: {}, b: { type: "string" } }, required: ["a"], allOf: [ref("A")] },
    });
    expect([...view.properties.keys()]).toEqual(["d", "a", "b", "c"]);
    expect(view.properties.get("b")?.value).toEqual({ allOf: [{ type: "string" }, { minLength: 1 }] });
    expect([...view.required]).toEqual(["a", "c"]);
    expect(view.additionalProperties).toBe(false);
    expect(view.plainObject).toBe(true);
  });

  it("are no plain objects where something else is said", () => {
    expect(viewed({ A: { type: "object", oneOf: [{ required: ["a"] }] } }).plainObject).toBe(false);
    expect(viewed({ A: { type: "object", nullable: true } }).plainObject).toBe(false);
    expect(viewed({ A: { type: "string" } }).plainObject).toBe(false);
  });
});
