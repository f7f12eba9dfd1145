// Runs an example as an application would be run: bundled, with the built library as a dependency.
//   node scripts/example.mjs <folder of examples/>
import { build } from "esbuild";

const [name] = process.argv.slice(2);
const outfile = `dist/examples/${name}.js`;
await build({
  entryPoints: [`examples/${name}/main.ts`],
  outfile,
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  // Inside this package its own name leads to dist/, as it leads to node_modules/ elsewhere.
  packages: "external",
  // For the type checker only: it looks at the sources.
  tsconfigRaw: {},
  logLevel: "warning",
});
await import(new URL(`../${outfile}`, import.meta.url).href);
