import * as Effect from "effect/Effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OpenAPI } from "../../src/openapi/index.js";
import { description, operation } from "./files.js";

const schemas = {
  Pet: {
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "integer", readOnly: true },
      kids: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
      owner: { allOf: [{ $ref: "#/components/schemas/Owner" }, { properties: { since: { type: "string" } } }] },
    },
  },
  Owner: {
    type: "object",
    properties: {
      name: { type: ["string", "null"] },
      pet: { oneOf: [{ $ref: "#/components/schemas/Pet" }, { type: "string" }] },
    },
    additionalProperties: { type: "string" },
  },
};
const content = {
  "application/json": { schema: { $ref: "#/components/schemas/Pet" }, examples: { a: { value: {} } } },
};

const sound = description(
  {
    "/pets/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      servers: [{ url: "https://{region}.api.example", variables: { region: { default: "eu", enum: ["eu", "us"] } } }],
      get: operation({
        operationId: "pets.get",
        tags: ["a"],
        parameters: [{ $ref: "#/components/parameters/Fields" }],
      }),
      put: operation({
        operationId: "pets.put",
        requestBody: { required: true, content },
        responses: { 200: { description: "d", content } },
      }),
      delete: operation({ security: [{ key: [] }, { oauth: ["write"] }, {}] }),
    },
    "/forms": {
      post: operation({
        requestBody: {
          content: {
            "multipart/form-data": {
              schema: {
                type: "object",
                properties: {
                  file: { type: "string", format: "binary" },
                  tags: { type: "array", items: { type: "string" } },
                },
              },
              encoding: { tags: { contentType: "text/plain", headers: { "X-A": { schema: { type: "string" } } } } },
            },
          },
        },
      }),
    },
    "/other": { $ref: "#/components/pathItems/Other" },
    "/sound": { get: operation({ operationId: "sound" }) },
  },
  {
    components: {
      schemas,
      parameters: {
        Fields: {
          name: "fields",
          in: "query",
          style: "deepObject",
          schema: { type: "object", properties: { a: { type: "string" } } },
        },
      },
      pathItems: { Other: { patch: operation() } },
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Key" },
        oauth: {
          type: "oauth2",
          flows: { clientCredentials: { tokenUrl: "https://t.example", scopes: { write: "w" } } },
        },
      },
    },
  },
);

const junk = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1.5,
  "",
  "x",
  "#/paths",
  [],
  {},
  [null],
  { a: null },
  { $ref: "#/none" },
  { $ref: "#" },
  { $ref: 5 },
  { $ref: "" },
  [[]],
  { type: "none" },
  { type: ["string", 5] },
  { allOf: [{ $ref: "#" }] },
  { in: "query" },
  { name: "x", in: "path" },
);

function places(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [[...path, key], ...places(member, [...path, key])]);
}

const everywhere = places(sound);

function replaced(document: unknown, path: readonly string[], value: unknown): unknown {
  const copy = structuredClone(document) as Record<string, unknown>;
  let at: Record<string, unknown> = copy;
  for (const key of path.slice(0, -1)) {
    const next = at[key];
    if (typeof next !== "object" || next === null) return copy;
    at = next as Record<string, unknown>;
  }
  at[path.at(-1) as string] = structuredClone(value);
  return copy;
}

describe("faults of a document", () => {
  it("stay with the operation they stand in: every sound one is a tool, every other one is skipped", async () => {
    const counted = everywhere.filter(([first]) => first === "paths" || first === "components");
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...counted), junk, async (path, value) => {
        const [first, item = "", member] = path;
        // What a path item or an operation becomes when it is replaced itself is told by other tests.
        fc.pre(!(first === "paths" && (path.length < 4 || member === "get")));
        const api = await Effect.runPromise(OpenAPI.fromDocument(replaced(sound, path, value)));
        expect(Object.keys(api.tools)).toContain("sound");
        const touched = [...new Set(api.skipped.map(({ pathTemplate }) => pathTemplate))];
        if (first === "paths") expect(touched.filter((template) => template !== item)).toEqual([]);
        for (const tool of api.operations)
          JSON.stringify([tool.inputSchema, tool.outputSchema, tool.inputs, tool.omitted, tool.security, tool.facts]);
      }),
      { numRuns: 300 },
    );
  });

  it("several at once never end the program", async () => {
    const fault = fc.tuple(fc.constantFrom(...everywhere), junk);
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { minLength: 2, maxLength: 6 }), async (faults) => {
        const document = faults.reduce<unknown>((changed, [path, value]) => replaced(changed, path, value), sound);
        const exit = await Effect.runPromise(Effect.result(OpenAPI.fromDocument(document)));
        if (exit._tag === "Failure") {
          expect(exit.failure.reason).toBe("not-openapi");
          return;
        }
        const api = exit.success;
        for (const { code, reason, pointer } of [...api.skipped, ...api.omitted])
          expect([typeof code, typeof reason, typeof pointer]).toEqual(["string", "string", "string"]);
        for (const tool of api.operations)
          JSON.stringify([tool.inputSchema, tool.outputSchema, tool.inputs, tool.security]);
      }),
      { numRuns: 300 },
    );
  });
});
