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
export { type ContractServices, type Returned, Tool, type ToolOptions, type ValueOf } from "./codemode/make-tool.js";
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
export type { Result, ResultDetails, ToolCall } from "./codemode/result.js";
export type {
  Answer,
  CallMode,
  CallOptions,
  JsonSchema,
  Tool as ToolInterface,
  ToolContract,
  ToolFacts,
  ToolTree,
} from "./codemode/tool.js";
export { ToolError, type ToolErrorDetails } from "./codemode/tool-error.js";
export type { CredentialParts } from "./credentials/parts.js";
export type { Redactor } from "./credentials/redaction.js";
export { makeTokenStore, type StoredToken, type TokenStore } from "./credentials/token-store.js";
export type { CatalogEntry, InstructionsOptions, SearchItem, SearchOptions, SearchResult } from "./discovery/index.js";
export type { IsPrivate } from "./http/addresses.js";
export {
  type CallContext,
  type ClientMode,
  type HttpClient,
  type HttpClientOptions,
  makeHttpClient,
} from "./http/client.js";
export type { RecordedRequest } from "./http/dry-run.js";
export type {
  Authorization,
  ClientCertificate,
  CredentialPlace,
  HttpRequest,
  HttpResponse,
  RequestBody,
} from "./http/message.js";
export type { Json, JsonObject } from "./json/json.js";
export {
  type FileHandle,
  type FileStore,
  type FileStoreOptions,
  makeFileStore,
  type StoredFile,
} from "./openapi/files.js";
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
  type OperationTool,
  type SkipCode,
  type Skipped,
} from "./openapi/index.js";
export type { Conventions } from "./openapi/style-rule.js";
export type { Language } from "./sandbox/protocol.js";
