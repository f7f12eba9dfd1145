import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { describe, expect, test } from "vitest";
import { createCatalog, search } from "../../src/discovery/index.js";
import { OpenAPI } from "../../src/openapi/index.js";

const corpus = process.env["CODEMODE_CORPUS"] ?? fileURLToPath(new URL("../../../shared/corpus", import.meta.url));
const queries = (name: string): string => fileURLToPath(new URL(`queries/${name}.json`, import.meta.url));

/** Documents, queries with the operations that they need, and the share of those that must be among the first ten. */
const SETS = [
  {
    document: createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json"),
    queries: queries("github"),
    recall: 0.85,
  },
  { document: join(corpus, "stripe/openapi-spec3/spec3.json"), queries: queries("stripe"), recall: 0.8 },
  { document: join(corpus, "spotify.com/spotify.com/spotify.com.json"), queries: queries("spotify"), recall: 0.9 },
  { document: join(corpus, "restbench/tmdb_oas.json"), queries: join(corpus, "restbench/tmdb.json"), recall: 0.75 },
];

const anonymous = (operation: string): string => operation.trim().replace(/\{[^}]*\}/g, "{}");

describe("recall of what a task needs among the first ten", () => {
  for (const set of SETS) {
    const name = set.document.split("/").slice(-2).join("/");
    test.skipIf(!existsSync(set.document))(
      name,
      async () => {
        const api = await Effect.runPromise(OpenAPI.load(set.document));
        const catalog = createCatalog(api.tools);
        let found = 0;
        let wanted = 0;
        for (const { query, solution } of JSON.parse(readFileSync(set.queries, "utf8"))) {
          const { items } = search(catalog, query, { limit: 10 });
          const shown = new Set(items.map((item) => anonymous(`${item.method} ${item.pathTemplate}`)));
          for (const operation of new Set<string>(solution.map(anonymous))) {
            wanted++;
            if (shown.has(operation)) found++;
          }
        }
        await api.close();
        expect(found / wanted).toBeGreaterThan(set.recall);
      },
      300_000,
    );
  }
});
