/** `multipart/form-data` (RFC 7578), from an object and its plan. */
import { randomBytes } from "node:crypto";
import type { RequestBody } from "../http/message.js";
import type { JsonObject } from "../json/json.js";
import type { FileStore, StoredFile } from "./files.js";
import { type FieldContent, fieldContent, fieldValues } from "./form-field.js";
import { fieldOf } from "./form-urlencoded.js";
import type { FormPlan } from "./media-type-object.js";
import { stylePairs, wellFormed } from "./style.js";

interface Part extends FieldContent {
  readonly name: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface MultipartBody {
  readonly boundary: string;
  readonly body: RequestBody;
}

const AS_IS = { name: (text: string) => text, value: (text: string) => text, uri: false };

/**
 * @param label How messages call a property.
 * @throws ToolError `InvalidToolInput`
 */
export async function encodeMultipart(
  form: FormPlan,
  value: JsonObject,
  label: (property: string) => string,
  files: FileStore,
): Promise<MultipartBody> {
  const parts: Part[] = [];
  for (const [name, member] of Object.entries(value)) {
    wellFormed(name, label(name));
    const field = fieldOf(form, name, label(name));
    if (field.kind === "style") {
      // Appendix C: names and values as for a query, without percent-encoding.
      for (const [key, text] of stylePairs({ ...field.rule, name }, member, AS_IS, label(name)) ?? []) {
        parts.push({ name: key, mediaType: "text/plain", content: text, filename: undefined, headers: field.headers });
      }
      continue;
    }
    for (const [accepts, item, itemLabel] of fieldValues(field, member, label(name))) {
      parts.push({ name, headers: field.headers, ...(await fieldContent(field, accepts, item, itemLabel, files)) });
    }
  }
  // 144 random bits: that they occur in a part is not to be expected.
  const boundary = `codemode-${randomBytes(18).toString("base64url")}`;
  return { boundary, body: bodyOf(parts, boundary) };
}

function bodyOf(parts: readonly Part[], boundary: string): RequestBody {
  const segments: (Uint8Array | StoredFile)[] = [];
  for (const part of parts) {
    segments.push(Buffer.from(`--${boundary}\r\n${headerOf(part)}\r\n`));
    segments.push(typeof part.content === "string" ? Buffer.from(part.content) : part.content, Buffer.from("\r\n"));
  }
  segments.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    length: segments.reduce((sum, segment) => sum + ("open" in segment ? segment.size : segment.byteLength), 0),
    open: () => concatenated(segments),
  };
}

async function* concatenated(segments: readonly (Uint8Array | StoredFile)[]): AsyncGenerator<Uint8Array> {
  for (const segment of segments) {
    if ("open" in segment) yield* segment.open();
    else yield segment;
  }
}

function headerOf(part: Part): string {
  const filename = part.filename === undefined ? "" : `; filename=${quoted(part.filename)}`;
  const nonAscii = typeof part.content === "string" && /[^\x00-\x7f]/.test(part.content);
  const charset = nonAscii && part.mediaType.startsWith("text/") ? "; charset=utf-8" : "";
  const lines = [
    `Content-Disposition: form-data; name=${quoted(part.name)}${filename}`,
    `Content-Type: ${part.mediaType}${charset}`,
    ...part.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return lines.map((line) => `${line}\r\n`).join("");
}

/** As browsers write it (HTML, multipart/form-data encoding; RFC 7578, 5.1): UTF-8, quotes and line breaks escaped. */
function quoted(text: string): string {
  return `"${text.replace(/"/g, "%22").replace(/\r/g, "%0D").replace(/\n/g, "%0A")}"`;
}
