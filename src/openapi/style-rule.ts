/**
 * Which combinations of style, explode, location and type the specification defines.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#style-values, #style-examples; Swagger 2.0, Parameter Object.
 */
import { type AcceptedValues, acceptsNothing } from "./accepted-values.js";
import { DocumentFault, type Located, type OpenApiDocument } from "./document.js";
import { isObject } from "./references.js";
import type { Style, StyleRule } from "./style.js";

export type StyleLocation = "path" | "query" | "header" | "cookie" | "form";

const STYLES: Record<StyleLocation, readonly string[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  form: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

/** Named de-facto encodings that the user chose. */
export interface Conventions {
  readonly deepObject?: "brackets" | undefined;
}

const DELIMITED = ["spaceDelimited", "pipeDelimited", "tabDelimited"];

export interface StyleSource {
  /** The Parameter or Encoding Object. */
  readonly node: Located;
  readonly name: string;
  readonly in: StyleLocation;
  readonly accepts: AcceptedValues;
  /** How reasons call it. */
  readonly label: string;
  readonly conventions: Conventions;
}

function stylesOf(document: OpenApiDocument, location: StyleLocation): readonly string[] {
  // 2.0 has every collectionFormat in every location, multi apart.
  if (document.version === "2.0" && location !== "cookie") return [...STYLES[location], ...DELIMITED];
  if (document.version === "3.2" && location === "cookie") return [...STYLES.cookie, "cookie"];
  return STYLES[location];
}

/**
 * Exploded delimited styles: up to 3.0.3 and in 3.1.0 the definition of `explode` ("separate parameters for each value")
 * holds for every style; from 3.0.4 and 3.1.1 on the table says that the combination is undefined.
 */
function explodesDelimited(document: OpenApiDocument): boolean {
  return /^(?:3\.0(?:\.[0-3])?|3\.1(?:\.0)?)(?:$|[^.\d])/.test(document.openapi);
}

/**
 * The rule of a parameter or property, its accepted values cut down to those whose form is defined.
 *
 * @throws DocumentFault `undefined-serialization` when none is left, `malformed-operation` for fields of the wrong type.
 */
export function styleRule(document: OpenApiDocument, source: StyleSource): StyleRule {
  const { name, label } = source;
  const given = isObject(source.node.value) ? source.node.value : {};
  const fault = (code: "undefined-serialization" | "malformed-operation", reason: string): DocumentFault =>
    new DocumentFault({ code, reason, pointer: document.show(source.node) });
  const style = given["style"] ?? (source.in === "path" || source.in === "header" ? "simple" : "form");
  if (typeof style !== "string" || !stylesOf(document, source.in).includes(style)) {
    throw fault(
      "undefined-serialization",
      `The ${label} has style ${JSON.stringify(style)}, which is not defined there.`,
    );
  }
  const { explode = style === "form" || style === "cookie" } = given;
  if (typeof explode !== "boolean") throw fault("malformed-operation", `explode of the ${label} is not a boolean.`);
  if (style === "deepObject" && source.conventions.deepObject === "brackets") {
    return { name, style, explode, accepts: source.accepts, brackets: true };
  }
  const accepts = defined(document, source, style as Style, explode, given["explode"] !== undefined);
  if (acceptsNothing(accepts)) {
    const exploded = given["explode"] === undefined ? "" : ` and explode ${String(explode)}`;
    const hint =
      style === "deepObject" ? " (--convention deepObject=brackets writes lists and deeper objects in brackets)" : "";
    throw fault(
      "undefined-serialization",
      `The specification does not define how the ${label} is written: its type with style ${style}${exploded}${hint}.`,
    );
  }
  return { name, style: style as Style, explode, accepts };
}

const NO_SCALAR = [] as const;

function defined(
  document: OpenApiDocument,
  source: StyleSource,
  style: Style,
  explode: boolean,
  explicit: boolean,
): AcceptedValues {
  const { accepts } = source;
  const nothing: AcceptedValues = { scalar: NO_SCALAR, items: undefined, object: undefined };
  if (DELIMITED.includes(style)) {
    // "n/a" for a lone value; 2.0 gives a collectionFormat to lists only.
    if (explode && !explodesDelimited(document)) return nothing;
    return { ...accepts, scalar: NO_SCALAR };
  }
  if (style === "deepObject") {
    // Up to 3.1 `explode: false` is undefined although it is the default. Left out, the one defined form is meant; in 3.2
    // the field has no effect.
    if (!explode && explicit && document.version !== "3.2") return nothing;
    return { ...nothing, object: accepts.object };
  }
  // Appendix D: exploded, form style has the wrong delimiter for cookies.
  if (source.in === "cookie" && style === "form" && explode) return { ...nothing, scalar: accepts.scalar };
  return accepts;
}
