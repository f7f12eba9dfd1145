/**
 * Names of tools for a shell's completion. A key press must not wait for a document to load: the names of each source are
 * kept in the user's cache folder whenever the source was loaded for something else.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Catalog } from "./catalog.js";

export interface CompletionName {
  /** The dotted name. */
  readonly name: string;
  readonly description: string;
}

interface Kept {
  /** What the source looked like: a file's size and time of change. Empty for one that is no file. */
  readonly stamp: string;
  readonly names: readonly CompletionName[];
}

/** How long the names of a source that is no file stay good: a day. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/** Names that complete a partial one, a segment at a time: `re` → `repos.`, `repos.` → `repos.get`, `repos.list`, … */
export function completeTool(names: readonly CompletionName[], partial: string): CompletionName[] {
  const found = new Map<string, CompletionName>();
  for (const { name, description } of names) {
    if (!name.startsWith(partial)) continue;
    const dot = name.indexOf(".", partial.length);
    if (dot < 0) found.set(name, { name, description });
    else if (!found.has(name.slice(0, dot + 1)))
      found.set(name.slice(0, dot + 1), { name: name.slice(0, dot + 1), description: "" });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Keeps the names of a source's tools. Completion is a comfort: what cannot be written is left unwritten. */
export async function keepNames(source: string, catalog: Catalog, folder = cacheFolder()): Promise<void> {
  try {
    const kept: Kept = {
      stamp: await stampOf(source),
      names: catalog.entries.map(({ name, description }) => ({ name, description })),
    };
    const file = fileOf(source, folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Another shell may be reading: the file is complete from its first moment.
    await writeFile(`${file}.${process.pid}`, JSON.stringify(kept), { mode: 0o600 });
    await rename(`${file}.${process.pid}`, file);
  } catch {
    // A full disk or a read-only home is no reason to fail a command.
  }
}

/** The names kept for a source; `undefined` when there are none, or when the source has changed since. */
export async function keptNames(
  source: string,
  folder = cacheFolder(),
): Promise<readonly CompletionName[] | undefined> {
  try {
    const file = fileOf(source, folder);
    const kept = JSON.parse(await readFile(file, "utf8")) as Kept;
    if (kept.stamp !== (await stampOf(source))) return undefined;
    if (kept.stamp === "" && Date.now() - (await stat(file)).mtimeMs > MAX_AGE) return undefined;
    return kept.names;
  } catch {
    return undefined;
  }
}

function cacheFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "codemode-openapi", "names");
}

const isUrl = (source: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(source);

function fileOf(source: string, folder: string): string {
  const key = isUrl(source) ? source : resolve(source);
  return join(folder, `${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`);
}

async function stampOf(source: string): Promise<string> {
  if (isUrl(source)) return "";
  const { size, mtimeMs } = await stat(source);
  return `${size} ${mtimeMs}`;
}
