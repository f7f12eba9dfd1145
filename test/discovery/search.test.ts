import * as Effect from "effect/Effect";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCatalog, search } from "../../src/discovery/index.js";
import { OpenAPI } from "../../src/openapi/index.js";
import { object, tool } from "./tools.js";

const json = (schema: object) => ({ content: { "application/json": { schema } }, description: "" });
const id = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } });

/** A library of films, small enough to see through. */
const films = {
  openapi: "3.1.0",
  info: { title: "Films", version: "1" },
  servers: [{ url: "https://films.example" }],
  paths: {
    "/films": {
      get: {
        operationId: "films.list",
        summary: "List films",
        responses: {
          200: json({ type: "array", items: { type: "object", properties: { filmId: {}, runtimeMinutes: {} } } }),
        },
      },
      post: {
        operationId: "films.create",
        summary: "Create a film",
        requestBody: json(object({ "title!": { type: "string" }, releaseYear: { type: "integer" } }) as object),
        responses: { 201: json({}) },
      },
    },
    "/films/{filmId}": {
      parameters: [id("filmId")],
      get: { operationId: "films.get", summary: "Get a film", responses: { 200: json({}) } },
      delete: { operationId: "films.remove", summary: "Delete a film", responses: { 204: { description: "" } } },
    },
    "/films/{filmId}/credits": {
      parameters: [id("filmId")],
      get: { operationId: "films.credits", summary: "Cast and crew", tags: ["people"], responses: { 200: json({}) } },
    },
    "/search/films": {
      get: {
        operationId: "search.films",
        summary: "Find films by title",
        parameters: [{ name: "query", in: "query", schema: { type: "string" } }],
        responses: { 200: json({}) },
      },
    },
    "/people/{personId}/photos": {
      parameters: [id("personId")],
      get: { operationId: "people.photos", summary: "Photographs", responses: { 200: json({}) } },
    },
    "/search/people": {
      get: { operationId: "search.people", summary: "Find people by name", responses: { 200: json({}) } },
    },
    "/übersicht": {
      get: { operationId: "übersicht", summary: "Übersicht über Straßenbahnen", responses: { 200: json({}) } },
    },
    "/映画": { get: { operationId: "eiga", summary: "映画の一覧を取得する", responses: { 200: json({}) } } },
    "/repos": { get: { operationId: "repos.list", summary: "Repositories", responses: { 200: json({}) } } },
  },
};
const catalog = createCatalog(Effect.runSync(OpenAPI.fromDocument(films)).tools);
const names = (query: string, options = {}) => search(catalog, query, options).items.map((item) => item.name);

describe("search", () => {
  test("gives everything a caller needs", () => {
    const [item] = search(catalog, "cast and crew of a film").items;
    expect(item).toEqual({
      path: "tools.films.credits",
      name: "films.credits",
      method: "GET",
      pathTemplate: "/films/{filmId}/credits",
      description: "Cast and crew",
      signature: "tools.films.credits(input: { filmId: string }): Promise<unknown>",
      score: expect.any(Number),
    });
  });

  test.each([
    ["the verb decides between the operations of one resource", "add a film", "films.create"],
    ["a question reads", "which films are there?", "films.list"],
    ["deleting", "erase a film", "films.remove"],
    ["word forms", "photograph of persons", "people.photos"],
    ["camel case in parameters", "release year", "films.create"],
    ["response property names", "runtime in minutes", "films.list"],
    ["tags", "people credits", "films.credits"],
    ["short forms", "repositories", "repos.list"],
    ["a slip of the fingers", "photograps", "people.photos"],
    ["the beginning of a word", "photog", "people.photos"],
    ["letters with marks", "Ubersicht", "übersicht"],
    ["decomposed letters", "u\u0308bersicht", "übersicht"],
    ["a script without spaces", "映画", "eiga"],
    ["a possessive", "the film's crew", "films.credits"],
  ])("%s", (_, query, expected) => {
    expect(names(query)[0]).toBe(expected);
  });

  test("finds the look-ups that a whole task needs, right after what needs them", () => {
    expect(names("who was in the crew of Casablanca").slice(0, 4)).toEqual(
      expect.arrayContaining(["films.credits", "search.films"]),
    );
    expect(names("photos of Ingrid Bergman").slice(0, 3)).toEqual(
      expect.arrayContaining(["people.photos", "search.people"]),
    );
  });

  test.each([
    "films.credits",
    "tools.films.credits",
    "Films.Credits",
    "GET /films/{filmId}/credits",
    "get /films/{anything}/credits",
    "/films/{filmId}/credits",
  ])("an exact name comes first: %s", (query) => {
    expect(names(query)[0]).toBe("films.credits");
  });

  test("a namespace's tools come before what only sounds like it", () => {
    expect(names("films").slice(0, 5).sort()).toEqual([
      "films.create",
      "films.credits",
      "films.get",
      "films.list",
      "films.remove",
    ]);
    expect(names("tools.films.").slice(0, 5).sort()).toEqual(names("films").slice(0, 5).sort());
  });

  test("browses: an empty query gives the tree's order, a namespace a part of it", () => {
    expect(names("", { limit: 100 })).toEqual(catalog.entries.map((entry) => entry.name));
    expect(names("", { namespace: "films" })).toEqual([
      "films.list",
      "films.create",
      "films.get",
      "films.remove",
      "films.credits",
    ]);
    expect(names("film", { namespace: "tools.search" })[0]).toBe("search.films");
    expect(names("film", { namespace: "people" })).toEqual([]);
    expect(search(catalog, "film", { namespace: "fil" })).toEqual({ items: [], total: 0, next: null });
  });

  test("nothing is found for words that nobody speaks of", () => {
    expect(search(catalog, "zzzz qqqq")).toEqual({ items: [], total: 0, next: null });
    expect(search(catalog, "?!")).toEqual({ items: [], total: 0, next: null });
  });

  test("tells the types behind an exact name", () => {
    const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" } } };
    const tree = createCatalog({ "a.b": tool(object({}), { $ref: "#/$defs/Node", $defs: { Node: node } }) });
    expect(search(tree, "tools.a.b").items[0]!.types).toBe("type Node = { next?: Node }");
  });

  test("a tool that is no operation is found by what it says", () => {
    const own = createCatalog({
      orders: { lookup: tool(object({ "id!": { type: "string" } }), {}, { description: "Find one order. Slow." }) },
    });
    expect(search(own, "order").items[0]).toMatchObject({
      name: "orders.lookup",
      method: null,
      pathTemplate: null,
      description: "Find one order",
    });
  });

  test("pages join to the whole, in one order, whatever the query", () => {
    const queries = fc.oneof(
      fc.constantFrom("film", "find people", "list", "films", "GET /films", "a the of"),
      fc.string(),
    );
    fc.assert(
      fc.property(queries, fc.integer({ min: 1, max: 4 }), (query, limit) => {
        const whole = search(catalog, query, { limit: 100 });
        const joined: unknown[] = [];
        let offset: number | undefined = 0;
        while (offset !== undefined) {
          const page = search(catalog, query, { limit, offset });
          expect(page.total).toBe(whole.total);
          joined.push(...page.items);
          offset = page.next?.offset;
        }
        expect(joined).toEqual(whole.items);
        expect(whole.items.length).toBe(whole.total);
        const scores = whole.items.map((item) => item.score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      }),
    );
  });

  test("a text of any length and make is a query", () => {
    for (const query of [
      "[".repeat(1e6),
      "Film ".repeat(1e5),
      "a\u0000\u001b[31mfilm",
      "A of ".repeat(1e5),
      `${"é".repeat(1e5)} film`,
    ]) {
      expect(search(catalog, query).total).toBeLessThanOrEqual(catalog.entries.length);
    }
    const odd = createCatalog({
      a: tool(object({}), undefined, { summary: `${"[".repeat(1e6)} \u001b[31mred\nline` }),
    });
    expect(search(odd, "").items[0]!.description).not.toMatch(/[\n\u001b]/);
  });

  test("makes the best of options that make no sense", () => {
    const odd = { limit: "x", offset: -3, namespace: null } as never;
    expect(search(catalog, "film", odd)).toEqual(search(catalog, "film"));
    expect(search(catalog, undefined as never).total).toBe(catalog.entries.length);
    expect(search(catalog, "film", { limit: 1e9 }).items.length).toBe(search(catalog, "film").total);
    expect(search(catalog, "film", { offset: 1e9 })).toMatchObject({ items: [], next: null });
  });
});
