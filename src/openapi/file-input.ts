/** File handles in the input of a call: `{ "file": name, "mediaType"?, "filename"? }`. */
import { isJsonObject, type Json } from "../json/json.js";
import { invalidInput } from "./invalid-input.js";
import { type MediaType, parseMediaType } from "./media-type.js";

export interface FileInput {
  readonly file: string;
  readonly mediaType: MediaType | undefined;
  /** As it is written, parameters included. */
  readonly mediaTypeText: string | undefined;
  readonly filename: string | undefined;
}

/** `bytes` and `sha256` come with the handle of a download and are of no use here. */
const MEMBERS = ["file", "mediaType", "filename", "bytes", "sha256"];

/** Reads a handle; `undefined` when the value is none. @throws ToolError `InvalidToolInput` for a bad media type. */
export function fileInput(value: Json | undefined, label: string): FileInput | undefined {
  if (!isJsonObject(value) || typeof value["file"] !== "string") return undefined;
  if (!Object.keys(value).every((key) => MEMBERS.includes(key))) return undefined;
  const { mediaType, filename } = value;
  const media = typeof mediaType === "string" ? parseMediaType(mediaType) : undefined;
  if (
    mediaType !== undefined &&
    mediaType !== null &&
    (media === undefined || media.range || /[\0-\x1f\x7f-\uffff]/.test(mediaType as string))
  ) {
    throw invalidInput(`\`${label}.mediaType\` is not a media type: ${JSON.stringify(mediaType)}.`);
  }
  if (filename !== undefined && filename !== null && typeof filename !== "string") {
    throw invalidInput(`\`${label}.filename\` must be a string.`);
  }
  return {
    file: value["file"],
    mediaType: media,
    mediaTypeText: media === undefined ? undefined : (mediaType as string).trim(),
    filename: filename ?? undefined,
  };
}

export const FILE_HINT =
  'Give a file handle, {"file": name}, of a file offered with --file name=path or of an earlier download.';
