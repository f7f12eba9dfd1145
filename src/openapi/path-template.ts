/**
 * Keys of the Paths Object as URI templates.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#path-templating
 */
import { encodeLiteral } from "./percent-encoding.js";

/** A literal, percent-encoded, or an expression. */
export type TemplatePiece = string | { readonly expression: string };

export interface PathTemplate {
  readonly path: readonly TemplatePiece[];
  /** Pairs of a query written into the key, each with its name as written. */
  readonly query: readonly { readonly name: string; readonly pieces: readonly TemplatePiece[] }[];
}

/**
 * The template of a key, which is appended to the server's URL. To the letter a key is a path; where documents write more,
 * it is read as the URL that it makes: what follows `?` is a query, what follows `#` is a fragment and never sent (RFC 3986,
 * 3.5).
 */
export function parsePathTemplate(key: string): PathTemplate {
  const [, path = "", query = ""] = /^((?:\{[^{}]*\}|[^?#])*)(?:\?((?:\{[^{}]*\}|[^#])*))?/.exec(key) ?? [];
  return {
    path: parsePieces(path),
    query: query
      .split("&")
      .filter((pair) => pair !== "")
      .map((pair) => ({ name: pair.split("=")[0] as string, pieces: parsePieces(pair) })),
  };
}

/** An expression's name may contain any character but braces. */
function parsePieces(text: string): TemplatePiece[] {
  return text
    .split(/\{([^{}]+)\}/)
    .map((part, index) => (index % 2 === 1 ? { expression: part } : encodeLiteral(part)))
    .filter((piece) => piece !== "");
}

/** The names of the expressions among pieces. */
export function expressionsIn(pieces: readonly TemplatePiece[]): readonly string[] {
  return pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.expression]));
}
