/** `console.table`: rows and columns in box-drawing characters. */

export interface Cells {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function drawTable({ header, rows }: Cells): string {
  const widths = header.map((title, column) =>
    rows.reduce((width, row) => Math.max(width, (row[column] ?? "").length), title.length),
  );
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => "─".repeat(width + 2)).join(middle) + right;
  const line = (cells: readonly string[]): string =>
    `│${widths.map((width, column) => ` ${(cells[column] ?? "").padEnd(width)} `).join("│")}│`;
  return [rule("┌", "┬", "┐"), line(header), rule("├", "┼", "┤"), ...rows.map(line), rule("└", "┴", "┘")].join("\n");
}
