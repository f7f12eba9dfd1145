/**
 * Whatever value goes in comes out of a decoder written from the specifications alone: RFC 3986 for percent-encoding,
 * RFC 6570 for styles, the URL Standard for forms, RFC 7578 for multipart.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/json/json.js";
import { parseMultipart } from "./multipart.js";
import { wire, withContent, withParameters } from "./wire.js";

const runs = { numRuns: 60 };

/** Well-formed text with plenty of what could break out: delimiters, percent signs, dots, controls, other planes. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(..."/?#[]@!$&'()*+,;=%.-_~ \t\r\n\"\\|{}<>^`:aZ0é€𝄞"), maxLength: 12 }),
);
const filledText = text.filter((value) => value !== "");
const name = filledText.filter((value) => value !== "__proto__");

/** Percent-decoding (RFC 3986, 2.1). Refuses what must not stand in a path or query. */
function decode(encoded: string): string {
  if (!/^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-F]{2})*$/.test(encoded))
    throw new Error(`not a URI component: ${encoded}`);
  return decodeURIComponent(encoded);
}

const pairsOf = (target: string): [string, string][] =>
  (target.split("?")[1] ?? "")
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      return [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
    });

describe("query parameters", () => {
  const list = { type: "array", items: { type: "string" } };
  const object = { type: "object", additionalProperties: { type: "string" } };
  const parameter = (more: object) => ({ in: "query", name: "p", ...more });

  it("strings, and lists with each item a pair", async () => {
    const api = await wire(withParameters([parameter({ schema: {} })]));
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 4 })), async (value) => {
        const { request } = await api.call("GET /x", { p: value });
        expect(pairsOf(request.target)).toEqual([value].flat().map((item) => ["p", item]));
        // Servers read queries as forms.
        expect([...new URLSearchParams(request.target.split("?")[1])]).toEqual(
          [value].flat().map((item) => ["p", item]),
        );
      }),
      runs,
    );
  });

  it("lists joined by commas", async () => {
    const api = await wire(withParameters([parameter({ explode: false, schema: list })]));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (value) => {
        const { request } = await api.call("GET /x", { p: value });
        expect(request.target.slice("/x?p=".length).split(",").map(decode)).toEqual(value);
      }),
      runs,
    );
  });

  it("objects: a pair for each member, members joined, and deepObject", async () => {
    const styles = [{}, { explode: false }, { style: "deepObject", explode: true }];
    const [exploded, joined, deep] = await Promise.all(
      styles.map((style) => wire(withParameters([parameter({ ...style, schema: object })]))),
    );
    const members = fc.dictionary(
      name.filter((key) => !/[[\]]/.test(key)),
      text,
      { minKeys: 1, maxKeys: 4 },
    );
    await fc.assert(
      fc.asyncProperty(members, async (value) => {
        const entries = Object.entries(value);
        expect(pairsOf((await exploded!.call("GET /x", { p: value })).request.target)).toEqual(entries);
        const flat = (await joined!.call("GET /x", { p: value })).request.target
          .slice("/x?p=".length)
          .split(",")
          .map(decode);
        expect(flat).toEqual(entries.flat());
        expect(pairsOf((await deep!.call("GET /x", { p: value })).request.target)).toEqual(
          entries.map(([key, item]) => [`p[${key}]`, item]),
        );
      }),
      runs,
    );
  });

  it("parameter names", async () => {
    await fc.assert(
      fc.asyncProperty(name, text, async (key, value) => {
        const api = await wire(withParameters([{ in: "query", name: key, schema: { type: "string" } }]));
        expect(pairsOf((await api.call("GET /x", { [key]: value })).request.target)).toEqual([[key, value]]);
      }),
      { numRuns: 25 },
    );
  });

  it("JSON content", async () => {
    const api = await wire(withParameters([{ in: "query", name: "p", content: { "application/json": {} } }]));
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 3 }).filter((value) => value !== null),
        async (value) => {
          const [pair] = pairsOf((await api.call("GET /x", { p: value as Json })).request.target);
          expect(JSON.parse(pair![1])).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
      runs,
    );
  });
});

describe("path parameters", () => {
  it("stay within their segment, or nothing is sent", async () => {
    const parameters = ["a", "b"].map((key) => ({ in: "path", name: key, required: true, schema: { type: "string" } }));
    const api = await wire(withParameters(parameters, "3.0.4", "/x/{a}/y/{b}"));
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, fc.constantFrom("..", ".", "", "../..", "%2e%2e")), text, async (a, b) => {
        const { requests, error } = await api.call("GET /x/{a}/y/{b}", { a, b });
        if ([a, b].some((value) => ["", ".", ".."].includes(value))) {
          expect(requests).toEqual([]);
          expect(error?.kind).toBe("InvalidToolInput");
          return;
        }
        const segments = requests[0]!.target.split("/");
        expect(segments.map(decode)).toEqual(["", "x", a, "y", b]);
        // No URL parser may move the request elsewhere.
        expect(new URL(requests[0]!.target, "http://h").pathname).toBe(requests[0]!.target);
      }),
      runs,
    );
  });

  it.each([
    ["simple", "", ","],
    ["label", ".", ","],
  ])("lists in style %s", async (style, prefix, separator) => {
    const parameter = {
      in: "path",
      name: "p",
      required: true,
      style,
      schema: { type: "array", items: { type: "string" } },
    };
    const api = await wire(withParameters([parameter], "3.0.4", "/x/{p}/y"));
    await fc.assert(
      fc.asyncProperty(fc.array(filledText, { minLength: 2, maxLength: 4 }), async (value) => {
        const { request } = await api.call("GET /x/{p}/y", { p: value });
        const [, , segment, last] = request.target.split("/");
        expect(last).toBe("y");
        expect(segment!.slice(prefix.length).split(separator).map(decode)).toEqual(value);
      }),
      runs,
    );
  });
});

describe("header fields and cookies", () => {
  it("a field arrives as it is, or nothing is sent", async () => {
    const api = await wire(withParameters([{ in: "header", name: "X-A", schema: { type: "string" } }]));
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const { requests, error } = await api.call("GET /x", { "X-A": value });
        if (/^[\x21-\x7e]?$|^[\x21-\x7e][\t\x20-\x7e]*[\x21-\x7e]$/.test(value))
          expect(requests[0]?.headers["x-a"]).toBe(value);
        else expect([requests.length, error?.kind]).toEqual([0, "InvalidToolInput"]);
      }),
      runs,
    );
  });

  it("a cookie is one pair, whatever its value", async () => {
    const api = await wire(
      withParameters(["a", "b"].map((key) => ({ in: "cookie", name: key, schema: { type: "string" } }))),
    );
    await fc.assert(
      fc.asyncProperty(text, text, async (a, b) => {
        const { request } = await api.call("GET /x", { a, b });
        const pairs = request.headers["cookie"]!.split("; ").map((pair) => pair.split("="));
        expect(pairs.map(([key, value]) => [key, decode(value!)])).toEqual([
          ["a", a],
          ["b", b],
        ]);
      }),
      runs,
    );
  });
});

describe("bodies", () => {
  it("JSON is the value", async () => {
    const api = await wire(withContent({ "application/json": {} }));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const { request } = await api.call("POST /x", { body: value as Json });
        expect(JSON.parse(request.body.toString())).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      runs,
    );
  });

  it("urlencoded forms by the URL Standard", async () => {
    const schema = {
      type: "object",
      additionalProperties: { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    };
    const api = await wire(withContent({ "application/x-www-form-urlencoded": { schema } }));
    const value = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 }), async (body) => {
        const { request } = await api.call("POST /x", { body });
        const expected = Object.entries(body).flatMap(([key, item]) => [item].flat().map((one) => [key, one]));
        expect([...new URLSearchParams(request.body.toString())]).toEqual(expected);
      }),
      runs,
    );
  });

  it("multipart forms by RFC 7578", async () => {
    const schema = { type: "object", additionalProperties: { type: "string" } };
    const api = await wire(withContent({ "multipart/form-data": { schema } }));
    const escaped = (key: string): string => key.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, text, { minKeys: 1, maxKeys: 4 }), async (body) => {
        const { request } = await api.call("POST /x", { body });
        const parts = parseMultipart(request).map((part) => [part.name, part.body.toString()]);
        expect(parts).toEqual(Object.entries(body).map(([key, value]) => [escaped(key), value]));
      }),
      runs,
    );
  });
});
