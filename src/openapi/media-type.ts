/**
 * Media types and media ranges (RFC 9110, 8.3.1 and 12.5.1).
 */

export interface MediaType {
  /** Type and subtype in lower case, e.g. `application/json`; a range has `*` for either. */
  readonly essence: string;
  readonly type: string;
  readonly subtype: string;
  /** Lower-case names; quoted values without their quotes. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The subtype is a wildcard; the type may be one too. */
  readonly range: boolean;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PARAMETER =
  /^\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+\-.^_`|~0-9A-Za-z]*))\s*(?:;|$)/;

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Reads a media type or range; `undefined` when the text is none. Unreadable parameters are passed over. */
export function parseMediaType(text: string): MediaType | undefined {
  const semicolon = text.indexOf(";");
  const essence = (semicolon < 0 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  const slash = essence.indexOf("/");
  const type = essence.slice(0, slash);
  const subtype = essence.slice(slash + 1);
  if (slash < 0 || !TOKEN.test(type) || !TOKEN.test(subtype)) return undefined;
  const range = subtype === "*";
  if ((type === "*" && !range) || (type !== "*" && type.includes("*")) || (!range && subtype.includes("*"))) {
    return undefined;
  }
  const parameters = new Map<string, string>();
  let rest = semicolon < 0 ? "" : text.slice(semicolon + 1);
  while (rest.trim() !== "") {
    const match = PARAMETER.exec(rest);
    if (match === null) {
      const next = rest.indexOf(";");
      if (next < 0) break;
      rest = rest.slice(next + 1);
      continue;
    }
    const name = match[1]!.toLowerCase();
    if (!parameters.has(name)) parameters.set(name, match[2]?.replace(/\\(.)/g, "$1") ?? match[3]!);
    rest = rest.slice(match[0].length);
  }
  return { essence, type, subtype, parameters, range };
}

/** Whether a concrete type lies within a range (or equals a type, parameters aside). */
export function withinRange(range: MediaType, concrete: MediaType): boolean {
  if (range.type === "*") return true;
  return range.type === concrete.type && (range.range || range.subtype === concrete.subtype);
}

/** JSON text: `application/json`, `text/json` and every `+json` (RFC 6839, 3.1). */
export function isJson(media: MediaType): boolean {
  return media.essence === "application/json" || media.essence === "text/json" || media.subtype.endsWith("+json");
}

const JSON_LINES = new Set([
  "application/jsonl",
  "application/x-jsonl",
  "application/jsonlines",
  "application/x-jsonlines",
  "application/x-json-lines",
  "application/ndjson",
  "application/x-ndjson",
  "application/stream+json",
  "application/x-json-stream",
  "text/jsonl",
  "text/ndjson",
]);

/** One JSON text a line. */
export function isJsonLines(media: MediaType): boolean {
  return JSON_LINES.has(media.essence);
}

/** JSON text sequences (RFC 7464, RFC 8091). */
export function isJsonSequence(media: MediaType): boolean {
  return media.essence === "application/json-seq" || media.subtype.endsWith("+json-seq");
}

const TEXTUAL_APPLICATION =
  /^(?:xml|xml-dtd|javascript|ecmascript|x-javascript|yaml|x-yaml|toml|graphql|sql|jwt|jose|sparql-query|sparql-update|n-triples|n-quads|trig|x-sh|x-httpd-php|x-pem-file|pem-certificate-chain|rtf|x-tex|x-subrip|pkcs8-encrypted-pem|vnd\.apple\.mpegurl|x-mpegurl)$/;

/** A type whose content is text: `text/*`, XML, and the textual `application/*` types in common use. */
export function isTextual(media: MediaType): boolean {
  return (
    media.type === "text" ||
    /\+(?:xml|yaml|jwt)$/.test(media.subtype) ||
    (media.type === "application" && TEXTUAL_APPLICATION.test(media.subtype)) ||
    media.essence === "image/svg+xml"
  );
}
