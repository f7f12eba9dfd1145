// What a model reads of an API before its first call, in tokens of o200k_base: the instructions of `execute` against one MCP
// tool per operation, each with its description and JSON Schema.
//   node scripts/token-counts.mjs <document> [<document> …]
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { importSource } from "./import-source.mjs";

const documents = process.argv.slice(2);
if (documents.length === 0) {
  console.error("usage: node scripts/token-counts.mjs <document> [<document> …]");
  process.exit(2);
}
const { createCatalog, instructions, OpenAPI, Effect } = await importSource(`
  export { createCatalog, instructions } from "./src/discovery/index.js";
  export { OpenAPI } from "./src/openapi/index.js";
  export * as Effect from "effect/Effect";
`);
const count = (text) => encode(text).length;

console.log("| document | tools | instructions | a list of MCP tools |\n| --- | ---: | ---: | ---: |");
for (const document of documents) {
  const api = await Effect.runPromise(OpenAPI.load(document));
  const catalog = createCatalog(api.tools);
  let list = 0;
  for (const { name, tool } of catalog.entries) {
    const listed = { name: name.replaceAll(".", "_"), description: tool.description, inputSchema: tool.inputSchema };
    list += count(JSON.stringify(listed, (_, value) => (typeof value === "bigint" ? String(value) : value)));
  }
  const row = [api.document.title, catalog.entries.length, count(instructions(catalog)), list];
  console.log(`| ${row.map((cell) => cell.toLocaleString("en")).join(" | ")} |`);
}
