/** application/x-www-form-urlencoded (URL Standard §5): a query string to a list of pairs, and back. */
import { encodeUtf8 } from "./utf-8.js";

export type Pair = [name: string, value: string];

/** Decodes bytes as UTF-8, malformed sequences as U+FFFD, no byte order mark removed. */
export type DecodeUtf8 = (bytes: Uint8Array) => string;

const HEX = "0123456789ABCDEF";
const UNRESERVED = /^[\w*.-]*$/;

/** The application/x-www-form-urlencoded parser. */
export function parseForm(query: string, decodeUtf8: DecodeUtf8): Pair[] {
  const pairs: Pair[] = [];
  for (const sequence of query.split("&")) {
    if (sequence === "") continue;
    const equals = sequence.indexOf("=");
    const name = equals < 0 ? sequence : sequence.slice(0, equals);
    const value = equals < 0 ? "" : sequence.slice(equals + 1);
    pairs.push([decodePart(name, decodeUtf8), decodePart(value, decodeUtf8)]);
  }
  return pairs;
}

/** The application/x-www-form-urlencoded serializer. */
export function serializeForm(pairs: readonly Pair[]): string {
  let out = "";
  for (let i = 0; i < pairs.length; i++) {
    const [name, value] = pairs[i]!;
    if (i > 0) out += "&";
    out += `${encodePart(name)}=${encodePart(value)}`;
  }
  return out;
}

function decodePart(text: string, decodeUtf8: DecodeUtf8): string {
  const spaced = text.replaceAll("+", " ");
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // A stray percent sign or malformed UTF-8: both are allowed here.
    return decodeUtf8(percentDecode(encodeUtf8(spaced)));
  }
}

function percentDecode(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const high = bytes[i] === 0x25 ? hexDigit(bytes[i + 1]) : -1;
    const low = high < 0 ? -1 : hexDigit(bytes[i + 2]);
    if (low < 0) {
      out[length++] = bytes[i]!;
    } else {
      out[length++] = high * 16 + low;
      i += 2;
    }
  }
  return out.slice(0, length);
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Percent-encodes with the application/x-www-form-urlencoded percent-encode set, space as plus. */
function encodePart(text: string): string {
  if (UNRESERVED.test(text)) return text;
  let out = "";
  for (const byte of encodeUtf8(text)) {
    const character = String.fromCharCode(byte);
    if (byte === 0x20) out += "+";
    else if (byte < 0x80 && UNRESERVED.test(character)) out += character;
    else out += `%${HEX[byte >> 4]}${HEX[byte & 15]}`;
  }
  return out;
}
