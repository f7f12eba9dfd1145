/** Octets as text, by the charset of their media type (Encoding Standard). */
import { TextDecoder } from "node:util";
import type { MediaType } from "./media-type.js";

export interface DecodedText {
  readonly text: string;
  /** Set when octets were no characters of the charset and became U+FFFD. */
  readonly damaged: boolean;
}

/** What windows-1252 (which the names of Latin-1 and US-ASCII stand for) has at 0x80 to 0x9f. */
const WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Decodes octets; a byte order mark goes. Without a charset they are UTF-8. `undefined` for a charset that is not known. */
export function decodeText(octets: Uint8Array, media: MediaType | undefined): DecodedText | undefined {
  const label = media?.parameters.get("charset") ?? "utf-8";
  let strict: InstanceType<typeof TextDecoder>;
  try {
    strict = new TextDecoder(label, { fatal: true });
  } catch {
    return undefined;
  }
  // Some versions of Node.js decode windows-1252 as Latin-1.
  if (strict.encoding === "windows-1252") {
    const text = Buffer.from(octets).toString("latin1");
    const replaced = text.replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]!);
    return { text: replaced, damaged: false };
  }
  try {
    return { text: strict.decode(octets), damaged: false };
  } catch {
    return { text: new TextDecoder(label).decode(octets), damaged: true };
  }
}
