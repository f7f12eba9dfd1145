/**
 * JSON text (RFC 8259) with exact integers.
 *
 * `JSON.parse` rounds integers beyond 2^53; identifiers of real APIs are larger. Here such an integer is a BigInt, in
 * both directions, so that its digits survive from a command line or a program to the wire.
 */
import { parse as parseLossless, stringify as stringifyLossless } from "lossless-json";

/** A JSON value. `bigint` stands for an integer that a double cannot hold. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/**
 * An integer long enough to lose digits as a double: no part of a fraction, and no fraction or exponent follows. Also true
 * of digits inside strings: that only costs the slower reader.
 */
const LONG_INTEGER = /(?<![.\d])\d{16,}(?![\d.eE])/;

const INTEGER = /^-?\d+$/;

function exactNumber(text: string): number | bigint {
  const value = Number(text);
  return INTEGER.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

/**
 * Reads JSON text. Integers outside ±(2^53 − 1) become BigInt; everything else is as `JSON.parse` gives it.
 *
 * @throws SyntaxError when the text is not JSON.
 */
export function parseJson(text: string): Json {
  // The built-in reader decides what is JSON: it is the stricter and the faster of the two.
  const value = JSON.parse(text) as Json;
  if (!LONG_INTEGER.test(text)) return value;
  return parseLossless(text, undefined, {
    parseNumber: exactNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  }) as Json;
}

/** Writes JSON text; a BigInt is written as its digits. `undefined` properties are left out. */
export function stringifyJson(value: Json, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // JSON.stringify refuses a BigInt with a TypeError; cycles are excluded by the type.
    if (!(error instanceof TypeError)) throw error;
    return stringifyLossless(value, undefined, indent) ?? "null";
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
