/**
 * Responses: what to accept, and what a successful call gives.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#responses-object, #response-object
 */
import { type JsonSchema, SCHEMA_ANNOTATION } from "../codemode/tool.js";
import { type Json, stringifyJson } from "../json/json.js";
import { DocumentFault, type Located, type OpenApiDocument } from "./document.js";
import { isJson, isJsonLines, isJsonSequence, isTextual, type MediaType, parseMediaType } from "./media-type.js";
import type { OperationModel } from "./operation-model.js";
import { isObject } from "./references.js";
import { SchemaWriter } from "./schema-object.js";

interface DeclaredContent {
  readonly media: MediaType;
  readonly key: string;
  readonly node: Located | undefined;
}

interface DeclaredResponse {
  readonly success: boolean;
  readonly content: readonly DeclaredContent[];
}

/** The responses by status, as far as their references can be followed. `default` is a success where no other is declared. */
function declaredResponses(model: OperationModel): readonly DeclaredResponse[] {
  const { document, responses } = model;
  if (responses === undefined) return [];
  const statuses = Object.keys(responses.value).filter((status) => !status.startsWith("x-"));
  const successes = statuses.filter((status) => /^2(?:\d\d|XX)$/i.test(status));
  return statuses.map((status) => ({
    success: successes.includes(status) || (status === "default" && successes.length === 0),
    content: declaredContent(document, responses, status),
  }));
}

function declaredContent(document: OpenApiDocument, responses: Located, status: string): readonly DeclaredContent[] {
  try {
    const response = document.child(responses, status);
    const content = response && document.child(response, "content");
    if (content === undefined || !isObject(content.value)) return [];
    return Object.keys(content.value).flatMap((key) => {
      const media = parseMediaType(key);
      return media === undefined ? [] : [{ media, key, node: document.child(content, key) }];
    });
  } catch (error) {
    // A response that cannot be read takes nothing from the request.
    if (error instanceof DocumentFault) return [];
    throw error;
  }
}

/**
 * The Accept field (RFC 9110, 12.5.1): the declared types of success, JSON before the others, then those of failures, which
 * a program wants to read too. Without declared types anything is welcome.
 */
export function acceptField(model: OperationModel): string {
  const responses = declaredResponses(model);
  const keys = (success: boolean): DeclaredContent[] =>
    responses.filter((response) => response.success === success).flatMap((response) => response.content);
  const wanted = keys(true);
  if (wanted.length === 0) return "*/*";
  const ranked = new Map<string, number>();
  const someJson = wanted.some(({ media }) => isJson(media));
  for (const { key, media } of wanted) if (!ranked.has(key)) ranked.set(key, !someJson || isJson(media) ? 10 : 9);
  for (const { key } of keys(false)) if (!ranked.has(key)) ranked.set(key, 8);
  return [...ranked]
    .sort(([, a], [, b]) => b - a)
    .map(([key, weight]) => (weight === 10 ? key : `${key};q=0.${weight}`))
    .join(", ");
}

const FILE: JsonSchema = {
  type: "object",
  [SCHEMA_ANNOTATION]: "file",
  properties: {
    file: { type: "string" },
    mediaType: { type: "string" },
    bytes: { type: "integer" },
    sha256: { type: "string" },
  },
  required: ["file", "mediaType", "bytes", "sha256"],
};

const EVENT: JsonSchema = {
  type: "object",
  properties: {
    event: { type: "string" },
    data: { type: "string" },
    id: { type: "string" },
    retry: { type: "integer" },
  },
  required: ["data"],
};

/**
 * The JSON Schema of what a successful call gives; `undefined` when the document does not say.
 *
 * @param limit how many schemas are written out, those near the root first.
 */
export function outputSchema(model: OperationModel, limit?: number): JsonSchema | undefined {
  const { document } = model;
  const successes = declaredResponses(model).filter((response) => response.success);
  if (successes.length === 0) return undefined;
  const writer = new SchemaWriter(document, "response", limit);
  const schemas = new Map<string, JsonSchema>();
  let unknown = false;
  for (const { content } of successes) {
    if (content.length === 0) schemas.set("null", { type: "null" });
    // The answer will be of the preferred types; JSON is asked for first.
    const json = content.filter(({ media }) => isJson(media) || media.range);
    for (const declared of json.length > 0 ? json : content) {
      const schema = contentSchema(document, writer, declared);
      if (schema === undefined) unknown = true;
      else schemas.set(stringifyJson(schema as Json), schema);
    }
  }
  if (unknown || schemas.size === 0) return undefined;
  const distinct = [...schemas.values()];
  const schema = distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
  const definitions = writer.definitions();
  if (definitions === undefined || typeof schema === "boolean") return schema;
  return { ...schema, $defs: definitions };
}

function contentSchema(
  document: OpenApiDocument,
  writer: SchemaWriter,
  { media, node }: DeclaredContent,
): JsonSchema | undefined {
  const schema = node && document.member(node, "schema");
  const item = node && document.member(node, "itemSchema");
  if (media.essence === "text/event-stream") {
    return { type: "array", [SCHEMA_ANNOTATION]: "stream", items: item === undefined ? EVENT : writer.write(item) };
  }
  if (isJsonLines(media) || isJsonSequence(media)) {
    const items = item ?? schema;
    return {
      type: "array",
      [SCHEMA_ANNOTATION]: "stream",
      ...(items === undefined ? {} : { items: writer.write(items) }),
    };
  }
  if (isJson(media) || media.range) return schema === undefined ? undefined : writer.write(schema);
  return isTextual(media) ? { type: "string" } : FILE;
}
