/** Request bodies, octet for octet. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/json/json.js";
import { makeFileStore } from "../../src/openapi/files.js";
import { folderOf } from "../openapi/files.js";
import { parseMultipart } from "./multipart.js";
import { wire, withContent } from "./wire.js";

const string = { type: "string" };
const object = (properties: Record<string, unknown>, more: object = {}) => ({ type: "object", properties, ...more });
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

function filesOf(files: Record<string, string | Buffer>) {
  const folder = folderOf(files);
  const store = makeFileStore({
    files: Object.fromEntries(Object.keys(files).map((name) => [name, join(folder, name)])),
    directory: join(folder, "downloads"),
  });
  return { files: store, folder };
}

describe("JSON", () => {
  it.each<[string, unknown, Json, string]>([
    ["false", { type: "boolean" }, false, "false"],
    ["zero", { type: "integer" }, 0, "0"],
    ["an empty string", string, "", '""'],
    ["null", { type: "string", nullable: true }, null, "null"],
    ["a list", { type: "array", items: {} }, [], "[]"],
    ["digits beyond 2^53", {}, { id: 9223372036854775807n }, '{"id":9223372036854775807}'],
    ["members that are null", { type: "object" }, { a: null }, '{"a":null}'],
  ])("%s is a body", async (_, schema, value, expected) => {
    const api = await wire(withContent({ "application/json": { schema } }));
    const { request } = await api.call("POST /x", { body: value });
    expect(request.body.toString()).toBe(expected);
    expect(request.headers["content-type"]).toBe("application/json");
    expect(request.headers["content-length"]).toBe(String(Buffer.byteLength(expected)));
  });

  it.each([
    "application/merge-patch+json",
    "application/json; charset=utf-8",
    "application/vnd.x.v3+json;v=2",
    "text/json",
  ])("%s is sent as it is written", async (type) => {
    const api = await wire(withContent({ [type]: { schema: object({ a: string }) } }));
    const { request } = await api.call("POST /x", { a: "é" });
    expect(request.headers["content-type"]).toBe(type);
    expect(request.body.toString()).toBe('{"a":"é"}');
  });

  it("a property called __proto__ or constructor is data", async () => {
    const api = await wire(
      withContent({
        "application/json": {
          schema: JSON.parse(
            '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
          ),
        },
      }),
    );
    const { request } = await api.call("POST /x", JSON.parse('{"__proto__":"a","constructor":"b"}'));
    expect(request.body.toString()).toBe('{"__proto__":"a","constructor":"b"}');
  });

  it("types must agree, at any depth; the message names the place", async () => {
    const schema = object({ a: { type: "integer" }, l: { type: "array", items: object({ b: string }) } });
    const api = await wire(withContent({ "application/json": { schema } }));
    for (const [input, place] of [
      [{ a: "x" }, "`a`"],
      [{ a: 1.5 }, "`a`"],
      [{ l: [{ b: "x" }, { b: 1 }] }, "`l[1].b`"],
      [{ l: "x" }, "`l`"],
    ] as const) {
      const { error, requests } = await api.call("POST /x", input as unknown as Json);
      expect(error?.kind).toBe("InvalidToolInput");
      expect(error?.message).toContain(place);
      expect(requests).toEqual([]);
    }
  });

  it.each<[string, unknown, Json]>([
    ["required as older drafts write it", { required: true, description: "a name" }, "x"],
    ["a leftover beside a union", { oneOf: [string, { type: "object" }], additionalProperties: false }, "x"],
    ["a contradiction", { allOf: [string, { type: "object" }] }, "x"],
    ["a type that is none", { type: "any" }, 1],
    ["null where nullable was forgotten", string, null],
  ])("%s says nothing against a value", async (_, schema, value) => {
    const api = await wire(withContent({ "application/json": { schema: object({ a: schema }) } }));
    expect((await api.call("POST /x", { a: value })).request.body.toString()).toBe(JSON.stringify({ a: value }));
  });

  it("an integer that came as text because of its size goes back as an integer", async () => {
    const api = await wire(
      withContent({ "application/json": { schema: object({ id: { type: "integer" }, name: string }) } }),
    );
    const { request } = await api.call("POST /x", { id: "1253261109769874438", name: "1253261109769874438" });
    expect(request.body.toString()).toBe('{"id":1253261109769874438,"name":"1253261109769874438"}');
  });

  it("a file handle where base64 text is declared becomes that text", async () => {
    const { files } = filesOf({ "a.bin": Buffer.from([0, 255, 16]) });
    const schema = object({
      content: { type: "string", format: "byte" },
      list: { type: "array", items: { type: "string", format: "byte" } },
    });
    const api = await wire(withContent({ "application/json": { schema } }), { files });
    const { request } = await api.call("POST /x", { content: { file: "a.bin" }, list: [{ file: "a.bin" }, "AA=="] });
    expect(request.body.toString()).toBe('{"content":"AP8Q","list":["AP8Q","AA=="]}');
  });

  it("lines and sequences take a list", async () => {
    const types = ["application/x-ndjson", "application/jsonl", "application/json-seq"];
    const api = await wire(
      withContent(Object.fromEntries(types.map((type) => [type, { itemSchema: { type: "object" } }])), {}, "3.2.0"),
    );
    const body: Json = [{ a: 1 }, { b: "x\ny" }];
    const texts = ['{"a":1}\n{"b":"x\\ny"}\n', '{"a":1}\n{"b":"x\\ny"}\n', '\x1e{"a":1}\n\x1e{"b":"x\\ny"}\n'];
    for (const [index, contentType] of types.entries()) {
      expect((await api.call("POST /x", { body, contentType })).request.body.toString()).toBe(texts[index]);
    }
    expect((await api.call("POST /x", { body: ["x"] })).error?.message).toContain("body[0]");
  });
});

describe("presence", () => {
  it("nothing given: no body, no Content-Type", async () => {
    const api = await wire(withContent({ "application/json": { schema: object({ a: string }, { required: ["a"] }) } }));
    const { request } = await api.call("POST /x", {});
    expect(request.body.length).toBe(0);
    expect(request.headers["content-type"]).toBeUndefined();
  });

  it("a required body of optional properties may be empty; a required property may not be missing", async () => {
    const empty = await wire(
      withContent({ "application/json": { schema: object({ a: string }) } }, { required: true }),
    );
    expect((await empty.call("POST /x", {})).request.body.toString()).toBe("{}");
    const needed = await wire(
      withContent({ "application/json": { schema: object({ a: string }, { required: ["a"] }) } }, { required: true }),
    );
    expect((await needed.call("POST /x", {})).error?.message).toContain("`a` is required");
  });

  it("part of an optional body must be complete", async () => {
    const api = await wire(
      withContent({ "application/json": { schema: object({ a: string, b: string }, { required: ["a"] }) } }),
    );
    expect((await api.call("POST /x", { b: "1" })).error?.message).toContain("`a` is required");
  });

  it.each(["get", "delete", "head", "options"])("%s sends a body only when it is given", async (method) => {
    const operation = { requestBody: { content: { "application/json": { schema: object({ a: string }) } } } };
    const api = await wire({ paths: { "/x": { [method]: operation } } });
    expect((await api.call(`${method.toUpperCase()} /x`, {})).request.body.length).toBe(0);
    expect((await api.call(`${method.toUpperCase()} /x`, { a: "1" })).request.body.toString()).toBe('{"a":"1"}');
  });
});

describe("urlencoded forms", () => {
  const call = async (schema: unknown, encoding: unknown, input: Json, version?: string) => {
    const api = await wire(withContent({ [FORM]: { schema, encoding } }, {}, version));
    return api.call("POST /x", input);
  };

  it.each<[string, Record<string, unknown>, Record<string, unknown>, Json, string]>([
    ["text by the URL Standard", { a: string }, {}, { a: "x y~*é&=+" }, "a=x+y%7E*%C3%A9%26%3D%2B"],
    ["lists repeat the name", { a: { type: "array", items: string } }, {}, { a: ["1", "2"] }, "a=1&a=2"],
    ["objects are JSON", { a: { type: "object" } }, {}, { a: { z: "9+1" } }, "a=%7B%22z%22%3A%229%2B1%22%7D"],
    [
      "objects in lists are JSON each",
      { a: { type: "array", items: { type: "object" } } },
      {},
      { a: [{ b: 1 }, {}] },
      "a=%7B%22b%22%3A1%7D&a=%7B%7D",
    ],
    ["null is absent", { a: string, b: string }, {}, { a: null, b: "" }, "b="],
    [
      "contentType JSON quotes a string",
      { a: string },
      { a: { contentType: "application/json" } },
      { a: "x" },
      "a=%22x%22",
    ],
    [
      "style form without explode",
      { a: { type: "array", items: string } },
      { a: { explode: false } },
      { a: ["1,2", "3"] },
      "a=1%2C2,3",
    ],
    [
      "style form exploded object",
      { a: { type: "object" } },
      { a: { style: "form" } },
      { a: { R: 1, G: 2 } },
      "R=1&G=2",
    ],
    [
      "deepObject",
      { a: { type: "object" } },
      { a: { style: "deepObject", explode: true } },
      { a: { R: "x y" } },
      "a%5BR%5D=x%20y",
    ],
    [
      "pipeDelimited",
      { a: { type: "array", items: string } },
      { a: { style: "pipeDelimited" } },
      { a: ["1", "2"] },
      "a=1%7C2",
    ],
    ["allowReserved", { a: string }, { a: { allowReserved: true } }, { a: "a/b:c?#" }, "a=a/b:c?%23"],
    ["the order of the call", { a: string, b: string }, {}, { b: "1", a: "2" }, "b=1&a=2"],
    ["scalars", { i: { type: "integer" }, f: { type: "boolean" } }, {}, { i: 0, f: false }, "i=0&f=false"],
  ])("%s", async (_, properties, encoding, input, expected) => {
    const { request } = await call(object(properties), encoding, input);
    expect(request.body.toString()).toBe(expected);
    expect(request.headers["content-type"]).toBe(FORM);
  });

  it("an open object takes other properties too", async () => {
    const { request } = await call(
      { type: "object", additionalProperties: { type: "string" } },
      {},
      { body: { any: "x", "a b": "y" } },
    );
    expect(request.body.toString()).toBe("any=x&a+b=y");
  });

  it("octets have no place in it", async () => {
    const api = await wire(
      withContent({ [FORM]: { schema: object({ f: { type: "string", format: "binary" }, a: string }) } }),
    );
    expect(api.api.omitted).toMatchObject([{ code: "undefined-serialization", part: `f in a ${FORM} body` }]);
  });

  it("base64 text may be a file", async () => {
    const { files } = filesOf({ "i.png": Buffer.from([251, 255]) });
    const api = await wire(
      withContent({ [FORM]: { schema: object({ f: { type: "string", contentEncoding: "base64url" } }) } }, {}, "3.1.1"),
      { files },
    );
    expect((await api.call("POST /x", { f: { file: "i.png" } })).request.body.toString()).toBe("f=-_8%3D");
  });

  it("2.0: formData lists have csv by default, and every other format", async () => {
    const field = (name: string, collectionFormat?: string) => ({
      name,
      in: "formData",
      type: "array",
      items: { type: "string" },
      ...(collectionFormat ? { collectionFormat } : {}),
    });
    const parameters = [field("a"), field("b", "ssv"), field("c", "pipes"), field("d", "multi"), field("e", "tsv")];
    const api = await wire({ version: "2.0", paths: { "/x": { post: { consumes: [FORM], parameters } } } });
    const input = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, ["1", "2"]]));
    expect((await api.call("POST /x", input)).request.body.toString()).toBe("a=1,2&b=1%202&c=1%7C2&d=1&d=2&e=1%092");
  });
});

describe("multipart forms", () => {
  const call = async (
    schema: unknown,
    encoding: unknown,
    input: Json,
    files: Record<string, string | Buffer> = {},
    version?: string,
  ) => {
    const api = await wire(withContent({ [MULTIPART]: { schema, encoding } }, {}, version), filesOf(files));
    const outcome = await api.call("POST /x", input);
    const { error, requests } = outcome;
    return { error, requests, parts: requests[0] && parseMultipart(requests[0]) };
  };
  const binary = { type: "string", format: "binary" };

  it("text, numbers, objects, lists and files", async () => {
    const schema = object({
      note: string,
      n: { type: "integer" },
      o: { type: "object" },
      l: { type: "array", items: string },
      f: binary,
    });
    const input = { note: "héllo\r\n--x", n: 0, o: { a: "é" }, l: ["1", "2"], f: { file: "a.png" } };
    const { parts, requests } = await call(schema, {}, input, { "a.png": Buffer.from([137, 80, 78, 71, 13, 10]) });
    expect(parts).toEqual([
      {
        name: "note",
        filename: undefined,
        type: "text/plain; charset=utf-8",
        headers: {},
        body: Buffer.from("héllo\r\n--x"),
      },
      { name: "n", filename: undefined, type: "text/plain", headers: {}, body: Buffer.from("0") },
      { name: "o", filename: undefined, type: "application/json", headers: {}, body: Buffer.from('{"a":"é"}') },
      { name: "l", filename: undefined, type: "text/plain", headers: {}, body: Buffer.from("1") },
      { name: "l", filename: undefined, type: "text/plain", headers: {}, body: Buffer.from("2") },
      {
        name: "f",
        filename: "a.png",
        type: "application/octet-stream",
        headers: {},
        body: Buffer.from([137, 80, 78, 71, 13, 10]),
      },
    ]);
    expect(requests[0]?.headers["content-length"]).toBe(String(requests[0]?.body.length));
  });

  it("lists of files, names and types from the handle", async () => {
    const schema = object({ fs: { type: "array", items: binary } });
    const handles: Json = [{ file: "a", mediaType: "image/png", filename: 'ü "q".png' }, { file: "b" }];
    const { parts } = await call(schema, {}, { fs: handles }, { a: "1", b: "2" });
    expect(parts?.map(({ name, filename, type, body }) => [name, filename, type, String(body)])).toEqual([
      ["fs", "ü %22q%22.png", "image/png", "1"],
      ["fs", "b", "application/octet-stream", "2"],
    ]);
  });

  it("encoding: content types and fixed part headers", async () => {
    const schema = object({ meta: string, doc: binary, pic: binary, j: string });
    const encoding = {
      meta: {
        contentType: "application/xml",
        headers: { "X-Kind": { schema: { type: "string", enum: ["k"] } }, "Content-Type": { schema: string } },
      },
      doc: { contentType: "application/pdf" },
      pic: { contentType: "image/png, image/*" },
      j: { contentType: "application/json" },
    };
    const input = { meta: "<a/>", doc: { file: "d" }, pic: { file: "p", mediaType: "image/webp" }, j: "x" };
    const { parts } = await call(schema, encoding, input, { d: "1", p: "2" });
    expect(parts?.map(({ name, type, headers, body }) => [name, type, headers, String(body)])).toEqual([
      ["meta", "application/xml", { "x-kind": "k" }, "<a/>"],
      ["doc", "application/pdf", {}, "1"],
      ["pic", "image/webp", {}, "2"],
      ["j", "application/json", {}, '"x"'],
    ]);
  });

  it("of several content types a file must name one", async () => {
    const { error, requests } = await call(
      object({ pic: binary }),
      { pic: { contentType: "image/png, image/jpeg" } },
      { pic: { file: "p" } },
      { p: "" },
    );
    expect([error?.kind, requests.length]).toEqual(["InvalidToolInput", 0]);
    expect(error?.message).toContain("pic");
  });

  it("a required part header without a fixed value cannot be sent", async () => {
    const encoding = { a: { headers: { "X-A": { required: true, schema: string } } } };
    const api = await wire(withContent({ [MULTIPART]: { schema: object({ a: string, b: string }), encoding } }));
    expect(api.api.omitted).toMatchObject([{ code: "undefined-serialization", part: `a in a ${MULTIPART} body` }]);
  });

  it("3.1: no type means octets; style applies without percent-encoding", async () => {
    const schema = object({ f: {}, l: { type: "array", items: string }, o: { type: "object" } });
    const encoding = { l: { explode: false }, o: { style: "deepObject" } };
    const { parts } = await call(
      schema,
      encoding,
      { f: { file: "f" }, l: ["a b", "c"], o: { "k é": "v&" } },
      { f: "x" },
      "3.1.1",
    );
    expect(parts?.map(({ name, filename, body }) => [name, filename, String(body)])).toEqual([
      ["f", "f", "x"],
      ["l", undefined, "a b,c"],
      ["o[k é]", undefined, "v&"],
    ]);
    expect((await call(schema, {}, { f: "text" }, {}, "3.1.1")).error?.kind).toBe("InvalidToolInput");
  });

  it("3.0 ignores style in multipart", async () => {
    const { parts } = await call(
      object({ l: { type: "array", items: string } }),
      { l: { explode: false } },
      { l: ["a", "b"] },
    );
    expect(parts?.map(({ body }) => String(body))).toEqual(["a", "b"]);
  });

  it("2.0: files and lists", async () => {
    const parameters = [
      { name: "file", in: "formData", type: "file", required: true },
      { name: "ids", in: "formData", type: "array", items: { type: "integer" } },
    ];
    const store = filesOf({ "f.txt": "x" });
    const api = await wire({ version: "2.0", paths: { "/x": { post: { consumes: [MULTIPART], parameters } } } }, store);
    const { request } = await api.call("POST /x", { file: { file: "f.txt" }, ids: [1, 2] });
    expect(parseMultipart(request).map(({ name, filename, body }) => [name, filename, String(body)])).toEqual([
      ["file", "f.txt", "x"],
      ["ids", undefined, "1,2"],
    ]);
    expect((await api.call("POST /x", { file: "text" })).error?.message).toContain("`file` must be a file");
  });

  it.each(["multipart/mixed", "multipart/related"])("%s has no defined parts", async (type) => {
    const api = await wire(withContent({ [type]: { schema: object({ a: string }) } }, { required: true }));
    expect(api.api.skipped).toMatchObject([{ code: "unsupported-media-type" }]);
  });
});

describe("text and octets", () => {
  const binary = { type: "string", format: "binary" };

  it.each<[string, unknown, Json, string, string]>([
    ["text/plain", string, "hello", "hello", "text/plain"],
    ["text/plain", string, "héllo", "héllo", "text/plain; charset=utf-8"],
    ["text/plain", { type: "integer" }, 5, "5", "text/plain"],
    ["text/plain; charset=iso-8859-1", string, "é", "\xe9", "text/plain; charset=iso-8859-1"],
    ["application/xml", object({ a: string }), "<a>é</a>", "<a>é</a>", "application/xml"],
    ["text/csv", string, "", "", "text/csv"],
    ["application/graphql", string, "{ a }", "{ a }", "application/graphql"],
    ["application/x-unheard-of", string, "x", "x", "application/x-unheard-of"],
  ])("%s takes text", async (type, schema, value, expected, contentType) => {
    const api = await wire(withContent({ [type]: { schema } }));
    const { request } = await api.call("POST /x", { body: value });
    expect(request.body.toString(type.includes("8859") ? "latin1" : "utf8")).toBe(expected);
    expect(request.headers["content-type"]).toBe(contentType);
  });

  it("an object is no text, and a character outside its charset is refused", async () => {
    const xml = await wire(withContent({ "application/xml": { schema: object({ a: string }) } }));
    expect((await xml.call("POST /x", { body: { a: "1" } })).error?.kind).toBe("InvalidToolInput");
    const latin = await wire(withContent({ "text/plain; charset=iso-8859-1": { schema: string } }));
    expect((await latin.call("POST /x", { body: "€" })).error?.kind).toBe("InvalidToolInput");
  });

  it.each(["application/octet-stream", "image/png", "application/pdf"])("%s is a file", async (type) => {
    const { files } = filesOf({ f: Buffer.from([0, 255, 254, 128]) });
    const api = await wire(withContent({ [type]: { schema: binary } }), { files });
    const { request } = await api.call("POST /x", { body: { file: "f" } });
    expect(request.body).toEqual(Buffer.from([0, 255, 254, 128]));
    expect(request.headers["content-type"]).toBe(type);
    expect(request.headers["content-length"]).toBe("4");
    for (const body of ["text", 5, {}]) {
      expect((await api.call("POST /x", { body } as Json)).error?.message).toContain("`body` must be a file");
    }
    expect((await api.call("POST /x", { body: { file: "../f" } })).error?.kind).toBe("InvalidToolInput");
  });

  it("text types take a file too", async () => {
    const { files } = filesOf({ f: "a,b\n" });
    const api = await wire(withContent({ "text/csv": { schema: string } }), { files });
    expect((await api.call("POST /x", { body: { file: "f" } })).request.body.toString()).toBe("a,b\n");
  });

  it("an earlier download can be sent on", async () => {
    const { files, folder } = filesOf({});
    writeFileSync(join(folder, "unrelated"), "x");
    const stored = await files.save(
      "a.bin",
      "application/zip",
      (async function* () {
        yield Buffer.from("PK");
      })(),
    );
    const api = await wire(withContent({ "application/octet-stream": { schema: binary } }), { files });
    expect((await api.call("POST /x", { body: stored })).request.body.toString()).toBe("PK");
  });
});

describe("the choice of a media type", () => {
  const schema = object({ a: string });
  it("JSON is the default wherever it stands; contentType chooses", async () => {
    const api = await wire(
      withContent({ "application/xml": { schema }, [FORM]: { schema }, "application/json": { schema } }),
    );
    expect(api.tool("POST /x").inputs.map(({ name, in: at, parameter }) => [name, at, parameter])).toEqual([
      ["a", "body", "a"],
      ["body", "body", null],
      ["contentType", "contentType", null],
    ]);
    const json = await api.call("POST /x", { a: "1" });
    expect([json.request.headers["content-type"], String(json.request.body)]).toEqual([
      "application/json",
      '{"a":"1"}',
    ]);
    const form = await api.call("POST /x", { a: "1", contentType: FORM });
    expect([form.request.headers["content-type"], String(form.request.body)]).toEqual([FORM, "a=1"]);
    const xml = await api.call("POST /x", { body: "<a/>", contentType: "application/xml" });
    expect([xml.request.headers["content-type"], String(xml.request.body)]).toEqual(["application/xml", "<a/>"]);
    const whole = await api.call("POST /x", { body: { a: "2" } });
    expect(String(whole.request.body)).toBe('{"a":"2"}');
    for (const input of [
      { a: "1", contentType: "application/xml" },
      { a: "1", body: "x" },
      { a: "1", contentType: "text/html" },
      { contentType: 5, a: "1" },
    ]) {
      const { error, requests } = await api.call("POST /x", input as unknown as Json);
      expect([error?.kind, requests.length]).toEqual(["InvalidToolInput", 0]);
    }
  });

  it("a property that the default lacks chooses the type that has it", async () => {
    const { files } = filesOf({ f: "x" });
    const binary = { type: "string", format: "binary" };
    const content = {
      "application/json": { schema: object({ url: string }) },
      "multipart/form-data": { schema: object({ file: binary, name: string }) },
    };
    const api = await wire(withContent(content), { files });
    const { request } = await api.call("POST /x", { file: { file: "f" }, name: "n" });
    expect(parseMultipart(request).map(({ name }) => name)).toEqual(["file", "name"]);
    expect((await api.call("POST /x", { file: { file: "f" }, url: "u" })).error?.message).toContain("`file`");
  });

  it("a range needs a concrete type: asked for, of the file, or JSON", async () => {
    const { files } = filesOf({ f: "x" });
    const api = await wire(withContent({ "*/*": { schema } }), { files });
    expect((await api.call("POST /x", { a: "1" })).request.headers["content-type"]).toBe("application/json");
    const image = await wire(withContent({ "image/*": { schema: { type: "string", format: "binary" } } }), { files });
    expect(
      (await image.call("POST /x", { body: { file: "f", mediaType: "image/png" } })).request.headers["content-type"],
    ).toBe("image/png");
    expect(
      (await image.call("POST /x", { body: { file: "f" }, contentType: "image/gif" })).request.headers["content-type"],
    ).toBe("image/gif");
    expect((await image.call("POST /x", { body: { file: "f" } })).error?.message).toContain("contentType");
    expect((await image.call("POST /x", { body: { file: "f" }, contentType: "text/plain" })).error?.kind).toBe(
      "InvalidToolInput",
    );
    expect((await image.call("POST /x", { body: { file: "f" }, contentType: "image/png\r\nX: 1" })).error?.kind).toBe(
      "InvalidToolInput",
    );
  });

  it("what cannot be sent is left out, and skips the operation when nothing is left", async () => {
    const some = await wire(withContent({ "multipart/mixed": { schema }, "application/json": { schema } }));
    expect(some.api.omitted).toMatchObject([{ code: "unsupported-media-type", part: "multipart/mixed body" }]);
    expect((await some.call("POST /x", { a: "1" })).request.headers["content-type"]).toBe("application/json");
    const none = await wire(withContent({ json: { schema } }, { required: true }));
    expect(none.api.skipped).toMatchObject([{ code: "unsupported-media-type" }]);
  });
});
