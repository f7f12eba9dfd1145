// Runs the quick suites on several versions of Node.js, each taken from the npm package `node`.
//   node scripts/matrix.mjs [22 24 26]
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const versions = process.argv.length > 2 ? process.argv.slice(2) : ["22", "24", "26"];
const suites = [
  "test/cli",
  "test/language",
  "test/realm",
  "test/runtime",
  "test/attacks",
  "test/wire",
  "test/openapi",
  "test/http",
];
const folder = mkdtempSync(join(tmpdir(), "codemode-matrix-"));
let failed = 0;
try {
  for (const version of versions) {
    const home = join(folder, version);
    mkdirSync(home);
    writeFileSync(join(home, "package.json"), '{"private":true}');
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", `node@${version}`], {
      cwd: home,
      stdio: "inherit",
    });
    const node = join(home, "node_modules", "node", "bin", "node");
    console.log(`\n== Node.js ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
    const { status } = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run", ...suites], {
      stdio: "inherit",
      env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    });
    if (status !== 0) failed++;
    console.log(`== Node.js ${version}: ${status === 0 ? "passed" : "FAILED"}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed > 0 ? 1 : 0);
