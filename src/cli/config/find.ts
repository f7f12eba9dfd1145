import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const NAMES = ["codemode.config.yaml", "codemode.config.yml", "codemode.config.json"] as const;

/** The configuration file of the nearest folder from `start` upwards, or `undefined`. */
export function findConfiguration(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    for (const name of NAMES) {
      const path = join(folder, name);
      if (existsSync(path)) return path;
    }
    if (dirname(folder) === folder) return undefined;
  }
}
