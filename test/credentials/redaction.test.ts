import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeRedactor } from "../../src/credentials/redaction.js";

const SPELLINGS: Record<string, (secret: string) => string> = {
  "as it is": (s) => s,
  "percent-encoded": encodeURIComponent,
  "percent-encoded in lower case": (s) => encodeURIComponent(s).replace(/%../g, (hex) => hex.toLowerCase()),
  "percent-encoded to the last character": (s) =>
    encodeURIComponent(s).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  "as a form field": (s) => new URLSearchParams({ s }).toString().slice(2),
  "as JSON": (s) => JSON.stringify(s).slice(1, -1),
  "as JSON with escaped slashes": (s) => JSON.stringify(s).slice(1, -1).replaceAll("/", "\\/"),
  "as ASCII JSON": (s) =>
    JSON.stringify(s)
      .slice(1, -1)
      .replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "as HTML": (s) => s.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!),
};

describe("a secret is not readable", () => {
  const secret = fc.string({ unit: "grapheme", minLength: 4, maxLength: 40 });
  test.each(Object.entries(SPELLINGS))("%s", (_, spell) => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const redactor = makeRedactor();
        redactor.add(value);
        const text = redactor.text(`${before} ${spell(value)} ${after}`);
        expect(text).toContain("[redacted]");
      }),
      { numRuns: 200 },
    );
  });

  test("as base64, alone or inside a longer text, in both alphabets", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40 }),
        fc.string({ maxLength: 5 }),
        fc.string({ maxLength: 5 }),
        (value, before, after) => {
          const redactor = makeRedactor();
          redactor.add(value);
          for (const alphabet of ["base64", "base64url"] as const) {
            const text = redactor.text(Buffer.from(before + value + after).toString(alphabet));
            expect(text).toContain("[redacted]");
            // What is left at the edges does not give the secret back.
            expect(Buffer.from(text, "base64").toString()).not.toContain(value);
          }
        },
      ),
    );
  });

  test("in the values and keys of JSON, also when it looks like a number", () => {
    const redactor = makeRedactor();
    redactor.add("hunter22");
    redactor.add("12345678");
    expect(redactor.json({ a: ["x hunter22 y", 12345678, 12345678n, 5, null, true], hunter22: 1 })).toEqual({
      a: ["x [redacted] y", "[redacted]", "[redacted]", 5, null, true],
      "[redacted]": 1,
    });
  });
});

describe("other text", () => {
  test("stays as it is, the very same value", () => {
    const redactor = makeRedactor();
    redactor.add("hunter22");
    const value = { a: ["hunter2", { b: "hunter" }], __proto__: null as never };
    expect(redactor.json(value)).toBe(value);
    expect(redactor.finds("hunter2")).toBe(false);
  });

  test("survives a short secret, which is replaced as a whole value only", () => {
    const redactor = makeRedactor();
    redactor.add("a1");
    expect(redactor.json({ x: "a1", y: "ba1c" })).toEqual({ x: "[redacted]", y: "ba1c" });
  });

  test("of 40 MB is looked through in a moment", () => {
    const redactor = makeRedactor();
    for (let i = 0; i < 20; i++) redactor.add(`secret-${i}-${"abcdef".repeat(4)}`);
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(900_000);
    const started = performance.now();
    expect(redactor.text(text)).toBe(text);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

test("the longer of two secrets goes first", () => {
  const redactor = makeRedactor();
  redactor.add("abcdef");
  redactor.add("abcdefghij");
  expect(redactor.text("abcdefghij abcdef")).toBe("[redacted] [redacted]");
});
