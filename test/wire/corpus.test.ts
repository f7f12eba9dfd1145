/** Real documents: every operation is a tool or is skipped with a reason and a place, and its schemas can be written. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import { makeHttpClient } from "../../src/http/client.js";
import { OpenAPI } from "../../src/openapi/index.js";

const corpus = resolve(process.env["CODEMODE_CORPUS"] ?? join(import.meta.dirname, "../../../shared/corpus"));
const manifest = join(corpus, "manifest.jsonl");
const documents = existsSync(manifest)
  ? readFileSync(manifest, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { path: string; kind: string; operations: number })
  : [];

describe.skipIf(documents.length === 0)(`the documents in ${corpus} (CODEMODE_CORPUS names another folder)`, () => {
  it("at least 99 % of the operations of real APIs are tools", { timeout: 300_000 }, async () => {
    const client = makeHttpClient();
    let tools = 0;
    let declared = 0;
    for (const { path, kind, operations } of documents) {
      const api = await Effect.runPromise(OpenAPI.load(join(corpus, path), { server: "http://127.0.0.1:9", client }));
      expect([path, api.operations.length + api.skipped.length]).toEqual([path, operations]);
      for (const { code, reason, pointer } of [...api.skipped, ...api.omitted]) {
        expect(code).toMatch(/^[a-z-]+$/);
        expect(reason).toMatch(/\.$/);
        expect(pointer).toContain("#");
      }
      // A sample: writing all schemas takes long.
      for (const tool of api.operations.filter((_, index) => index % 25 === 0)) {
        expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
        const keys = Object.keys((tool.inputSchema as { properties: object }).properties);
        expect(new Set(keys)).toEqual(new Set(tool.inputs.map(({ name }) => name)));
        expect(keys.length).toBe(tool.inputs.length);
        void tool.outputSchema;
      }
      if (kind === "test") continue;
      tools += api.operations.length;
      declared += operations;
    }
    await Effect.runPromise(client.close());
    expect(tools / declared).toBeGreaterThan(0.99);
  });
});
