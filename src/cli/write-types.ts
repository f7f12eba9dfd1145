import { writeFileSync } from "node:fs";
import { declarations } from "../discovery/index.js";
import { loadApis } from "./apis.js";
import type { TypesOptions } from "./commands/types.js";
import { systemReason, usageFailure } from "./failure.js";
import { beginSession } from "./session.js";
import { note, paintErr, writeOut } from "./terminal.js";

/** `types <spec>` */
export async function typesCommand(words: readonly string[], options: TypesOptions): Promise<void> {
  const session = await beginSession(words, 0, options);
  const { apis, catalog } = await loadApis(session);
  const title = apis
    .map(({ api }) => api.document.title)
    .filter(Boolean)
    .join(", ");
  const text = declarations(catalog, title === "" ? {} : { title });
  const { out } = options;
  if (out !== undefined) {
    try {
      writeFileSync(out, text);
    } catch (error) {
      throw usageFailure(`The file ${out} cannot be written: ${systemReason(error)}.`);
    }
    if (!options.json) note(paintErr("dim", `${catalog.entries.length} tools in ${out}`));
  }
  if (options.json) await writeOut(JSON.stringify({ file: out ?? null, declarations: text }) + "\n");
  else if (out === undefined) await writeOut(text);
}
