/**
 * Header Objects of an Encoding Object: fields of one part of a multipart body. A program gives the parts' values, not
 * their header fields, so only fields with one possible value can be sent.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#header-object
 */
import { DocumentFault, type Located, type OpenApiDocument } from "./document.js";
import { isFieldName } from "./field-value.js";
import { isObject } from "./references.js";
import { alternatives, keyword } from "./value-shape.js";

/** `[name, value]` lines. @throws DocumentFault for a required field whose value is not fixed. */
export function fixedFields(document: OpenApiDocument, headers: Located): readonly (readonly [string, string])[] {
  const fields: [string, string][] = [];
  for (const name of Object.keys(isObject(headers.value) ? headers.value : {})) {
    // "Content-Type is described separately and SHALL be ignored in this section"; RFC 7578, 4.8 allows few others.
    if (/^content-(type|disposition)$/i.test(name)) continue;
    const header = document.child(headers, name);
    if (header === undefined || !isObject(header.value) || !isFieldName(name)) continue;
    const value = fixedValue(document, header);
    if (value !== undefined) fields.push([name, value]);
    else if (header.value["required"] === true) {
      throw new DocumentFault({
        code: "undefined-serialization",
        reason: `The header ${name} of a part is required, and the document does not fix its value.`,
        pointer: document.show(header),
      });
    }
  }
  return fields;
}

function fixedValue(document: OpenApiDocument, header: Located): string | undefined {
  const schema = document.member(header, "schema");
  if (schema === undefined) return undefined;
  const [alternative] = alternatives(document, [schema]);
  if (alternative === undefined) return undefined;
  const values = keyword(alternative, "enum");
  const value =
    keyword(alternative, "const") ??
    (Array.isArray(values) && values.length === 1 ? values[0] : undefined) ??
    ((header.value as Record<string, unknown>)["required"] === true ? keyword(alternative, "default") : undefined);
  const text = typeof value === "object" || value === undefined ? undefined : String(value);
  return text !== undefined && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? text : undefined;
}
