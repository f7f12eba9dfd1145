/**
 * JSON bodies against their schema: the types must agree, so that a mistake is a clear error and no surprise of the server.
 * Values are otherwise sent as they are. Null is never refused: documents leave `nullable` out, and in a merge patch it means
 * something (RFC 7396).
 */
import { isJsonObject, type Json, type JsonObject } from "../json/json.js";
import { DocumentFault, type Located, type OpenApiDocument } from "./document.js";
import { type FileInput, fileInput } from "./file-input.js";
import { describeValue, invalidInput } from "./invalid-input.js";
import {
  type Alternative,
  additionalSchemas,
  allows,
  alternatives,
  base64Variant,
  itemSchemas,
  type JsonType,
  propertySchemas,
} from "./value-shape.js";

/** Reads a file as base64 text. */
export type ReadBase64 = (file: FileInput, variant: "base64" | "base64url") => Promise<string>;

/**
 * The value to write: a string of digits beyond 2^53 where only a number can stand becomes that number (answers give such
 * integers as strings), a file handle where base64 text is declared becomes that text.
 *
 * @throws ToolError `InvalidToolInput` naming the place.
 */
export async function jsonValue(
  document: OpenApiDocument,
  schemas: readonly Located[],
  value: Json,
  label: string,
  readBase64: ReadBase64,
): Promise<Json> {
  const checker = new Checker(document, readBase64);
  const result = checker.check(value, schemas, label);
  if (checker.reads.length > 0) {
    for (const read of checker.reads) await read();
    for (const copy of checker.copies) copy();
  }
  return result.value;
}

interface Checked {
  value: Json;
}

class Checker {
  /** Files to read. */
  readonly reads: (() => Promise<void>)[] = [];
  /** Puts what was read into the lists and objects around it, innermost first. */
  readonly copies: (() => void)[] = [];

  constructor(
    readonly document: OpenApiDocument,
    readonly readBase64: ReadBase64,
  ) {}

  check(value: Json, schemas: readonly Located[], label: string): Checked {
    if (value === null || schemas.length === 0) return { value };
    let all: readonly Alternative[];
    try {
      all = alternatives(this.document, schemas);
    } catch (error) {
      // What cannot be read says nothing against the value.
      if (error instanceof DocumentFault) return { value };
      throw error;
    }
    const type = jsonType(value);
    const fitting = all.filter((alternative) => allows(alternative, type));
    if (fitting.length === 0) return this.#converted(value, all, label);
    const [only] = fitting;
    if (fitting.length > 1 || only === undefined) return { value };
    if (Array.isArray(value)) return { value: this.#items(value, only, label) };
    if (isJsonObject(value)) return { value: this.#members(value, only, label) };
    return { value };
  }

  #items(value: Json[], alternative: Alternative, label: string): Json[] {
    const schemas = itemSchemas(this.document, alternative);
    if (schemas.length === 0) return value;
    const items = value.map((item, index) => this.check(item, schemas, `${label}[${index}]`));
    const result = items.map((item) => item.value);
    this.copies.push(() => {
      for (const [index, item] of items.entries()) result[index] = item.value;
    });
    return result;
  }

  #members(value: JsonObject, alternative: Alternative, label: string): JsonObject {
    const properties = propertySchemas(this.document, alternative);
    const additional = additionalSchemas(this.document, alternative);
    if (properties.size === 0 && (additional === false || additional.length === 0)) return value;
    const members = Object.entries(value).map(([name, member]) => {
      const schemas = properties.get(name) ?? (additional === false ? [] : additional);
      return [name, this.check(member, schemas, `${label}.${name}`)] as const;
    });
    // `fromEntries` defines: a name may be `__proto__`.
    const result = Object.fromEntries(members.map(([name, member]) => [name, member.value]));
    this.copies.push(() => {
      for (const [name, member] of members) {
        if (result[name] !== member.value) Object.defineProperty(result, name, { ...PLAIN, value: member.value });
      }
    });
    return result;
  }

  #converted(value: Json, all: readonly Alternative[], label: string): Checked {
    const numeric = all.some((alternative) => allows(alternative, "integer"));
    if (
      numeric &&
      typeof value === "string" &&
      /^-?(?:0|[1-9]\d*)$/.test(value) &&
      !Number.isSafeInteger(Number(value))
    ) {
      return { value: BigInt(value) };
    }
    const file = fileInput(value, label);
    const variant = all.map(base64Variant).find((found) => found !== undefined);
    if (file !== undefined && variant !== undefined) {
      const checked: Checked = { value: "" };
      this.reads.push(async () => {
        checked.value = await this.readBase64(file, variant);
      });
      return checked;
    }
    throw invalidInput(`\`${label}\` must be ${describeTypes(all)}, not ${describeValue(value)}.`);
  }
}

const PLAIN = { writable: true, enumerable: true, configurable: true };

function jsonType(value: Json): JsonType {
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "bigint":
      return "integer";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    default:
      return value === null ? "null" : "object";
  }
}

const WORDS: Record<JsonType, string> = {
  null: "null",
  boolean: "a boolean",
  integer: "an integer",
  number: "a number",
  string: "a string",
  array: "a list",
  object: "an object",
};

function describeTypes(all: readonly Alternative[]): string {
  const types = new Set(all.flatMap((alternative) => [...(alternative.types ?? [])]));
  if (types.size > 1) types.delete("null");
  return [...types].map((type) => WORDS[type]).join(" or ");
}
