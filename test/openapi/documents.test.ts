import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DocumentError } from "../../src/openapi/document-error.js";
import { type DocumentSource, loadDocument } from "../../src/openapi/load.js";
import { declaredOperations } from "../../src/openapi/operations.js";
import { description, folderOf, operation, serve } from "./files.js";

const MINIMAL =
  "openapi: 3.0.4\ninfo: {title: T, version: '1'}\npaths:\n  /x:\n    get: {operationId: op, responses: {'200': {description: ok}}}\n";

async function failureOf(source: DocumentSource): Promise<DocumentError> {
  const error: unknown = await loadDocument(source).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(DocumentError);
  return error as DocumentError;
}

const operationsOf = async (source: DocumentSource) =>
  declaredOperations(await loadDocument(source)).operations.map(
    ({ method, pathTemplate }) => `${method} ${pathTemplate}`,
  );

/** The value at a path of keys, after loading a YAML text. */
async function yamlValue(text: string): Promise<unknown> {
  const { root } = await loadDocument({ text: `openapi: 3.1.0\npaths: {}\nx-value: ${text}` });
  return root.value["x-value"];
}

describe("where documents come from", () => {
  it("loads a file by path or URL, an http URL, a text and an object", async () => {
    const folder = folderOf({ "api spec.yaml": MINIMAL });
    const { origin } = await serve({ "openapi.yaml": MINIMAL });
    const expected = ["GET /x"];
    expect(await operationsOf(`${folder}/api spec.yaml`)).toEqual(expected);
    expect(await operationsOf(new URL(`file://${folder}/api%20spec.yaml`))).toEqual(expected);
    expect(await operationsOf(`${origin}/openapi.yaml`)).toEqual(expected);
    expect(await operationsOf({ text: MINIMAL })).toEqual(expected);
    expect(await operationsOf(description({ "/x": { get: operation() } }))).toEqual(expected);
  });

  it("follows redirects, and is then where they led", async () => {
    const { origin } = await serve({
      "latest.yaml": (_: unknown, response: import("node:http").ServerResponse) =>
        response.writeHead(302, { location: "/v2/openapi.yaml" }).end(),
      "v2/openapi.yaml": MINIMAL,
    });
    expect((await loadDocument(`${origin}/latest.yaml`)).uri).toBe(`${origin}/v2/openapi.yaml`);
  });

  it("sends header fields for the document to its own origin only", async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve({
      "openapi.yaml": (request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => {
        seen.push(request.headers["x-key"] as string | undefined);
        response.end(MINIMAL);
      },
    });
    const { origin } = await serve({
      "openapi.yaml": (request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => {
        seen.push(request.headers["x-key"] as string | undefined);
        response.writeHead(307, { location: `${other.origin}/openapi.yaml` }).end();
      },
    });
    await loadDocument(`${origin}/openapi.yaml`, { documentHeaders: { "x-key": "k" } });
    expect(seen).toEqual(["k", undefined]);
  });

  it("says what is wrong with a source", async () => {
    const { origin } = await serve({});
    const folder = folderOf({
      "empty.yaml": "",
      "page.html": "<!doctype html>\n<p>: x: y",
      "a.png": Buffer.from([0xff, 0xd8, 0x80]),
    });
    expect(await failureOf("no-such-file.yaml")).toMatchObject({
      reason: "unreadable",
      message: expect.stringContaining("no such file"),
    });
    expect(await failureOf(folder)).toMatchObject({ reason: "unreadable", message: expect.stringContaining("folder") });
    expect(await failureOf(`${origin}/none.yaml`)).toMatchObject({ reason: "http-status", status: 404 });
    expect(await failureOf("http://127.0.0.1:1/x")).toMatchObject({
      reason: "unreadable",
      message: expect.stringContaining("refused"),
    });
    expect(await failureOf(`${folder}/empty.yaml`)).toMatchObject({
      reason: "not-openapi",
      message: expect.stringContaining("empty"),
    });
    expect(await failureOf(`${folder}/page.html`)).toMatchObject({
      reason: "syntax",
      hint: expect.stringContaining("HTML"),
    });
    expect(await failureOf(`${folder}/a.png`)).toMatchObject({
      reason: "syntax",
      message: expect.stringContaining("UTF-8"),
    });
  });

  it("keeps user information out of messages", async () => {
    const { message } = await failureOf("http://user:secret@127.0.0.1:1/x?token=secret");
    expect(message).not.toContain("secret");
  });
});

describe("what servers do to a document", () => {
  it("compresses it", async () => {
    const { origin } = await serve({
      "a.yaml": (_: unknown, response: import("node:http").ServerResponse) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(MINIMAL)),
    });
    expect(await operationsOf(`${origin}/a.yaml`)).toEqual(["GET /x"]);
  });

  it("redirects it in a circle, or away from HTTP", async () => {
    const to = (location: string) => (_: unknown, response: import("node:http").ServerResponse) =>
      response.writeHead(302, { location }).end();
    const { origin } = await serve({ circle: to("/circle"), away: to("file:///etc/hostname"), odd: to("http://") });
    for (const path of ["circle", "away", "odd"]) {
      expect(await failureOf(`${origin}/${path}`)).toMatchObject({
        reason: "unreadable",
        message: expect.stringContaining("redirect"),
      });
    }
  });
});

describe("what an OpenAPI document is", () => {
  it.each(["2.0", "3.0", "3.0.0", "3.0.4", "3.1.0", "3.1.2", "3.2.0", "3.3.0"])("reads version %s", async (version) => {
    const field = version === "2.0" ? "swagger" : "openapi";
    const document = await loadDocument({ [field]: version, info: {}, paths: { "/x": { get: operation() } } });
    expect(document.openapi).toBe(version);
    expect(declaredOperations(document).operations).toHaveLength(1);
  });

  it("reads versions that are written as numbers", async () => {
    const document = await loadDocument({ text: "swagger: 2.0\ninfo: {title: T, version: 1.5}\npaths: {}" });
    expect(document).toMatchObject({ version: "2.0", openapi: "2.0", apiVersion: "1.5" });
  });

  it.each([
    ["{}", "neither"],
    ["[]", "a list"],
    ["hello", "a string"],
    ["openapi: 4.0.0\npaths: {}", "4.0.0"],
    ["swagger: '1.2'\npaths: {}", "1.2"],
    ["openapi: 3.1.0\npaths: []", "a list"],
  ])("refuses %j", async (text, why) => {
    expect(await failureOf({ text })).toMatchObject({ reason: "not-openapi", message: expect.stringContaining(why) });
  });

  it("needs no info and no paths", async () => {
    expect(await operationsOf({ text: "openapi: 3.1.0\nwebhooks: {x: {post: {}}}" })).toEqual([]);
    expect(await operationsOf({ text: "openapi: 3.0.0\npaths:" })).toEqual([]);
  });
});

describe("JSON", () => {
  it("points at the fault", async () => {
    const folder = folderOf({ "a.json": '{\n  "openapi": "3.0.0",\n  "paths": {,}\n}' });
    const error = await failureOf(`${folder}/a.json`);
    expect(error).toMatchObject({ reason: "syntax", location: { line: 3, column: 13 } });
    expect(error.excerpt).toBe('  "paths": {,}\n            ^');
  });

  it("refuses a key that stands twice, and names key and line", async () => {
    const text = '{"openapi": "3.1.0", "paths": {\n  "/\\"x\\\\": {"get": {}},\n  "/\\"x\\\\": {"post": {}}}}';
    expect(await failureOf({ text })).toMatchObject({
      reason: "syntax",
      location: { line: 3, column: 3 },
      message: expect.stringContaining("duplicate key"),
    });
    const twice = (n: number) =>
      `{"openapi": "3.1.0", "paths": {}, "x": [{"a": ":", "b": [{"a": {"c": "{"}}], "c": {"a": 1}}${n === 2 ? ', {"a": 1, "\\u0061": 2}' : ""}]}`;
    expect(await operationsOf({ text: twice(1) })).toEqual([]);
    expect((await failureOf({ text: twice(2) })).message).toContain('"a"');
  });

  it("may carry comments and trailing commas, as YAML's flow style does", async () => {
    expect(await operationsOf({ text: `{"openapi": "3.1.0", # why\n "paths": {"/x": {"get": {}, },},}` })).toEqual([
      "GET /x",
    ]);
  });
});

describe("YAML", () => {
  it.each([
    ["2024-01-02", "2024-01-02"],
    ["2024-01-02T03:04:05Z", "2024-01-02T03:04:05Z"],
    ["NO", "NO"],
    ["yes", "yes"],
    ["on", "on"],
    ["12:30", "12:30"],
    ["1_000", "1_000"],
    ["0b11", "0b11"],
    ["010", 10],
    ["0o14", 12],
    ["0x1F", 31],
    ["1e3", 1000],
    [".5", 0.5],
    ["true", true],
    ["~", null],
    ["Null", null],
    ["'1'", "1"],
    ["!!str 1", "1"],
    ["1.2.3", "1.2.3"],
    ["=", "="],
    ["<<", "<<"],
  ])("reads %s as %j", async (text, value) => {
    expect(await yamlValue(text)).toEqual(value);
  });

  it("has keys of text", async () => {
    expect(await yamlValue("{200: a, NO: b, 2024-01-02: c, true: d}")).toEqual({
      200: "a",
      NO: "b",
      "2024-01-02": "c",
      true: "d",
    });
    expect(Object.keys((await yamlValue("{__proto__: {a: 1}}")) as object)).toEqual(["__proto__"]);
  });

  it("merges with <<, own keys first", async () => {
    expect(await yamlValue("\n  base: &base {a: 1, b: 2}\n  own: {<<: *base, b: 3}")).toMatchObject({
      own: { a: 1, b: 3 },
    });
  });

  it("shares what an alias names", async () => {
    expect(await yamlValue("\n  a: &a {x: [1]}\n  b: *a")).toEqual({ a: { x: [1] }, b: { x: [1] } });
  });

  it("refuses a key that stands twice, and names key and line", async () => {
    const error = await failureOf({ text: `${MINIMAL}  /x:\n    post: {}\n` });
    expect(error).toMatchObject({
      reason: "syntax",
      location: { line: 6, column: 3 },
      message: expect.stringContaining("duplicate key /x"),
    });
    expect((await failureOf({ text: 'openapi: 3.1.0\n"a b": 1\n"a b": 2' })).message).toContain('duplicate key "a b"');
  });

  it("refuses aliases that stand for too much, or for themselves", async () => {
    const lines = ["openapi: 3.0.4", "paths: {}", "x-0: &a0 [l,l,l,l,l,l,l,l,l,l]"];
    for (let n = 1; n < 10; n++)
      lines.push(
        `x-${n}: &a${n} [${Array(10)
          .fill(`*a${n - 1}`)
          .join(",")}]`,
      );
    expect(await failureOf({ text: lines.join("\n") })).toMatchObject({
      reason: "syntax",
      message: expect.stringContaining("alias"),
    });
    expect(await failureOf({ text: "openapi: 3.0.4\npaths: {}\nx: &x [*x]" })).toMatchObject({ reason: "syntax" });
  });

  it("points at the fault", async () => {
    const error = await failureOf({ text: "openapi: 3.1.0\npaths:\n  /x: {get: [}\n" });
    expect(error).toMatchObject({ reason: "syntax", location: { line: 3, column: expect.any(Number) } });
    expect(error.excerpt).toContain("  /x: {get: [}\n");
    expect((await failureOf({ text: `openapi: ${"[".repeat(200_000)}` })).reason).toBe("syntax");
  });

  it("is read in UTF-8, with or without a byte order mark, and in UTF-16", async () => {
    const text = MINIMAL.replace("/x", "/straße");
    const encodings = {
      "utf8.yaml": Buffer.from(text),
      "bom.yaml": Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
      "le.yaml": Buffer.from(`\uFEFF${text}`, "utf16le"),
      "le-bare.yaml": Buffer.from(text, "utf16le"),
      "be.yaml": Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
    };
    const folder = folderOf(encodings);
    for (const name of Object.keys(encodings)) expect(await operationsOf(`${folder}/${name}`)).toEqual(["GET /straße"]);
  });

  it("is read in the charset that the server declares", async () => {
    const { origin } = await serve({
      "a.yaml": (_: unknown, response: import("node:http").ServerResponse) =>
        response
          .writeHead(200, { "content-type": "text/yaml; charset=iso-8859-1" })
          .end(Buffer.from(MINIMAL.replace("/x", "/straße"), "latin1")),
    });
    expect(await operationsOf(`${origin}/a.yaml`)).toEqual(["GET /straße"]);
  });
});
