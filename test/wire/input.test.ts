/** The flat input: names, collisions, what is flattened, and errors before anything is sent. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/json/json.js";
import { makeFileStore } from "../../src/openapi/files.js";
import { wire, withContent, withParameters } from "./wire.js";

const string = { type: "string" };
const json = (schema: unknown) => ({ "application/json": { schema } });

describe("names", () => {
  it("collide with their location in front, on every side", async () => {
    const parameters = [
      { name: "id", in: "path", required: true, schema: string },
      { name: "id", in: "query", schema: string },
      { name: "id", in: "header", schema: string },
      { name: "id", in: "cookie", schema: string },
      { name: "only", in: "query", schema: string },
    ];
    const schema = { type: "object", properties: { id: string, name: string } };
    const api = await wire({ paths: { "/x/{id}": { post: { parameters, requestBody: { content: json(schema) } } } } });
    const tool = api.tool("POST /x/{id}");
    expect(tool.inputs.map(({ name, in: at, parameter }) => [name, at, parameter])).toEqual([
      ["path_id", "path", "id"],
      ["query_id", "query", "id"],
      ["header_id", "header", "id"],
      ["cookie_id", "cookie", "id"],
      ["only", "query", "only"],
      ["body_id", "body", "id"],
      ["name", "body", "name"],
    ]);
    const { request } = await api.call("POST /x/{id}", {
      path_id: "p",
      query_id: "q",
      header_id: "h",
      cookie_id: "c",
      body_id: "b",
      name: "n",
    });
    expect(request.target).toBe("/x/p?id=q");
    expect(request.headers).toMatchObject({ id: "h", cookie: "id=c" });
    expect(request.body.toString()).toBe('{"id":"b","name":"n"}');
  });

  it("a prefixed name that is taken gets a number", async () => {
    const parameters = ["id", "query_id"].map((name) => ({ name, in: "query", schema: string }));
    const schema = { type: "object", properties: { id: string } };
    const api = await wire({ paths: { "/x": { post: { parameters, requestBody: { content: json(schema) } } } } });
    expect(api.tool("POST /x").inputs.map(({ name }) => name)).toEqual(
      ["query_id", "query_id_2", "body_id"].sort((a, b) => (a === "query_id_2" ? -1 : b === "query_id_2" ? 1 : 0)),
    );
  });

  it("body and contentType are never displaced", async () => {
    const parameters = ["body", "contentType"].map((name) => ({ name, in: "query", schema: string }));
    const content = { ...json({ type: "array", items: {} }), "text/plain": { schema: string } };
    const api = await wire({ paths: { "/x": { post: { parameters, requestBody: { content } } } } });
    expect(api.tool("POST /x").inputs.map(({ name, parameter }) => [name, parameter])).toEqual([
      ["query_body", "body"],
      ["query_contentType", "contentType"],
      ["body", null],
      ["contentType", null],
    ]);
  });
});

describe("which bodies are flattened", () => {
  const inputsOf = async (
    schema: unknown,
    components: object = {},
    version = "3.0.4",
    more: Record<string, unknown> = {},
  ) => {
    const api = await wire({ ...withContent(json(schema), more, version), components: { schemas: components } });
    return api.tool("POST /x").inputs.map(({ name, required }) => (required ? `${name}!` : name));
  };
  const object = { type: "object", properties: { a: string, b: string }, required: ["a"] };

  it.each<[string, unknown, object, string, string[]]>([
    ["an object", object, {}, "3.0.4", ["a!", "b"]],
    ["a closed object", { ...object, additionalProperties: false }, {}, "3.0.4", ["a!", "b"]],
    ["an object by reference", { $ref: "#/components/schemas/O" }, { O: object }, "3.0.4", ["a!", "b"]],
    ["properties without type", { properties: { a: string } }, {}, "3.0.4", ["a"]],
    [
      "allOf that merges",
      { allOf: [{ $ref: "#/components/schemas/O" }, { type: "object", properties: { c: string }, required: ["c"] }] },
      { O: object },
      "3.0.4",
      ["a!", "b", "c!"],
    ],
    [
      "properties beside allOf",
      { allOf: [{ $ref: "#/components/schemas/O" }], properties: { c: string } },
      { O: object },
      "3.0.4",
      ["c", "a!", "b"],
    ],
    [
      "properties beside $ref since 3.1",
      { $ref: "#/components/schemas/O", properties: { c: string } },
      { O: object },
      "3.1.1",
      ["a!", "b", "c"],
    ],
    [
      "one of these is required",
      { ...object, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      {},
      "3.0.4",
      ["a!", "b"],
    ],
    [
      "readOnly properties are no inputs",
      { ...object, properties: { a: { ...string, readOnly: true }, b: string } },
      {},
      "3.0.4",
      ["b"],
    ],
    [
      "recursive below the top",
      { type: "object", properties: { n: { $ref: "#/components/schemas/N" } } },
      { N: { type: "object", properties: { n: { $ref: "#/components/schemas/N" } } } },
      "3.0.4",
      ["n"],
    ],
    ["type list of one", { ...object, type: ["object"] }, {}, "3.1.1", ["a!", "b"]],
  ])("%s", async (_, schema, components, version, expected) => {
    expect((await inputsOf(schema, components, version, { required: true })).sort()).toEqual([...expected].sort());
    expect((await inputsOf(schema, components, version)).sort()).toEqual(
      expected.map((name) => name.replace("!", "")).sort(),
    );
  });

  it.each<[string, unknown, object, string]>([
    ["a list", { type: "array", items: object }, {}, "3.0.4"],
    ["a primitive", string, {}, "3.0.4"],
    ["oneOf", { oneOf: [object, { type: "object", properties: { c: string } }] }, {}, "3.0.4"],
    [
      "anyOf beside properties",
      { ...object, anyOf: [{ properties: { c: string } }, { properties: { d: string } }] },
      {},
      "3.0.4",
    ],
    [
      "a union inside allOf",
      { allOf: [object, { oneOf: [{ properties: { c: string } }, { properties: { d: string } }] }] },
      {},
      "3.0.4",
    ],
    ["nullable", { ...object, nullable: true }, {}, "3.0.4"],
    ["null among the types", { ...object, type: ["object", "null"] }, {}, "3.1.1"],
    ["additionalProperties: true", { ...object, additionalProperties: true }, {}, "3.0.4"],
    ["additionalProperties: a schema", { ...object, additionalProperties: string }, {}, "3.0.4"],
    ["additionalProperties: {}", { ...object, additionalProperties: {} }, {}, "3.0.4"],
    ["patternProperties", { ...object, patternProperties: { "^x-": {} } }, {}, "3.1.1"],
    ["no declared properties", { type: "object" }, {}, "3.0.4"],
    ["nothing said", {}, {}, "3.0.4"],
    [
      "recursive at the top",
      { $ref: "#/components/schemas/N" },
      { N: { type: "object", properties: { n: { type: "array", items: { $ref: "#/components/schemas/N" } } } } },
      "3.0.4",
    ],
    [
      "recursive through another",
      { $ref: "#/components/schemas/A" },
      {
        A: { type: "object", properties: { b: { $ref: "#/components/schemas/B" } } },
        B: { type: "object", properties: { a: { $ref: "#/components/schemas/A" } } },
      },
      "3.0.4",
    ],
    ["a discriminator", { ...object, discriminator: { propertyName: "a" } }, {}, "3.0.4"],
  ])("%s stays under body", async (_, schema, components, version) => {
    expect(await inputsOf(schema, components, version, { required: true })).toEqual(["body!"]);
  });

  it("recursive at the top, its references already followed", async () => {
    const node: Record<string, unknown> = { type: "object" };
    node["properties"] = { name: string, kids: { type: "array", items: node } };
    const api = await wire(withContent(json(node)));
    expect(api.tool("POST /x").inputs.map(({ name }) => name)).toEqual(["body"]);
    const body = { name: "r", kids: [{ name: "k" }] };
    expect((await api.call("POST /x", { body })).request.body.toString()).toBe(JSON.stringify(body));
    expect(api.tool("POST /x").inputSchema).toMatchObject({ properties: { body: { type: "object" } } });
  });

  it("readOnly is refused as an input, and not required", async () => {
    const schema = { type: "object", required: ["id"], properties: { id: { ...string, readOnly: true }, a: string } };
    const api = await wire(withContent(json(schema), { required: true }));
    expect((await api.call("POST /x", { a: "1" })).request.body.toString()).toBe('{"a":"1"}');
    expect((await api.call("POST /x", { id: "1" })).error?.kind).toBe("InvalidToolInput");
  });
});

describe("errors before anything is sent", () => {
  const parameters = [
    { name: "page_size", in: "query", schema: { type: "integer" } },
    { name: "owner", in: "query", required: true, schema: string },
  ];

  it.each<[string, Json, RegExp, RegExp | undefined]>([
    ["an unknown input", { owner: "x", pagesize: 1 }, /no input `pagesize`/, /`page_size`/],
    ["an inherited name", { owner: "x", constructor: 1 }, /no input `constructor`/, /page_size/],
    ["a missing one", {}, /`owner` is required/, undefined],
    ["null for a required one", { owner: null }, /`owner` is required/, undefined],
    [
      "a wrong type",
      { owner: "x", page_size: "ten" },
      /`page_size` must be an integer, not the string "ten"/,
      undefined,
    ],
    ["a list instead of one object", ["x"], /must be one object/, undefined],
    ["a string instead of one object", "x", /must be one object/, undefined],
  ])("%s", async (_, input, message, hint) => {
    const api = await wire(withParameters(parameters));
    const { error, requests } = await api.call("GET /x", input);
    expect(error?.kind).toBe("InvalidToolInput");
    expect(error?.message).toMatch(message);
    if (hint !== undefined) expect(error?.hint).toMatch(hint);
    expect(requests).toEqual([]);
  });

  it("no input at all is an empty one", async () => {
    const api = await wire(withParameters([parameters[0]]));
    expect((await api.call("GET /x")).request.target).toBe("/x");
    expect((await api.call("GET /x", null)).request.target).toBe("/x");
  });

  it("the whole body of a flattened one is no input, and the hint says so", async () => {
    const api = await wire(withContent(json({ type: "object", properties: { a: string } })));
    const { error } = await api.call("POST /x", { body: { a: "1" } });
    expect(error?.hint).toContain("inputs of their own: a");
  });
});

describe("the schema of the input", () => {
  it("says what is required, closed, and what is a file", async () => {
    const schema = {
      type: "object",
      required: ["f"],
      properties: {
        f: { type: "string", format: "binary", description: "The file." },
        n: { $ref: "#/components/schemas/N" },
      },
    };
    const description = {
      components: { schemas: { N: { type: "object", properties: { n: { $ref: "#/components/schemas/N" } } } } },
      paths: {
        "/x/{id}": {
          post: {
            parameters: [
              { name: "id", in: "path", required: true, description: "The id.", schema: { type: "integer" } },
            ],
            requestBody: { required: true, content: { "multipart/form-data": { schema } } },
          },
        },
      },
    };
    const api = await wire(description);
    expect(api.tool("POST /x/{id}").inputSchema).toMatchObject({
      type: "object",
      additionalProperties: false,
      required: ["id", "f"],
      properties: {
        id: { type: "integer", description: "The id." },
        f: { "x-codemode": "file", description: "The file." },
        n: { $ref: "#/$defs/N" },
      },
      $defs: { N: { type: "object" } },
    });
  });
});

describe("the schema offers what can be sent", () => {
  const schemaOf = async (description: Parameters<typeof wire>[0], options?: Parameters<typeof wire>[1]) =>
    (await wire(description, options)).api.operations[0]!.inputSchema as { properties: Record<string, unknown> };
  const object = { type: "object", properties: { a: string, deep: { type: "object", properties: { b: string } } } };
  const choice = { anyOf: [object, { type: "string", enum: [""] }, { enum: [""] }, { type: "array", items: string }] };
  const carried = { anyOf: [{ type: "object", properties: { a: string } }] };

  it("in a parameter: types and properties that the style has no form for are left out", async () => {
    const deep = { name: "p", in: "query", style: "deepObject", explode: true };
    expect((await schemaOf(withParameters([{ ...deep, schema: choice }]))).properties["p"]).toEqual(carried);
    // A branch that cannot be had without such a property is none.
    const impossible = { ...object, required: ["deep"] };
    expect(
      (await schemaOf(withParameters([{ ...deep, schema: { anyOf: [object, impossible] } }]))).properties["p"],
    ).toEqual(carried);
    const piped = { name: "p", in: "query", style: "pipeDelimited", explode: false };
    const lists = { oneOf: [string, { type: "array", items: { oneOf: [string, object] } }] };
    expect((await schemaOf(withParameters([{ ...piped, schema: lists }]))).properties["p"]).toEqual({
      oneOf: [{ type: "array", items: { oneOf: [string] } }],
    });
    const brackets = { conventions: { deepObject: "brackets" } } as const;
    expect((await schemaOf(withParameters([{ ...deep, schema: choice }]), brackets)).properties["p"]).toEqual(choice);
  });

  it("in a field of a form", async () => {
    const form = {
      schema: { type: "object", properties: { p: choice } },
      encoding: { p: { style: "deepObject", explode: true } },
    };
    expect((await schemaOf(withContent({ "application/x-www-form-urlencoded": form }))).properties["p"]).toEqual(
      carried,
    );
  });

  it("a property that is a file in one media type and a string in another may be either", async () => {
    const schema = { type: "object", properties: { upload: { type: "string", format: "binary" } } };
    const description = withContent({ "application/json": { schema }, "multipart/form-data": { schema } });
    expect((await schemaOf(description)).properties["upload"]).toMatchObject({
      anyOf: [{ type: "string" }, { "x-codemode": "file" }],
    });
    // A file goes as the media type that takes files, text as the first one.
    const files = makeFileStore({ files: { "a.txt": import.meta.filename } });
    const list = { type: "object", properties: { uploads: { type: "array", items: schema.properties.upload } } };
    const api = await wire(
      {
        paths: {
          "/x": description.paths["/x"]!,
          "/y": withContent({ "application/json": { schema: list }, "multipart/form-data": { schema: list } }).paths[
            "/x"
          ]!,
        },
      },
      { files },
    );
    const file = { file: "a.txt" };
    expect((await api.call("POST /x", { upload: file })).request.headers["content-type"]).toMatch(/^multipart/);
    expect((await api.call("POST /y", { uploads: [file] })).request.headers["content-type"]).toMatch(/^multipart/);
    expect((await api.call("POST /x", { upload: "a" })).request.headers["content-type"]).toBe("application/json");
    const asked = await api.call("POST /x", { upload: file, contentType: "application/json" });
    expect([asked.requests.length, asked.error?.kind]).toEqual([0, "InvalidToolInput"]);
  });

  it("a media type within a range is one, not a range", async () => {
    const { properties } = await schemaOf(withContent({ "text/*": {}, "application/json": {} }));
    const { pattern, examples } = properties["contentType"] as { pattern: string; examples: string[] };
    expect(examples).toEqual(["application/json"]);
    for (const type of ["text/plain", "text/csv; header=absent"]) expect(type).toMatch(new RegExp(pattern));
    for (const type of ["text/*", "*/*", "plain", "a b/c"]) expect(type).not.toMatch(new RegExp(pattern));
  });
});
