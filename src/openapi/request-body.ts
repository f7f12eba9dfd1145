/** The body of a request, from the inputs of a call and the plan of the Request Body Object. */
import { bytesBody, type RequestBody } from "../http/message.js";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../json/json.js";
import { describeScalars } from "./accepted-values.js";
import { DocumentFault } from "./document.js";
import { FILE_HINT, fileInput } from "./file-input.js";
import type { FileStore } from "./files.js";
import { base64Of } from "./form-field.js";
import { encodeForm } from "./form-urlencoded.js";
import { describeValue, invalidInput } from "./invalid-input.js";
import { jsonValue, type ReadBase64 } from "./json-value.js";
import { type MediaType, parseMediaType, withinRange } from "./media-type.js";
import type { MediaTypePlan } from "./media-type-object.js";
import { encodeMultipart } from "./multipart.js";
import type { BoundBody } from "./plan.js";
import { scalarText, wellFormed } from "./style.js";
import { allows, alternatives, base64Variant, isBinary, itemSchemas } from "./value-shape.js";

export interface EncodedBody {
  /** Value of the Content-Type field. */
  readonly contentType: string;
  readonly body: RequestBody;
}

/** The inputs of a call by name, in the order in which they were given. */
export type Inputs = ReadonlyMap<string, Json>;

/**
 * Encodes the body; `undefined` when none is given and none is needed.
 *
 * @throws ToolError `InvalidToolInput`
 */
export async function encodeBody(body: BoundBody, inputs: Inputs, files: FileStore): Promise<EncodedBody | undefined> {
  const { plan } = body;
  const whole = body.whole === undefined ? undefined : inputs.get(body.whole);
  const propertyOf = new Map([...body.properties].map(([property, input]) => [input, property]));
  const given = [...inputs].flatMap(([input, value]) => {
    const property = propertyOf.get(input);
    return property === undefined ? [] : [[property, value] as const];
  });
  if (whole !== undefined && given.length > 0) {
    throw invalidInput(`\`${body.whole}\` is the whole body: it excludes \`${body.properties.get(given[0]![0])}\`.`);
  }
  const type = chooseType(body, inputs, whole, given);
  if (whole === undefined && given.length === 0) {
    // Nothing given: an optional body is left out, a required object of optional properties is empty.
    if (!plan.required) return undefined;
    if (type.properties === undefined) throw invalidInput(`\`${body.whole ?? "body"}\` is required.`);
  }
  const label = (property: string): string => body.properties.get(property) ?? property;
  if (whole !== undefined)
    return encodeValue(type, whole, body.whole!, (property) => `${body.whole}.${property}`, files);
  for (const [property] of given) {
    if (type.properties?.has(property) !== true) {
      throw invalidInput(`\`${label(property)}\` is not a part of a ${type.key} body.`);
    }
  }
  for (const property of type.requiredProperties) {
    if (!given.some(([name]) => name === property)) throw invalidInput(`\`${label(property)}\` is required.`);
  }
  return encodeValue(type, Object.fromEntries(given), undefined, label, files);
}

/** The media type to send: the one asked for, else the default, else the first one that can carry what is given. */
function chooseType(
  body: BoundBody,
  inputs: Inputs,
  whole: Json | undefined,
  given: readonly (readonly [property: string, value: Json])[],
): MediaTypePlan {
  const { mediaTypes } = body.plan;
  const asked = body.contentType === undefined ? undefined : inputs.get(body.contentType);
  if (asked !== undefined && asked !== null) return askedType(body, asked);
  const fits = (type: MediaTypePlan): boolean =>
    given.length === 0 ? fitsWhole(type, whole) : given.every(([property]) => type.properties?.has(property) === true);
  const fitsFiles = (type: MediaTypePlan): boolean =>
    given.every(([property, value]) => {
      const label = body.properties.get(property) ?? property;
      return ![value].flat().some((item) => fileInput(item, label) !== undefined) || takesFileAs(type, property);
    });
  const choice =
    mediaTypes.find((type) => fits(type) && fitsFiles(type)) ??
    mediaTypes.find(fits) ??
    mediaTypes.find((type) => type.properties !== undefined) ??
    mediaTypes[0];
  return choice.kind === "range" ? concreteType(body, choice, whole) : choice;
}

/** Whether a media type can take a value as its whole body: the default is passed over only for a value it can never carry. */
function fitsWhole(type: MediaTypePlan, whole: Json | undefined): boolean {
  if (whole === undefined) return true;
  if (fileInput(whole, "body") !== undefined) return takesFiles(type);
  return isJsonObject(whole) || type.properties === undefined;
}

/** Whether a property of this type of body can be a file handle: as octets, in base64, or as the object that it is. */
function takesFileAs(type: MediaTypePlan, property: string): boolean {
  const field = type.form?.fields.get(property);
  if (field !== undefined)
    return field.kind === "content" && (field.single?.file !== undefined || field.items?.file !== undefined);
  const all = alternatives(type.document, type.properties?.get(property) ?? []);
  const items = all.flatMap((alternative) => {
    const schemas = itemSchemas(type.document, alternative);
    return schemas.length === 0 ? [] : alternatives(type.document, schemas);
  });
  return [...all, ...items].some(
    (alternative) =>
      !isBinary(alternative) && (allows(alternative, "object") || base64Variant(alternative) !== undefined),
  );
}

const takesFiles = (type: MediaTypePlan): boolean => ["text", "octets", "range"].includes(type.kind);

function askedType(body: BoundBody, asked: Json): MediaTypePlan {
  const { mediaTypes } = body.plan;
  const keys = mediaTypes.map(({ key }) => key).join(", ");
  const media = typeof asked === "string" ? parseMediaType(asked) : undefined;
  if (typeof asked !== "string" || media === undefined || media.range || /[\0-\x1f\x7f-\uffff]/.test(asked)) {
    throw invalidInput(`\`${body.contentType}\` must be a media type (${keys}), not ${describeValue(asked)}.`);
  }
  const text = asked.trim();
  const exact =
    mediaTypes.find(({ key }) => key.trim().toLowerCase() === text.toLowerCase()) ??
    mediaTypes.find(({ media: own }) => own.essence === media.essence && media.parameters.size === 0);
  if (exact !== undefined) return exact;
  const range = mediaTypes.find((type) => type.kind === "range" && withinRange(type.media, media));
  if (range === undefined) {
    throw invalidInput(`\`${body.contentType}\` must be one of ${keys}, not ${describeValue(asked)}.`);
  }
  return concrete(range, text);
}

function concrete(range: MediaTypePlan, key: string): MediaTypePlan {
  try {
    return range.concrete!(key);
  } catch (error) {
    if (error instanceof DocumentFault) throw invalidInput(`The body cannot be sent as ${key}: ${error.fault.reason}`);
    throw error;
  }
}

/** A range where the call does not say: the type of the file, or JSON where the range has it. */
function concreteType(body: BoundBody, range: MediaTypePlan, whole: Json | undefined): MediaTypePlan {
  const file = whole === undefined ? undefined : fileInput(whole, "body");
  const within = (key: string): boolean => withinRange(range.media, parseMediaType(key) as MediaType);
  const all = alternatives(range.document, range.schemas);
  const onlyOctets = range.schemas.length > 0 && all.every(isBinary);
  if (file !== undefined) {
    const type = file.mediaTypeText ?? "application/octet-stream";
    if (within(type)) return concrete(range, type);
  } else if (!onlyOctets) {
    if (within("application/json")) return concrete(range, "application/json");
    if (typeof whole === "string" && within("text/plain")) return concrete(range, "text/plain");
  } else {
    throw invalidInput(`\`${body.whole}\` must be a file, not ${describeValue(whole)}.`, FILE_HINT);
  }
  throw invalidInput(`\`${body.contentType}\` is required: a media type within ${range.key}.`);
}

/** @param label How messages call the whole value; `undefined` when its properties are inputs of their own. */
async function encodeValue(
  type: MediaTypePlan,
  value: Json,
  label: string | undefined,
  propertyLabel: (property: string) => string,
  files: FileStore,
): Promise<EncodedBody> {
  const name = label ?? "body";
  const readBase64: ReadBase64 = async (file, variant) => base64Of(await files.get(file.file), variant);
  const checked = async (item: Json, itemLabel: string, sequence: boolean): Promise<string> =>
    stringifyJson(
      await jsonValue(type.document, sequence ? type.itemSchemas : type.schemas, item, itemLabel, readBase64),
    );
  switch (type.kind) {
    case "json": {
      if (label !== undefined || !isJsonObject(value)) return textBody(type, await checked(value, name, false));
      const members: [string, Json][] = [];
      for (const [property, member] of Object.entries(value)) {
        const schemas = type.properties?.get(property) ?? [];
        members.push([property, await jsonValue(type.document, schemas, member, propertyLabel(property), readBase64)]);
      }
      return textBody(type, stringifyJson(Object.fromEntries(members)));
    }
    case "jsonLines":
    case "jsonSequence": {
      if (typeof value === "string" && type.kind === "jsonLines") return textBody(type, wellFormed(value, name));
      if (!Array.isArray(value)) throw invalidInput(`\`${name}\` must be a list, not ${describeValue(value)}.`);
      const texts: string[] = [];
      for (const [index, item] of value.entries()) texts.push(await checked(item, `${name}[${index}]`, true));
      // RFC 7464, 2.2: a record separator before, a line feed after each text.
      const start = type.kind === "jsonSequence" ? "\x1e" : "";
      return textBody(type, texts.map((text) => `${start}${text}\n`).join(""));
    }
    case "form": {
      const text = await encodeForm(type.form!, objectOf(value, name), propertyLabel, files);
      return textBody(type, text);
    }
    case "multipart": {
      const { boundary, body } = await encodeMultipart(type.form!, objectOf(value, name), propertyLabel, files);
      return { contentType: `multipart/form-data; boundary=${boundary}`, body };
    }
    default:
      return encodeText(type, value, name, files);
  }
}

function objectOf(value: Json, label: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw invalidInput(`\`${label}\` must be an object, not ${describeValue(value)}.`);
}

const textBody = (type: MediaTypePlan, text: string): EncodedBody => ({
  contentType: type.key,
  body: bytesBody(Buffer.from(text)),
});

/** Text, or the octets of a file. */
async function encodeText(type: MediaTypePlan, value: Json, label: string, files: FileStore): Promise<EncodedBody> {
  const file = fileInput(value, label);
  if (file !== undefined) {
    const stored = await files.get(file.file);
    return { contentType: type.key, body: { length: stored.size, open: () => stored.open() } };
  }
  if (!type.acceptsText) {
    throw invalidInput(`\`${label}\` must be a file, not ${describeValue(value)}.`, FILE_HINT);
  }
  const scalars = (["string", "integer", "number", "boolean"] as const).filter((scalar) =>
    alternatives(type.document, type.schemas).some((alternative) => allows(alternative, scalar)),
  );
  // Structured content of a text type, such as XML, is given as the text itself.
  const accepted = scalars.length === 0 ? (["string"] as const) : scalars;
  const text = scalarText(value, accepted);
  if (text === undefined) {
    throw invalidInput(
      `\`${label}\` must be ${describeScalars(accepted)}, not ${describeValue(value)}: it is sent as ${type.media.essence}.`,
      scalars.length === 0 ? "Give the text itself as a string." : undefined,
    );
  }
  return encodeCharset(type, wellFormed(text, label), label);
}

function encodeCharset(type: MediaTypePlan, text: string, label: string): EncodedBody {
  const charset = type.media.parameters.get("charset")?.toLowerCase();
  const nonAscii = /[^\x00-\x7f]/.test(text);
  switch (charset) {
    case undefined: {
      // RFC 6657: without a charset text is US-ASCII to some readers.
      const contentType = nonAscii && type.media.type === "text" ? `${type.key}; charset=utf-8` : type.key;
      return { contentType, body: bytesBody(Buffer.from(text)) };
    }
    case "us-ascii":
    case "ascii":
    case "iso-8859-1":
    case "latin1":
      if (charset.endsWith("1") ? /[^\x00-\xff]/.test(text) : nonAscii) {
        throw invalidInput(
          `\`${label}\` contains a character that ${charset}, the charset of the body, does not have.`,
        );
      }
      return { contentType: type.key, body: bytesBody(Buffer.from(text, "latin1")) };
    default:
      return { contentType: type.key, body: bytesBody(Buffer.from(text)) };
  }
}
