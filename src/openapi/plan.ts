/**
 * The plan of an operation: everything that is known before a call, as data. Planning is pure; executing a plan
 * (`request.ts`) is the only place that builds a request.
 */
import type { JsonSchema } from "../codemode/tool.js";
import type { Fault } from "./document.js";

/** A model-facing key of the flat input object and what it carries. */
export interface InputField {
  /** The key of the flat input. */
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie" | "querystring" | "body" | "contentType";
  /** The parameter's or body property's own name; `null` for a whole body and for `contentType`. */
  readonly parameter: string | null;
  readonly required: boolean;
}

/** A scheme of a Security Requirement Object, checked: only what the host can do is here. */
export type SecurityScheme =
  | { readonly type: "apiKey"; readonly in: "header" | "query" | "cookie"; readonly name: string }
  | { readonly type: "http"; readonly scheme: "basic" | "bearer" | "digest" }
  | { readonly type: "oauth2"; readonly flows: Readonly<Record<string, OAuthFlow>>; readonly metadataUrl?: string }
  | { readonly type: "openIdConnect"; readonly openIdConnectUrl: string }
  | { readonly type: "mutualTLS" };

export interface OAuthFlow {
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly deviceAuthorizationUrl?: string;
  readonly scopes: Readonly<Record<string, string>>;
}

export interface RequiredScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

/** Alternatives in document order; every scheme of one alternative must be satisfied. An empty one is anonymous. */
export interface SecurityPlan {
  readonly alternatives: readonly (readonly RequiredScheme[])[];
}

/** An optional part left out of a tool that exists. */
export interface OmittedPart extends Fault {
  readonly part: string;
}

/** The parts of a plan that the rest of the project reads; encoders keep their own data beside it. */
export interface PlanFacts {
  readonly inputs: readonly InputField[];
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  readonly security: SecurityPlan;
  readonly omitted: readonly OmittedPart[];
}
