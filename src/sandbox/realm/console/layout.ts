/** Putting the entries of an inspected object on one line or several. */

const WIDTH = 80;
/** Objects nested deeper than this inside one are never put on its line. */
const COMPACT = 3;
/** Lists longer than this are filled into lines of several entries. */
const FILL = 6;

export interface Block {
  /** What stands before the braces, e.g. `Map(2)`; may be empty. */
  readonly prefix: string;
  readonly open: string;
  readonly close: string;
  readonly entries: readonly string[];
  /** Columns to the left of the block. */
  readonly indent: number;
  /** Levels of objects inside. */
  readonly height: number;
  /** Entries without keys may share lines. */
  readonly fill: boolean;
}

export function layOut(block: Block): string {
  const { open, close, entries, indent } = block;
  const lead = block.prefix === "" ? "" : `${block.prefix} `;
  if (entries.length === 0) return `${lead}${open}${close}`;
  if (block.height <= COMPACT && !(block.fill && entries.length > FILL)) {
    let width = indent + lead.length + open.length + close.length + 2;
    let plain = true;
    for (const entry of entries) {
      width += entry.length + 2;
      plain &&= !entry.includes("\n");
    }
    if (plain && width <= WIDTH) return `${lead}${open} ${entries.join(", ")} ${close}`;
  }
  const pad = " ".repeat(indent + 2);
  const lines = block.fill && entries.length > FILL ? fillLines(entries, WIDTH - indent - 4) : entries;
  return `${lead}${open}\n${pad}${lines.join(`,\n${pad}`)}\n${" ".repeat(indent)}${close}`;
}

/** Joins short entries into lines of at most `width` columns; numbers are aligned to the right. */
function fillLines(entries: readonly string[], width: number): string[] {
  const shown = entries.filter((entry) => !entry.startsWith("... "));
  let longest = 0;
  let numeric = true;
  for (const entry of shown) {
    if (entry.includes("\n")) return [...entries];
    longest = Math.max(longest, entry.length);
    numeric &&= /^-?\d/.test(entry);
  }
  const perLine = Math.min(16, Math.floor((width + 2) / (longest + 2)));
  if (perLine < 2 || longest > 16) return [...entries];
  const lines: string[] = [];
  for (let i = 0; i < shown.length; i += perLine) {
    const line = shown.slice(i, i + perLine);
    lines.push(line.map((entry) => (numeric ? entry.padStart(longest) : entry)).join(", "));
  }
  if (shown.length < entries.length) lines.push(entries.at(-1)!);
  return lines;
}
