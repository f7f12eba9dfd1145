/** `atob` and `btoa` (HTML §8.3): forgiving base64 over strings whose code units are bytes. */
import type { Limits } from "../limits.js";
import { DOMException } from "./dom-exception.js";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Code unit → value of the digit; 255 for anything else. */
const VALUES = new Uint8Array(128).fill(255);
for (let i = 0; i < 64; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

/** Appended in pieces: one code unit at a time would make a rope as deep as the text is long. */
const PIECE = 8192;

export function createBase64(limits: Limits) {
  return {
    btoa(data: unknown): string {
      if (arguments.length === 0) throw new TypeError("btoa: 1 argument required, but only 0 present.");
      const text = `${data}`;
      limits.chargeBytes(text.length * 2, "btoa");
      let out = "";
      let piece = "";
      for (let i = 0; i < text.length; i += 3) {
        const rest = text.length - i;
        const a = text.charCodeAt(i);
        const b = rest > 1 ? text.charCodeAt(i + 1) : 0;
        const c = rest > 2 ? text.charCodeAt(i + 2) : 0;
        if ((a | b | c) > 255) {
          throw new DOMException("btoa: the string has characters outside Latin-1.", "InvalidCharacterError");
        }
        piece +=
          ALPHABET[a >> 2]! +
          ALPHABET[((a & 3) << 4) | (b >> 4)] +
          (rest > 1 ? ALPHABET[((b & 15) << 2) | (c >> 6)] : "=") +
          (rest > 2 ? ALPHABET[c & 63] : "=");
        if (piece.length >= PIECE) {
          out += piece;
          piece = "";
          limits.check();
        }
      }
      return out + piece;
    },

    atob(data: unknown): string {
      if (arguments.length === 0) throw new TypeError("atob: 1 argument required, but only 0 present.");
      const input = `${data}`;
      limits.chargeBytes(input.length, "atob");
      let text = input.replace(/[\t\n\f\r ]+/g, "");
      if (text.length % 4 === 0) text = text.replace(/={1,2}$/, "");
      const fail = (): never => {
        throw new DOMException("atob: the string is not correctly encoded base64.", "InvalidCharacterError");
      };
      if (text.length % 4 === 1) fail();
      let out = "";
      let piece = "";
      let bits = 0;
      let count = 0;
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        const value = unit < 128 ? VALUES[unit]! : 255;
        if (value === 255) fail();
        bits = ((bits << 6) | value) & 0xffffff;
        count += 6;
        if (count >= 8) {
          count -= 8;
          piece += String.fromCharCode((bits >> count) & 255);
          if (piece.length >= PIECE) {
            out += piece;
            piece = "";
            limits.check();
          }
        }
      }
      return out + piece;
    },
  };
}
