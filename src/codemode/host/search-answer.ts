/** A program's `search`, answered on the host: what the program gave is checked first. */
import { type Catalog, type SearchOptions, search } from "../../discovery/index.js";
import { isJsonObject, type Json } from "../../json/json.js";
import type { SearchReply } from "../../sandbox/protocol.js";

/** The JSON text of the reply. */
export function answerSearch(catalog: Catalog, query: Json, options: Json | undefined): string {
  return JSON.stringify(reply(catalog, query, options));
}

function reply(catalog: Catalog, query: Json, options: Json | undefined): SearchReply {
  if (typeof query !== "string")
    return refused('search() takes the words to look for: search("open issues", { limit: 5 }).');
  const given = options ?? {};
  if (!isJsonObject(given)) return refused("The second argument of search() is { limit, offset, namespace }.");
  for (const [name, value] of Object.entries(given)) {
    const fault = faultOf(name, value);
    if (fault !== undefined) return refused(fault);
  }
  return { value: search(catalog, query, given as SearchOptions) as unknown as Json };
}

function faultOf(name: string, value: Json): string | undefined {
  const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  switch (name) {
    case "limit":
      return isCount && value >= 1 && value <= 100
        ? undefined
        : "The limit of a search is a whole number from 1 to 100.";
    case "offset":
      return isCount ? undefined : "The offset of a search is a whole number from 0 on.";
    case "namespace":
      return typeof value === "string" ? undefined : "The namespace of a search is a dotted name.";
    default:
      return `search() has no option ${JSON.stringify(name)}: the options are limit, offset and namespace.`;
  }
}

const refused = (message: string): SearchReply => ({ error: { kind: "InvalidToolInput", message } });
