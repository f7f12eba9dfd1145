// Runs the fault catalogue, and many calls of which some fail, against loopback servers; writes the tables between the
// markers of docs/http.md.
//   node scripts/http-faults.mjs [faults | accounting]
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const HEADS = {
  faults: "| fault | outcome | ms | MB |\n| --- | --- | --: | --: |",
  accounting:
    "| exchanges that fail | faults | calls | succeeded | failed | retried | wrong | unsafe sent twice | s |\n" +
    "| --: | --: | --: | --: | --: | --: | --: | --: | --: |",
};

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
  const [only] = process.argv.slice(2);
  for (const [what, head] of Object.entries(HEADS)) {
    if (only !== undefined && only !== what) continue;
    const rows = execFileSync(process.execPath, [outfile, what], { encoding: "utf8" }).trimEnd();
    const page = readFileSync("docs/http.md", "utf8");
    const [before] = page.split(`<!-- ${what} -->`);
    const after = page.split(`<!-- /${what} -->`)[1];
    writeFileSync("docs/http.md", `${before}<!-- ${what} -->\n${head}\n${rows}\n<!-- /${what} -->${after}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
