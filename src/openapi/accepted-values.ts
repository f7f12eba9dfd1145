/**
 * What values a style can carry for a schema: one level of structure, as URI Templates know it (RFC 6570, 2.3).
 */
import type { Located, OpenApiDocument } from "./document.js";
import {
  type Alternative,
  additionalSchemas,
  allows,
  alternatives,
  itemSchemas,
  propertySchemas,
  requiredProperties,
} from "./value-shape.js";

export type ScalarType = "string" | "integer" | "number" | "boolean";

/** Values with a defined text form. All of it plain data. */
export interface AcceptedValues {
  /** Types that stand alone. */
  readonly scalar: readonly ScalarType[];
  /** Types of a list's items; `undefined` when no list is accepted. */
  readonly items: readonly ScalarType[] | undefined;
  readonly object: AcceptedObject | undefined;
}

export interface AcceptedObject {
  /** Declared properties that can be carried. */
  readonly properties: ReadonlyMap<string, readonly ScalarType[]>;
  readonly required: readonly string[];
  /** Declared properties that cannot be carried: lists and objects inside an object have no defined form. */
  readonly undefined: readonly string[];
  /** Types of other properties; empty when there may be none. */
  readonly additional: readonly ScalarType[];
}

const SCALARS: readonly ScalarType[] = ["string", "integer", "number", "boolean"];

function scalarsOf(all: readonly Alternative[]): readonly ScalarType[] {
  return SCALARS.filter((type) => all.some((alternative) => allows(alternative, type)));
}

/** What of a schema's values has one level of structure. */
export function acceptedValues(document: OpenApiDocument, schemas: readonly Located[]): AcceptedValues {
  const all = alternatives(document, schemas);
  const items = new Set<ScalarType>();
  const objects: AcceptedObject[] = [];
  for (const alternative of all) {
    if (allows(alternative, "array")) {
      for (const type of scalarsOf(alternatives(document, itemSchemas(document, alternative)))) items.add(type);
    }
    if (allows(alternative, "object")) {
      const object = acceptedObject(document, alternative);
      if (object !== undefined) objects.push(object);
    }
  }
  return {
    scalar: scalarsOf(all),
    items: items.size === 0 ? undefined : SCALARS.filter((type) => items.has(type)),
    object: objects.length === 0 ? undefined : objects.reduce(union),
  };
}

function acceptedObject(document: OpenApiDocument, alternative: Alternative): AcceptedObject | undefined {
  const properties = new Map<string, readonly ScalarType[]>();
  const undefinedProperties: string[] = [];
  const required = requiredProperties(alternative);
  for (const [name, schemas] of propertySchemas(document, alternative)) {
    const types = scalarsOf(alternatives(document, schemas));
    if (types.length > 0) properties.set(name, types);
    else if (required.has(name)) return undefined;
    else undefinedProperties.push(name);
  }
  const additional = additionalSchemas(document, alternative);
  const types = additional === false ? [] : scalarsOf(alternatives(document, additional));
  if (properties.size === 0 && types.length === 0) return undefined;
  // A schema without any declared property but with undefined ones only has nothing that could be carried.
  if (properties.size === 0 && undefinedProperties.length > 0) return undefined;
  return { properties, required: [...required], undefined: undefinedProperties, additional: types };
}

function union(a: AcceptedObject, b: AcceptedObject): AcceptedObject {
  const properties = new Map(a.properties);
  for (const [name, types] of b.properties) {
    properties.set(name, [...new Set([...(properties.get(name) ?? []), ...types])]);
  }
  return {
    properties,
    required: a.required.filter((name) => b.required.includes(name)),
    undefined: [...a.undefined, ...b.undefined].filter((name) => !properties.has(name)),
    additional: [...new Set([...a.additional, ...b.additional])],
  };
}

export const acceptsNothing = (accepted: AcceptedValues): boolean =>
  accepted.scalar.length === 0 && accepted.items === undefined && accepted.object === undefined;

/** In words, for messages: "a string", "a list of integers", "an object". */
export function describeAccepted(accepted: AcceptedValues): string {
  const parts: string[] = [];
  if (accepted.scalar.length > 0) parts.push(describeScalars(accepted.scalar));
  if (accepted.items !== undefined) {
    parts.push(accepted.items.length === 1 ? `a list of ${accepted.items[0]}s` : "a list of plain values");
  }
  if (accepted.object !== undefined) parts.push("an object of plain values");
  return parts.join(" or ");
}

export function describeScalars(types: readonly ScalarType[]): string {
  if (types.length === SCALARS.length) return "a plain value";
  const shown = types.includes("number") ? types.filter((type) => type !== "integer") : types;
  return shown.map((type) => (type === "integer" ? "an integer" : `a ${type}`)).join(" or ");
}
