/**
 * How one property of a form is written: by a style, or by a media type of its own.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#encoding-object, "Encoding By Name"
 */
import { acceptedValues, type ScalarType } from "./accepted-values.js";
import { DocumentFault, type Located, type OpenApiDocument } from "./document.js";
import { fixedFields } from "./header-object.js";
import { type MediaType, parseMediaType } from "./media-type.js";
import { isObject } from "./references.js";
import type { StyleRule } from "./style.js";
import { type Conventions, styleRule } from "./style-rule.js";
import {
  type Alternative,
  allows,
  alternatives,
  base64Variant,
  isBinary,
  itemSchemas,
  keyword,
} from "./value-shape.js";

/** What one value of a field may be. */
export interface FieldValue {
  readonly scalar: readonly ScalarType[];
  /** An object, or a list inside a list: written as JSON unless the encoding names another type. */
  readonly structured: boolean;
  /** Octets by file handle: as they are, or as base64 text. */
  readonly file: "raw" | "base64" | "base64url" | undefined;
  /** `contentMediaType` of the schema. */
  readonly mediaType: MediaType | undefined;
}

export interface StyledField {
  readonly kind: "style";
  readonly rule: StyleRule;
  readonly allowReserved: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface ContentField {
  readonly kind: "content";
  /** A value that is no list; `undefined` when only lists are accepted. */
  readonly single: FieldValue | undefined;
  /** The items of a list, each written as a field of the same name; `undefined` when no list is accepted. */
  readonly items: FieldValue | undefined;
  /** `contentType` of the Encoding Object: types and ranges, in its order; empty for the default. */
  readonly contentTypes: readonly MediaType[];
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export type FieldPlan = StyledField | ContentField;

export type FormKind = "form" | "multipart";

/**
 * Plans one property.
 *
 * @param encoding The Encoding Object, reference followed.
 * @throws DocumentFault when the specification does not define how its values are written.
 */
export function planField(
  document: OpenApiDocument,
  form: FormKind,
  name: string,
  schemas: readonly Located[],
  encoding: Located | undefined,
  conventions: Conventions,
): FieldPlan {
  const given = isObject(encoding?.value) ? encoding.value : {};
  const headers =
    form === "multipart" && encoding !== undefined && document.child(encoding, "headers") !== undefined
      ? fixedFields(document, document.child(encoding, "headers") as Located)
      : [];
  // 3.0 knows the style fields for urlencoded forms only.
  const styled =
    ["style", "explode", "allowReserved"].some((field) => given[field] !== undefined) &&
    (form === "form" || document.version !== "3.0");
  const place = encoding ?? schemas[0] ?? document.root;
  if (styled && !acceptsFiles(document, schemas)) {
    const accepts = acceptedValues(document, schemas);
    const rule = styleRule(document, {
      node: encoding as Located,
      name,
      in: "form",
      accepts,
      label: `property ${JSON.stringify(name)}`,
      conventions,
    });
    return { kind: "style", rule, allowReserved: given["allowReserved"] === true, headers };
  }
  const contentTypes = parseContentTypes(document, given["contentType"], place);
  const all = alternatives(document, schemas);
  const context = { document, form, explicit: contentTypes.length > 0 };
  const single = mergeValues(
    all.filter((alternative) => alternative.types === undefined || onlyLists(alternative) === false),
    context,
  );
  const items = mergeValues(
    all
      .filter((alternative) => allows(alternative, "array"))
      .flatMap((alternative) => alternatives(document, itemSchemas(document, alternative))),
    context,
  );
  if (single === undefined && items === undefined) {
    throw new DocumentFault({
      code: "undefined-serialization",
      reason: `The specification does not define how the property ${JSON.stringify(name)} is written in this kind of form.`,
      pointer: document.show(place),
    });
  }
  return { kind: "content", single, items, contentTypes, headers };
}

const onlyLists = (alternative: Alternative): boolean =>
  alternative.types !== undefined && [...alternative.types].every((type) => type === "array" || type === "null");

function acceptsFiles(document: OpenApiDocument, schemas: readonly Located[]): boolean {
  return alternatives(document, schemas).some(
    (alternative) =>
      isBinary(alternative) ||
      (allows(alternative, "array") &&
        alternative.types !== undefined &&
        alternatives(document, itemSchemas(document, alternative)).some(isBinary)),
  );
}

function parseContentTypes(document: OpenApiDocument, value: unknown, place: Located): readonly MediaType[] {
  if (typeof value !== "string" || value.trim() === "") return [];
  return value.split(",").map((part) => {
    const media = parseMediaType(part);
    if (media === undefined) {
      throw new DocumentFault({
        code: "unsupported-media-type",
        reason: `${JSON.stringify(part.trim())} is not a media type.`,
        pointer: document.show(place),
      });
    }
    return media;
  });
}

interface FieldContext {
  readonly document: OpenApiDocument;
  readonly form: FormKind;
  /** Whether the encoding names a media type. */
  readonly explicit: boolean;
}

function mergeValues(all: readonly Alternative[], context: FieldContext): FieldValue | undefined {
  const values = all.map((alternative) => fieldValueOf(alternative, context)).filter((value) => value !== undefined);
  if (values.length === 0) return undefined;
  return values.reduce((a, b) => ({
    scalar: [...new Set([...a.scalar, ...b.scalar])],
    structured: a.structured || b.structured,
    file: a.file ?? b.file,
    mediaType: a.mediaType ?? b.mediaType,
  }));
}

const SCALARS: readonly ScalarType[] = ["string", "integer", "number", "boolean"];

/** The default rows of the Encoding Object's table, as far as they depend on the schema. */
function fieldValueOf(alternative: Alternative, { document, form, explicit }: FieldContext): FieldValue | undefined {
  const media = keyword(alternative, "contentMediaType");
  const mediaType = typeof media === "string" ? parseMediaType(media) : undefined;
  if (isBinary(alternative)) {
    // Raw octets have no place in a urlencoded form ("requires base64-encoding any binary data").
    return form === "form" ? undefined : { scalar: [], structured: false, file: "raw", mediaType };
  }
  if (alternative.types === undefined) {
    // No type: raw octets since 3.1, by the table; anything that an explicit content type can write; before, by the value.
    if (form === "form") return { scalar: SCALARS, structured: true, file: undefined, mediaType };
    const modern = document.version === "3.1" || document.version === "3.2";
    return { scalar: modern && !explicit ? [] : SCALARS, structured: !modern || explicit, file: "raw", mediaType };
  }
  const scalar = SCALARS.filter((type) => allows(alternative, type));
  // A list inside a list is written whole since 3.2; before, nothing says how.
  const structured = allows(alternative, "object") || (document.version === "3.2" && allows(alternative, "array"));
  if (scalar.length === 0 && !structured) return undefined;
  return { scalar, structured, file: scalar.includes("string") ? base64Variant(alternative) : undefined, mediaType };
}
