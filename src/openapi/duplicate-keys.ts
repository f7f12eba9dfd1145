/**
 * Keys that stand twice in one object of a JSON text. `JSON.parse` keeps the last one without a word, and with the first
 * an operation may be lost (RFC 8259, 4: "names within an object SHOULD be unique").
 */

/** Objects this deep are looked at: the document, `paths`, path items, and the maps of `components`. Deeper nothing whole is lost. */
const MAX_DEPTH = 3;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

/** The first such key. @param text valid JSON. */
export function findDuplicateKey(text: string): { readonly key: string; readonly offset: number } | undefined {
  /** Keys seen in each object that is open, from the outside; `undefined` for a list. */
  const open: (Set<string> | undefined)[] = [];
  let depth = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        start = at;
        at = endOfString(text, at);
        end = at + 1;
        break;
      case COLON: {
        // What stands before a colon is a key.
        const keys = depth <= MAX_DEPTH ? open[depth - 1] : undefined;
        if (keys === undefined) break;
        const key = JSON.parse(text.slice(start, end)) as string;
        if (keys.has(key)) return { key, offset: start };
        keys.add(key);
        break;
      }
      case OPEN_BRACE:
        if (depth < MAX_DEPTH) open[depth] = new Set();
        depth++;
        break;
      case OPEN_BRACKET:
        if (depth < MAX_DEPTH) open[depth] = undefined;
        depth++;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
    }
  }
  return undefined;
}

/** The place of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
}
