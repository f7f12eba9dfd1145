/** Field names and values (RFC 9110, 5.1 and 5.5) and cookies (RFC 6265, 4.1.1 and 4.2.1), as a client may send them. */
import { invalidInput } from "./invalid-input.js";
import { isToken } from "./media-type.js";

/**
 * Fields that belong to the connection or to the framing of the message (RFC 9110, 7.6.1; RFC 9112), or that the transport
 * must set itself. A document cannot hand them to a caller.
 */
const TRANSPORT_FIELDS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export function isTransportField(name: string): boolean {
  return TRANSPORT_FIELDS.has(name.toLowerCase());
}

export const isFieldName = isToken;

/**
 * Checks that a text can be a field value and arrive as it is.
 *
 * @throws ToolError `InvalidToolInput`
 */
export function fieldValue(text: string, label: string): string {
  // RFC 9110, 5.5: CR, LF and NUL are dangerous; other control characters are invalid; a tab may stand inside.
  if (/[\0\r\n]/.test(text)) {
    throw invalidInput(`\`${label}\` contains a line break or NUL, which no header field can carry.`);
  }
  if (/[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) {
    throw invalidInput(`\`${label}\` contains a control character, which no header field can carry.`);
  }
  if (/[^\x00-\x7f]/.test(text)) {
    throw invalidInput(
      `\`${label}\` contains a character outside US-ASCII: header fields have no defined encoding for it.`,
      "Write the value in the escaped form that the API expects, e.g. percent-encoded or base64.",
    );
  }
  if (/^[ \t]|[ \t]$/.test(text)) {
    throw invalidInput(`\`${label}\` begins or ends with white space, which a header field does not keep.`);
  }
  return text;
}

/**
 * Checks an item of a list in a field: a comma outside quotes would make two items of it.
 *
 * @throws ToolError `InvalidToolInput`
 */
export function listItem(text: string, label: string): string {
  if (text.replace(/"(?:[^"\\]|\\.)*"/g, "").includes(",")) {
    throw invalidInput(
      `An item of \`${label}\` contains a comma, which separates the items: ${JSON.stringify(text)}.`,
      "Quote the item as the API expects it.",
    );
  }
  return text;
}

/**
 * Checks that a text is a cookie value (RFC 6265, 4.1.1) as it stands: octets of US-ASCII without white space, double
 * quotes inside, commas, semicolons and backslashes.
 *
 * @throws ToolError `InvalidToolInput`
 */
export function cookieValue(text: string, label: string): string {
  if (!/^(?:"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*"|[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*)$/.test(text)) {
    throw invalidInput(
      `\`${label}\` contains a character that a cookie cannot carry: ${JSON.stringify(text)}.`,
      "Write the value in the escaped form that the API expects, e.g. percent-encoded or base64.",
    );
  }
  return text;
}
