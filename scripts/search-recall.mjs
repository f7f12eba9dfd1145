// Recall of tool search: how many of the operations that a task needs are among the first results.
//   node scripts/search-recall.mjs <document> <queries.json> [--misses]
// Queries are [{"query": "…", "solution": ["GET /path/{x}", …]}]; names of path variables do not count.
import { readFileSync } from "node:fs";
import { importSource } from "./import-source.mjs";

const [document, queriesFile, flag] = process.argv.slice(2);
if (!document || !queriesFile) {
  console.error("usage: node scripts/search-recall.mjs <document> <queries.json> [--misses]");
  process.exit(2);
}
const { createCatalog, search, OpenAPI, Effect } = await importSource(`
  export { createCatalog, search } from "./src/discovery/index.js";
  export { OpenAPI } from "./src/openapi/index.js";
  export * as Effect from "effect/Effect";
`);
const anonymous = (operation) => operation.trim().replace(/\{[^}]*\}/g, "{}");

let start = performance.now();
const api = await Effect.runPromise(OpenAPI.load(document));
const catalog = createCatalog(api.tools);
const loaded = performance.now() - start;
start = performance.now();
search(catalog, "warm up");
const indexed = performance.now() - start;

const queries = JSON.parse(readFileSync(queriesFile, "utf8"));
const sums = { gold: 0, at5: 0, at10: 0, whole: 0, first: 0, ms: 0 };
for (const { query, solution } of queries) {
  const wanted = [...new Set(solution.map(anonymous))];
  start = performance.now();
  const { items } = search(catalog, query, { limit: 10 });
  sums.ms += performance.now() - start;
  const found = items.map((item) => anonymous(`${item.method} ${item.pathTemplate}`));
  const hits = wanted.filter((one) => found.includes(one));
  sums.gold += wanted.length;
  sums.at5 += wanted.filter((one) => found.slice(0, 5).includes(one)).length;
  sums.at10 += hits.length;
  if (hits.length === wanted.length) sums.whole++;
  if (wanted.includes(found[0])) sums.first++;
  if (flag === "--misses" && hits.length < wanted.length) {
    const missed = wanted.filter((one) => !hits.includes(one));
    console.log(`${query}\n  missed ${missed.join(", ")}\n  found  ${found.slice(0, 5).join(", ")}`);
  }
}
const share = (count, of) => (count / of).toFixed(3);
console.log(
  `${catalog.entries.length} tools, ${queries.length} queries: recall@5 ${share(sums.at5, sums.gold)}, recall@10 ${share(sums.at10, sums.gold)}, ` +
    `all found ${share(sums.whole, queries.length)}, first result right ${share(sums.first, queries.length)}; ` +
    `load ${loaded.toFixed(0)} ms, index ${indexed.toFixed(0)} ms, ${(sums.ms / queries.length).toFixed(1)} ms a query with signatures`,
);
