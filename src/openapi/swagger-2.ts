/**
 * One operation of a Swagger 2.0 document, in the shape of OpenAPI 3.x.
 *
 * https://spec.openapis.org/oas/v2.0.html
 */
import type { Located } from "./document.js";
import { joinPointer } from "./json-pointer.js";
import { OperationBase } from "./openapi-3.js";
import { isObject, type LoadedDocument, NO_URI } from "./references.js";

type LocatedObject = Located<Record<string, unknown>>;
type Value = Record<string, unknown>;

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const JSON_TYPE = "application/json";

/** Fields of a parameter or header that describe its value and so belong under `schema` in 3.x. */
const SCHEMA_FIELDS = [
  "type",
  "format",
  "items",
  "default",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "enum",
  "multipleOf",
];

export class Swagger2Operation extends OperationBase {
  #parameters: readonly LocatedObject[] | undefined;
  #requestBody: { readonly value: LocatedObject | undefined } | undefined;
  #responses: { readonly value: LocatedObject | undefined } | undefined;

  get parameters(): readonly LocatedObject[] {
    this.#parameters ??= this.declaredParameters()
      .filter(({ value }) => value["in"] !== "body" && value["in"] !== "formData")
      .map((parameter) => ({ ...parameter, value: convertedParameter(parameter.value) }));
    return this.#parameters;
  }

  get requestBody(): LocatedObject | undefined {
    this.#requestBody ??= { value: this.#makeRequestBody() };
    return this.#requestBody.value;
  }

  get responses(): LocatedObject | undefined {
    this.#responses ??= { value: this.#makeResponses() };
    return this.#responses.value;
  }

  #makeRequestBody(): LocatedObject | undefined {
    const declared = this.declaredParameters();
    const bodies = declared.filter(({ value }) => value["in"] === "body");
    const fields = declared.filter(({ value }) => value["in"] === "formData");
    const [body] = bodies;
    if (body === undefined) return fields.length === 0 ? undefined : this.#formBody(fields);
    if (bodies.length > 1) throw this.malformed("There is more than one body parameter.", bodies[1] as LocatedObject);
    if (fields.length > 0) throw this.malformed("Body and formData parameters exclude each other.", body);
    const schema = this.document.member(body, "schema");
    if (schema !== undefined) this.document.place(schema.value, schema.uri, schema.pointer);
    const content: Value = {};
    for (const type of this.#mediaTypes("consumes", JSON_TYPE)) {
      content[type] = { ...(schema === undefined ? {} : { schema: schema.value }), ...examplesOf(body.value, type) };
    }
    return this.#made(body, {
      description: body.value["description"],
      required: body.value["required"] === true,
      content,
    });
  }

  #formBody(fields: readonly LocatedObject[]): LocatedObject {
    const properties: Value = Object.create(null) as Value;
    const encoding: Value = Object.create(null) as Value;
    const required: string[] = [];
    let file = false;
    for (const field of fields) {
      const name = field.value["name"];
      if (typeof name !== "string") throw this.malformed("A formData parameter has no name.", field);
      if (Object.hasOwn(properties, name)) {
        throw this.malformed(`The formData parameter ${JSON.stringify(name)} is declared twice.`, field);
      }
      file ||= field.value["type"] === "file";
      const schema = { ...schemaValue(field.value), ...pick(field.value, ["description", "x-nullable"]) };
      this.document.place(schema, field.uri, field.pointer);
      properties[name] = schema;
      if (field.value["type"] === "array")
        encoding[name] = collectionStyle(field.value["collectionFormat"], "formData");
      if (field.value["required"] === true) required.push(name);
    }
    const declared = this.#mediaTypes("consumes", file ? MULTIPART : FORM).filter((type) => isForm(type, file));
    const types = declared.length > 0 ? declared : [file ? MULTIPART : FORM];
    const schema = { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
    const content: Value = {};
    for (const type of types) content[type] = { schema, encoding };
    return this.#made(fields[0] as LocatedObject, { required: required.length > 0, content });
  }

  #makeResponses(): LocatedObject | undefined {
    const responses = this.object(this.node, "responses");
    if (responses === undefined) return undefined;
    const produces = this.#mediaTypes("produces", JSON_TYPE);
    const converted: Value = {};
    for (const status of Object.keys(responses.value)) {
      if (status.startsWith("x-")) continue;
      let response: Located | undefined;
      try {
        response = this.document.child(responses, status);
      } catch {
        // The reference itself stays, so that its fault is found by whoever needs this response.
      }
      converted[status] = isObject(response?.value)
        ? this.#response(response as LocatedObject, produces)
        : responses.value[status];
    }
    return { ...responses, value: converted };
  }

  #response(response: LocatedObject, produces: readonly string[]): Value {
    const { schema: _, headers: __, examples: ___, ...rest } = response.value;
    const value: Value = { ...rest };
    const schema = this.document.member(response, "schema");
    if (schema !== undefined) {
      const isFile = isObject(schema.value) && schema.value["type"] === "file";
      const converted = isFile ? { ...(schema.value as Value), type: "string", format: "binary" } : schema.value;
      this.document.place(converted, schema.uri, schema.pointer);
      const content: Value = {};
      for (const type of produces) content[type] = { schema: converted };
      value["content"] = content;
    }
    const headers = this.document.member(response, "headers");
    if (isObject(headers?.value)) {
      value["headers"] = Object.fromEntries(
        Object.entries(headers.value).map(([name, header]) => [
          name,
          isObject(header) ? parameterValue(header) : header,
        ]),
      );
    }
    this.document.place(value, response.uri, response.pointer);
    return value;
  }

  securityScheme(name: string): LocatedObject | undefined {
    const definitions = this.document.member(this.document.root, "securityDefinitions");
    const scheme = definitions && this.document.child(definitions, name);
    return isObject(scheme?.value) ? { ...scheme, value: securitySchemeValue(scheme.value) } : undefined;
  }

  get servers(): readonly LocatedObject[] {
    return swagger2Servers(this.document, this.document.member(this.node, "schemes"));
  }

  /** The operation's list, else the document's; an empty list clears it (2.0, Operation Object). */
  #mediaTypes(field: "consumes" | "produces", otherwise: string): readonly string[] {
    const declared = this.node.value[field] ?? this.document.root.value[field];
    const list = Array.isArray(declared)
      ? declared.filter((type): type is string => typeof type === "string" && type !== "")
      : [];
    return list.length > 0 ? [...new Set(list)] : [otherwise];
  }

  #made(at: LocatedObject, value: Value): LocatedObject {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    for (const [key, member] of entries) this.document.place(member, at.uri, joinPointer(at.pointer, key));
    return { ...at, value: Object.fromEntries(entries) };
  }
}

/**
 * `schemes`, `host` and `basePath` (2.0, Swagger Object) as Server Objects: what is not given is taken from where the
 * document was loaded. A document loaded from a file has no scheme to lend; see `resolveUrl`.
 *
 * @param own the operation's schemes, which replace the document's
 */
export function swagger2Servers(document: LoadedDocument, own?: Located): readonly LocatedObject[] {
  const { root, uri } = document;
  const declared = own ?? document.member(root, "schemes");
  const host = textField(root.value, "host");
  const basePath = textField(root.value, "basePath");
  const path = basePath === "" || basePath.startsWith("/") ? basePath : `/${basePath}`;
  const loaded = uri === NO_URI ? undefined : new URL(uri);
  const loadedBy = loaded?.protocol.slice(0, -1) ?? "";
  let schemes = Array.isArray(declared?.value)
    ? declared.value.filter((scheme): scheme is string => typeof scheme === "string")
    : [];
  // Of several, the one that has just worked comes first.
  if (schemes.includes(loadedBy)) schemes = [loadedBy, ...schemes.filter((scheme) => scheme !== loadedBy)];
  const pointer = declared?.pointer ?? (host !== "" ? "/host" : basePath !== "" ? "/basePath" : "");
  const server = (url: string): LocatedObject => ({ value: { url }, uri, pointer });
  const authority = host !== "" ? host : loadedBy === "http" || loadedBy === "https" ? loaded?.host : undefined;
  if (authority === undefined) return [server(path === "" ? "/" : path)];
  if (schemes.length === 0) return [server(host === "" ? path || "/" : `//${host}${path}`)];
  return schemes.map((scheme) => server(`${scheme}://${authority}${path}`));
}

function textField(value: Value, field: string): string {
  return typeof value[field] === "string" ? value[field].trim() : "";
}

function isForm(type: string, file: boolean): boolean {
  const essence = type.split(";")[0]?.trim().toLowerCase();
  return essence === MULTIPART || (essence === FORM && !file);
}

function pick(value: Value, fields: readonly string[]): Value {
  return Object.fromEntries(
    fields.filter((field) => Object.hasOwn(value, field)).map((field) => [field, value[field]]),
  );
}

function examplesOf(body: Value, type: string): Value {
  const examples = body["x-examples"] ?? body["examples"];
  return isObject(examples) && Object.hasOwn(examples, type) ? { example: examples[type] } : {};
}

/** The Schema Object of what 2.0 calls an Items Object or the value of a parameter. */
function schemaValue(value: Value): Value {
  const schema = pick(value, SCHEMA_FIELDS);
  return schema["type"] === "file" ? { ...schema, type: "string", format: "binary" } : schema;
}

const converted = new WeakMap<Value, Value>();

/** Operations share parameters: one conversion, one identity. */
function convertedParameter(value: Value): Value {
  let found = converted.get(value);
  if (found === undefined) converted.set(value, (found = parameterValue(value)));
  return found;
}

/** A Parameter or Header Object with its value under `schema`. */
function parameterValue(value: Value): Value {
  const rest = Object.fromEntries(
    Object.entries(value).filter(([field]) => !SCHEMA_FIELDS.includes(field) && field !== "collectionFormat"),
  );
  const style = value["type"] === "array" ? collectionStyle(value["collectionFormat"], value["in"]) : {};
  const schema = { ...schemaValue(value), ...pick(value, ["x-nullable"]) };
  return { ...rest, ...style, schema: Object.keys(schema).length === 0 ? (value["schema"] ?? {}) : schema };
}

/**
 * `collectionFormat` as `style` and `explode`. 2.0 allows every format in every location, but `multi`, which only query
 * and formData can carry: elsewhere it becomes a style that nothing defines. `tabDelimited` is no style of 3.x.
 */
function collectionStyle(format: unknown, location: unknown): Value {
  const form = location === "query" || location === "formData";
  switch (format ?? "csv") {
    case "csv":
      return { style: form ? "form" : "simple", explode: false };
    case "ssv":
      return { style: "spaceDelimited", explode: false };
    case "tsv":
      return { style: "tabDelimited", explode: false };
    case "pipes":
      return { style: "pipeDelimited", explode: false };
    case "multi":
      return form ? { style: "form", explode: true } : { style: "multi", explode: true };
    default:
      return { style: String(format), explode: false };
  }
}

/** https://spec.openapis.org/oas/v2.0.html#security-scheme-object. What is malformed stays malformed. */
function securitySchemeValue(value: Value): Value {
  const description = pick(value, ["description"]);
  if (value["type"] === "basic") return { type: "http", scheme: "basic", ...description };
  if (value["type"] !== "oauth2") return value;
  const name = {
    implicit: "implicit",
    password: "password",
    application: "clientCredentials",
    accessCode: "authorizationCode",
  }[String(value["flow"])];
  if (name === undefined) return { type: "oauth2", ...description };
  const flow = { ...pick(value, ["authorizationUrl", "tokenUrl"]), scopes: value["scopes"] ?? {} };
  return { type: "oauth2", flows: { [name]: flow }, ...description };
}
