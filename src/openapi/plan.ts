/**
 * The plan of an operation: everything that is known before a call, as data. Planning is pure; executing a plan
 * (`request.ts`) is the only place that builds a request.
 */
import type { JsonSchema } from "../codemode/tool.js";
import type { Fault } from "./document.js";
import type { ParameterPlan } from "./parameter-object.js";
import type { PathTemplate } from "./path-template.js";
import type { RequestBodyPlan } from "./request-body-object.js";

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

/** A parameter and the input that carries it. */
export interface BoundParameter {
  readonly input: string;
  readonly parameter: ParameterPlan;
}

/** Where the inputs of a body are. */
export interface BoundBody {
  readonly plan: RequestBodyPlan;
  /** Input names of flattened properties by property name. */
  readonly properties: ReadonlyMap<string, string>;
  /** Input name of the whole body, where a media type keeps it whole. */
  readonly whole: string | undefined;
  /** Input name of the media type, where there is a choice. */
  readonly contentType: string | undefined;
}

/** Everything that executing a call needs. */
export interface OperationPlan extends PlanFacts {
  readonly method: string;
  /** The key of the Paths Object. */
  readonly pathTemplate: string;
  readonly template: PathTemplate;
  readonly parameters: readonly BoundParameter[];
  readonly body: BoundBody | undefined;
  /** Value of the Accept field. */
  readonly accept: string;
  /** Whether a 2xx answer is declared as a listing with `x-ms-pageable`; the name of its link, default `nextLink`. */
  readonly nextLinkName: string | undefined;
}
