/**
 * Keys of the Paths Object as URI templates.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#path-templating
 */
import { encodeLiteral } from "./percent-encoding.js";

export interface PathTemplate {
  /** Literals (percent-encoded) and expression names, in turn: literal first. */
  readonly pieces: readonly (string | { readonly expression: string })[];
  /** A query written into the key, percent-encoded, without `?`; a fragment is never sent (RFC 3986, 3.5). */
  readonly query: string;
}

/** The template of a key, which is appended to the server's URL: what follows `?` is a query, what follows `#` a fragment. */
export function parsePathTemplate(key: string): PathTemplate {
  // Braces first: an expression's name may contain any character but braces.
  const parts = key.split(/\{([^{}]+)\}/);
  const pieces: (string | { readonly expression: string })[] = [];
  let query = "";
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) {
      pieces.push({ expression: part });
      continue;
    }
    const end = /[?#]/.exec(part)?.index ?? -1;
    if (end < 0) {
      if (part !== "") pieces.push(encodeLiteral(part));
      continue;
    }
    if (end > 0) pieces.push(encodeLiteral(part.slice(0, end)));
    const rest = parts.slice(index + 1).reduce((text, next, at) => text + (at % 2 === 0 ? `{${next}}` : next), part.slice(end));
    query = rest.startsWith("?") ? (rest.slice(1).split("#")[0] as string) : "";
    break;
  }
  return { pieces, query };
}

/** The names of the expressions in the path. */
export function expressionsOf(template: PathTemplate): readonly string[] {
  return template.pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.expression]));
}
