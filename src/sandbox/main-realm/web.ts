/** The web platform's parsers, which the realm borrows from Node: URLs and text encodings. Nothing here throws. */
import { TextDecoder } from "node:util";
import type { Bridge } from "../realm/bridge.js";

const URL_PARTS = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

function record(url: URL): string {
  return JSON.stringify(Object.fromEntries(URL_PARTS.map((part) => [part, url[part]])));
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Decoders in the middle of a stream, by the number that the realm gave them. */
const decoders = new Map<number, TextDecoder>();

export const web: Pick<Bridge, "parseUrl" | "setUrlPart" | "encodingName" | "decodeText"> = {
  parseUrl: (input, base) => attempt(() => record(new URL(input, base))),

  setUrlPart: (href, part, value) =>
    attempt(() => {
      const settable = URL_PARTS.find((one) => one === part && one !== "origin");
      if (settable === undefined) return undefined;
      const url = new URL(href);
      (url as Record<typeof settable, string>)[settable] = value;
      return record(url);
    }),

  encodingName: (label) => attempt(() => new TextDecoder(label).encoding),

  decodeText: (label, fatal, ignoreBOM, bytes, stream, more) =>
    attempt(() => {
      const decoder = decoders.get(stream) ?? new TextDecoder(label, { fatal, ignoreBOM });
      decoders.delete(stream);
      const text = decoder.decode(bytes, { stream: more });
      if (more) decoders.set(stream, decoder);
      return text;
    }),
};

/** Forgets what an ended execution left behind. */
export function resetWeb(): void {
  decoders.clear();
}
