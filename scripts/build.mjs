// Bundles the command line, the library and the sandbox into dist/, then emits the type declarations.
//   node scripts/build.mjs [--no-types]
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { build } from "esbuild";
import { thirdPartyNotices } from "./notices.mjs";

const types = !process.argv.includes("--no-types");
const pkg = createRequire(import.meta.url)("../package.json");

/** Options shared by every bundle. */
const common = {
  bundle: true,
  metafile: true,
  logLevel: "warning",
  legalComments: "none",
  define: { __VERSION__: JSON.stringify(pkg.version) },
};
const node = { ...common, platform: "node", target: "node20.19", format: "esm" };
// A bundled CommonJS dependency may still call require() for node: modules.
const banner = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};

// Chunks have hashes in their names: yesterday's must not stay.
rmSync(types ? "dist" : "dist/chunks", { recursive: true, force: true });
const results = await Promise.all([
  // The command line: everything inside, split so that a command loads only what it needs.
  build({
    ...node,
    banner,
    minifySyntax: true,
    minifyWhitespace: true,
    splitting: true,
    entryPoints: { cli: "src/cli/main.ts" },
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
  }),
  // The library: effect stays an import, so that an application shares its own copy of it; the rest is inside.
  build({
    ...node,
    banner,
    external: ["effect", "effect/*"],
    splitting: true,
    entryPoints: { index: "src/index.ts" },
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
  }),
  // The sandbox process: plain CommonJS, because it starts fastest and needs nothing but node:.
  build({
    ...node,
    format: "cjs",
    entryPoints: { process: "src/sandbox/process.ts" },
    outdir: "dist/sandbox",
    outExtension: { ".js": ".cjs" },
  }),
  // Scripts evaluated inside the realm: no node:, no module system.
  build({
    ...common,
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2023",
    format: "iife",
    globalName: "__codemode",
    minifySyntax: true,
    entryPoints: {
      realm: "src/sandbox/realm/main.ts",
      typescript: "src/sandbox/realm/typescript.ts",
      polyfills: "src/sandbox/realm/polyfills.ts",
    },
    outdir: "dist/sandbox",
  }),
]);
writeFileSync("dist/THIRD-PARTY-NOTICES.txt", thirdPartyNotices(results.map(({ metafile }) => metafile)));
if (types)
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json"], {
    stdio: "inherit",
  });
