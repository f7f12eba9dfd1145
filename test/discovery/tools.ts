import * as Effect from "effect/Effect";
import type { JsonSchema, Tool, ToolFacts } from "../../src/codemode/tool.js";
import { ToolError } from "../../src/codemode/tool-error.js";

/** A tool that is never called here. */
export function tool(
  inputSchema: JsonSchema | undefined,
  outputSchema?: JsonSchema,
  facts: ToolFacts & { readonly description?: string } = {},
): Tool {
  const { description = "", ...rest } = facts;
  return {
    description,
    inputSchema,
    outputSchema,
    facts: rest,
    call: () => Effect.fail(new ToolError("never called")),
  };
}

/** An object schema in which `required` lists every property whose name ends in `!`. */
export function object(properties: Readonly<Record<string, unknown>>, more: object = {}): JsonSchema {
  const named = Object.entries(properties).map(([key, schema]) => [key.replace(/!$/, ""), schema] as const);
  const required = Object.keys(properties).flatMap((key) => (key.endsWith("!") ? [key.slice(0, -1)] : []));
  return { type: "object", properties: Object.fromEntries(named), required, additionalProperties: false, ...more };
}
