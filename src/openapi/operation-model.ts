/**
 * One operation in the shape of OpenAPI 3.x, whatever the version of its document. Swagger 2.0 is brought into it by
 * `swagger-2.ts`; every part keeps the place where it stands in the user's file.
 */
import type { Located, OpenApiDocument } from "./document.js";

export type ParameterLocation = "path" | "query" | "header" | "cookie" | "querystring";

export interface OperationModel {
  readonly document: OpenApiDocument;
  /** Upper case; a method of `additionalOperations` as it is written. */
  readonly method: string;
  /** The key of the Paths Object. */
  readonly pathTemplate: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  /** The Operation Object. */
  readonly node: Located<Record<string, unknown>>;
  /**
   * Parameter Objects, references followed, path item's first, overridden ones removed. An entry that cannot be resolved
   * throws `DocumentFault` when the list is made. Swagger 2.0: `collectionFormat` is already `style` and `explode`
   * (`tsv` is the internal style `tabDelimited`; `multi` outside query and formData stays a style of that name, which nothing defines), `type` and its companions are already under `schema`.
   */
  readonly parameters: readonly Located<Record<string, unknown>>[];
  /** Request Body Object, reference followed. Swagger 2.0: made from `body` or `formData` parameters and `consumes`. */
  readonly requestBody: Located<Record<string, unknown>> | undefined;
  /** Responses Object (values not yet resolved). Swagger 2.0: each Response Object has `content` made from `produces`. */
  readonly responses: Located<Record<string, unknown>> | undefined;
  /** Security Requirement Objects in force (operation's, else document's); `undefined` when nothing is declared. */
  readonly security: Located<unknown> | undefined;
  /** A Security Scheme Object by name, in 3.x shape; `undefined` when the document has none of that name. */
  securityScheme(name: string): Located<Record<string, unknown>> | undefined;
  /** Server Objects in force (operation's, path item's, document's), in 3.x shape; never empty: default `{url: "/"}`. */
  readonly servers: readonly Located<Record<string, unknown>>[];
}
