/** The library. */

export { type CallObserver, CurrentCallObserver, observerHooks } from "./codemode/call-observer.js";
export {
  CodeMode,
  type CodeModeOptions,
  type CodeModeRuntime,
  type ExecuteOptions,
  type ServicesOf,
} from "./codemode/code-mode.js";
export type { Diagnostic, DiagnosticKind, Location } from "./codemode/diagnostic.js";
export type { Sandbox, SandboxOptions } from "./codemode/host/sandbox.js";
export type { Hooks, ToolCallEnd, ToolCallStart } from "./codemode/host/tool-call.js";
export type { Limits } from "./codemode/limits.js";
export { Tool, type ToolOptions } from "./codemode/make-tool.js";
export {
  EXECUTE,
  type Exposure,
  type Registration,
  type RegistryOptions,
  type Settlement,
  type SnapshotOptions,
  ToolRegistry,
  type ToolSnapshot,
} from "./codemode/registry.js";
export type { Result, ToolCall } from "./codemode/result.js";
export type { Answer, CallMode, CallOptions, JsonSchema, ToolContract, ToolFacts, ToolTree } from "./codemode/tool.js";
export { ToolError, type ToolErrorDetails } from "./codemode/tool-error.js";
export type { CatalogEntry, InstructionsOptions, SearchItem, SearchOptions, SearchResult } from "./discovery/index.js";
export type { Json, JsonObject } from "./json/json.js";
export {
  DocumentError,
  type DocumentErrorDetails,
  type DocumentErrorReason,
  type DocumentInfo,
  type DocumentSource,
  type Omitted,
  OpenAPI,
  type OpenApi,
  type OpenApiOptions,
  type SkipCode,
  type Skipped,
} from "./openapi/index.js";
