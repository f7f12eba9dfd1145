/**
 * The documents of a command as tools.
 */
import type { ToolTree } from "../codemode/tool.js";
import { type Catalog, type CatalogEntry, createCatalog } from "../discovery/index.js";
import type { Json } from "../json/json.js";
import type { Omitted, Skipped } from "../openapi/operation-index.js";
import type { InputField, SecurityPlan } from "../openapi/plan.js";
import type { OfferFile } from "./call/fields.js";
import type { RequestOptions } from "./options.js";
import type { ApiSettings, LimitSettings, LoadedConfiguration } from "./settings.js";

export type { Omitted, Skipped };

export interface ApiTool {
  readonly entry: CatalogEntry;
  readonly inputs: readonly InputField[];
  readonly security: SecurityPlan;
}

export interface LoadedApi {
  readonly settings: ApiSettings;
  readonly document: {
    readonly title: string;
    readonly version: string;
    /** The version of the specification, as the document has it. */
    readonly openapi: string;
    readonly servers: readonly string[];
  };
  readonly tools: readonly ApiTool[];
  readonly skipped: readonly Skipped[];
  readonly omitted: readonly Omitted[];
}

export interface LoadedApis {
  readonly apis: readonly LoadedApi[];
  readonly tree: ToolTree;
  readonly catalog: Catalog;
  inputsOf(name: string): readonly InputField[];
  /** Takes secrets out of a value. */
  redact(value: Json): Json;
  readonly offerFile: OfferFile;
  /** The requests of a dry run, in the order of the calls. */
  dryRequests(): readonly Json[];
  /** Ends connections and writes what is recorded. */
  finish(): Promise<void>;
}

/** How requests are made; absent for commands that send none. */
export interface RequestContext {
  readonly options: RequestOptions;
  readonly loaded: LoadedConfiguration;
  readonly limits: LimitSettings;
}

export declare function loadApis(apis: readonly ApiSettings[], context?: RequestContext): Promise<LoadedApis>;
void createCatalog;
