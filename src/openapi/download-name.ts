/** The name of a downloaded file: what the server suggests (RFC 6266), else the end of its URL. */
import type { MediaType } from "./media-type.js";

const EXTENSIONS: Readonly<Record<string, string>> = {
  "application/gzip": ".gz",
  "application/pdf": ".pdf",
  "application/zip": ".zip",
  "application/octet-stream": ".bin",
  "audio/mpeg": ".mp3",
  "audio/wav": ".wav",
  "image/gif": ".gif",
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/webp": ".webp",
  "video/mp4": ".mp4",
};

export function downloadName(disposition: string | undefined, url: string, media: MediaType | undefined): string {
  return fromDisposition(disposition ?? "") ?? fromUrl(url, media);
}

function fromDisposition(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*(utf-8|iso-8859-1)'[^']*'([^;\s]+)/i.exec(disposition);
  if (extended !== null) {
    const octets = extended[2]!.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return Buffer.from(octets, "latin1").toString(extended[1]!.toLowerCase() === "utf-8" ? "utf8" : "latin1");
  }
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  return plain === null ? undefined : (plain[1]?.replace(/\\(.)/g, "$1") ?? plain[2]);
}

function fromUrl(url: string, media: MediaType | undefined): string {
  let last = "";
  try {
    last = decodeURIComponent(new URL(url).pathname.split("/").findLast((segment) => segment !== "") ?? "");
  } catch {
    // A path that is no percent-encoding names nothing.
  }
  const name = last === "" ? "download" : last;
  return /\.[A-Za-z0-9]{1,8}$/.test(name) ? name : name + (EXTENSIONS[media?.essence ?? ""] ?? "");
}
