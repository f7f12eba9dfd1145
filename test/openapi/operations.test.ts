import { describe, expect, it } from "vitest";
import { documentFromObject } from "../../src/openapi/load.js";
import { declaredOperations } from "../../src/openapi/operations.js";
import { description, operation } from "./files.js";

/** Operations as `METHOD /path`, malformed ones with their code. */
function declared(paths: unknown, rest: Record<string, unknown> = {}) {
  const { operations, malformed } = declaredOperations(documentFromObject(description(paths, rest)));
  return {
    operations: operations.map(({ method, pathTemplate }) => `${method} ${pathTemplate}`),
    malformed: malformed.map(
      ({ method, pathTemplate, fault }) => `${method} ${pathTemplate}: ${fault.code} ${fault.pointer}`,
    ),
  };
}

const op = operation();
const methods = (...names: string[]) => Object.fromEntries(names.map((name) => [name, op]));

describe("operations of a document", () => {
  it("are those of every method of every path, in order", () => {
    const item = methods("trace", "get", "put", "post", "delete", "options", "head", "patch");
    expect(declared({ "/b": item, "/a": methods("get"), "x-internal": methods("get"), "/c": null })).toEqual({
      operations: [..."TRACE GET PUT POST DELETE OPTIONS HEAD PATCH".split(" ").map((m) => `${m} /b`), "GET /a"],
      malformed: [],
    });
  });

  it("webhooks and callbacks are none", () => {
    const webhooks = { hook: methods("post") };
    expect(
      declared({ "/a": { get: operation({ callbacks: { c: { "{$url}": methods("post") } } }) } }, { webhooks })
        .operations,
    ).toEqual(["GET /a"]);
  });

  it("3.2 has QUERY and methods of any name", () => {
    const paths = { "/a": { ...methods("query"), additionalOperations: methods("COPY", "purge", "POST", "a b") } };
    expect(declared(paths, { openapi: "3.2.0" })).toEqual({
      operations: ["QUERY /a", "COPY /a", "purge /a"],
      malformed: [
        "POST /a: malformed-operation #/paths/~1a/additionalOperations/POST",
        "a b /a: malformed-operation #/paths/~1a/additionalOperations/a b",
      ],
    });
    expect(declared(paths, { openapi: "3.1.0" }).operations).toEqual([]);
    expect(declared(paths, { openapi: "3.1.0" }).malformed).toHaveLength(5);
    expect(declared({ "/a": methods("trace") }, { openapi: undefined, swagger: "2.0" }).malformed).toHaveLength(1);
  });

  it("none is lost, however malformed", () => {
    expect(
      declared({ "/a": { get: null, put: [], post: op }, "/b": "text", "/c": { $ref: "#/none" }, d: methods("get") }),
    ).toEqual({
      operations: ["POST /a"],
      malformed: [
        "GET /a: malformed-operation #/paths/~1a/get",
        "PUT /a: malformed-operation #/paths/~1a/put",
        "* /b: malformed-operation #/paths/~1b",
        "* /c: unresolved-reference #/paths/~1c",
        "GET d: malformed-operation #/paths/d/get",
      ],
    });
  });

  it("path items refer to others, in chains, with fields beside the reference", () => {
    const components = {
      pathItems: {
        One: { $ref: "#/components/pathItems/Two" },
        Two: methods("get"),
        Loop: { $ref: "#/components/pathItems/Loop" },
      },
    };
    const reference = { $ref: "#/components/pathItems/One" };
    expect(
      declared(
        {
          "/a": reference,
          "/b": { ...reference, ...methods("post") },
          "/c": { ...reference, ...methods("get") },
          "/d": { $ref: "#/components/pathItems/Loop" },
        },
        { components },
      ),
    ).toEqual({
      operations: ["GET /a", "POST /b", "GET /b"],
      malformed: ["GET /c: malformed-operation #/paths/~1c/get", "* /d: unresolved-reference #/paths/~1d"],
    });
  });

  it("may stand behind a reference of their own", () => {
    const paths = { "/a": { get: { $ref: "#/x-operations/list" }, put: { $ref: "#/x-operations/none" } } };
    const { operations, malformed } = declaredOperations(
      documentFromObject(
        description(paths, { "x-operations": { list: operation({ operationId: "list", tags: ["t"] }) } }),
      ),
    );
    expect(operations).toMatchObject([{ method: "GET", operationId: "list", tags: ["t"] }]);
    expect(operations[0]?.model().node.pointer).toBe("/x-operations/list");
    expect(malformed).toMatchObject([{ method: "PUT", fault: { code: "unresolved-reference" } }]);
  });

  it("have the path item's parameters, unless they override them", () => {
    const p = (name: string, location: string, text: string) => ({ name, in: location, description: text });
    const { operations } = declaredOperations(
      documentFromObject(
        description({
          "/a": {
            parameters: [p("x", "query", "item"), p("x", "header", "item"), p("y", "query", "item")],
            get: operation({ parameters: [p("x", "query", "own"), p("z", "query", "own")] }),
          },
        }),
      ),
    );
    const parameters = operations[0]
      ?.model()
      .parameters.map(({ value }) => `${value["in"]} ${value["name"]} ${value["description"]}`);
    expect(parameters).toEqual(["header x item", "query y item", "query x own", "query z own"]);
  });
});
