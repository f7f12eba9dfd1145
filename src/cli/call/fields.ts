/**
 * `--<field> <value>` words of `call`: read as the tool's input schema types them.
 */
import type { JsonSchema } from "../../codemode/tool.js";
import { ToolError } from "../../codemode/tool-error.js";
import { closestNames } from "../../discovery/closest-names.js";
import { type Json, type JsonObject, parseJson } from "../../json/json.js";
import { usageFailure } from "../failure.js";
import { readText, userJson } from "../input.js";
import { itemsOf, type JsonType, propertySchema, typesOf } from "./schema-types.js";

/** The words do not make an input of the tool: a diagnostic like the tool's own, nothing is sent. */
function invalidInput(message: string, hint?: string): ToolError {
  return new ToolError(message, { kind: "InvalidToolInput", ...(hint === undefined ? {} : { hint }) });
}

/** Makes a local file available for upload and gives the name by which the tool knows it. */
export type OfferFile = (path: string) => string;

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const INTEGER = /^-?(0|[1-9]\d*)$/;

/** The options of a call that stand for inputs of the tool. */
export interface FieldNames {
  readonly names: readonly string[];
  readonly schema: JsonSchema | undefined;
}

const folded = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The input that a flag means: its exact name, else the one name that is the same apart from case and separators. */
function fieldOf(flag: string, { names }: FieldNames): string {
  if (names.includes(flag)) return flag;
  const similar = names.filter((name) => folded(name) === folded(flag));
  if (similar.length === 1) return similar[0]!;
  if (similar.length > 1)
    throw invalidInput(`--${flag} may mean ${similar.map((name) => `--${name}`).join(" or ")}; write the exact name.`);
  const near = closestNames(flag, names);
  const guess = near.length > 0 ? `Did you mean ${near.map((name) => `--${name}`).join(" or ")}? ` : "";
  const known = names.length > 0 ? `It takes ${names.map((name) => `--${name}`).join(", ")}.` : "It takes no input.";
  throw invalidInput(`The tool has no input ${JSON.stringify(flag)}.`, guess + known);
}

const LABELS: Readonly<Record<JsonType, string>> = {
  null: "null",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  string: "text",
  array: "a list",
  object: "a JSON object",
  file: "a file (@path)",
};

/** Reads one word as a value of the given types. */
function readWord(word: string, types: ReadonlySet<JsonType> | undefined, name: string, offer: OfferFile): Json {
  if (types?.has("file")) {
    return { file: offer(word.startsWith("@") ? word.slice(1) : word) };
  }
  if (types === undefined) {
    // Nothing is known: JSON where it is JSON, text otherwise.
    try {
      return parseJson(word);
    } catch {
      return word;
    }
  }
  if ((types.has("object") || types.has("array")) && !types.has("string") && word.startsWith("@")) {
    return userJson(readText(word.slice(1), "The file"), `The file ${word.slice(1)}`);
  }
  if (types.has("boolean") && (word === "true" || word === "false")) return word === "true";
  if ((types.has("integer") && INTEGER.test(word)) || (types.has("number") && NUMBER.test(word)))
    return parseJson(word);
  if (types.has("object") && word.startsWith("{")) return userJson(word, `--${name}`);
  if (types.has("array") && word.startsWith("[")) return userJson(word, `--${name}`);
  if (types.has("null") && word === "null" && !types.has("string")) return null;
  if (types.has("string")) return word;
  throw invalidInput(
    `--${name} takes ${[...types].map((type) => LABELS[type]).join(" or ")}, not ${JSON.stringify(word)}.`,
  );
}

function readValue(words: readonly string[], name: string, fields: FieldNames, offer: OfferFile): Json {
  const schema = propertySchema(fields.schema, name);
  const types = typesOf(schema, fields.schema);
  if (types?.has("array")) {
    // One word that is a JSON list is the whole list; otherwise each use of the flag is one item.
    if (words.length === 1 && /^[[@]/.test(words[0]!)) {
      const whole = readWord(words[0]!, types, name, offer);
      if (Array.isArray(whole)) return whole;
    }
    if (words.length > 1 || types.size === 1) {
      const items = itemsOf(schema, fields.schema);
      return words.map((word) => readWord(word, typesOf(items, fields.schema), name, offer));
    }
  }
  if (words.length > 1) {
    if (types === undefined) return words.map((word) => readWord(word, types, name, offer));
    throw invalidInput(`--${name} is given ${words.length} times, but it takes one value.`);
  }
  return readWord(words[0]!, types, name, offer);
}

/** Whether a flag may stand alone: `--draft` for `--draft true`. */
function standsAlone(name: string, fields: FieldNames): boolean {
  const types = typesOf(propertySchema(fields.schema, name), fields.schema);
  return types?.has("boolean") === true && !types.has("string");
}

/**
 * The input that the words of a command line describe.
 *
 * @param words what follows the tool's name, e.g. `["--owner", "acme", "--draft", "--labels=a", "--labels=b"]`
 * @param pairs values of `--arg name=value` (text, typed like a flag)
 * @throws CommandFailure (exit code 2) when they are no options; ToolError `InvalidToolInput` when they do not fit the tool
 */
export function readFields(
  words: readonly string[],
  pairs: readonly { readonly name: string; readonly json: Json | undefined; readonly text: string }[],
  fields: FieldNames,
  offer: OfferFile,
): JsonObject {
  const given = new Map<string, string[]>();
  const add = (name: string, word: string) => {
    const list = given.get(name);
    if (list) list.push(word);
    else given.set(name, [word]);
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (!word.startsWith("--") || word === "--") {
      throw usageFailure(
        `Unexpected argument ${JSON.stringify(word)}.`,
        "Inputs are given as --<field> <value> after the tool, or as --input '{…}'.",
      );
    }
    const equals = word.indexOf("=");
    const exact = fields.names.includes(word.slice(2)) || equals < 0;
    const name = fieldOf(exact ? word.slice(2) : word.slice(2, equals), fields);
    if (!exact) {
      add(name, word.slice(equals + 1));
      continue;
    }
    const next = words[at + 1];
    if (standsAlone(name, fields)) {
      if (next === "true" || next === "false") at++;
      add(name, next === "false" ? "false" : "true");
    } else if (next === undefined) {
      throw usageFailure(`--${name} needs a value.`);
    } else {
      add(name, next);
      at++;
    }
  }
  const input: JsonObject = Object.create(null) as JsonObject;
  for (const { name, json, text } of pairs) {
    const field = fieldOf(name, fields);
    if (json === undefined) add(field, text);
    else input[field] = json;
  }
  for (const [name, values] of given) input[name] = readValue(values, name, fields, offer);
  return input;
}
