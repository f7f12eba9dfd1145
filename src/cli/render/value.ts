/**
 * The value of a program on stdout, in the format the user chose.
 */
import { type Json, stringifyJson } from "../../json/json.js";
import type { OutputFormat } from "../options.js";
import { paintOut, shown } from "../terminal.js";

/** Text for a person or a pipe: strings as they are, lists of scalars line by line, the rest as JSON. */
function renderText(value: Json): string {
  if (value === null) return "";
  if (typeof value === "string") return process.stdout.isTTY ? value.split("\n").map(shown).join("\n") : value;
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== "object")) {
    return value.map(renderText).join("\n");
  }
  return stringifyJson(value, 2);
}

async function renderYaml(value: Json): Promise<string> {
  const { dump, Type, CORE_SCHEMA } = await import("js-yaml");
  // Written plainly, as an implicit type: a tag of its own would be read by nobody.
  const bigInteger = new Type("!integer", {
    kind: "scalar",
    resolve: () => false,
    predicate: (data) => typeof data === "bigint",
    represent: (data) => String(data),
  });
  const schema = CORE_SCHEMA.extend({ implicit: [bigInteger] });
  return dump(value, { schema, lineWidth: 120, noRefs: true }).trimEnd();
}

/** The rendered value without a final line break; "" prints nothing. */
export async function renderValue(value: Json, format: OutputFormat): Promise<string> {
  switch (format) {
    case "json":
      return stringifyJson(value, 2);
    case "yaml":
      return renderYaml(value);
    case "ndjson":
      return Array.isArray(value) ? value.map((item) => stringifyJson(item)).join("\n") : stringifyJson(value);
    case "text":
      return renderText(value);
    case "table": {
      const { renderTable } = await import("./table.js");
      return renderTable(value, process.stdout.isTTY ? process.stdout.columns : undefined, paintOut);
    }
  }
}
