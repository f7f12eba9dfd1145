/** How strings, symbols and property keys are written in inspected values. */

const IDENTIFIER = /^[$_\p{ID_Start}](?:[$\p{ID_Continue}]|\u200c|\u200d)*$/u;
const ESCAPED =
  /[\x00-\x1f\x7f-\x9f\\\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const SHORT: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
  "\v": "\\v",
  "\\": "\\\\",
};

function escapeUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  return (
    SHORT[unit] ??
    (code < 256 ? `\\x${code.toString(16).toUpperCase().padStart(2, "0")}` : `\\u${code.toString(16).toUpperCase()}`)
  );
}

/** A string literal, in the quotes that need the least escaping: single, else double, else backticks. */
export function quote(text: string): string {
  const mark = !text.includes("'")
    ? "'"
    : !text.includes('"')
      ? '"'
      : !text.includes("`") && !text.includes("${")
        ? "`"
        : "'";
  const body = text.replace(ESCAPED, escapeUnit);
  return mark + (mark === "'" ? body.replaceAll("'", "\\'") : body) + mark;
}

export function symbolText(symbol: symbol): string {
  return `Symbol(${symbol.description ?? ""})`;
}

/** A property key as in an object literal. */
export function keyText(key: PropertyKey): string {
  if (typeof key === "symbol") return `[${symbolText(key)}]`;
  const text = `${key as string}`;
  return text.length < 200 && IDENTIFIER.test(text) ? text : quote(text);
}
