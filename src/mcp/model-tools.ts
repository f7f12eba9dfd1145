/** The two tools that a model sees. */
import type { Tool } from "@modelcontextprotocol/sdk/types.js";

const DIAGNOSTIC = {
  type: "object",
  properties: {
    kind: { type: "string" },
    message: { type: "string" },
    location: { type: "object", properties: { line: { type: "integer" }, column: { type: "integer" } } },
    tool: { type: "string" },
    status: { type: "integer" },
    hint: { type: "string" },
  },
  required: ["kind", "message"],
} as const;

export const EXECUTE_TOOL = {
  name: "execute",
  title: "Run a program against the API",
  inputSchema: {
    type: "object",
    properties: {
      code: { type: "string", description: "The program: JavaScript or TypeScript, with top-level await and return." },
      input: { description: "JSON that the program sees as the global `input`." },
    },
    required: ["code"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: {
      ok: { type: "boolean" },
      value: { description: "What the program returned." },
      error: DIAGNOSTIC,
      warnings: { type: "array", items: DIAGNOSTIC },
      logs: { type: "array", items: { type: "string" } },
      truncated: { type: "boolean" },
      toolCalls: {
        type: "array",
        items: {
          type: "object",
          properties: {
            tool: { type: "string" },
            outcome: { enum: ["success", "failure", "interrupted"] },
            durationMs: { type: "number" },
            status: { type: "integer" },
            message: { type: "string" },
          },
          required: ["tool", "outcome", "durationMs"],
        },
      },
    },
    required: ["ok", "toolCalls"],
  },
  // A program may call anything the API offers: a client must assume the strongest of it.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
} as const satisfies Tool;

export const SEARCH_TOOL = {
  name: "search",
  title: "Find tools of the API",
  description: "Ranked look-up of the tools that programs can call, with their signatures. An empty query browses.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: "Words, a path or a part of a name." },
      limit: { type: "integer", minimum: 1, description: "How many (default 10)." },
      offset: { type: "integer", minimum: 0 },
      namespace: { type: "string", description: "Only tools below this dotted name." },
    },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const satisfies Tool;
