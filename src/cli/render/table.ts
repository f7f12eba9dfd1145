/**
 * Values as tables: a list of objects is one row each, an object one row per property.
 */
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../json/json.js";
import { type Paint, shown } from "../terminal.js";
import { padEnd, truncate, width } from "./width.js";

/** One cell: text as it is, anything else as JSON; never more than one line. */
function cell(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : stringifyJson(value);
  return shown(text.replace(/\s+/g, " "));
}

/** Narrows the widest columns first until the row fits. */
function narrow(widths: number[], available: number): number[] {
  const fitted = [...widths];
  let excess = fitted.reduce((sum, w) => sum + w, 0) + 2 * (fitted.length - 1) - available;
  while (excess > 0) {
    const widest = fitted.indexOf(Math.max(...fitted));
    if (fitted[widest]! <= 8) break;
    const second = Math.max(8, ...fitted.filter((_, i) => i !== widest && fitted[i]! < fitted[widest]!));
    const cut = Math.max(1, Math.min(excess, fitted[widest]! - second));
    fitted[widest]! -= cut;
    excess -= cut;
  }
  return fitted;
}

/**
 * Rows in aligned columns, two spaces apart.
 *
 * @param columns the width to fit in; `undefined` (not a terminal) cuts nothing
 */
export function alignRows(
  rows: readonly (readonly string[])[],
  columns: number | undefined,
  paintRow: (row: string, index: number) => string,
): string {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const natural = Array.from({ length: count }, (_, i) =>
    rows.reduce((most, row) => Math.max(most, width(row[i] ?? "")), 0),
  );
  const widths = columns === undefined ? natural : narrow(natural, columns);
  return rows
    .map((row, index) => {
      const cells = widths.map((w, i) => padEnd(truncate(row[i] ?? "", w), w));
      return paintRow(cells.join("  ").trimEnd(), index);
    })
    .join("\n");
}

/** A value as a table, without a final line break. */
export function renderTable(value: Json, columns: number | undefined, paint: Paint): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "";
    if (!value.some(isJsonObject)) return value.map(cell).join("\n");
    const keys = [...new Set(value.flatMap((item) => (isJsonObject(item) ? Object.keys(item) : [])))];
    const rows = value.map((item) => {
      const object: JsonObject = isJsonObject(item) ? item : {};
      return keys.map((key) => cell(Object.hasOwn(object, key) ? object[key] : undefined));
    });
    return alignRows([keys.map(shown), ...rows], columns, (row, index) => (index === 0 ? paint("bold", row) : row));
  }
  if (isJsonObject(value)) {
    return alignRows(
      Object.entries(value).map(([key, member]) => [shown(key), cell(member)]),
      columns,
      (row) => row,
    );
  }
  return cell(value);
}
