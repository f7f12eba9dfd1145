// Runs the fault catalogue against a loopback server and writes the table between the markers of docs/http.md.
//   node scripts/http-faults.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

// Inside the project, so that the bundle finds its packages.
const folder = mkdtempSync("test/.fault-table-");
try {
  const outfile = join(folder, "table.mjs");
  await build({
    entryPoints: ["test/http/fault-table.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
  });
  const rows = execFileSync(process.execPath, [outfile], { encoding: "utf8" }).trimEnd();
  const page = readFileSync("docs/http.md", "utf8");
  const table = `| fault | outcome | ms | MB |\n| --- | --- | --: | --: |\n${rows}`;
  const [before] = page.split("<!-- faults -->");
  const after = page.split("<!-- /faults -->")[1];
  writeFileSync("docs/http.md", `${before}<!-- faults -->\n${table}\n<!-- /faults -->${after}`);
} finally {
  rmSync(folder, { recursive: true });
}
