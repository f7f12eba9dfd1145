/** Answers, decoded by what the server says they are. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import { makeFileStore } from "../../src/openapi/files.js";
import { folderOf } from "../openapi/files.js";
import { answer, wire } from "./wire.js";

const description = (responses: unknown = { 200: { description: "ok" } }, more: object = {}) => ({
  paths: { "/x": { get: { responses, ...more }, head: { responses }, delete: { responses } } },
});

async function answered(
  status: number,
  headers: Record<string, string>,
  body: string | Buffer = "",
  mode: "value" | "response" = "value",
  operation = "GET /x",
) {
  const folder = folderOf({});
  const files = makeFileStore({ directory: join(folder, "d") });
  const api = await wire(description(), { respond: (socket) => socket.write(answer(status, headers, body)), files });
  return {
    ...(await api.call(operation, {}, mode).then(({ answer: given, error }) => ({ given, error }))),
    folder: join(folder, "d"),
  };
}

async function itemsOf(data: unknown): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of data as AsyncIterable<unknown>) items.push(item);
  return items;
}

describe("bodies", () => {
  it.each<[string, string, string | Buffer, unknown]>([
    ["JSON", "application/json", '{"a":[1,null]}', { a: [1, null] }],
    ["+json with parameters", "application/problem+json; charset=utf-8", '{"é":1}', { é: 1 }],
    ["JSON with a byte order mark", "application/json", Buffer.from("\ufeff{}"), {}],
    ["JSON false", "application/json", "false", false],
    ["JSON null", "application/json", "null", null],
    ["text", "text/plain", "héllo", "héllo"],
    ["text of another charset", "text/plain; charset=ISO-8859-1", Buffer.from("h\xe9", "latin1"), "hé"],
    ["a quoted charset", 'text/csv; charset="windows-1252"', Buffer.from([0x80]), "€"],
    ["XML", "application/xml", "<a/>", "<a/>"],
    ["+xml", "application/atom+xml", "<a/>", "<a/>"],
    ["HTML", "text/html", "<p>", "<p>"],
    ["an empty JSON body", "application/json", "", null],
    ["an empty text", "text/plain", "", null],
    ["an empty file", "image/png", "", null],
  ])("%s", async (_, type, body, expected) => {
    const { given, error } = await answered(200, { "Content-Type": type }, body);
    expect(error).toBeUndefined();
    expect(given?.data).toEqual(expected);
  });

  it.each([204, 205])("%s is null", async (status) => {
    expect((await answered(status, {})).given).toMatchObject({ status, data: null });
  });

  it("HEAD has no body", async () => {
    expect(
      (await answered(200, { "Content-Type": "application/json", "Content-Length": "17" }, "", "value", "HEAD /x"))
        .given?.data,
    ).toBeNull();
  });

  it("integers beyond 2^53 keep their digits as text, with a warning that says where", async () => {
    const { given } = await answered(
      200,
      { "Content-Type": "application/json" },
      '{"id":1253261109769874438,"list":[1,9007199254740993],"text":"1253261109769874438"}',
    );
    expect(given?.data).toEqual({
      id: "1253261109769874438",
      list: [1, "9007199254740993"],
      text: "1253261109769874438",
    });
    expect(given?.warnings?.join()).toMatch(/\$\.id, \$\.list\[1\]/);
  });

  it.each(["image/png", "application/octet-stream", "application/zip", "application/vnd.unheard-of"])(
    "%s is saved and shown as a handle",
    async (type) => {
      const octets = Buffer.from([0, 255, 13, 10]);
      const { given, folder } = await answered(
        200,
        { "Content-Type": type, "Content-Disposition": 'attachment; filename="../../r\u0065port.bin"' },
        octets,
      );
      expect(given?.data).toEqual({
        file: "report.bin",
        mediaType: type,
        bytes: 4,
        sha256: createHash("sha256").update(octets).digest("hex"),
      });
      expect(given?.files).toEqual(["report.bin"]);
      expect(readFileSync(join(folder, "report.bin"))).toEqual(octets);
    },
  );

  it("malformed JSON is a clear failure with its beginning", async () => {
    const { error } = await answered(200, { "Content-Type": "application/json" }, "<html>Sorry</html>");
    expect(error).toMatchObject({ kind: "InvalidToolOutput" });
    expect(error?.message).toMatch(/^GET \/x answered with malformed JSON, beginning "<html>Sorry/);
  });

  it("an unknown charset is a clear failure", async () => {
    const { error } = await answered(200, { "Content-Type": "text/plain; charset=klingon" }, "x");
    expect(error).toMatchObject({ kind: "InvalidToolOutput" });
    expect(error?.message).toContain("klingon");
  });

  it("octets that are no text are replaced with a warning", async () => {
    const { given } = await answered(200, { "Content-Type": "text/plain" }, Buffer.from([97, 255]));
    expect(given?.data).toBe("a\ufffd");
    expect(given?.warnings).toHaveLength(1);
  });

  it.each<[string | Buffer, unknown]>([
    ['{"a":1}', { a: 1 }],
    ["plain", "plain"],
    [Buffer.from([0, 255]), { file: "x.bin", mediaType: "application/octet-stream", bytes: 2 }],
  ])("without Content-Type %j is looked at", async (body, expected) => {
    const { given } = await answered(200, {}, body);
    if (typeof expected === "object") expect(given?.data).toMatchObject(expected as object);
    else expect(given?.data).toBe(expected);
  });
});

describe("failures", () => {
  it.each<[string, string, string, string, unknown]>([
    [
      "message",
      "application/json",
      '{"message":"The name is taken."}',
      "The name is taken.",
      { message: "The name is taken." },
    ],
    [
      "error.message",
      "application/json",
      '{"error":{"code":7,"message":"No."}}',
      "No.",
      { error: { code: 7, message: "No." } },
    ],
    ["problem details", "application/problem+json", '{"title":"T","detail":"D"}', "D", { title: "T", detail: "D" }],
    ["errors", "application/json", '{"errors":[{"detail":"first"}]}', "first", { errors: [{ detail: "first" }] }],
    ["text", "text/plain", "no\nway", "no way", "no\nway"],
    ["mislabelled", "application/json", "Bad gateway", "Bad gateway", "Bad gateway"],
  ])("%s", async (_, type, body, said, data) => {
    const { error } = await answered(422, { "Content-Type": type, "X-Id": "7" }, body);
    expect(error).toMatchObject({ kind: "ToolFailure", status: 422, body: data });
    expect(error?.message).toBe(`GET /x answered 422 Unprocessable Entity: ${said}`);
    expect(error?.headers?.["x-id"]).toBe("7");
  });

  it("HTML says nothing in a message", async () => {
    const { error } = await answered(404, { "Content-Type": "text/html" }, "<html>long</html>");
    expect(error?.message).toBe("GET /x answered 404 Not Found.");
  });

  it("octets of a failure are not kept", async () => {
    const { error } = await answered(500, { "Content-Type": "image/png" }, Buffer.from([1]));
    expect([error?.status, error?.body]).toEqual([500, undefined]);
  });

  it("a long body is cut", async () => {
    const { error } = await answered(500, { "Content-Type": "text/plain" }, "x".repeat(200_000));
    expect(String(error?.body).length).toBeLessThan(70_000);
    expect(error?.message.length).toBeLessThan(400);
  });

  it("response mode gives every answer", async () => {
    const { given, error } = await answered(
      404,
      { "Content-Type": "application/json", ETag: '"x"' },
      '{"a":1}',
      "response",
    );
    expect(error).toBeUndefined();
    expect(given).toMatchObject({ status: 404, data: { a: 1 }, headers: { etag: '"x"' } });
  });
});

describe("streams", () => {
  it("server-sent events", async () => {
    const text =
      "\ufeff: comment\n\nevent: add\ndata: one\ndata: two\nid: 1\n\nretry: 5\r\ndata:three\r\rdata\n\nevent: nothing\n\ndata: cut off";
    const { given } = await answered(200, { "Content-Type": "text/event-stream" }, text);
    expect(await itemsOf(given?.data)).toEqual([
      { event: "add", data: "one\ntwo", id: "1" },
      { retry: 5, data: "three" },
      { data: "" },
    ]);
  });

  it("lines and sequences of JSON", async () => {
    const lines = await answered(
      200,
      { "Content-Type": "application/x-ndjson" },
      '{"a":1}\r\n\n[9007199254740993]\n"x"',
    );
    expect(await itemsOf(lines.given?.data)).toEqual([{ a: 1 }, ["9007199254740993"], "x"]);
    const sequence = await answered(200, { "Content-Type": "application/json-seq" }, '\x1e{"a":\n1}\n\x1e2\n');
    expect(await itemsOf(sequence.given?.data)).toEqual([{ a: 1 }, 2]);
    const broken = await answered(200, { "Content-Type": "application/jsonl" }, '{"a":1}\n{"a":');
    await expect(itemsOf(broken.given?.data)).rejects.toMatchObject({ kind: "InvalidToolOutput" });
  });

  it("items come before the stream ends, and leaving it ends the exchange", async () => {
    let closed: () => void = () => {};
    const ended = new Promise<void>((resolve) => (closed = resolve));
    const api = await wire(description(), {
      respond: (socket) => {
        socket.on("close", closed);
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: é");
        socket.write(Buffer.from("\xe2\x82", "latin1"));
        setTimeout(() => socket.write(Buffer.concat([Buffer.from("\xac", "latin1"), Buffer.from("\n\n")])), 20);
      },
    });
    const { answer: given } = await api.call("GET /x", {});
    for await (const item of given!.data as AsyncIterable<unknown>) {
      expect(item).toEqual({ data: "é€" });
      break;
    }
    await ended;
  });
});

describe("interruption", () => {
  it("ends the exchange while a body is read", async () => {
    let closed: () => void = () => {};
    const ended = new Promise<void>((resolve) => (closed = resolve));
    const api = await wire(description(), {
      respond: (socket) => {
        socket.on("close", closed);
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[1");
      },
    });
    const call = api.tool("GET /x").call({}, { mode: "value" });
    const outcome = await Effect.runPromise(Effect.timeoutOption(call, "200 millis"));
    expect(outcome._tag).toBe("None");
    await ended;
  });
});

describe("the Accept field", () => {
  it.each<[string, unknown, string]>([
    ["nothing declared", { 204: { description: "none" } }, "*/*"],
    ["JSON", { 200: { description: "", content: { "application/json": {} } } }, "application/json"],
    [
      "JSON before others, failures last",
      {
        200: { description: "", content: { "text/csv": {}, "application/hal+json": {} } },
        404: { description: "", content: { "application/problem+json": {} } },
      },
      "application/hal+json, text/csv;q=0.9, application/problem+json;q=0.8",
    ],
    ["a range of statuses", { "2XX": { description: "", content: { "image/png": {} } } }, "image/png"],
    ["default alone", { default: { description: "", content: { "application/xml": {} } } }, "application/xml"],
    ["a response that cannot be read", { 200: { $ref: "#/components/responses/Nope" } }, "*/*"],
  ])("%s", async (_, responses, expected) => {
    const api = await wire(description(responses));
    expect((await api.call("GET /x", {})).request.headers["accept"]).toBe(expected);
  });

  it("2.0: produces", async () => {
    const operation = {
      produces: ["application/xml"],
      responses: { 200: { description: "", schema: { type: "string" } } },
    };
    const api = await wire({ version: "2.0", paths: { "/x": { get: operation } } });
    expect((await api.call("GET /x", {})).request.headers["accept"]).toBe("application/xml");
  });
});

describe("the schema of the output", () => {
  it.each<[string, unknown, unknown]>([
    [
      "JSON",
      { 200: { description: "", content: { "application/json": { schema: { type: "string" } } } } },
      { type: "string" },
    ],
    ["no body", { 204: { description: "" } }, { type: "null" }],
    ["text", { 200: { description: "", content: { "text/csv": {} } } }, { type: "string" }],
    ["a file", { 200: { description: "", content: { "image/png": {} } } }, { "x-codemode": "file" }],
    [
      "events",
      { 200: { description: "", content: { "text/event-stream": {} } } },
      { "x-codemode": "stream", items: { required: ["data"] } },
    ],
    [
      "two statuses",
      {
        200: { description: "", content: { "application/json": { schema: { type: "string" } } } },
        204: { description: "" },
      },
      { anyOf: [{ type: "string" }, { type: "null" }] },
    ],
  ])("%s", async (_, responses, expected) => {
    const api = await wire(description(responses));
    expect(api.tool("GET /x").outputSchema).toMatchObject(expected as object);
  });

  it("is unknown where the document does not say", async () => {
    const api = await wire(description({ 200: { description: "", content: { "application/json": {} } } }));
    expect(api.tool("GET /x").outputSchema).toBeUndefined();
  });
});
