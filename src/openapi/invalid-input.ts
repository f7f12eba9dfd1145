/** Faults of the input of a call: nothing is sent. */
import { ToolError } from "../codemode/tool-error.js";
import type { Json } from "../json/json.js";

/** A `ToolError` of kind `InvalidToolInput`. `message` names the input. */
export function invalidInput(message: string, hint?: string): ToolError {
  return new ToolError(message, hint === undefined ? { kind: "InvalidToolInput" } : { kind: "InvalidToolInput", hint });
}

/** A value in a few words: `the string "abc"`, `a list`, `null`. */
export function describeValue(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string")
    return `the string ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  return `the ${typeof value === "boolean" ? "boolean" : "number"} ${String(value)}`;
}
