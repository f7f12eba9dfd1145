/**
 * What stands for a value larger than `maxOutputBytes`: never half a JSON text, but a small object that says what was
 * there and shows its beginning.
 */
import { utf8Length } from "./utf8-length.js";

/** Room for the marker's own members. */
const FRAME = 160;

/** JSON text of the marker for `text`, at most `maxBytes` long where that is possible at all. */
export function truncationMarker(text: string, bytes: number, maxBytes: number): string {
  const value: unknown = JSON.parse(text);
  const facts: Record<string, unknown> = { truncated: true, bytes, maxOutputBytes: maxBytes };
  const bare = JSON.stringify(facts);
  const room = maxBytes - FRAME;
  if (room <= 0) return bare;
  if (typeof value === "string") {
    // Escapes and characters of several bytes: a cut that is surely short enough.
    facts["type"] = "string";
    facts["length"] = value.length;
    facts["preview"] = value.slice(0, Math.floor(room / 6));
  } else if (Array.isArray(value)) {
    facts["type"] = "array";
    facts["length"] = value.length;
    facts["preview"] = fitting(
      value.map((item, index) => [index, item] as const),
      room,
    ).map(([, item]) => item);
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    facts["type"] = "object";
    facts["length"] = entries.length;
    facts["preview"] = Object.fromEntries(fitting(entries, room));
  }
  const marker = JSON.stringify(facts);
  return utf8Length(marker) <= maxBytes ? marker : bare;
}

/** As many members, from the first on, as fit into `room` bytes. */
function fitting<K extends string | number>(
  entries: readonly (readonly [K, unknown])[],
  room: number,
): (readonly [K, unknown])[] {
  const kept: (readonly [K, unknown])[] = [];
  let left = room;
  for (const entry of entries) {
    left -= utf8Length(JSON.stringify(entry));
    if (left < 0) break;
    kept.push(entry);
  }
  return kept;
}
