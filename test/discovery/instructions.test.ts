import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as Effect from "effect/Effect";
import { encode } from "gpt-tokenizer";
import { describe, expect, test } from "vitest";
import { type Catalog, createCatalog, instructions } from "../../src/discovery/index.js";
import { estimateTokens } from "../../src/discovery/tokens.js";
import { OpenAPI } from "../../src/openapi/index.js";
import { object, tool } from "./tools.js";

const small = createCatalog({
  pets: {
    list: tool(
      object({ limit: { type: "integer" } }),
      { type: "array", items: { type: "string" } },
      { summary: "List pets." },
    ),
  },
  "odd name": { get: tool(object({})) },
});

/** Namespaces of a catalog with their counts, as the text must show them. */
function namespaces(catalog: Catalog): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of catalog.entries) {
    const namespace = path.replace(/(\.[^.[\]]+|\["[^"]*"\])$/, "");
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  return counts;
}

describe("instructions", () => {
  test("a small catalog is given whole, with signatures", () => {
    const text = instructions(small);
    expect(text).toContain("All 2 tools, with signatures:");
    expect(text).toContain("tools.pets.list(input?: { limit?: number }): Promise<string[]> // List pets");
    expect(text).toContain('tools["odd name"].get(): Promise<unknown>');
  });

  test("teaches every global", () => {
    for (const word of [
      "tools.",
      "search(",
      "response(",
      "pages(",
      "sleep(",
      "`input`",
      "ToolError",
      "return",
      "console.log",
      "Promise.all",
    ]) {
      expect(instructions(small)).toContain(word);
    }
  });

  test("tells the limits that are in force, and no others", () => {
    expect(instructions(small)).not.toContain("Limits");
    expect(instructions(small, { limits: { timeoutMs: 60_000, maxOutputBytes: 100_000 } })).toContain(
      "Limits: 60 s, 100 kB of result.",
    );
  });

  test("no tools", () => {
    expect(instructions(createCatalog({}))).toContain("There are no tools.");
  });

  test("a catalog that does not fit says so and names every namespace with its count", () => {
    const tree = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `area${n}`,
        Object.fromEntries(Array.from({ length: n + 1 }, (_, m) => [`operationNumber${m}OfMany`, tool(object({}))])),
      ]),
    );
    const catalog = createCatalog(tree);
    const text = instructions(catalog, { maxTokens: 1500 });
    expect(text).toContain("465 tools: every namespace with its count, some names.");
    for (const [namespace, count] of namespaces(catalog)) expect(text).toContain(`${namespace} (${count})`);
    expect(text).toMatch(/… \d+ more/);
    expect(encode(text).length).toBeLessThan(1650);
  });

  test("when all names fit but not all signatures, names come first", () => {
    const schema = object(
      Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`parameter${n}`, { type: "string" }])),
    );
    const catalog = createCatalog(
      Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`group${n % 4}.call${n}`, tool(schema)])),
    );
    const text = instructions(catalog);
    expect(text).toContain("All 60 tools by name");
    for (const { segments } of catalog.entries) expect(text).toContain(segments[1]);
    expect(text).toContain("parameter11");
    expect(text).not.toContain("more");
  });

  test("deep namespaces are counted in the ones above them when there are too many", () => {
    const catalog = createCatalog(
      Object.fromEntries(
        Array.from({ length: 900 }, (_, n) => [`top${n % 3}.inner${n % 300}.call${n}`, tool(object({}))]),
      ),
    );
    const text = instructions(catalog);
    expect(text).toContain("900 tools: the top namespaces with their counts");
    for (const top of ["tools.top0 (300)", "tools.top1 (300)", "tools.top2 (300)"]) expect(text).toContain(top);
    expect(encode(text).length).toBeLessThan(2500);
  });
});

describe("GitHub's document", async () => {
  const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
  const api = Effect.runSync(OpenAPI.fromDocument(JSON.parse(readFileSync(file, "utf8"))));
  const catalog = createCatalog(api.tools);

  test("is taught in under 2,500 tokens, every namespace visible", () => {
    const text = instructions(catalog);
    expect(encode(text).length).toBeLessThan(2500);
    for (const [namespace, count] of namespaces(catalog)) expect(text).toContain(`${namespace} (${count})`);
  });

  test("tokens are estimated on the safe side, and not by much", () => {
    for (const text of [
      instructions(catalog),
      catalog.entries.map((entry) => entry.signature).join("\n"),
      catalog.entries.map((entry) => entry.description).join("\n"),
    ]) {
      const real = encode(text).length;
      expect(estimateTokens(text)).toBeGreaterThan(0.97 * real);
      expect(estimateTokens(text)).toBeLessThan(1.25 * real);
    }
  });
});
