/**
 * Parameter Objects, checked: where a parameter goes and how its values are written.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#parameter-object
 */
import { acceptedValues } from "./accepted-values.js";
import { DocumentFault, type Located, type OpenApiDocument, type SkipCode } from "./document.js";
import { isFieldName, isTransportField } from "./field-value.js";
import { type MediaTypePlan, planMediaType } from "./media-type-object.js";
import type { ParameterLocation } from "./operation-model.js";
import { isObject } from "./references.js";
import type { StyleRule } from "./style.js";
import { type Conventions, styleRule } from "./style-rule.js";

interface ParameterBase {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  /** The schema of its values, as it stands in the document. */
  readonly schema: Located | undefined;
  readonly node: Located;
}

/** A parameter described by `schema` and `style`. */
export interface StyledParameter extends ParameterBase {
  readonly kind: "style";
  readonly rule: StyleRule;
  readonly allowReserved: boolean;
  /** The empty string stands for any value (query parameters only). */
  readonly allowEmptyValue: boolean;
}

/** A parameter described by `content`. */
export interface ContentParameter extends ParameterBase {
  readonly kind: "content";
  readonly content: MediaTypePlan;
}

export type { Conventions } from "./style-rule.js";

export type ParameterPlan = StyledParameter | ContentParameter;

const LOCATIONS: readonly string[] = ["path", "query", "header", "cookie"];

const IGNORED_HEADERS = ["accept", "content-type", "authorization"];

/**
 * Whether a definition "SHALL be ignored": header parameters Accept, Content-Type and Authorization since 3.0. In 2.0
 * `produces` and `consumes` decide on the first two; Authorization is an ordinary parameter there.
 */
export function isIgnored(document: OpenApiDocument, node: Located<Record<string, unknown>>): boolean {
  const { in: location, name } = node.value;
  if (location !== "header" || typeof name !== "string") return false;
  const lower = name.toLowerCase();
  return IGNORED_HEADERS.includes(lower) && (document.version !== "2.0" || lower !== "authorization");
}

/** Plans a parameter. @throws DocumentFault */
export function planParameter(
  document: OpenApiDocument,
  node: Located<Record<string, unknown>>,
  conventions: Conventions,
): ParameterPlan {
  const { value } = node;
  const { name, in: location } = value;
  const fault = (code: SkipCode, reason: string): DocumentFault =>
    new DocumentFault({ code, reason, pointer: document.show(node) });
  if (typeof name !== "string" || name === "") throw fault("malformed-operation", "A parameter has no name.");
  const known = document.version === "3.2" ? [...LOCATIONS, "querystring"] : LOCATIONS;
  if (typeof location !== "string" || !known.includes(location)) {
    throw fault(
      "malformed-operation",
      `The parameter ${JSON.stringify(name)} is in ${JSON.stringify(location)}, which is no location.`,
    );
  }
  const label = `${location} parameter ${JSON.stringify(name)}`;
  if (location === "header") {
    if (!isFieldName(name))
      throw fault("malformed-operation", `The ${label} has a name that no header field can have.`);
    if (isTransportField(name))
      throw fault("forbidden-header", `The ${label} belongs to the connection: HTTP sets it itself.`);
    if (name.toLowerCase() === "cookie") {
      throw fault(
        "undefined-serialization",
        `The effect of a ${label} is undefined: cookies are parameters in cookie.`,
      );
    }
  }
  if (location === "cookie" && /[=;,\s"\\]|[^\x21-\x7e]/.test(name)) {
    throw fault("malformed-operation", `The ${label} has a name that no cookie can have.`);
  }
  const schema = document.member(node, "schema");
  const content = document.member(node, "content");
  const base = {
    name,
    in: location as ParameterLocation,
    required: value["required"] === true || location === "path",
    description: typeof value["description"] === "string" ? value["description"] : undefined,
    deprecated: value["deprecated"] === true,
    node,
  };
  if (content !== undefined) {
    if (schema !== undefined) throw fault("malformed-operation", `The ${label} has both schema and content.`);
    return { ...base, ...planContent(document, content, label, conventions) };
  }
  if (location === "querystring") throw fault("malformed-operation", `The ${label} has no content.`);
  const accepts = acceptedValues(document, schema === undefined ? [] : [schema]);
  const rule = styleRule(document, {
    node,
    name,
    in: location as "path" | "query" | "header" | "cookie",
    accepts,
    label,
    conventions,
  });
  return {
    ...base,
    kind: "style",
    schema,
    rule,
    allowReserved: value["allowReserved"] === true && escapes(document, location, rule),
    allowEmptyValue: value["allowEmptyValue"] === true && location === "query",
  };
}

/** Whether `allowReserved` applies: to query parameters; since 3.2 to all that are percent-encoded. */
function escapes(document: OpenApiDocument, location: string, rule: StyleRule): boolean {
  if (location === "query") return true;
  return document.version === "3.2" && (location === "path" || (location === "cookie" && rule.style === "form"));
}

function planContent(
  document: OpenApiDocument,
  content: Located,
  label: string,
  conventions: Conventions,
): Pick<ContentParameter, "kind" | "content" | "schema"> {
  const keys = Object.keys(isObject(content.value) ? content.value : {});
  const fault = (code: SkipCode, reason: string): DocumentFault =>
    new DocumentFault({ code, reason, pointer: document.show(content) });
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    throw fault("malformed-operation", `The content of the ${label} must have exactly one media type.`);
  }
  const media = document.child(content, key);
  const plan = planMediaType(document, key, media, conventions);
  if (plan.kind === "multipart" || (plan.kind === "octets" && !plan.acceptsText) || plan.kind === "range") {
    throw fault("unsupported-media-type", `The ${label} has content of type ${key}, which a parameter cannot carry.`);
  }
  return { kind: "content", content: plan, schema: media === undefined ? undefined : document.member(media, "schema") };
}
