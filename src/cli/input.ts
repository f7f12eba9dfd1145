/**
 * Reading what the user hands over: JSON on the command line, files, stdin.
 */
import { readFileSync } from "node:fs";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../json/json.js";
import { systemReason, usageFailure } from "./failure.js";
import type { InputOptions } from "./options.js";
import type { Pair } from "./values.js";

let stdinTaken: string | undefined;

/** All of stdin as text, for one purpose only. */
export async function readStdin(purpose: string): Promise<string> {
  if (stdinTaken !== undefined)
    throw usageFailure(`stdin (-) can be read once: it is already ${stdinTaken}, so it cannot be ${purpose}.`);
  stdinTaken = purpose;
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

export function readText(path: string, what: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw usageFailure(`${what} ${path} cannot be read: ${systemReason(error)}.`);
  }
}

/** JSON text of the user; integers keep their digits. */
export function userJson(text: string, what: string): Json {
  try {
    return parseJson(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const hint = /^\s*[{[]/.test(text) ? undefined : 'Quote it for the shell, for example --input \'{"org": "acme"}\'.';
    throw usageFailure(`${what} is not JSON: ${(error as Error).message}.`, hint);
  }
}

/** The value of `--input`: JSON, `@file` or `-`. */
export async function readInput(text: string): Promise<Json> {
  if (text === "-") return userJson(await readStdin("the input"), "The input on stdin");
  if (text.startsWith("@"))
    return userJson(readText(text.slice(1), "The input file"), `The input file ${text.slice(1)}`);
  return userJson(text, "--input");
}

/** `name=value` is text, `name:=value` JSON. */
export function argumentValue({ name, value }: Pair): { name: string; json: Json | undefined; text: string } {
  if (!name.endsWith(":")) return { name, json: undefined, text: value };
  const key = name.slice(0, -1);
  return { name: key, json: userJson(value, `--arg ${key}`), text: value };
}

/** The global `input` of a program; `undefined` when none was given. */
export async function programInput(options: InputOptions): Promise<Json | undefined> {
  const input = options.input === undefined ? undefined : await readInput(options.input);
  if (!options.arg) return input;
  if (input !== undefined && !isJsonObject(input))
    throw usageFailure("--arg adds properties, so --input must be a JSON object beside it.");
  const merged: JsonObject = { ...input };
  for (const pair of options.arg) {
    const { name, json, text } = argumentValue(pair);
    Object.defineProperty(merged, name, { value: json ?? text, enumerable: true, writable: true, configurable: true });
  }
  return merged;
}
