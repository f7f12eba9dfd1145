/**
 * One value of a form as a text or a file with a media type of its own.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#encoding-object
 */
import { type Json, stringifyJson } from "../json/json.js";
import { describeScalars, type ScalarType } from "./accepted-values.js";
import type { ContentField, FieldValue } from "./encoding-object.js";
import { FILE_HINT, type FileInput, fileInput } from "./file-input.js";
import type { FileStore, StoredFile } from "./files.js";
import { describeValue, invalidInput } from "./invalid-input.js";
import { isJson, isTextual, type MediaType, withinRange } from "./media-type.js";
import { scalarText, wellFormed } from "./style.js";

/** What stands in one field. */
export interface FieldContent {
  /** Without a charset. */
  readonly mediaType: string;
  readonly content: string | StoredFile;
  /** The name of a file; `undefined` for text. */
  readonly filename: string | undefined;
}

/** Each value of a property: the items of a list, or the one value. Null is absent. */
export function fieldValues(
  field: ContentField,
  value: Json,
  label: string,
): readonly (readonly [FieldValue, Json, string])[] {
  if (value === null) return [];
  if (Array.isArray(value) && field.items !== undefined) {
    const { items } = field;
    return value.flatMap((item, index) => (item === null ? [] : [[items, item, `${label}[${index}]`] as const]));
  }
  if (field.single === undefined) throw invalidInput(`\`${label}\` must be a list, not ${describeValue(value)}.`);
  return [[field.single, value, label]];
}

/** The content of one value. @throws ToolError `InvalidToolInput` */
export async function fieldContent(
  field: ContentField,
  accepts: FieldValue,
  value: Json,
  label: string,
  files: FileStore,
): Promise<FieldContent> {
  const file = accepts.file === undefined ? undefined : fileInput(value, label);
  if (file !== undefined) return fileContent(field, accepts, file, label, files);
  const structured = typeof value === "object" && value !== null;
  if (field.contentTypes.length > 0) {
    const media = chooseType(field.contentTypes, structured);
    if (media === undefined) {
      throw invalidInput(
        `\`${label}\` must be a file of type ${typesText(field)}, not ${describeValue(value)}.`,
        FILE_HINT,
      );
    }
    if (isJson(media)) return { mediaType: media.essence, content: stringifyJson(value), filename: undefined };
    if (!isTextual(media) && accepts.file === "raw") {
      throw invalidInput(`\`${label}\` must be a file, not ${describeValue(value)}.`, FILE_HINT);
    }
    return { mediaType: media.essence, content: text(value, accepts.scalar, accepts, label), filename: undefined };
  }
  if (structured) {
    if (!accepts.structured) throw wrong(value, accepts, label);
    return { mediaType: "application/json", content: stringifyJson(value), filename: undefined };
  }
  // Text that stands for octets is of no known type.
  const mediaType =
    accepts.file === "base64" || accepts.file === "base64url" ? "application/octet-stream" : "text/plain";
  return { mediaType, content: text(value, accepts.scalar, accepts, label), filename: undefined };
}

function text(value: Json, types: readonly ScalarType[], accepts: FieldValue, label: string): string {
  const found = scalarText(value, types);
  if (found === undefined) throw wrong(value, accepts, label);
  return wellFormed(found, label);
}

function wrong(value: Json, accepts: FieldValue, label: string): Error {
  const wanted = [
    ...(accepts.scalar.length > 0 ? [describeScalars(accepts.scalar)] : []),
    ...(accepts.structured ? ["an object"] : []),
    ...(accepts.file === "raw" ? ["a file"] : []),
  ].join(" or ");
  return invalidInput(
    `\`${label}\` must be ${wanted}, not ${describeValue(value)}.`,
    accepts.file === "raw" ? FILE_HINT : undefined,
  );
}

/** Of several declared types the one that can write a value which is no file. */
function chooseType(types: readonly MediaType[], structured: boolean): MediaType | undefined {
  const concrete = types.filter((type) => !type.range);
  const json = concrete.find(isJson);
  if (structured) return json ?? (concrete.length === 1 ? concrete[0] : undefined);
  return concrete.length === 1 ? concrete[0] : (concrete.find(isTextual) ?? json);
}

const typesText = (field: ContentField): string => field.contentTypes.map((type) => type.essence).join(" or ");

async function fileContent(
  field: ContentField,
  accepts: FieldValue,
  input: FileInput,
  label: string,
  files: FileStore,
): Promise<FieldContent> {
  const stored = await files.get(input.file);
  if (accepts.file !== "raw") {
    const variant = accepts.file === "base64url" ? "base64url" : "base64";
    const content = await base64Of(stored, variant);
    const [declared] = field.contentTypes;
    return {
      mediaType: declared !== undefined && !declared.range ? declared.essence : "application/octet-stream",
      content,
      filename: undefined,
    };
  }
  const filename = input.filename ?? stored.filename;
  const given = input.mediaTypeText ?? stored.mediaType;
  const [first] = field.contentTypes;
  if (first === undefined) {
    return { mediaType: given ?? accepts.mediaType?.essence ?? "application/octet-stream", content: stored, filename };
  }
  // One declared type leaves no choice; of several or a range the file must say which.
  if (field.contentTypes.length === 1 && !first.range) return { mediaType: first.essence, content: stored, filename };
  const media = input.mediaType;
  if (media !== undefined && field.contentTypes.some((type) => withinRange(type, media))) {
    return { mediaType: given!, content: stored, filename };
  }
  throw invalidInput(
    `\`${label}\` must say which type the file has, one of ${typesText(field)}.`,
    `Add "mediaType" to the file handle.`,
  );
}

/** A file's octets as base64 text. */
export async function base64Of(file: StoredFile, variant: "base64" | "base64url"): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.open()) chunks.push(chunk);
  const encoded = Buffer.concat(chunks).toString("base64");
  // "It may be more interoperable to keep the padding."
  return variant === "base64" ? encoded : encoded.replaceAll("+", "-").replaceAll("/", "_");
}
