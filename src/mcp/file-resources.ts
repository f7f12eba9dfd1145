/** The files of a store as resources of the server: what calls saved, and what the user offers. */
import type { FileStore } from "../openapi/files.js";
import type { FileResources } from "./execution-observer.js";

const SCHEME = "codemode-file:///";

/** Largest file, in octets, that is given to a client as one message. */
const LARGEST = 16 * 1024 * 1024;

export function fileResources(files: FileStore): FileResources {
  const uri = (name: string): string => SCHEME + encodeURIComponent(name);
  return {
    uri,
    list: async () => files.names().map((name) => ({ uri: uri(name), name })),
    read: async (asked) => {
      const name = files.names().find((known) => uri(known) === asked);
      if (name === undefined) return undefined;
      const file = await files.get(name);
      if (file.size > LARGEST) return undefined;
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.open()) chunks.push(chunk);
      const blob = Buffer.concat(chunks).toString("base64");
      return { uri: asked, blob, ...(file.mediaType === undefined ? {} : { mimeType: file.mediaType }) };
    },
  };
}
