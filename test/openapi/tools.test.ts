import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import type { Tool } from "../../src/codemode/tool.js";
import { ToolError } from "../../src/codemode/tool-error.js";
import { DocumentError, OpenAPI, type OpenApiOptions, OperationTool } from "../../src/openapi/index.js";
import { description, folderOf, operation, serve } from "./files.js";

const apiOf = (document: unknown, options?: OpenApiOptions) =>
  Effect.runPromise(OpenAPI.fromDocument(document, options));

const pets = description({
  "/pets": {
    get: operation({ operationId: "pets/list", tags: ["Pets"], summary: "All pets.", deprecated: true }),
    post: operation({ operationId: "pets/create", tags: ["Pets"] }),
  },
  "/pets/{id}": { get: operation({ operationId: "pets/get", tags: ["Pets"] }) },
  "/owners": { get: operation({ tags: ["owners"] }), delete: null },
});

const names = async (options: OpenApiOptions) => (await apiOf(pets, options)).operations.map(({ name }) => name);

describe("tools of a document", () => {
  it("are its sound operations; the others are skipped with code, reason and place", async () => {
    const api = await apiOf(pets);
    expect(Object.keys(api.tools)).toEqual(["pets.list", "pets.create", "getOwners"]);
    expect(api.skipped).toEqual([
      {
        operationId: "pets/get",
        method: "GET",
        pathTemplate: "/pets/{id}",
        code: "undeclared-path-parameter",
        reason: expect.stringContaining("{id}"),
        pointer: "#/paths/~1pets~1{id}/get",
      },
      {
        operationId: null,
        method: "DELETE",
        pathTemplate: "/owners",
        code: "malformed-operation",
        reason: expect.any(String),
        pointer: "#/paths/~1owners/delete",
      },
    ]);
    expect(api.document).toEqual({
      title: "T",
      version: "1",
      openapi: "3.1.1",
      uri: "about:blank",
      servers: ["https://api.example"],
    });
  });

  it("know what the document says of them", async () => {
    const tool = (await apiOf(pets)).tools["pets.list"] as Tool;
    expect(tool.description).toBe("All pets.");
    expect({ ...tool.facts, summary: tool.facts.summary, deprecated: tool.facts.deprecated }).toMatchObject({
      operationId: "pets/list",
      method: "GET",
      pathTemplate: "/pets",
      tags: ["Pets"],
      summary: "All pets.",
      deprecated: true,
    });
  });

  it("leave out servers that cannot be used, and say so", async () => {
    const api = await apiOf(
      description(
        { "/a": { get: operation() } },
        { servers: [{ url: "wss://live.example" }, { url: "https://{x}.example" }, { url: "https://api.example" }] },
      ),
    );
    expect(api.operations[0]?.server).toBe("https://api.example");
    expect(api.omitted).toMatchObject([
      {
        method: "GET",
        pathTemplate: "/a",
        part: "server wss://live.example",
        code: "unsupported-transport",
        pointer: "#/servers/0",
      },
      {
        method: "GET",
        pathTemplate: "/a",
        part: "server https://{x}.example",
        code: "unsupported-server",
        pointer: "#/servers/1",
      },
    ]);
    expect(api.document.servers).toEqual(["https://api.example"]);
  });

  it("may be nested deeper than any program can follow", async () => {
    let schema: Record<string, unknown> = { type: "string" };
    for (let n = 0; n < 20_000; n++)
      schema = n % 2 === 0 ? { allOf: [schema] } : { type: "object", properties: { a: schema } };
    const content = { "application/json": { schema } };
    const api = await apiOf(
      description({
        "/a": { get: operation({ parameters: [{ name: "p", in: "query", required: true, schema }] }) },
        "/b": { post: operation({ requestBody: { content } }) },
        "/c": { get: operation({ responses: { 200: { content } } }) },
        "/d": { get: operation() },
      }),
    );
    for (const tool of api.operations)
      expect(JSON.stringify([tool.inputSchema, tool.outputSchema]).length).toBeLessThan(100_000);
    expect(api.operations.length + api.skipped.length).toBe(4);
    expect(api.operations.map(({ name }) => name)).toEqual(expect.arrayContaining(["getC", "getD"]));
  });

  it("any name is a name", async () => {
    const ids = ["__proto__", "constructor", "hasOwnProperty", "then"];
    const api = await apiOf(
      description(Object.fromEntries(ids.map((operationId, n) => [`/${n}`, { get: operation({ operationId }) }]))),
    );
    expect(Object.keys(api.tools)).toEqual(ids);
    for (const id of ids) expect(api.find(id)).toBeInstanceOf(OperationTool);
    expect((await apiOf(pets)).find("toString")).toBeUndefined();
  });
});

describe("which operations become tools", () => {
  it.each<[OpenApiOptions, string[]]>([
    [{ include: ["pets.*"] }, ["pets.list", "pets.create"]],
    [{ include: ["pets/list"] }, ["pets.list"]],
    [{ include: ["/owners"] }, ["getOwners"]],
    [{ include: ["GET /**"] }, ["pets.list", "getOwners"]],
    [{ include: ["pets.*"], exclude: ["*.create"] }, ["pets.list"]],
    [{ exclude: ["/pets", "/pets/{id}"] }, ["getOwners"]],
    [{ tags: ["pets"] }, ["pets.list", "pets.create"]],
    [{ readOnly: true }, ["pets.list", "getOwners"]],
    [{ tags: ["owners"], readOnly: true, include: ["get*"] }, ["getOwners"]],
  ])("%j", async (options, expected) => {
    expect(await names(options)).toEqual(expected);
  });

  it("is not told by what is skipped elsewhere", async () => {
    expect((await apiOf(pets, { include: ["/owners"] })).skipped).toMatchObject([{ method: "DELETE" }]);
    expect((await apiOf(pets, { exclude: ["/owners", "/pets/*"] })).skipped).toEqual([]);
  });

  it("never changes a name", async () => {
    const document = description({
      "/a": { get: operation({ operationId: "x" }) },
      "/b": { get: operation({ operationId: "x" }) },
    });
    expect((await apiOf(document, { exclude: ["/a"] })).operations.map(({ name }) => name)).toEqual(["getB"]);
  });
});

describe("looking up one operation", () => {
  it.each([
    ["pets.list", "pets.list"],
    ["tools.pets.list", "pets.list"],
    ["pets/list", "pets.list"],
    ["GET /pets", "pets.list"],
    ["get /pets", "pets.list"],
    ["getOwners", "getOwners"],
  ])("by %s", async (text, name) => {
    expect((await apiOf(pets)).find(text)).toMatchObject({ name });
  });

  it("gives the reason for one that is skipped", async () => {
    const api = await apiOf(pets);
    expect(api.find("pets.get")).toMatchObject({ code: "undeclared-path-parameter" });
    expect(api.find("DELETE /owners")).toMatchObject({ code: "malformed-operation" });
    expect(api.find("nothing")).toBeUndefined();
  });
});

describe("large documents", () => {
  const paths: Record<string, unknown> = {};
  for (let n = 0; n < 2_500; n++) paths[`/things/${n}`] = { get: operation({ operationId: `things.get${n}` }) };
  paths["/broken/{id}"] = { get: operation({ operationId: "broken" }) };

  it("plan nothing before it is used; what cannot be called says why", async () => {
    const api = await apiOf(description(paths));
    expect(Object.keys(api.callableTools)).toHaveLength(2_501);
    expect(Object.keys(api.tools)).toHaveLength(2_500);
    const fresh = (await apiOf(description(paths))).callableTools["broken"] as Tool;
    const error = await Effect.runPromise(Effect.flip(fresh.call({}, { mode: "value" })));
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({ kind: "UnknownTool", message: expect.stringContaining("{id}") });
    expect(fresh.inputSchema).toBeUndefined();
  });
});

describe("loading", () => {
  it("takes a path, an object with external references, and fails with a DocumentError", async () => {
    const { origin } = await serve({ "p.json": { name: "p", in: "query", schema: { type: "string" } } });
    const document = description({ "/x": { get: operation({ parameters: [{ $ref: "p.json" }] }) } });
    const folder = folderOf({ "openapi.json": document, "p.json": { name: "p", in: "query", schema: {} } });
    const fromFile = await Effect.runPromise(OpenAPI.load(`${folder}/openapi.json`));
    expect(fromFile.operations[0]?.inputs).toEqual([{ name: "p", in: "query", parameter: "p", required: false }]);
    const fromObject = await Effect.runPromise(OpenAPI.load(document, { uri: `${origin}/openapi.json` }));
    expect(fromObject.operations[0]?.inputs).toHaveLength(1);
    expect((await apiOf(document)).skipped).toMatchObject([{ code: "unresolved-reference" }]);
    const error = await Effect.runPromise(Effect.flip(OpenAPI.load(`${folder}/none.json`)));
    expect(error).toBeInstanceOf(DocumentError);
    expect(
      await Effect.runPromise(
        OpenAPI.load("none.json").pipe(Effect.catchTag("DocumentError", ({ reason }) => Effect.succeed(reason))),
      ),
    ).toBe("unreadable");
  });

  it.each<[OpenApiOptions]>([[{ server: "ftp://x" }], [{ credentials: { key: "no source" } }], [{ include: [""] }]])(
    "refuses options that are malformed: %j",
    async (options) => {
      expect(await Effect.runPromise(Effect.flip(OpenAPI.fromDocument(pets, options)))).toMatchObject({
        _tag: "DocumentError",
        reason: "options",
      });
    },
  );
});
