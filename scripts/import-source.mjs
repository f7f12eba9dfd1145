// Imports TypeScript sources of this repository in a script: bundled in memory, run from dist/ so that packages resolve.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** The exports of a module given as text; its imports are relative to the repository, e.g. `./src/discovery/index.js`. */
export async function importSource(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20.19",
    packages: "external",
    logLevel: "warning",
  });
  mkdirSync(`${root}/dist`, { recursive: true });
  const file = `${root}/dist/.script-${process.pid}.mjs`;
  writeFileSync(file, outputFiles[0].text);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file);
  }
}
