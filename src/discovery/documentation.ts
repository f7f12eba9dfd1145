/** JSDoc from JSON Schema: the description and what a type cannot say. */

type SchemaObject = Readonly<Record<string, unknown>>;

const LONGEST = 1200;

/** Keywords whose value goes behind a tag as it stands. */
const TAGS = [
  "format",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "contentMediaType",
  "contentEncoding",
] as const;

/** The lines of a comment on a schema; none when there is nothing to say. */
export function schemaDocumentation(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const one = schema as SchemaObject;
  const lines = textLines(one["description"] ?? one["title"]);
  for (const keyword of TAGS) {
    const value = one[keyword];
    if (typeof value === "string" || typeof value === "number" || typeof value === "bigint")
      lines.push(`@${keyword} ${oneLine(value)}`);
  }
  if (one["uniqueItems"] === true) lines.push("@uniqueItems");
  if (one["default"] !== undefined) lines.push(`@default ${literal(one["default"])}`);
  if (one["deprecated"] === true) lines.push("@deprecated");
  return lines;
}

/** A description as comment lines, bounded in size. */
export function textLines(text: unknown): string[] {
  if (typeof text !== "string") return [];
  const bounded = text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text;
  const lines = bounded.split(/\r\n?|\n|\u2028|\u2029/).map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  while (lines[0] === "") lines.shift();
  return lines;
}

/** A comment with its indentation and a line break at the end; empty for no lines. */
export function comment(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return "";
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"));
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

const oneLine = (value: unknown): string => String(value).replace(/\s+/g, " ");

function literal(value: unknown): string {
  const text = JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)) ?? "undefined";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
