import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file that ships with the package; the bundle's own place in `dist` does not matter. */
export function packageFile(...segments: string[]): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return join(folder, ...segments);
    if (dirname(folder) === folder) throw new Error("The package's own files are missing; install it again.");
  }
}
