/**
 * Percent-encoding (RFC 3986, 2.1) of text as UTF-8, in the variants that OpenAPI uses.
 */

const UNRESERVED = /[A-Za-z0-9\-._~]/;
/** Reserved characters that may stand in a query (RFC 3986, 3.4); `#`, `[` and `]` never may. */
const RESERVED_IN_QUERY = /[:/?@!$&'()*+,;=]/;
/** Reserved characters that may stand in a path segment (RFC 3986, 3.3): `/`, `?` and `#` would end it. */
const RESERVED_IN_SEGMENT = /[:@!$&'()*+,;=]/;
/** What the URL Standard's application/x-www-form-urlencoded serializer leaves alone. */
const FORM_SAFE = /[A-Za-z0-9*\-._]/;

const encoder = new TextEncoder();

function percentEncoded(character: string): string {
  let text = "";
  for (const octet of encoder.encode(character)) text += "%" + octet.toString(16).toUpperCase().padStart(2, "0");
  return text;
}

function encodeExcept(text: string, safe: (character: string) => boolean): string {
  let result = "";
  for (const character of text) result += safe(character) ? character : percentEncoded(character);
  return result;
}

/** Encodes everything outside `unreserved`: simple expansion of RFC 6570, 3.2.2. */
export function encodeUnreserved(text: string): string {
  return encodeExcept(text, (character) => UNRESERVED.test(character));
}

/** As `encodeExcept`, but percent-encoded triplets stay too (RFC 6570, 3.2.3). */
function encodeReserved(text: string, reserved: RegExp): string {
  return text
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((piece, index) =>
      index % 2 === 1
        ? piece
        : encodeExcept(piece, (character) => UNRESERVED.test(character) || reserved.test(character)),
    )
    .join("");
}

/**
 * Reserved expansion (RFC 6570, 3.2.3) for a query or a form: reserved characters and percent-encoded triplets pass,
 * except `#`, `[` and `]`, which RFC 3986 does not allow in a query.
 */
export function encodeReservedInQuery(text: string): string {
  return encodeReserved(text, RESERVED_IN_QUERY);
}

/** Reserved expansion for a path parameter: as for a query, and `/`, `?`, `#` are encoded (Path Templating). */
export function encodeReservedInSegment(text: string): string {
  return encodeReserved(text, RESERVED_IN_SEGMENT);
}

/** A literal of a path template or of a query written into one: what may stand there stays, the rest is encoded. */
export function encodeLiteral(text: string): string {
  return encodeReserved(text, /[:/?@!$&'()*+,;=]/);
}

/** A name or value by the URL Standard's application/x-www-form-urlencoded serializer: a space is `+`. */
export function encodeFormText(text: string): string {
  return encodeExcept(text, (character) => FORM_SAFE.test(character)).replaceAll("%20", "+");
}
