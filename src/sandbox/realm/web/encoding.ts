/** `TextEncoder` and `TextDecoder` (Encoding Standard §7). */
import type { Bridge } from "../bridge.js";
import type { Limits } from "../limits.js";
import { copyBytes, isUint8Array } from "./bytes.js";
import { encodeUtf8, encodeUtf8Into } from "./utf-8.js";

export function createEncoding(bridge: Bridge, limits: Limits) {
  let streams = 0;

  class TextEncoder {
    // A brand: methods of the prototype refuse other objects.
    #encoding = "utf-8";

    get encoding(): string {
      return this.#encoding;
    }

    encode(input: unknown = ""): Uint8Array {
      this.#encoding;
      const text = `${input}`;
      limits.chargeBytes(text.length * 4, "TextEncoder.encode");
      return encodeUtf8(text);
    }

    encodeInto(source: unknown, destination: unknown): { read: number; written: number } {
      this.#encoding;
      const text = `${source}`;
      if (!isUint8Array(destination))
        throw new TypeError("TextEncoder.encodeInto: the destination must be a Uint8Array.");
      return encodeUtf8Into(text, destination);
    }

    get [Symbol.toStringTag](): string {
      return "TextEncoder";
    }
  }

  class TextDecoder {
    #encoding: string;
    #fatal: boolean;
    #ignoreBOM: boolean;
    /** Names the decoder on the other side of the bridge while a stream goes on; 0 for none. */
    #stream = 0;

    constructor(label: unknown = "utf-8", options: unknown = undefined) {
      const text = `${label}`;
      const name = bridge.encodingName(text);
      if (name === undefined) {
        const error = new RangeError(`The encoding ${JSON.stringify(text)} is not supported.`);
        throw Object.assign(error, { code: "ERR_ENCODING_NOT_SUPPORTED" });
      }
      const settings = dictionary(options, "TextDecoder");
      this.#encoding = name;
      this.#fatal = Boolean(settings["fatal"]);
      this.#ignoreBOM = Boolean(settings["ignoreBOM"]);
    }

    get encoding(): string {
      return this.#encoding;
    }

    get fatal(): boolean {
      return this.#fatal;
    }

    get ignoreBOM(): boolean {
      return this.#ignoreBOM;
    }

    decode(input: unknown = undefined, options: unknown = undefined): string {
      this.#encoding;
      const bytes =
        input === undefined
          ? new Uint8Array(0)
          : copyBytes(input, (size) => limits.chargeBytes(size * 3, "TextDecoder.decode"));
      if (bytes === undefined)
        throw new TypeError("TextDecoder.decode: the input must be an ArrayBuffer or a view of one.");
      const more = Boolean(dictionary(options, "TextDecoder.decode")["stream"]);
      if (more && this.#stream === 0) this.#stream = ++streams;
      const text = bridge.decodeText(this.#encoding, this.#fatal, this.#ignoreBOM, bytes, this.#stream, more);
      if (!more) this.#stream = 0;
      if (text === undefined) {
        const error = new TypeError(`The encoded data was not valid for encoding ${this.#encoding}.`);
        throw Object.assign(error, { code: "ERR_ENCODING_INVALID_ENCODED_DATA" });
      }
      return text;
    }

    get [Symbol.toStringTag](): string {
      return "TextDecoder";
    }
  }

  return { TextEncoder, TextDecoder };
}

/** A Web IDL dictionary argument: absent members are `undefined`. */
function dictionary(value: unknown, where: string): Record<string, unknown> {
  if (value === undefined || value === null) return Object.create(null);
  if (typeof value !== "object" && typeof value !== "function")
    throw new TypeError(`${where}: the options must be an object.`);
  return value as Record<string, unknown>;
}
