/**
 * Media Type Objects of requests and parameters: what values a type takes and how it writes them.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#media-type-object
 */
import { DocumentFault, type Fault, type Located, type OpenApiDocument } from "./document.js";
import { type FieldPlan, planField, type StyledField } from "./encoding-object.js";
import { flattenedProperties } from "./flattening.js";
import { isJson, isJsonLines, isJsonSequence, isTextual, type MediaType, parseMediaType } from "./media-type.js";
import { isObject } from "./references.js";
import type { Conventions } from "./style-rule.js";
import {
  type Alternative,
  additionalSchemas,
  allows,
  alternatives,
  isBinary,
  propertySchemas,
  requiredProperties,
} from "./value-shape.js";

/**
 * How values become octets: JSON; JSON texts in sequence; a urlencoded or multipart form; text; octets of a file. A range
 * is decided by the call.
 */
export type ContentKind = "json" | "jsonLines" | "jsonSequence" | "form" | "multipart" | "text" | "octets" | "range";

export interface MediaTypePlan {
  readonly document: OpenApiDocument;
  /** As the document writes it. */
  readonly key: string;
  readonly media: MediaType;
  readonly kind: ContentKind;
  readonly schemas: readonly Located[];
  /** Of the items of a sequence. */
  readonly itemSchemas: readonly Located[];
  /** Properties that become inputs of their own; `undefined` when the value stays whole. */
  readonly properties: ReadonlyMap<string, readonly Located[]> | undefined;
  readonly requiredProperties: ReadonlySet<string>;
  /** For `form` and `multipart`. */
  readonly form: FormPlan | undefined;
  /** For `text` and `octets`: whether a string may be given (as UTF-8 or the charset of the type). */
  readonly acceptsText: boolean;
  /** For a range: the plan for a concrete type. @throws DocumentFault */
  readonly concrete: ((key: string) => MediaTypePlan) | undefined;
  /** Optional properties that are not inputs because nothing defines how they are written. */
  readonly omitted: readonly OmittedProperty[];
}

/** A property left out, and why. */
export interface OmittedProperty {
  readonly property: string;
  readonly fault: Fault;
}

export interface FormPlan {
  readonly fields: ReadonlyMap<string, FieldPlan>;
  /** For properties that the schema does not declare; `undefined` when there may be none. */
  readonly additional: FieldPlan | undefined;
}

/** Charsets that a body can be written in. */
const CHARSETS = ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin1"];

/**
 * Plans a media type.
 *
 * @param key The key of the `content` map.
 * @param node The Media Type Object, reference followed.
 * @throws DocumentFault when its values cannot be written as the specification says.
 */
export function planMediaType(
  document: OpenApiDocument,
  key: string,
  node: Located | undefined,
  conventions: Conventions,
): MediaTypePlan {
  const fault = (reason: string): DocumentFault =>
    new DocumentFault({
      code: "unsupported-media-type",
      reason,
      pointer: document.show(node ?? document.root),
    });
  const media = parseMediaType(key);
  if (media === undefined) throw fault(`${JSON.stringify(key)} is not a media type.`);
  const kind = kindOf(media);
  if (kind === "multipart" && media.essence !== "multipart/form-data") {
    throw fault(`The specification does not say how the parts of ${media.essence} correspond to properties.`);
  }
  const charset = media.parameters.get("charset")?.toLowerCase();
  if (
    charset !== undefined &&
    !(kind === "text" ? CHARSETS : CHARSETS.slice(0, 2)).includes(charset) &&
    kind !== "octets"
  ) {
    throw fault(`A body of type ${key} would have to be written in ${charset}.`);
  }
  const schema = node && document.member(node, "schema");
  const itemSchema = node && document.version === "3.2" ? document.member(node, "itemSchema") : undefined;
  const schemas = schema === undefined ? [] : [schema];
  const all = alternatives(document, schemas);
  const structured = kind === "json" || kind === "form" || kind === "multipart" || kind === "range";
  const flat = structured && schema !== undefined ? flattenedProperties(document, schema) : undefined;
  const omitted: OmittedProperty[] = [];
  const form =
    kind === "form" || kind === "multipart"
      ? planForm(document, kind, key, all, node, flat?.required, conventions, omitted)
      : undefined;
  return {
    document,
    key,
    media,
    kind,
    schemas,
    itemSchemas: itemSchema === undefined ? [] : [itemSchema],
    properties: flat && new Map([...flat.properties].filter(([name]) => form === undefined || form.fields.has(name))),
    requiredProperties: flat?.required ?? new Set(),
    form,
    acceptsText: kind === "text" || (kind === "octets" && all.some(isText)),
    concrete: kind === "range" ? (concreteKey) => planMediaType(document, concreteKey, node, conventions) : undefined,
    omitted,
  };
}

function kindOf(media: MediaType): ContentKind {
  if (media.range) return "range";
  if (isJsonLines(media)) return "jsonLines";
  if (isJsonSequence(media)) return "jsonSequence";
  if (isJson(media)) return "json";
  if (media.essence === "application/x-www-form-urlencoded") return "form";
  if (media.type === "multipart") return "multipart";
  return isTextual(media) ? "text" : "octets";
}

/** A type that is not known to be text takes a string where the schema says that its content is one. */
const isText = (alternative: Alternative): boolean =>
  alternative.types !== undefined && allows(alternative, "string") && !isBinary(alternative);

function planForm(
  document: OpenApiDocument,
  kind: "form" | "multipart",
  key: string,
  all: readonly Alternative[],
  node: Located | undefined,
  required: ReadonlySet<string> | undefined,
  conventions: Conventions,
  omitted: OmittedProperty[],
): FormPlan {
  const encodings = node && document.child(node, "encoding");
  const objects = all.filter((alternative) => allows(alternative, "object"));
  if (objects.length === 0) {
    throw new DocumentFault({
      code: "undefined-serialization",
      reason: `A body of type ${key} is made of named values, and its schema is not an object.`,
      pointer: document.show(node ?? document.root),
    });
  }
  const schemasByName = new Map<string, Located[]>();
  for (const alternative of objects) {
    for (const [name, schemas] of propertySchemas(document, alternative)) {
      // In several alternatives a property may differ: the first one that declares it decides how it is written.
      if (!schemasByName.has(name)) schemasByName.set(name, [...schemas]);
    }
  }
  const needed = required ?? intersectRequired(objects);
  const fields = new Map<string, FieldPlan>();
  for (const [name, schemas] of schemasByName) {
    const encoding = isObject(encodings?.value) ? document.child(encodings, name) : undefined;
    try {
      const field = planField(document, kind, name, schemas, encoding, conventions);
      fields.set(name, field);
      if (field.kind === "style") omitted.push(...undefinedMembers(document, name, field, encoding));
    } catch (error) {
      if (!(error instanceof DocumentFault) || needed.has(name)) throw error;
      omitted.push({ property: name, fault: error.fault });
    }
  }
  const open = objects
    .map((alternative) => additionalSchemas(document, alternative))
    .find((schemas) => schemas !== false);
  let additional: FieldPlan | undefined;
  try {
    if (open !== undefined) additional = planField(document, kind, "", open, undefined, conventions);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
  }
  return { fields, additional };
}

/** Members of a styled object that its style cannot write. */
function undefinedMembers(
  document: OpenApiDocument,
  name: string,
  { rule }: StyledField,
  encoding: Located | undefined,
): readonly OmittedProperty[] {
  if (rule.brackets === true) return [];
  return (rule.accepts.object?.undefined ?? []).map((member) => ({
    property: `${name}.${member}`,
    fault: {
      code: "undefined-serialization",
      reason: `The specification does not define how a list or an object inside the property ${JSON.stringify(name)} is written.`,
      pointer: document.show(encoding ?? document.root),
    },
  }));
}

function intersectRequired(objects: readonly Alternative[]): ReadonlySet<string> {
  const sets = objects.map(requiredProperties);
  return new Set([...(sets[0] ?? [])].filter((name) => sets.every((set) => set.has(name))));
}
