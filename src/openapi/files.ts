/**
 * Files that a program knows by name only: those the user offers for upload, and what was downloaded before. Their octets
 * stay with the host.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ToolError } from "../codemode/tool-error.js";
import type { JsonObject } from "../json/json.js";

/** A file that can be sent. */
export interface StoredFile {
  /** Octets. */
  readonly size: number;
  /** What is known of its type: for a download, the type the server gave. */
  readonly mediaType: string | undefined;
  /** The name to give to a server. */
  readonly filename: string;
  /** Its octets from the start, each time. */
  open(): AsyncIterable<Uint8Array>;
}

/** What a program sees of a download: a JSON object of this shape. */
export interface FileHandle extends JsonObject {
  file: string;
  mediaType: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** The files that programs may name: those to upload, and downloads. */
export interface FileStore {
  /** The file of a name. @throws ToolError `InvalidToolInput` when there is none. */
  get(name: string): Promise<StoredFile>;
  /** Keeps octets under a name made from `suggested`; two downloads never share one. */
  save(suggested: string, mediaType: string, body: AsyncIterable<Uint8Array>): Promise<FileHandle>;
  /** Makes one more file available for upload; gives its name, which is the path's last segment or made from it. */
  offer(path: string): string;
  /** Names of all files that a program may use. */
  names(): readonly string[];
}

/** What a store of files on disk is made with. */
export interface FileStoreOptions {
  /** Files for upload: paths by name. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Where downloads go; made when the first one comes. Default: a new folder for temporary files. */
  readonly directory?: string | undefined;
}

/** Files on the host's disk. */
export function makeFileStore(options: FileStoreOptions = {}): FileStore {
  const known = new Map<string, { readonly path: string; readonly mediaType: string | undefined }>(
    Object.entries(options.files ?? {}).map(([name, path]) => [name, { path, mediaType: undefined }]),
  );
  let directory: Promise<string> | undefined;
  const folder = async (): Promise<string> => {
    if (options.directory === undefined) return mkdtemp(join(tmpdir(), "codemode-openapi-"));
    await mkdir(options.directory, { recursive: true });
    return options.directory;
  };

  return {
    names: () => [...known.keys()],
    offer(path) {
      const name = freeName(basename(path), (taken) => known.has(taken));
      known.set(name, { path, mediaType: undefined });
      return name;
    },
    async get(name) {
      const found = known.get(name);
      if (found === undefined) {
        const names = [...known.keys()].map((known) => JSON.stringify(known)).join(", ");
        throw new ToolError(`There is no file ${JSON.stringify(name)}.`, {
          kind: "InvalidToolInput",
          hint:
            names === ""
              ? "Offer files with --file name=path."
              : `The files are ${names}; offer more with --file name=path.`,
        });
      }
      try {
        const status = await stat(found.path);
        if (!status.isFile()) throw new Error("not a regular file");
        return {
          size: status.size,
          mediaType: found.mediaType,
          filename: basename(found.path),
          open: () => createReadStream(found.path),
        };
      } catch (cause) {
        throw new ToolError(`The file ${JSON.stringify(name)} cannot be read.`, { kind: "InvalidToolInput", cause });
      }
    },
    async save(suggested, mediaType, body) {
      const into = await (directory ??= folder());
      const name = freeName(safeName(suggested), (taken) => known.has(taken) || existsSync(join(into, taken)));
      const path = join(into, name);
      // Taken before the first octet, so that downloads at the same time get names of their own.
      known.set(name, { path, mediaType });
      const hash = createHash("sha256");
      let bytes = 0;
      const counted = async function* (): AsyncGenerator<Uint8Array> {
        for await (const chunk of body) {
          hash.update(chunk);
          bytes += chunk.byteLength;
          yield chunk;
        }
      };
      try {
        await pipeline(Readable.from(counted(), { objectMode: false }), createWriteStream(path, { flags: "wx" }));
      } catch (error) {
        known.delete(name);
        await rm(path, { force: true });
        if (error instanceof ToolError) throw error;
        throw new ToolError("The answer could not be saved as a file.", { cause: error });
      }
      return { file: name, mediaType, bytes, sha256: hash.digest("hex") };
    },
  };
}

/** A name that is one segment of a path on any system, and never hidden. */
function safeName(suggested: string): string {
  const last = suggested.split(/[/\\]/).pop() ?? "";
  const name = last
    .replace(/[\x00-\x1f\x7f<>:"|?*]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "")
    .slice(-120);
  return name === "" ? "download" : name;
}

/** Never the name of a file that is already there: a server's suggestion must not overwrite what the user has. */
function freeName(name: string, taken: (name: string) => boolean): string {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  let free = name;
  for (let count = 2; taken(free); count++) free = `${stem}-${count}${extension}`;
  return free;
}
