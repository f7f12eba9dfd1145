/** What `OpenAPI.load` and `OpenAPI.fromDocument` take. */
import type { CredentialParts } from "../credentials/parts.js";
import type { TokenStore } from "../credentials/token-store.js";
import type { HttpClient, HttpClientOptions } from "../http/client.js";
import type { FileStore } from "./files.js";
import type { LoadOptions } from "./load.js";
import type { Conventions } from "./parameter-object.js";
import type { DeclaredSchemes } from "./security-requirement-object.js";
import type { SelectionOptions } from "./selection.js";
import type { ServerOptions } from "./server-object.js";

/** What `OpenAPI.load` and `OpenAPI.fromDocument` take beside the document. */
export interface OpenApiOptions extends LoadOptions, SelectionOptions, ServerOptions {
  /** The API's name where there are several, for messages: `--auth <api>.<scheme>=…`. */
  readonly api?: string | undefined;
  /** By name of the security scheme: a source (`env:NAME`, `file:PATH`, `cmd:COMMAND`, `literal:VALUE`) or its parts. */
  readonly credentials?: Readonly<Record<string, string | CredentialParts>> | undefined;
  /** Header fields that the host adds to every request; secret like a credential. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Security schemes that the document lacks or gets wrong, as Security Scheme Objects of 3.x. */
  readonly schemes?: DeclaredSchemes | undefined;
  /** Encodings that the specification leaves undefined, by the user's choice. */
  readonly conventions?: Conventions | undefined;
  /** Tokens that a login obtained. */
  readonly tokens?: TokenStore | undefined;
  /** Sends the requests; shared between APIs. Default: a client of its own, made from `http`. */
  readonly client?: HttpClient | undefined;
  readonly http?: HttpClientOptions | undefined;
  /** Files for upload and downloads. Default: no files to upload, downloads in a new folder for temporary files. */
  readonly files?: FileStore | undefined;
}
