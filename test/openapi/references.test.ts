import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DocumentFault } from "../../src/openapi/document.js";
import { joinPointer, parsePointer, pointerFragment } from "../../src/openapi/json-pointer.js";
import { type DocumentSource, documentFromObject, type LoadOptions, loadDocument } from "../../src/openapi/load.js";
import type { OperationModel } from "../../src/openapi/operation-model.js";
import { declaredOperations } from "../../src/openapi/operations.js";
import { description, type Files, folderOf, operation, serve } from "./files.js";

const query = (name: string) => ({ name, in: "query", schema: { type: "string" } });

const modelsOf = async (source: DocumentSource, options?: LoadOptions): Promise<OperationModel[]> =>
  declaredOperations(await loadDocument(source, options)).operations.map((found) => found.model());

/** Names of the first operation's parameters, or the fault. */
function parametersOf(model: OperationModel | undefined): unknown {
  try {
    return model?.parameters.map(({ value }) => value["name"]);
  } catch (error) {
    if (error instanceof DocumentFault) return error.fault;
    throw error;
  }
}

/** The same, of files where `openapi.json` is the root, from a folder and from a server. */
async function parametersFrom(files: Files): Promise<unknown> {
  const fromFolder = parametersOf((await modelsOf(`${folderOf(files)}/openapi.json`))[0]);
  const fromServer = parametersOf((await modelsOf(`${(await serve(files)).origin}/openapi.json`))[0]);
  if (Array.isArray(fromFolder)) expect(fromServer).toEqual(fromFolder);
  return fromFolder;
}

const withParameter = (reference: string, rest: Record<string, unknown> = {}) =>
  description({ "/x": { get: operation({ parameters: [{ $ref: reference }] }) } }, rest);

describe("JSON pointers", () => {
  it("name every member, whatever it is called", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { maxLength: 4 }), (tokens) => {
        const pointer = tokens.reduce(joinPointer, "");
        expect(parsePointer(pointer)).toEqual(tokens);
      }),
    );
  });

  it("are followed in a document, percent-encoded or not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (name) => {
        const pointer = joinPointer("/components/parameters", name);
        const rest = { components: { parameters: { [name]: query("found") } } };
        for (const reference of [pointerFragment(pointer), `#${encodeURIComponent(pointer)}`]) {
          const document = documentFromObject(withParameter(reference, rest));
          expect(parametersOf(declaredOperations(document).operations[0]?.model())).toEqual(["found"]);
        }
      }),
    );
  });
});

describe("references in one document", () => {
  it.each([
    ["#/components/parameters/a~1b", "a/b"],
    ["#/components/parameters/a~0b", "a~b"],
    ["#/components/parameters/a%7E1b", "a/b"],
    ["#/components/parameters/a%20b", "a b"],
    ["#/components/parameters/50%25", "50%"],
    ["#/components/parameters/100%", "100%"],
    ["#/components/parameters/{id}", "{id}"],
    ["#/components/parameters/__proto__", "__proto__"],
  ])("%s", async (reference, key) => {
    const parameters = JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(query("p"))}}`) as object;
    expect(parametersOf((await modelsOf(withParameter(reference, { components: { parameters } })))[0])).toEqual(["p"]);
  });

  it("go through chains, list positions and other references", async () => {
    const document = description(
      {
        "/a": { get: operation({ parameters: [query("p")] }) },
        "/b": { get: operation({ parameters: [{ $ref: "#/paths/~1a/get/parameters/0" }] }) },
        "/c": { get: operation({ parameters: [{ $ref: "#/components/parameters/One" }] }) },
        "/d": { $ref: "#/paths/~1a" },
        "/e": { get: operation({ parameters: [{ $ref: "#/paths/~1d/get/parameters/0" }] }) },
      },
      { components: { parameters: { One: { $ref: "#/components/parameters/Two" }, Two: query("two") } } },
    );
    expect((await modelsOf(document)).map(parametersOf)).toEqual([["p"], ["p"], ["two"], ["p"], ["p"]]);
  });

  it.each([
    ["#/components/parameters/Nope", "Nope"],
    ["#/components/parameters/toString", "toString"],
    ["#/components/parameters/Circle", "leads back"],
    ["#/servers/length", "length"],
    ["#anchor", "anchor"],
  ])("that lead nowhere stay with their operation: %s", async (reference, why) => {
    const rest = {
      components: {
        parameters: {
          Circle: { $ref: "#/components/parameters/Back" },
          Back: { $ref: "#/components/parameters/Circle" },
        },
      },
    };
    const document = withParameter(reference, rest);
    (document["paths"] as Record<string, unknown>)["/good"] = { get: operation({ parameters: [query("g")] }) };
    const [bad, good] = (await modelsOf(document)).map(parametersOf);
    expect(bad).toMatchObject({ code: "unresolved-reference", reason: expect.stringContaining(why) });
    expect((bad as { pointer: string }).pointer).toMatch(/^#\/(paths\/~1x\/get\/parameters\/0|components)/);
    expect(good).toEqual(["g"]);
  });

  it("a property that is called $ref is a property", async () => {
    const schema = { type: "object", properties: { $ref: { type: "string" } } };
    const [model] = await modelsOf(
      description({ "/x": { post: operation({ requestBody: { content: { "application/json": { schema } } } }) } }),
    );
    expect(model?.requestBody?.value["content"]).toMatchObject({ "application/json": { schema } });
  });
});

describe("references between files", () => {
  it("relative, nested, bare names, JSON and YAML, and files joined by a chain", async () => {
    expect(
      await parametersFrom({
        "openapi.json": description({ "/x": { $ref: "paths/items.yaml" } }),
        "paths/items.yaml":
          "get:\n  parameters:\n    - $ref: ../common/params.json#/Ids\n    - $ref: 'local%20one.yml'\n  responses: {}\n",
        "paths/local one.yml": "name: local\nin: query\n",
        "common/params.json": { Ids: { $ref: "deep/more.yaml#/a~1b" } },
        "common/deep/more.yaml": "a/b: {name: ids, in: query, schema: {$ref: '../../schemas.json#/$defs/Id'}}\n",
        "schemas.json": { $defs: { Id: { type: "integer" } } },
      }),
    ).toEqual(["ids", "local"]);
  });

  it("in a circle", async () => {
    expect(
      await parametersFrom({
        "openapi.json": withParameter("a.yaml#/p", { "x-shared": query("back") }),
        "a.yaml": "p: {$ref: 'b.yaml#/p'}\n",
        "b.yaml": "p: {$ref: 'openapi.json#/x-shared'}\n",
      }),
    ).toEqual(["back"]);
  });

  it("of which one is missing, or is no document, concerns its operations only", async () => {
    const files = {
      "openapi.json": description({
        "/a": { get: operation({ parameters: [{ $ref: "none.yaml" }] }) },
        "/b": { get: operation({ parameters: [{ $ref: "broken.yaml#/p" }] }) },
        "/c": { $ref: "none-either.yaml" },
        "/d": { get: operation({ parameters: [{ $ref: "good.yaml" }] }) },
      }),
      "broken.yaml": "p: [secret text\n",
      "good.yaml": "name: good\nin: query\n",
    };
    const document = await loadDocument(`${folderOf(files)}/openapi.json`);
    const { operations, malformed } = declaredOperations(document);
    const [a, b, d] = operations.map((found) => parametersOf(found.model()));
    expect(a).toMatchObject({ code: "unresolved-reference", reason: expect.stringContaining("no such file") });
    expect(b).toMatchObject({ code: "unresolved-reference", reason: expect.stringContaining("not valid YAML") });
    expect(JSON.stringify(b)).not.toContain("secret");
    expect(d).toEqual(["good"]);
    expect(malformed).toMatchObject([{ method: "*", pathTemplate: "/c", fault: { code: "unresolved-reference" } }]);
  });

  it("are not followed inside examples, extensions, defaults and callbacks, nor where nothing needs them", async () => {
    const { origin, requests } = await serve({
      "openapi.json": description(
        {
          "/x": {
            post: operation({
              requestBody: {
                content: {
                  "application/json": {
                    schema: {
                      type: "object",
                      default: { $ref: "no/default" },
                      enum: [{ $ref: "no/enum" }],
                      example: { $ref: "no/example" },
                    },
                    example: { $ref: "no/example" },
                    examples: { one: { value: { $ref: "no/value" } } },
                  },
                },
              },
              "x-extension": { $ref: "no/extension" },
              callbacks: { done: { $ref: "no/callback" } },
            }),
          },
        },
        { components: { schemas: { Unused: { $ref: "no/unused" } } }, webhooks: { w: { $ref: "no/webhook" } } },
      ),
    });
    await loadDocument(`${origin}/openapi.json`);
    expect(requests).toEqual(["/openapi.json"]);
  });

  it("fetches each file once", async () => {
    const { origin, requests } = await serve({
      "openapi.json": description({
        "/x": { get: operation({ parameters: ["a", "b", "c"].map((p) => ({ $ref: `p.json#/${p}` })) }) },
      }),
      "p.json": { a: query("a"), b: query("b"), c: query("c") },
    });
    expect(parametersOf((await modelsOf(`${origin}/openapi.json`))[0])).toEqual(["a", "b", "c"]);
    expect(requests).toEqual(["/openapi.json", "/p.json"]);
  });

  it("resolve against where a redirect led", async () => {
    const { origin } = await serve({
      "openapi.json": withParameter("moved.json"),
      "moved.json": (_: unknown, response: import("node:http").ServerResponse) =>
        response.writeHead(301, { location: "/v2/p.json" }).end(),
      "v2/p.json": { $ref: "q.json" },
      "v2/q.json": query("moved"),
    });
    expect(parametersOf((await modelsOf(`${origin}/openapi.json`))[0])).toEqual(["moved"]);
  });
});

describe("what a document may make the host read", () => {
  it("a document from the network reads no local file", async () => {
    const folder = folderOf({ "p.json": query("local") });
    const { origin } = await serve({ "openapi.json": withParameter(`file://${folder}/p.json`) });
    expect(parametersOf((await modelsOf(`${origin}/openapi.json`))[0])).toMatchObject({
      code: "unresolved-reference",
      reason: expect.stringContaining("may not read local files"),
    });
  });

  it("reads other origins only where the user allows them", async () => {
    const other = await serve({ "p.json": query("other"), "r.json": { $ref: "file:///etc/hostname" } });
    const { origin } = await serve({
      "openapi.json": withParameter(`${other.origin}/p.json`),
      "redirect.json": withParameter("away"),
      away: (_: unknown, response: import("node:http").ServerResponse) =>
        response.writeHead(302, { location: `${other.origin}/p.json` }).end(),
    });
    const refused = { code: "unresolved-reference", reason: expect.stringContaining("may") };
    expect(parametersOf((await modelsOf(`${origin}/openapi.json`))[0])).toMatchObject(refused);
    expect(parametersOf((await modelsOf(`${origin}/redirect.json`))[0])).toMatchObject(refused);
    expect(other.requests).toEqual([]);
    const allowed = { allowOrigins: [other.origin] };
    expect(parametersOf((await modelsOf(`${origin}/openapi.json`, allowed))[0])).toEqual(["other"]);
    const folder = folderOf({
      "openapi.json": withParameter(`${other.origin}/p.json`),
      "r.json": withParameter(`${other.origin}/r.json`),
    });
    expect(parametersOf((await modelsOf(`${folder}/openapi.json`))[0])).toMatchObject(refused);
    expect(parametersOf((await modelsOf(`${folder}/openapi.json`, allowed))[0])).toEqual(["other"]);
    expect(parametersOf((await modelsOf(`${folder}/r.json`, allowed))[0])).toMatchObject(refused);
  });

  it("a document without a place has nothing to be relative to", async () => {
    expect(parametersOf((await modelsOf(withParameter("p.json")))[0])).toMatchObject({ code: "unresolved-reference" });
  });
});

describe("identifiers of embedded schemas", () => {
  const schemaOf = async (schema: unknown, schemas: Record<string, unknown>, rest: Record<string, unknown> = {}) => {
    const document = await loadDocument(
      description(
        { "/x": { get: operation({ parameters: [{ ...query("p"), schema }] }) } },
        { components: { schemas }, ...rest },
      ),
    );
    const [parameter] = declaredOperations(document).operations[0]?.model().parameters ?? [];
    const found = document.child(parameter as never, "schema");
    const items = found && document.child(found, "items");
    return [found?.value, items?.value];
  };

  it("$id is the base of what is inside, and a target", async () => {
    const list = {
      $id: "https://schemas.example/list",
      type: "array",
      items: { $ref: "#/$defs/n" },
      $defs: { n: { type: "integer" } },
    };
    expect(await schemaOf({ $ref: "https://schemas.example/list" }, { list })).toEqual([list, { type: "integer" }]);
  });

  it("$anchor and a pointer into an embedded resource", async () => {
    const list = { $id: "https://schemas.example/list", $defs: { n: { $anchor: "number", type: "integer" } } };
    for (const reference of ["https://schemas.example/list#number", "https://schemas.example/list#/$defs/n"]) {
      expect((await schemaOf({ $ref: reference }, { list }))[0]).toMatchObject({ type: "integer" });
    }
  });

  it("$self names the document", async () => {
    const rest = { openapi: "3.2.0", $self: "https://apis.example/pets.json" };
    expect(
      (
        await schemaOf(
          { $ref: "https://apis.example/pets.json#/components/schemas/A" },
          { A: { type: "string" } },
          rest,
        )
      )[0],
    ).toEqual({ type: "string" });
  });

  it("$self is the base of references, and the files beside it are read beside the document", async () => {
    const files = {
      "specs/openapi.json": withParameter("../shared/p.json", {
        openapi: "3.2.0",
        $self: "https://apis.example/v1/api.json",
      }),
      "shared/p.json": { $ref: "q.json#/q" },
      "shared/q.json": { q: query("self") },
    };
    const { origin } = await serve(files);
    expect(parametersOf((await modelsOf(`${folderOf(files)}/specs/openapi.json`))[0])).toEqual(["self"]);
    expect(parametersOf((await modelsOf(`${origin}/specs/openapi.json`))[0])).toEqual(["self"]);
    const away = {
      ...files,
      "specs/openapi.json": withParameter("https://other.example/p.json", {
        openapi: "3.2.0",
        $self: "https://apis.example/v1/api.json",
      }),
    };
    expect(parametersOf((await modelsOf(`${folderOf(away)}/specs/openapi.json`))[0])).toMatchObject({
      code: "unresolved-reference",
    });
  });

  it("an $id in data identifies nothing", async () => {
    const schemas = { A: { properties: { $id: { type: "string" } }, example: { $id: "https://schemas.example/a" } } };
    await expect(schemaOf({ $ref: "https://schemas.example/a" }, schemas)).rejects.toThrow(DocumentFault);
  });
});
