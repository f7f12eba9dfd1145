import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import { OpenAPI } from "../../src/openapi/index.js";

/** A folder of real documents with a `manifest.jsonl` that says how many operations each declares. */
const folder = process.env["CODEMODE_CORPUS"] ?? fileURLToPath(new URL("../../../shared/corpus", import.meta.url));
const manifest = `${folder}/manifest.jsonl`;

interface Entry {
  readonly path: string;
  readonly operations: number;
}

const entries: readonly Entry[] = existsSync(manifest)
  ? readFileSync(manifest, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Entry)
  : [];

describe.skipIf(entries.length === 0)("real documents (set CODEMODE_CORPUS to a folder with manifest.jsonl)", () => {
  it.each(entries)("$path: $operations operations are tools or skipped, and every schema is whole", async (entry) => {
    const api = await Effect.runPromise(OpenAPI.load(`${folder}/${entry.path}`, { server: "http://127.0.0.1:9" }));
    const { operations, skipped, omitted } = api;
    expect(operations.length + skipped.length).toBe(entry.operations);
    expect(Object.keys(api.tools)).toHaveLength(operations.length);
    for (const { code, reason, pointer } of [...skipped, ...omitted]) {
      expect(code).toMatch(/^[a-z-]+$/);
      expect(reason).not.toBe("");
      expect(pointer).toContain("#");
    }
    for (const tool of operations) {
      for (const schema of [tool.inputSchema, tool.outputSchema]) {
        const text = JSON.stringify(schema ?? {});
        const definitions = ((schema ?? {}) as { $defs?: object }).$defs ?? {};
        for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
          expect(Object.hasOwn(definitions, name as string), `${tool.name}: ${name}`).toBe(true);
        }
      }
    }
  });
});
