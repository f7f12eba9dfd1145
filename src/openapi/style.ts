/**
 * Values as text: the styles of the Parameter Object, by the operators of RFC 6570 where it has them.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#style-values, #style-examples and Appendix C.
 */
import { isJsonObject, type Json } from "../json/json.js";
import { type AcceptedValues, describeAccepted, describeScalars, type ScalarType } from "./accepted-values.js";
import { describeValue, invalidInput } from "./invalid-input.js";

export type Style =
  | "matrix"
  | "label"
  | "simple"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "tabDelimited"
  | "deepObject"
  | "cookie";

/** How one name's value is written. */
export interface StyleRule {
  /** The name on the wire. */
  readonly name: string;
  readonly style: Style;
  readonly explode: boolean;
  readonly accepts: AcceptedValues;
  /** The convention `deepObject=brackets`: lists as `a[]`, deeper objects as `a[b][c]`. Not in any specification. */
  readonly brackets?: boolean | undefined;
}

/** A value with at most one level of structure, its leaves as text. */
export type FlatValue =
  | { readonly kind: "scalar"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [name: string, text: string])[] };

const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** The digits of an integer that a double holds: never in exponent form. */
function integerText(value: number): string {
  return Math.abs(value) < 1e21 ? String(value === 0 ? 0 : value) : BigInt(value).toString();
}

/**
 * The text of a scalar, when it is a text of one of the types: a parameter carries text, so `42` and `"42"` are the same
 * request. `undefined` when it is not.
 */
export function scalarText(value: Json, types: readonly ScalarType[]): string | undefined {
  const has = (type: ScalarType): boolean => types.includes(type);
  switch (typeof value) {
    case "string":
      if (has("string")) return value;
      if (has("integer") && INTEGER.test(value)) return value;
      if (has("number") && NUMBER.test(value)) return value;
      return has("boolean") && (value === "true" || value === "false") ? value : undefined;
    case "bigint":
      return has("integer") || has("number") || has("string") ? value.toString() : undefined;
    case "number":
      if (Number.isInteger(value)) {
        return has("integer") || has("number") || has("string") ? integerText(value) : undefined;
      }
      return has("number") || has("string") ? String(value) : undefined;
    case "boolean":
      return has("boolean") || has("string") ? String(value) : undefined;
    default:
      return undefined;
  }
}

/** Refuses a text that has no UTF-8 form: one with half of a surrogate pair. */
export function wellFormed(text: string, label: string): string {
  if (!text.isWellFormed())
    throw invalidInput(`\`${label}\` contains half of a surrogate pair, which is no character.`);
  return text;
}

function scalarAt(value: Json, types: readonly ScalarType[], label: string): string {
  const text = scalarText(value, types);
  if (text === undefined) {
    throw invalidInput(`\`${label}\` must be ${describeScalars(types)}, not ${describeValue(value)}.`);
  }
  return wellFormed(text, label);
}

/**
 * A value with its leaves as text; `undefined` when it is undefined in the sense of RFC 6570, 2.3: null, an empty list, an
 * object without defined members.
 *
 * @param label How messages call the input.
 * @throws ToolError `InvalidToolInput` for a value that the rule cannot carry.
 */
export function flatten(value: Json | undefined, accepts: AcceptedValues, label: string): FlatValue | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && accepts.items !== undefined) {
    const types = accepts.items;
    const items = value.flatMap((item, index) => (item === null ? [] : [scalarAt(item, types, `${label}[${index}]`)]));
    return items.length === 0 ? undefined : { kind: "list", items };
  }
  if (isJsonObject(value) && accepts.object !== undefined) {
    const { properties, required, additional } = accepts.object;
    const entries: [string, string][] = [];
    for (const [name, member] of Object.entries(value)) {
      if (member === null) continue;
      const types = properties.get(name) ?? (accepts.object.undefined.includes(name) ? [] : additional);
      if (types.length === 0) {
        const why = accepts.object.undefined.includes(name)
          ? "has no form that the specification defines: it is a list or an object inside an object"
          : "is not one of its properties";
        throw invalidInput(`\`${label}.${name}\` ${why}.`, `Its properties are ${[...properties.keys()].join(", ")}.`);
      }
      entries.push([name, scalarAt(member, types, `${label}.${name}`)]);
    }
    const missing = required.find((name) => !entries.some(([entry]) => entry === name));
    if (missing !== undefined && entries.length > 0) throw invalidInput(`\`${label}.${missing}\` is required.`);
    return entries.length === 0 ? undefined : { kind: "object", entries };
  }
  const text = typeof value === "object" ? undefined : scalarText(value, accepts.scalar);
  if (text !== undefined) return { kind: "scalar", text: wellFormed(text, label) };
  throw invalidInput(`\`${label}\` must be ${describeAccepted(accepts)}, not ${describeValue(value)}.`);
}

/** Turns a text into what may stand in the place it goes to. */
export type Encode = (text: string) => string;

export interface PairEncoding {
  readonly name: Encode;
  readonly value: Encode;
  /** The delimiters of the delimited styles and deepObject are percent-encoded too (Appendix E). */
  readonly uri: boolean;
}

const DELIMITERS = { spaceDelimited: " ", pipeDelimited: "|", tabDelimited: "\t" } as const;

function delimited(
  items: readonly string[],
  style: keyof typeof DELIMITERS,
  encoding: PairEncoding,
  label: string,
): string {
  const delimiter = DELIMITERS[style];
  const ambiguous = items.find((item) => item.includes(delimiter));
  if (ambiguous !== undefined) {
    // Appendix E: the delimiter and the same character in an item look alike once encoded.
    const name = { " ": "a space", "|": "a vertical bar", "\t": "a tab" }[delimiter];
    throw invalidInput(
      `An item of \`${label}\` contains ${name}, which separates the items: ${describeValue(ambiguous)}.`,
    );
  }
  return items.map(encoding.value).join(encoding.uri ? encodeURIComponent(delimiter) : delimiter);
}

/** Name-value pairs of a query, form or cookie: `form`, the delimited styles, `deepObject` and `cookie`. */
function expandPairs(
  rule: StyleRule,
  value: FlatValue,
  encoding: PairEncoding,
  label: string,
): (readonly [name: string, value: string])[] {
  const { style, explode } = rule;
  const name = encoding.name(rule.name);
  if (style === "deepObject") {
    if (value.kind !== "object") return [];
    return value.entries.map(([key, text]) => {
      if (/[[\]]/.test(key))
        throw invalidInput(`A property of \`${label}\` has a bracket in its name: ${describeValue(key)}.`);
      const [open, close] = encoding.uri ? ["%5B", "%5D"] : ["[", "]"];
      return [`${name}${open}${encoding.name(key)}${close}`, encoding.value(text)] as const;
    });
  }
  if (value.kind === "scalar") return [[name, encoding.value(value.text)]];
  if (explode) {
    return value.kind === "list"
      ? value.items.map((item) => [name, encoding.value(item)] as const)
      : value.entries.map(([key, text]) => [encoding.name(key), encoding.value(text)] as const);
  }
  const items = value.kind === "list" ? value.items : value.entries.flat();
  if (style in DELIMITERS) return [[name, delimited(items, style as keyof typeof DELIMITERS, encoding, label)]];
  return [[name, items.map(encoding.value).join(",")]];
}

/** The text of a path parameter or header field: `simple`, `label`, `matrix` and, in 2.0, the delimited styles. */
export function expandText(rule: StyleRule, value: FlatValue, encoding: PairEncoding, label: string): string {
  const { style, explode } = rule;
  const flat = (): string => {
    if (value.kind === "scalar") return encoding.value(value.text);
    const items = value.kind === "list" ? value.items : value.entries.flat();
    return items.map(encoding.value).join(",");
  };
  const pairs = (separator: string): string =>
    value.kind === "object"
      ? value.entries.map(([key, text]) => `${encoding.name(key)}=${encoding.value(text)}`).join(separator)
      : "";
  switch (style) {
    case "matrix": {
      const name = encoding.name(rule.name);
      const pair = (text: string): string => (text === "" ? `;${name}` : `;${name}=${text}`);
      if (!explode || value.kind === "scalar") return pair(flat());
      if (value.kind === "list") return value.items.map((item) => pair(encoding.value(item))).join("");
      return value.entries
        .map(([key, text]) => `;${encoding.name(key)}${text === "" ? "" : `=${encoding.value(text)}`}`)
        .join("");
    }
    case "label":
      if (!explode || value.kind === "scalar") return `.${flat()}`;
      return value.kind === "list" ? `.${value.items.map(encoding.value).join(".")}` : `.${pairs(".")}`;
    case "spaceDelimited":
    case "pipeDelimited":
    case "tabDelimited":
      if (value.kind === "scalar") return flat();
      return delimited(value.kind === "list" ? value.items : value.entries.flat(), style, encoding, label);
    default:
      return explode && value.kind === "object" ? pairs(",") : flat();
  }
}

/**
 * The convention `deepObject=brackets`, as Rails, PHP and qs read it: `a[b][c]=1`, `a[]=1&a[]=2`. The items of a list that
 * are lists or objects have no agreed form there, so they are refused.
 */
function expandBrackets(
  rule: StyleRule,
  value: Json,
  encoding: PairEncoding,
  label: string,
): (readonly [name: string, value: string])[] {
  const [open, close] = encoding.uri ? ["%5B", "%5D"] : ["[", "]"];
  const walk = (prefix: string, member: Json, path: string): (readonly [string, string])[] => {
    if (member === null) return [];
    if (Array.isArray(member)) {
      return member.flatMap((item, index) => {
        if (item === null) return [];
        const where = `${path}[${index}]`;
        if (typeof item === "object") {
          throw invalidInput(`\`${where}\` is ${describeValue(item)}: a list in brackets can only hold plain values.`);
        }
        return [[`${prefix}${open}${close}`, encoding.value(scalarAt(item, ["string"], where))] as const];
      });
    }
    if (typeof member === "object") {
      return Object.entries(member).flatMap(([key, inner]) =>
        walk(`${prefix}${open}${encoding.name(key)}${close}`, inner, `${path}.${key}`),
      );
    }
    return [[prefix, encoding.value(scalarAt(member, ["string"], path))]];
  };
  if (typeof value !== "object") scalarAt(value, rule.accepts.scalar, label);
  return walk(encoding.name(rule.name), value, label);
}

/**
 * The name-value pairs of a value; `undefined` when it is absent.
 *
 * @throws ToolError `InvalidToolInput` for a value that the rule cannot carry.
 */
export function stylePairs(
  rule: StyleRule,
  value: Json | undefined,
  encoding: PairEncoding,
  label: string,
): (readonly [name: string, value: string])[] | undefined {
  if (rule.brackets === true) {
    const pairs = value === undefined ? [] : expandBrackets(rule, value, encoding, label);
    return pairs.length === 0 ? undefined : pairs;
  }
  const flat = flatten(value, rule.accepts, label);
  return flat && expandPairs(rule, flat, encoding, label);
}
