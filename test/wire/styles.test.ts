/** The tables of styles and what surrounds them: exact request targets. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/json/json.js";
import { wire, withParameters } from "./wire.js";

const schemas = {
  string: { type: "string" },
  array: { type: "array", items: { type: "string" } },
  object: { type: "object", additionalProperties: { type: "integer" } },
};
const values: Record<keyof typeof schemas, Json> = {
  string: "blue",
  array: ["blue", "black", "brown"],
  object: { R: 100, G: 200, B: 150 },
};

/** OpenAPI 3.0.4, 3.1.1 and 3.2.0, "Style Examples": style, explode, and the text for each kind of value. */
const pathTable = [
  ["matrix", false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
  ["matrix", true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
  ["label", false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
  ["label", true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
  ["simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
  ["simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
] as const;
const queryTable = [
  ["form", false, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
  ["form", true, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
  ["spaceDelimited", false, null, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"],
  ["pipeDelimited", false, null, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"],
  ["spaceDelimited", true, null, null, null],
  ["pipeDelimited", true, null, null, null],
  ["deepObject", true, null, null, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  ["deepObject", false, null, null, null],
] as const;

describe.each(["3.0.4", "3.1.1"])("the style table of %s", (version) => {
  const kinds = ["string", "array", "object"] as const;
  it.each(pathTable)("path: %s, explode %s", async (style, explode, ...expected) => {
    for (const [index, kind] of kinds.entries()) {
      const parameter = { name: "color", in: "path", required: true, style, explode, schema: schemas[kind] };
      const api = await wire(withParameters([parameter], version, "/p/{color}/q"));
      const { request } = await api.call("GET /p/{color}/q", { color: values[kind] });
      expect(request.target).toBe(`/p/${expected[index]}/q`);
    }
  });

  it.each(queryTable)("query: %s, explode %s", async (style, explode, ...expected) => {
    for (const [index, kind] of kinds.entries()) {
      const parameter = { name: "color", in: "query", style, explode, schema: schemas[kind] };
      const api = await wire(withParameters([parameter], version));
      if (expected[index] === null) {
        expect(api.api.omitted.map(({ code, part }) => [code, part])).toEqual([
          ["undefined-serialization", "query parameter color"],
        ]);
        expect(api.tool("GET /x").inputs).toEqual([]);
        const required = await wire(withParameters([{ ...parameter, required: true }], version));
        expect(required.api.skipped.map(({ code }) => code)).toEqual(["undefined-serialization"]);
      } else {
        const { request } = await api.call("GET /x", { color: values[kind] });
        expect(request.target).toBe(`/x?${expected[index]}`);
      }
    }
  });
});

describe("styles by version", () => {
  const parameter = (style: string, explode: boolean | undefined, kind: keyof typeof schemas) => ({
    name: "color",
    in: "query",
    style,
    ...(explode === undefined ? {} : { explode }),
    schema: schemas[kind],
  });

  it.each(["3.0.0", "3.0.3", "3.1.0"])(
    "%s: explode makes separate parameters whatever the delimiter",
    async (version) => {
      const api = await wire(withParameters([parameter("pipeDelimited", true, "array")], version));
      expect((await api.call("GET /x", { color: ["a", "b"] })).request.target).toBe("/x?color=a&color=b");
    },
  );

  it("3.2: explode has no effect on deepObject", async () => {
    const api = await wire(withParameters([parameter("deepObject", false, "object")], "3.2.0"));
    expect((await api.call("GET /x", { color: { R: 1 } })).request.target).toBe("/x?color%5BR%5D=1");
  });

  it.each(["3.0.4", "3.1.1", "3.2.0"])("%s: deepObject without explode is the one defined form", async (version) => {
    const api = await wire(withParameters([parameter("deepObject", undefined, "object")], version));
    expect((await api.call("GET /x", { color: { R: 1 } })).request.target).toBe("/x?color%5BR%5D=1");
  });

  it("2.0: every collectionFormat in every location", async () => {
    const list = (name: string, location: string, collectionFormat?: string) => ({
      name,
      in: location,
      type: "array",
      items: { type: "string" },
      ...(location === "path" ? { required: true } : {}),
      ...(collectionFormat === undefined ? {} : { collectionFormat }),
    });
    const api = await wire(
      withParameters(
        [
          list("csv", "query", "csv"),
          list("ssv", "query", "ssv"),
          list("tsv", "query", "tsv"),
          list("pipes", "query", "pipes"),
          list("multi", "query", "multi"),
          list("none", "query"),
          list("p", "path", "pipes"),
          list("X-Csv", "header"),
          list("X-Pipes", "header", "pipes"),
          list("X-Ssv", "header", "ssv"),
        ],
        "2.0",
        "/x/{p}",
      ),
    );
    const names = ["csv", "ssv", "tsv", "pipes", "multi", "none", "p", "X-Csv", "X-Pipes", "X-Ssv"];
    const { request } = await api.call("GET /x/{p}", Object.fromEntries(names.map((name) => [name, ["a", "b"]])));
    expect(request.target).toBe("/x/a%7Cb?csv=a,b&ssv=a%20b&tsv=a%09b&pipes=a%7Cb&multi=a&multi=b&none=a,b");
    expect(request.headers["x-csv"]).toBe("a,b");
    expect(request.headers["x-pipes"]).toBe("a|b");
    expect(request.headers["x-ssv"]).toBe("a b");
  });
});

describe("what a style cannot carry", () => {
  const inner = { type: "array", items: { type: "string" } };
  it.each([
    ["a list of objects", { name: "p", in: "query", schema: { type: "array", items: { type: "object" } } }],
    ["a list of lists", { name: "p", in: "query", schema: { type: "array", items: inner } }],
    ["a deepObject list", { name: "p", in: "query", style: "deepObject", explode: true, schema: inner }],
    ["an unknown style", { name: "p", in: "query", style: "dashed", schema: { type: "string" } }],
    ["a style of another location", { name: "p", in: "query", style: "matrix", schema: { type: "string" } }],
    [
      "a required property that is a list",
      { name: "p", in: "query", schema: { type: "object", required: ["l"], properties: { l: inner } } },
    ],
  ])("%s is left out where it is optional, and skips the operation where it is required", async (_, parameter) => {
    const optional = await wire(withParameters([parameter]));
    expect(optional.api.omitted).toMatchObject([{ code: "undefined-serialization", part: "query parameter p" }]);
    const { error } = await optional.call("GET /x", { p: [] });
    expect(error?.kind).toBe("InvalidToolInput");
    expect(error?.message).toMatch(/no input `p`: it was left out\. The/);
    const required = await wire(withParameters([{ ...parameter, required: true }]));
    expect(required.api.skipped).toMatchObject([
      { code: "undefined-serialization", pointer: "#/paths/~1x/get/parameters/0" },
    ]);
  });

  it("an untyped value takes what is defined, and refuses the rest at the call", async () => {
    const api = await wire(withParameters([{ name: "p", in: "query", schema: {} }]));
    expect((await api.call("GET /x", { p: "a" })).request.target).toBe("/x?p=a");
    expect((await api.call("GET /x", { p: [1, 2] })).request.target).toBe("/x?p=1&p=2");
    expect((await api.call("GET /x", { p: { a: 1 } })).request.target).toBe("/x?a=1");
    const { error, requests } = await api.call("GET /x", { p: { a: { b: 1 } } });
    expect(error).toMatchObject({ kind: "InvalidToolInput" });
    expect(error?.message).toContain("p.a");
    expect(requests).toEqual([]);
  });

  it("a union takes each of its kinds that is defined", async () => {
    const schema = {
      oneOf: [
        { type: "integer" },
        { type: "array", items: { type: "object" } },
        { type: "array", items: { type: "integer" } },
      ],
    };
    const api = await wire(withParameters([{ name: "p", in: "query", schema }]));
    expect((await api.call("GET /x", { p: 1 })).request.target).toBe("/x?p=1");
    expect((await api.call("GET /x", { p: [1, 2] })).request.target).toBe("/x?p=1&p=2");
    expect((await api.call("GET /x", { p: [{}] })).error?.kind).toBe("InvalidToolInput");
  });

  it("an object keeps its plain properties; the others are reported and refused", async () => {
    const schema = { type: "object", properties: { a: { type: "string" }, l: inner } };
    const api = await wire(withParameters([{ name: "p", in: "query", style: "deepObject", explode: true, schema }]));
    expect(api.api.omitted).toMatchObject([{ code: "undefined-serialization", part: "l of query parameter p" }]);
    expect((await api.call("GET /x", { p: { a: "1" } })).request.target).toBe("/x?p%5Ba%5D=1");
    expect((await api.call("GET /x", { p: { l: ["1"] } })).error?.message).toContain("p.l");
  });

  it.each([
    ["spaceDelimited", "a b"],
    ["pipeDelimited", "a|b"],
  ])("an item with the delimiter of %s in it is refused", async (style, item) => {
    const api = await wire(withParameters([{ name: "p", in: "query", style, schema: inner }]));
    const { error, requests } = await api.call("GET /x", { p: [item, "c"] });
    expect(error?.kind).toBe("InvalidToolInput");
    expect(requests).toEqual([]);
  });
});

describe("the convention deepObject=brackets", () => {
  const parameter = { name: "f", in: "query", style: "deepObject", explode: true, schema: { type: "object" } };
  const list = { ...parameter, name: "expand", schema: { type: "array", items: { type: "string" } } };
  it("writes deeper objects and lists in brackets", async () => {
    const api = await wire(withParameters([parameter, list]), { conventions: { deepObject: "brackets" } });
    const { request } = await api.call("GET /x", { f: { a: { b: [1, 2], "c d": true } }, expand: ["x", "y"] });
    expect(request.target).toBe(
      "/x?f%5Ba%5D%5Bb%5D%5B%5D=1&f%5Ba%5D%5Bb%5D%5B%5D=2&f%5Ba%5D%5Bc%20d%5D=true&expand%5B%5D=x&expand%5B%5D=y",
    );
    expect((await api.call("GET /x", { expand: [{ a: 1 }] })).error?.kind).toBe("InvalidToolInput");
  });
  it("reaches form bodies", async () => {
    const schema = {
      type: "object",
      required: ["items"],
      properties: { items: { type: "object", properties: { a: { type: "object" } } } },
    };
    const encoding = { items: { style: "deepObject", explode: true } };
    const description = {
      paths: {
        "/x": {
          post: {
            requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema, encoding } } },
          },
        },
      },
    };
    const api = await wire(description, { conventions: { deepObject: "brackets" } });
    const { request } = await api.call("POST /x", { items: { a: { b: 1 } } });
    expect(request.body.toString()).toBe("items%5Ba%5D%5Bb%5D=1");
  });
});

describe("values as text", () => {
  const string = (name: string, more: object = {}) => ({ name, in: "query", schema: { type: "string" }, ...more });
  it.each<[string, Json, string]>([
    ["an empty string is a value", "", "p="],
    [
      "everything outside unreserved is encoded",
      "a/b?c#d e&f=g+h[i]%41",
      "p=a%2Fb%3Fc%23d%20e%26f%3Dg%2Bh%5Bi%5D%2541",
    ],
    ["UTF-8", "é€𝄞", "p=%C3%A9%E2%82%AC%F0%9D%84%9E"],
    ["unreserved stays", "aZ09-._~", "p=aZ09-._~"],
    ["a number for a string", 5, "p=5"],
    ["true for a string", true, "p=true"],
  ])("%s", async (_, value, expected) => {
    const api = await wire(withParameters([string("p")]));
    expect((await api.call("GET /x", { p: value })).request.target).toBe(`/x?${expected}`);
  });

  it("null, an empty list and an empty object are absent; false and 0 are not", async () => {
    const api = await wire(
      withParameters([
        string("n"),
        { name: "l", in: "query", schema: { type: "array", items: {} } },
        { name: "o", in: "query", schema: { type: "object" } },
        { name: "b", in: "query", schema: { type: "boolean" } },
        { name: "i", in: "query", schema: { type: "integer" } },
      ]),
    );
    const input = { n: null, l: [], o: {}, b: false, i: 0 };
    expect((await api.call("GET /x", input)).request.target).toBe("/x?b=false&i=0");
  });

  it("null items and members are absent", async () => {
    const api = await wire(withParameters([{ name: "l", in: "query", schema: { type: "array", items: {} } }]));
    expect((await api.call("GET /x", { l: ["a", null, "b"] })).request.target).toBe("/x?l=a&l=b");
    expect((await api.call("GET /x", { l: [null] })).request.target).toBe("/x");
  });

  it("integers keep every digit and have no exponent", async () => {
    const api = await wire(withParameters([{ name: "i", in: "query", schema: { type: "integer" } }]));
    expect((await api.call("GET /x", { i: 9223372036854775807n })).request.target).toBe("/x?i=9223372036854775807");
    expect((await api.call("GET /x", { i: "9223372036854775807" })).request.target).toBe("/x?i=9223372036854775807");
    expect((await api.call("GET /x", { i: 1e21 })).request.target).toBe("/x?i=1000000000000000000000");
  });

  it.each<[string, unknown, Json]>([
    ["a word for an integer", { type: "integer" }, "abc"],
    ["a fraction for an integer", { type: "integer" }, 1.5],
    ["a number for a boolean", { type: "boolean" }, 1],
    ["an object for a string", { type: "string" }, {}],
    ["a list for an integer", { type: "integer" }, [1]],
    ["a scalar for a list", { type: "array", items: { type: "string" } }, "a"],
    ["a wrong item", { type: "array", items: { type: "integer" } }, [1, "x"]],
    ["half a surrogate pair", { type: "string" }, "\ud800"],
  ])("%s is refused by name", async (_, schema, value) => {
    const api = await wire(withParameters([{ name: "pp", in: "query", schema }]));
    const { error, requests } = await api.call("GET /x", { pp: value });
    expect(error?.kind).toBe("InvalidToolInput");
    expect(error?.message).toContain("`pp");
    expect(requests).toEqual([]);
  });

  it("a required list without items is refused", async () => {
    const schema = { type: "array", items: { type: "string" } };
    const api = await wire(withParameters([{ name: "l", in: "query", required: true, schema }]));
    expect((await api.call("GET /x", { l: [] })).error?.message).toContain("`l` is required");
  });

  it("allowEmptyValue lets the empty string stand for any value", async () => {
    const api = await wire(
      withParameters([{ name: "i", in: "query", allowEmptyValue: true, schema: { type: "integer" } }]),
    );
    expect((await api.call("GET /x", { i: "" })).request.target).toBe("/x?i=");
  });

  it("allowReserved keeps reserved characters and triplets, but never ends the query", async () => {
    const api = await wire(withParameters([string("p", { allowReserved: true })]));
    const { request } = await api.call("GET /x", { p: "/?:@!$&'()*+,;=%2F%zz#[]é" });
    expect(request.target).toBe("/x?p=/?:@!$&'()*+,;=%2F%25zz%23%5B%5D%C3%A9");
  });

  it("names are encoded as values are", async () => {
    const api = await wire(withParameters([string("filter[x y]"), string("@id"), string("ü")]));
    const { request } = await api.call("GET /x", { "filter[x y]": "1", "@id": "2", ü: "3" });
    expect(request.target).toBe("/x?filter%5Bx%20y%5D=1&%40id=2&%C3%BC=3");
  });
});
