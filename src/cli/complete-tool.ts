/**
 * Completion of tools' names.
 */
import * as Effect from "effect/Effect";
import { type CompletionName, completeTool, createCatalog, keepNames, keptNames } from "../discovery/index.js";
import { OpenAPI } from "../openapi/index.js";
import { packageFile } from "./package-root.js";

const isUrl = (spec: string): boolean => /^https?:/i.test(spec);

/** Names that complete a partial one. A key press sends nothing: the names of a URL are those that are kept. */
export async function toolNames(spec: string, partial: string): Promise<readonly CompletionName[]> {
  const source = spec === "demo:" ? packageFile("fixtures", "demo", "openapi.yaml") : spec;
  const kept = await keptNames(source);
  if (kept) return completeTool(kept, partial);
  if (spec === "-" || isUrl(spec)) return [];
  try {
    const api = await Effect.runPromise(OpenAPI.load(source));
    const catalog = createCatalog(api.tools);
    await Promise.all([keepNames(source, catalog), api.close()]);
    return completeTool(catalog.entries, partial);
  } catch {
    // Half a path is no document yet; there is nobody to tell.
    return [];
  }
}
