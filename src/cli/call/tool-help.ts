/**
 * `call <spec> <tool> --help`: what the tool does and what its inputs are.
 */
import type { CatalogEntry } from "../../discovery/index.js";
import type { InputField } from "../../openapi/plan.js";
import { alignRows } from "../render/table.js";
import { paintOut, shown } from "../terminal.js";
import { dereference, itemsOf, propertySchema, typesOf } from "./schema-types.js";

function typeLabel(schema: unknown, root: CatalogEntry["tool"]["inputSchema"]): string {
  const types = typesOf(schema, root);
  if (!types) return "value";
  const values = dereference(schema, root)?.["enum"];
  if (Array.isArray(values) && values.length <= 8) return values.map((value) => String(value)).join("|");
  const labels = [...types]
    .filter((type) => type !== "null")
    .map((type) => {
      if (type === "file") return "@path";
      if (type === "object") return "json";
      if (type !== "array") return type;
      const items = typesOf(itemsOf(schema, root), root);
      return `${items?.size === 1 ? [...items][0] : "value"}...`;
    });
  return labels.join("|");
}

function firstLine(schema: unknown, root: CatalogEntry["tool"]["inputSchema"]): string {
  const object = dereference(schema, root);
  const text = object?.["description"] ?? object?.["title"];
  const line = typeof text === "string" ? (text.trim().split(/\n\s*\n|(?<=\.)\s/)[0] ?? "").replace(/\s+/g, " ") : "";
  const fallback =
    object !== undefined && Object.hasOwn(object, "default") ? `(default: ${JSON.stringify(object["default"])})` : "";
  return [line, fallback].filter((part) => part !== "").join(" ");
}

export function toolHelp(entry: CatalogEntry, inputs: readonly InputField[], specName: string): string {
  const { tool } = entry;
  const root = tool.inputSchema;
  const { method, pathTemplate } = tool.facts;
  const rows = inputs.map((input) => {
    const schema = propertySchema(root, input.name);
    const where = input.required ? `${input.in}, required` : input.in;
    return [`  --${input.name} <${typeLabel(schema, root)}>`, `[${where}]`, firstLine(schema, root)].map(shown);
  });
  const description = tool.description.trim();
  const lines = [
    `Usage: codemode-openapi call ${specName} ${entry.name}${inputs.map((input) => (input.required ? ` --${input.name} <value>` : "")).join("")}${inputs.some((input) => !input.required) ? " [--<input> <value>...]" : ""}`,
    "",
    `${paintOut("cyan", `${method} ${pathTemplate}`)}  ${shown(entry.description)}`,
  ];
  if (description !== "" && description !== entry.description)
    lines.push("", description.split("\n").map(shown).join("\n"));
  if (rows.length > 0)
    lines.push(
      "",
      paintOut("bold", "Inputs:"),
      alignRows(rows, process.stdout.columns ?? 100, (row) => row),
    );
  lines.push("", `Signature: ${shown(entry.signature)}`, "", "Options of the command: codemode-openapi call --help");
  return lines.join("\n");
}
