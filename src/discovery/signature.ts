/** The one-line TypeScript signature of a tool. */
import { type JsonSchema, SCHEMA_ANNOTATION, type Tool } from "../codemode/tool.js";
import { compactType } from "./compact-type.js";
import { SchemaTypes } from "./schema-type.js";
import type { TypeNode } from "./type-node.js";

export interface SignatureOptions {
  /** About how many characters the input's type may take. Default 900. */
  readonly inputLimit?: number;
  /** About how many characters the result's type may take. Default 400. */
  readonly outputLimit?: number;
}

/** What a tool takes: nothing, or a value that may be left out, or one that may not. */
export interface Parameter {
  readonly type: TypeNode;
  readonly optional: boolean;
}

/** The one parameter of a tool as a type; `undefined` for a tool that takes nothing. */
export function parameterOf(schema: JsonSchema | undefined, types: SchemaTypes): Parameter | undefined {
  const type = types.type;
  if (schema === undefined) return { type, optional: true };
  if (type.kind !== "object") return { type, optional: type.kind === "word" && type.text === "unknown" };
  if (type.properties.length === 0 && !type.rest) return undefined;
  return { type, optional: type.properties.every((property) => property.optional) };
}

/** The items' schema of a streamed output, `undefined` for any other. */
export function streamItems(schema: JsonSchema | undefined): { readonly items: unknown } | undefined {
  if (typeof schema !== "object" || schema[SCHEMA_ANNOTATION] !== "stream") return undefined;
  return { items: schema["items"] };
}

/** The value a call gives, before `Promise<…>`, written by `write`. */
export function resultType(
  schema: JsonSchema | undefined,
  types: SchemaTypes,
  write: (type: TypeNode) => string,
): string {
  const stream = streamItems(schema);
  return stream ? `AsyncIterable<${write(types.typeOf(stream.items))}>` : write(types.type);
}

/**
 * The signature of a tool on one line, e.g.
 * `tools.pets.list(input?: { limit?: number; tags?: string[] }): Promise<Pet[]>`.
 *
 * Definitions are written out where they fit and stay names where they do not (`definitionsOf` gives those); the text is
 * bounded whatever the size of the schemas.
 *
 * @param path the JavaScript expression of the tool.
 */
export function signatureOf(tool: Tool<unknown>, path: string, options: SignatureOptions = {}): string {
  const { inputLimit = 900, outputLimit = 400 } = options;
  const { inputSchema, outputSchema } = tool;
  const parameter = parameterOf(inputSchema, new SchemaTypes(inputSchema ?? true));
  const input = parameter ? `input${parameter.optional ? "?" : ""}: ${compactType(parameter.type, inputLimit)}` : "";
  const output = resultType(outputSchema, new SchemaTypes(outputSchema ?? true), (type) =>
    compactType(type, outputLimit),
  );
  return `${path}(${input}): Promise<${output}>`;
}
