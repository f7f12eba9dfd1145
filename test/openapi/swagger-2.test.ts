import { describe, expect, it } from "vitest";
import { DocumentFault } from "../../src/openapi/document.js";
import { documentFromObject } from "../../src/openapi/load.js";
import type { OperationModel } from "../../src/openapi/operation-model.js";
import { declaredOperations } from "../../src/openapi/operations.js";
import { operation } from "./files.js";

type Fields = Record<string, unknown>;

function modelOf(own: Fields, document: Fields = {}, item: Fields = {}): OperationModel {
  const loaded = documentFromObject({
    swagger: "2.0",
    info: { title: "T", version: "1" },
    ...document,
    paths: { "/x": { post: operation(own), ...item } },
  });
  const [found] = declaredOperations(loaded).operations;
  return (found as { model(): OperationModel }).model();
}

const parameter = (fields: Fields) => modelOf({ parameters: [{ name: "p", ...fields }] }).parameters[0]?.value;

describe("parameters of Swagger 2.0", () => {
  it.each([
    ["query", undefined, { style: "form", explode: false }],
    ["query", "csv", { style: "form", explode: false }],
    ["query", "ssv", { style: "spaceDelimited", explode: false }],
    ["query", "tsv", { style: "tabDelimited", explode: false }],
    ["query", "pipes", { style: "pipeDelimited", explode: false }],
    ["query", "multi", { style: "form", explode: true }],
    ["path", undefined, { style: "simple", explode: false }],
    ["header", "csv", { style: "simple", explode: false }],
    ["path", "pipes", { style: "pipeDelimited", explode: false }],
    ["path", "multi", { style: "multi", explode: true }],
  ])("a list in the %s as %s", (location, collectionFormat, style) => {
    expect(parameter({ in: location, type: "array", items: { type: "string" }, collectionFormat })).toEqual({
      name: "p",
      in: location,
      ...style,
      schema: { type: "array", items: { type: "string" } },
    });
  });

  it("keep what describes the value in a schema", () => {
    const value = { type: "integer", format: "int64", minimum: 0, exclusiveMinimum: true, enum: [1, 2], default: 1 };
    expect(parameter({ in: "query", required: true, description: "d", allowEmptyValue: true, ...value })).toEqual({
      name: "p",
      in: "query",
      required: true,
      description: "d",
      allowEmptyValue: true,
      schema: value,
    });
  });

  it("of the path item are inherited, except those the operation overrides, bodies included", () => {
    const model = modelOf(
      {
        parameters: [
          { name: "a", in: "query", type: "integer" },
          { name: "b", in: "body", schema: { type: "string" } },
        ],
      },
      {},
      {
        parameters: [
          { name: "a", in: "query", type: "string" },
          { name: "a", in: "header", type: "string" },
          { name: "b", in: "body", schema: { type: "integer" } },
        ],
      },
    );
    expect(model.parameters.map(({ value }) => [value["in"], (value["schema"] as Fields)["type"]])).toEqual([
      ["header", "string"],
      ["query", "integer"],
    ]);
    expect(model.requestBody?.value["content"]).toEqual({ "application/json": { schema: { type: "string" } } });
  });
});

describe("bodies of Swagger 2.0", () => {
  const body = { name: "b", in: "body", required: true, description: "d", schema: { $ref: "#/definitions/A" } };

  it.each([
    [{}, {}, ["application/json"]],
    [{ consumes: ["application/xml"] }, {}, ["application/xml"]],
    [
      { consumes: ["application/xml"] },
      { consumes: ["text/plain", "application/json"] },
      ["text/plain", "application/json"],
    ],
    [{ consumes: ["application/xml"] }, { consumes: [] }, ["application/json"]],
  ])("have the media types of %j and %j", (document, own, types) => {
    const model = modelOf({ parameters: [body], ...own }, { ...document, definitions: { A: { type: "object" } } });
    expect(model.requestBody?.value).toEqual({
      description: "d",
      required: true,
      content: Object.fromEntries(types.map((type) => [type, { schema: body.schema }])),
    });
  });

  it("keep their place in the document", () => {
    const model = modelOf({
      parameters: [{ ...body, schema: { type: "object", properties: { a: { $ref: "#/none" } } } }],
    });
    const { document } = model;
    const content = document.child(model.requestBody as never, "content");
    const schema = document.child(document.child(content as never, "application/json") as never, "schema");
    expect(document.show(schema as never)).toBe("#/paths/~1x/post/parameters/0/schema");
  });

  it("are made of form fields", () => {
    const model = modelOf({
      parameters: [
        { name: "ids", in: "formData", type: "array", items: { type: "integer" }, collectionFormat: "multi" },
        { name: "tags", in: "formData", type: "array", items: { type: "string" }, required: true },
        { name: "note", in: "formData", type: "string", description: "d" },
      ],
    });
    expect(model.parameters).toEqual([]);
    expect(model.requestBody?.value).toEqual({
      required: true,
      content: {
        "application/x-www-form-urlencoded": {
          schema: {
            type: "object",
            properties: {
              ids: { type: "array", items: { type: "integer" } },
              tags: { type: "array", items: { type: "string" } },
              note: { type: "string", description: "d" },
            },
            required: ["tags"],
          },
          encoding: { ids: { style: "form", explode: true }, tags: { style: "form", explode: false } },
        },
      },
    });
  });

  it.each([
    [["multipart/form-data"], false, ["multipart/form-data"]],
    [
      ["application/x-www-form-urlencoded", "multipart/form-data"],
      false,
      ["application/x-www-form-urlencoded", "multipart/form-data"],
    ],
    [["application/x-www-form-urlencoded", "multipart/form-data"], true, ["multipart/form-data"]],
    [["application/json"], false, ["application/x-www-form-urlencoded"]],
    [["application/json"], true, ["multipart/form-data"]],
    [undefined, true, ["multipart/form-data"]],
  ])("form fields with consumes %j, file %s", (consumes, file, types) => {
    const model = modelOf({ consumes, parameters: [{ name: "f", in: "formData", type: file ? "file" : "string" }] });
    const content = model.requestBody?.value["content"] as Record<string, { schema: { properties: Fields } }>;
    expect(Object.keys(content)).toEqual(types);
    expect(Object.values(content)[0]?.schema.properties["f"]).toEqual(
      file ? { type: "string", format: "binary" } : { type: "string" },
    );
  });

  it.each([
    ["two bodies", [body, { ...body, name: "c" }]],
    ["a body beside a form", [body, { name: "f", in: "formData", type: "string" }]],
    ["a field without a name", [{ in: "formData", type: "string" }]],
  ])("refuse %s", (_, parameters) => {
    const model = modelOf({ parameters });
    expect(() => model.requestBody).toThrow(DocumentFault);
  });
});

describe("responses of Swagger 2.0", () => {
  it("have content of the media types produced; a file is binary", () => {
    const model = modelOf(
      {
        produces: ["application/pdf"],
        responses: {
          200: { description: "a file", schema: { type: "file" } },
          400: { $ref: "#/responses/Bad" },
          500: { $ref: "#/responses/None" },
          default: { description: "none", headers: { "X-N": { type: "integer" } } },
        },
      },
      { produces: ["application/json"], responses: { Bad: { description: "bad", schema: { type: "string" } } } },
    );
    expect(model.responses?.value).toEqual({
      200: { description: "a file", content: { "application/pdf": { schema: { type: "string", format: "binary" } } } },
      400: { description: "bad", content: { "application/pdf": { schema: { type: "string" } } } },
      500: { $ref: "#/responses/None" },
      default: { description: "none", headers: { "X-N": { schema: { type: "integer" } } } },
    });
  });
});

describe("security of Swagger 2.0", () => {
  it.each([
    [{ type: "basic" }, { type: "http", scheme: "basic" }],
    [
      { type: "apiKey", in: "query", name: "k" },
      { type: "apiKey", in: "query", name: "k" },
    ],
    [
      {
        type: "oauth2",
        flow: "accessCode",
        authorizationUrl: "https://a",
        tokenUrl: "https://t",
        scopes: { r: "read" },
      },
      {
        type: "oauth2",
        flows: { authorizationCode: { authorizationUrl: "https://a", tokenUrl: "https://t", scopes: { r: "read" } } },
      },
    ],
    [
      { type: "oauth2", flow: "application", tokenUrl: "https://t" },
      { type: "oauth2", flows: { clientCredentials: { tokenUrl: "https://t", scopes: {} } } },
    ],
  ])("%j", (scheme, expected) => {
    const model = modelOf({}, { securityDefinitions: { s: scheme } });
    expect(model.securityScheme("s")?.value).toEqual(expected);
    expect(model.securityScheme("toString")).toBeUndefined();
  });

  it("of the operation replaces that of the document", () => {
    const document = { security: [{ a: [] }] };
    expect(modelOf({}, document).security?.value).toEqual([{ a: [] }]);
    expect(modelOf({ security: [] }, document).security?.value).toEqual([]);
    expect(modelOf({}).security).toBeUndefined();
  });
});
