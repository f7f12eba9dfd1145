/** The JSON Schema of the flat input. */
import { type JsonSchema, SCHEMA_ANNOTATION } from "../codemode/tool.js";
import { type Json, stringifyJson } from "../json/json.js";
import { carriedSchema } from "./carried-schema.js";
import type { Located, OpenApiDocument } from "./document.js";
import type { FieldPlan } from "./encoding-object.js";
import type { NamedInputs } from "./input-names.js";
import type { MediaTypePlan } from "./media-type-object.js";
import type { ParameterPlan } from "./parameter-object.js";
import type { BoundBody } from "./plan.js";
import { SchemaWriter } from "./schema-object.js";

const FILE: JsonSchema = {
  type: "object",
  [SCHEMA_ANNOTATION]: "file",
  properties: { file: { type: "string" }, mediaType: { type: "string" }, filename: { type: "string" } },
  required: ["file"],
};

/** RFC 9110, 8.3.1, with parameters or without: no range. */
const MEDIA_TYPE = "^[!#$%&'+.^_`|~0-9A-Za-z-]+/[!#$%&'+.^_`|~0-9A-Za-z-]+(?:\\s*;.*)?$";

export function inputSchema(document: OpenApiDocument, inputs: NamedInputs): JsonSchema {
  const writer = new SchemaWriter(document, "request");
  const properties: [string, JsonSchema][] = inputs.parameters.map(({ input, parameter }) => [
    input,
    parameterSchema(writer, parameter),
  ]);
  if (inputs.body !== undefined) properties.push(...bodySchemas(writer, inputs.body));
  const required = inputs.fields.filter((field) => field.required).map((field) => field.name);
  const definitions = writer.definitions();
  return {
    type: "object",
    // `fromEntries` defines: a name may be `__proto__`.
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
}

/** A schema with what the part that carries it says about it. */
function annotated(schema: JsonSchema, notes: Readonly<Record<string, unknown>>): JsonSchema {
  const given = Object.fromEntries(Object.entries(notes).filter(([, value]) => value !== undefined && value !== false));
  if (Object.keys(given).length === 0) return schema;
  return { ...(typeof schema === "object" ? schema : {}), ...given };
}

function parameterSchema(writer: SchemaWriter, parameter: ParameterPlan): JsonSchema {
  const written = parameter.schema === undefined ? {} : writer.write(parameter.schema);
  const schema = parameter.kind === "style" ? carriedSchema(written, parameter.rule) : written;
  return annotated(schema, { description: parameter.description, deprecated: parameter.deprecated });
}

function bodySchemas(writer: SchemaWriter, body: BoundBody): [string, JsonSchema][] {
  const { mediaTypes } = body.plan;
  const schemas: [string, JsonSchema][] = [];
  for (const [property, input] of body.properties) {
    const types = mediaTypes.filter((candidate) => candidate.properties?.has(property) === true);
    schemas.push([input, anyOf(types.map((type) => propertySchema(writer, type, property)))]);
  }
  if (body.whole !== undefined) {
    const wholes = mediaTypes.filter((type) => type.properties === undefined).map((type) => wholeSchema(writer, type));
    const description = body.plan.node.value as Readonly<Record<string, unknown>>;
    schemas.push([
      body.whole,
      annotated(anyOf(wholes), {
        description: typeof description["description"] === "string" ? description["description"] : undefined,
      }),
    ]);
  }
  if (body.contentType !== undefined) {
    const keys = mediaTypes.map(({ key }) => key);
    const exact = mediaTypes.filter(({ kind }) => kind !== "range").map(({ key }) => key);
    const open = exact.length < keys.length;
    schemas.push([
      body.contentType,
      {
        type: "string",
        ...(open
          ? { pattern: MEDIA_TYPE, ...(exact.length > 0 ? { examples: exact } : {}) }
          : { enum: keys, default: keys[0] }),
        description: `Media type of the body${open ? `, within ${keys.join(", ")}` : ""}.`,
      },
    ]);
  }
  return schemas;
}

/** One schema for what media types differ in, such as a file in a multipart body and a string in JSON. */
function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [stringifyJson(schema as Json), schema])).values()];
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}

function together(writer: SchemaWriter, schemas: readonly Located[]): JsonSchema {
  const [first] = schemas;
  if (first === undefined) return {};
  return schemas.length === 1 ? writer.write(first) : { allOf: schemas.map((schema) => writer.write(schema)) };
}

function propertySchema(writer: SchemaWriter, type: MediaTypePlan, property: string): JsonSchema {
  const field = type.form?.fields.get(property);
  const schema = together(writer, type.properties!.get(property)!);
  return field === undefined ? schema : fieldSchema(field, schema);
}

/** A field that takes files says so; its own schema knows only a string. */
function fieldSchema(field: FieldPlan, schema: JsonSchema): JsonSchema {
  if (field.kind === "style") return carriedSchema(schema, field.rule);
  const notes = typeof schema === "object" ? { description: schema["description"] } : {};
  if (field.single?.file === "raw") return annotated(FILE, notes);
  if (field.items?.file === "raw") return annotated({ type: "array", items: FILE }, notes);
  return schema;
}

function wholeSchema(writer: SchemaWriter, type: MediaTypePlan): JsonSchema {
  switch (type.kind) {
    case "text":
      return { anyOf: [{ type: "string" }, FILE] };
    case "octets":
      return type.acceptsText ? { anyOf: [{ type: "string" }, FILE] } : FILE;
    case "jsonLines":
    case "jsonSequence":
      return {
        type: "array",
        ...(type.itemSchemas[0] === undefined ? {} : { items: writer.write(type.itemSchemas[0]) }),
      };
    case "multipart":
    case "form": {
      const schema = together(writer, type.schemas);
      const files = [...(type.form?.fields ?? [])].filter(
        ([, field]) => field.kind === "content" && (field.single?.file === "raw" || field.items?.file === "raw"),
      );
      if (files.length === 0) return schema;
      const properties = Object.fromEntries(files.map(([name, field]) => [name, fieldSchema(field, {})]));
      return { anyOf: [schema, { type: "object", properties }] };
    }
    case "range":
      return type.schemas.length === 0 ? FILE : { anyOf: [together(writer, type.schemas), FILE] };
    default:
      return together(writer, type.schemas);
  }
}
