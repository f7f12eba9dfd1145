/** Octets as text, by the charset of their media type. */
import { TextDecoder } from "node:util";
import type { MediaType } from "./media-type.js";

export interface DecodedText {
  readonly text: string;
  /** Set when octets were no characters of the charset and became U+FFFD. */
  readonly damaged: boolean;
}

/** A decoder for a media type: its charset, else UTF-8. `undefined` for a charset that is not known. */
export function decoderOf(media: MediaType | undefined, fatal = false): TextDecoder | undefined {
  const label = media?.parameters.get("charset") ?? "utf-8";
  try {
    return new TextDecoder(label, { fatal });
  } catch {
    return undefined;
  }
}

/** Decodes octets; a byte order mark goes. `undefined` for a charset that is not known. */
export function decodeText(octets: Uint8Array, media: MediaType | undefined): DecodedText | undefined {
  const strict = decoderOf(media, true);
  if (strict === undefined) return undefined;
  try {
    return { text: strict.decode(octets), damaged: false };
  } catch {
    return { text: decoderOf(media)!.decode(octets), damaged: true };
  }
}
