import { search } from "../discovery/index.js";
import { loadApis } from "./apis.js";
import type { SearchCommandOptions } from "./commands/search.js";
import { usageFailure } from "./failure.js";
import { beginSession } from "./session.js";
import { note, paintErr, paintOut, shown, writeOut } from "./terminal.js";

/** `search <spec> <query…>` */
export async function searchCommand(words: readonly string[], options: SearchCommandOptions): Promise<void> {
  const session = await beginSession(words, undefined, options);
  if (session.rest.length === 0) throw usageFailure("No query: give the words to search for after <spec>.");
  const { catalog } = await loadApis(session);
  const { limit, offset, namespace } = options;
  const found = search(catalog, session.rest.join(" "), {
    limit,
    offset,
    ...(namespace === undefined ? {} : { namespace }),
  });
  if (options.json) {
    await writeOut(JSON.stringify(found) + "\n");
    return;
  }
  const lines = found.items.map((item) => {
    const about = item.description === "" ? "" : `  ${shown(item.description)}`;
    return `${shown(item.signature)}\n    ${paintOut("cyan", `${item.method} ${shown(item.pathTemplate ?? "")}`)}${paintOut("dim", about)}`;
  });
  if (lines.length > 0) await writeOut(lines.join("\n") + "\n");
  const more = found.next ? `; more with --offset ${found.next.offset}` : "";
  note(paintErr("dim", found.total === 0 ? "No tool matches." : `${found.items.length} of ${found.total}${more}`));
}
