#!/usr/bin/env node
const { main } = await import("../dist/cli.js").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error("error: codemode-openapi is not built yet\n  hint: run npm ci (or npm run build) in its folder");
  process.exit(1);
});
await main(process.argv.slice(2));
