/** Paths, header fields, cookies and whole queries. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/json/json.js";
import { wire, withParameters } from "./wire.js";

const string = { type: "string" };
const list = { type: "array", items: string };
const at = (location: string, name: string, schema: unknown = string, more: object = {}) => ({
  name,
  in: location,
  ...(location === "path" ? { required: true } : {}),
  schema,
  ...more,
});

describe("paths", () => {
  const call = async (path: string, input: Json, parameters: readonly unknown[], version?: string) => {
    const api = await wire(withParameters(parameters, version, path));
    return api.call(`GET ${path}`, input);
  };

  it.each<[string, string, Record<string, string>, string]>([
    ["several expressions in one segment", "/c/{a}...{b}.{f}", { a: "x", b: "y/z", f: "json" }, "/c/x...y%2Fz.json"],
    ["an expression with text on both sides", "/users({id})/x", { id: "a'b" }, "/users(a%27b)/x"],
    ["names of any characters", "/o/{user.id}/{a b}/{ü}", { "user.id": "1", "a b": "2", ü: "3" }, "/o/1/2/3"],
    ["literals that a path cannot hold", "/a b/é/50%/%41/{id}", { id: "x" }, "/a%20b/%C3%A9/50%25/%41/x"],
    ["an expression twice", "/a/{id}/b/{id}", { id: "x" }, "/a/x/b/x"],
    ["a slash at the end stays", "/a/{id}/", { id: "x" }, "/a/x/"],
    ["dots that are not a segment", "/a/{id}", { id: "..." }, "/a/..."],
    ["a query in the key", "/a/{id}?type=x", { id: "1" }, "/a/1?type=x"],
    ["a fragment in the key is never sent", "/a/{id}#Action=List", { id: "1" }, "/a/1"],
    ["a path parameter in the query of a key", "/a?id={id}&v=2", { id: "1&2" }, "/a?id=1%262&v=2"],
  ])("%s", async (_, path, input, expected) => {
    const parameters = Object.keys(input).map((name) => at("path", name));
    expect((await call(path, input, parameters)).request.target).toBe(expected);
  });

  it.each<[string, string, Record<string, Json>]>([
    ["..", "/a/{id}/b", { id: ".." }],
    [".", "/a/{id}", { id: "." }],
    ["two values that make ..", "/a/{x}{y}", { x: ".", y: "." }],
    ["literal and value that make ..", "/a/.{x}", { x: "." }],
    ["an empty value", "/a/{id}/b", { id: "" }],
    ["an empty list", "/a/{id}/b", { id: [] }],
    ["null", "/a/{id}/b", { id: null }],
    ["nothing", "/a/{id}/b", {}],
  ])("%s is refused", async (_, path, input) => {
    const names = /\{y\}/.test(path) ? ["x", "y"] : /\{x\}/.test(path) ? ["x"] : ["id"];
    const schema = Array.isArray(input["id"]) ? list : string;
    const { error, requests } = await call(
      path,
      input,
      names.map((name) => at("path", name, schema)),
    );
    expect(error?.kind).toBe("InvalidToolInput");
    expect(requests).toEqual([]);
  });

  it.each(["label", "matrix"])("a dot segment cannot be made with style %s", async (style) => {
    const { error, request } = await call("/a/{id}/b", { id: style === "label" ? "." : ".." }, [
      at("path", "id", string, { style }),
    ]).then((outcome) => ({ error: outcome.error, request: outcome.requests[0] }));
    if (style === "label") expect([error?.kind, request]).toEqual(["InvalidToolInput", undefined]);
    else expect(request?.target).toBe("/a/;id=../b");
  });

  it("3.2: allowReserved applies, but never leaves the segment", async () => {
    const { request } = await call(
      "/a/{id}",
      { id: "a:b@c,d/e?f#g%2Fh" },
      [at("path", "id", string, { allowReserved: true })],
      "3.2.0",
    );
    expect(request.target).toBe("/a/a:b@c,d%2Fe%3Ff%23g%2Fh");
  });

  it("before 3.2 allowReserved applies to query parameters only", async () => {
    const { request } = await call("/a/{id}", { id: "a:b" }, [at("path", "id", string, { allowReserved: true })]);
    expect(request.target).toBe("/a/a%3Ab");
  });

  it("an expression without parameter skips the operation", async () => {
    const api = await wire(withParameters([at("path", "ID")], "3.0.4", "/a/{id}"));
    expect(api.api.skipped).toMatchObject([{ code: "undeclared-path-parameter", pathTemplate: "/a/{id}" }]);
    expect(api.api.skipped[0]?.reason).toContain("{id}");
  });

  it("a path parameter without expression is left out", async () => {
    const api = await wire(withParameters([at("path", "id"), at("query", "q")]));
    expect(api.api.omitted).toMatchObject([{ code: "undeclared-path-parameter", part: "path parameter id" }]);
    expect((await api.call("GET /x", { q: "1" })).request.target).toBe("/x?q=1");
  });

  it("a query parameter writes the pair that the key foresees for it", async () => {
    const api = await wire(withParameters([at("query", "id")], "3.0.4", "/a?id={id}"));
    expect((await api.call("GET /a?id={id}", { id: "7" })).request.target).toBe("/a?id=7");
  });

  it("a query parameter cannot contradict the query of its key", async () => {
    const api = await wire(
      withParameters([at("query", "action", string, { required: true })], "3.0.4", "/a?action=list"),
    );
    expect(api.api.omitted).toMatchObject([{ code: "duplicate-parameter", part: "query parameter action" }]);
    expect((await api.call("GET /a?action=list", {})).request.target).toBe("/a?action=list");
  });
});

describe("header fields", () => {
  const call = async (parameter: object, value: Json, version?: string) => {
    const api = await wire(withParameters([parameter], version));
    return api.call("GET /x", { "X-A": value });
  };

  it.each<[string, unknown, boolean, Json, string]>([
    ["text is not percent-encoded", string, false, 'a b/c?d%20"e";f=1', 'a b/c?d%20"e";f=1'],
    ["a list", list, false, ["a", "b"], "a,b"],
    ["an object", { type: "object" }, false, { R: 1, G: 2 }, "R,1,G,2"],
    ["an exploded object", { type: "object" }, true, { R: 1, G: 2 }, "R=1,G=2"],
    ["a list with quoted commas", list, false, ['"a,b"', "c"], '"a,b",c'],
    ["an empty string", string, false, "", ""],
    ["zero", { type: "integer" }, false, 0, "0"],
  ])("%s", async (_, schema, explode, value, expected) => {
    const { request } = await call(at("header", "X-A", schema, { explode }), value);
    expect(request.lines.find(([name]) => name === "X-A")?.[1]).toBe(expected);
  });

  it.each<[string, unknown, Json]>([
    ["CR LF", string, "a\r\nX-B: 1"],
    ["LF", string, "a\nb"],
    ["NUL", string, "a\0b"],
    ["another control character", string, "a\x01b"],
    ["DEL", string, "a\x7fb"],
    ["a character outside ASCII", string, "é"],
    ["a character outside Latin-1", string, "€"],
    ["white space at the ends", string, " a"],
    ["a comma in an item", list, ["a,b", "c"]],
    ["a line break in an item", list, ["a", "b\n"]],
  ])("%s is refused", async (_, schema, value) => {
    const { error, requests } = await call(at("header", "X-A", schema), value);
    expect(error?.kind).toBe("InvalidToolInput");
    expect(error?.message).toContain("X-A");
    expect(requests).toEqual([]);
  });

  it("JSON content has an ASCII form for everything", async () => {
    const parameter = { name: "X-A", in: "header", content: { "application/json": { schema: {} } } };
    const { request } = await call(parameter, { a: "é\n", b: [1] });
    expect(request.headers["x-a"]).toBe('{"a":"\\u00e9\\n","b":[1]}');
    expect(JSON.parse(request.headers["x-a"] as string)).toEqual({ a: "é\n", b: [1] });
  });

  it.each(["Accept", "content-type", "AUTHORIZATION"])(
    "%s as a parameter is ignored, also where it is required",
    async (name) => {
      const api = await wire(withParameters([at("header", name, string, { required: true })]));
      expect(api.tool("GET /x").inputs).toEqual([]);
      const { request } = await api.call("GET /x", {});
      expect(request.headers["authorization"]).toBeUndefined();
    },
  );

  it("2.0: Authorization is a parameter like another, unless a security scheme gives it", async () => {
    const parameter = { name: "Authorization", in: "header", type: "string", required: true };
    const api = await wire(withParameters([parameter], "2.0"));
    expect((await api.call("GET /x", { Authorization: "Key abc" })).request.headers["authorization"]).toBe("Key abc");
    const secured = await wire({
      ...withParameters([parameter], "2.0"),
      securityDefinitions: { key: { type: "apiKey", in: "header", name: "Authorization" } },
      security: [{ key: [] }],
    });
    expect(secured.tool("GET /x").inputs).toEqual([]);
  });

  it.each([
    "Host",
    "Content-Length",
    "Transfer-Encoding",
    "connection",
    "TE",
    "Upgrade",
    "Keep-Alive",
    "Proxy-Authorization",
    "Expect",
    "Trailer",
  ])("%s is no parameter", async (name) => {
    const optional = await wire(withParameters([at("header", name)]));
    expect(optional.api.omitted).toMatchObject([{ code: "forbidden-header", part: `header parameter ${name}` }]);
    const required = await wire(withParameters([at("header", name, string, { required: true })]));
    expect(required.api.skipped).toMatchObject([{ code: "forbidden-header" }]);
  });

  it.each(["", "X A", "X:A", "é", "X\r\nA"])("%j is no field name", async (name) => {
    const api = await wire(withParameters([at("header", name)]));
    expect(api.api.omitted).toMatchObject([{ code: "malformed-operation" }]);
  });

  it("a Cookie header parameter has no defined effect", async () => {
    const api = await wire(withParameters([at("header", "Cookie")]));
    expect(api.api.omitted).toMatchObject([{ code: "undefined-serialization" }]);
  });

  it("field names are case-insensitive: two spellings are one parameter declared twice", async () => {
    const api = await wire(withParameters([at("header", "X-A"), at("header", "x-a", list)]));
    expect(api.api.skipped).toMatchObject([{ code: "duplicate-parameter" }]);
  });
});

describe("cookies", () => {
  it("share one field, in the order of the document", async () => {
    const api = await wire(
      withParameters([
        at("cookie", "a"),
        at("cookie", "b", { type: "integer" }),
        at("cookie", "c", list, { explode: false }),
      ]),
    );
    const { request } = await api.call("GET /x", { c: ["x", "y"], b: 0, a: "1; b=2" });
    expect(request.lines.filter(([name]) => name.toLowerCase() === "cookie")).toEqual([
      ["Cookie", "a=1%3B%20b%3D2; b=0; c=x,y"],
    ]);
  });

  it("exploded lists have no defined form before 3.2", async () => {
    const api = await wire(withParameters([at("cookie", "a", list)]));
    expect(api.api.omitted).toMatchObject([{ code: "undefined-serialization", part: "cookie parameter a" }]);
  });

  it("3.2: style cookie separates by semicolons and escapes nothing", async () => {
    const parameters = [
      at("cookie", "a", list, { style: "cookie" }),
      at("cookie", "o", { type: "object" }, { style: "cookie" }),
      at("cookie", "s", string, { style: "cookie" }),
    ];
    const api = await wire(withParameters(parameters, "3.2.0"));
    const { request } = await api.call("GET /x", { a: ["x", "y"], o: { R: 1, G: 2 }, s: "a%20b" });
    expect(request.headers["cookie"]).toBe("a=x; a=y; R=1; G=2; s=a%20b");
    for (const value of ["a;b", "a b", "a\r\n", "é", "a,b", 'a"b']) {
      const { error, requests } = await api.call("GET /x", { s: value });
      expect([error?.kind, requests.length]).toEqual(["InvalidToolInput", 0]);
    }
  });

  it("text content is given as it is to stand, JSON is percent-encoded", async () => {
    const parameters = [
      { name: "t", in: "cookie", content: { "text/plain": { schema: string } } },
      { name: "j", in: "cookie", content: { "application/json": { schema: {} } } },
    ];
    const api = await wire(withParameters(parameters));
    expect((await api.call("GET /x", { t: "a=b", j: { a: 1 } })).request.headers["cookie"]).toBe(
      "t=a=b; j=%7B%22a%22%3A1%7D",
    );
    expect((await api.call("GET /x", { t: "a b" })).error?.kind).toBe("InvalidToolInput");
  });
});

describe("content and whole queries", () => {
  const content = (type: string, schema: unknown = {}) => ({ content: { [type]: { schema } } });

  it.each<[string, Json, string]>([
    ["application/json", { a: [1, null], b: "x y" }, "p=%7B%22a%22%3A%5B1%2Cnull%5D%2C%22b%22%3A%22x%20y%22%7D"],
    ["application/vnd.x+json", "s", "p=%22s%22"],
    ["application/json", false, "p=false"],
    ["text/plain", "a b", "p=a%20b"],
    ["application/xml", "<a/>", "p=%3Ca%2F%3E"],
  ])("%s in a query parameter", async (type, value, expected) => {
    const api = await wire(withParameters([{ name: "p", in: "query", ...content(type) }]));
    expect((await api.call("GET /x", { p: value })).request.target).toBe(`/x?${expected}`);
  });

  it("JSON in a path parameter is one segment", async () => {
    const api = await wire(
      withParameters([{ name: "p", in: "path", required: true, ...content("application/json") }], "3.0.4", "/a/{p}"),
    );
    expect((await api.call("GET /a/{p}", { p: { a: "/" } })).request.target).toBe("/a/%7B%22a%22%3A%22%2F%22%7D");
  });

  it.each([
    ["both schema and content", { schema: string, ...content("application/json") }, "malformed-operation"],
    ["two media types", { content: { "application/json": {}, "text/plain": {} } }, "malformed-operation"],
    ["octets", content("application/octet-stream", { type: "string", format: "binary" }), "unsupported-media-type"],
    ["no media type", { content: { json: {} } }, "unsupported-media-type"],
  ])("%s is left out", async (_, more, code) => {
    const api = await wire(withParameters([{ name: "p", in: "query", ...more }]));
    expect(api.api.omitted).toMatchObject([{ code, part: "query parameter p" }]);
  });

  it.each<[string, string, Json, string]>([
    ["a form", "application/x-www-form-urlencoded", { foo: "a + b", bar: true }, "foo=a+%2B+b&bar=true"],
    [
      "JSON",
      "application/json",
      { numbers: [1, 2], flag: null },
      "%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D",
    ],
    ["another text", "application/jsonpath", "$.a.b[1:1]", "%24.a.b%5B1%3A1%5D"],
  ])("3.2: querystring as %s", async (_, type, value, expected) => {
    const schema = type.endsWith("jsonpath") ? string : { type: "object" };
    const api = await wire(withParameters([{ name: "q", in: "querystring", ...content(type, schema) }], "3.2.0"));
    expect((await api.call("GET /x", { q: value })).request.target).toBe(`/x?${expected}`);
    expect(api.tool("GET /x").inputs).toEqual([{ name: "q", in: "querystring", parameter: "q", required: false }]);
  });

  it("3.2: querystring excludes query parameters", async () => {
    const whole = { name: "q", in: "querystring", ...content("application/json") };
    for (const others of [[at("query", "a")], [{ ...whole, name: "r" }]]) {
      const api = await wire(withParameters([whole, ...others], "3.2.0"));
      expect(api.api.skipped).toMatchObject([{ code: "malformed-operation" }]);
    }
  });

  it("querystring is no location before 3.2", async () => {
    const api = await wire(withParameters([{ name: "q", in: "querystring", ...content("application/json") }], "3.1.1"));
    expect(api.api.omitted).toMatchObject([{ code: "malformed-operation" }]);
  });
});

describe("parameters declared twice", () => {
  it("in the same way are one, in different ways skip the operation", async () => {
    const same = await wire(withParameters([at("query", "a"), at("query", "a")]));
    expect((await same.call("GET /x", { a: "1" })).request.target).toBe("/x?a=1");
    const different = await wire(withParameters([at("query", "a"), at("query", "a", list)]));
    expect(different.api.skipped).toMatchObject([
      { code: "duplicate-parameter", pointer: "#/paths/~1x/get/parameters/1" },
    ]);
  });
});
