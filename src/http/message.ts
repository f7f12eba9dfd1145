/**
 * HTTP messages (RFC 9110) as the adapter builds them and the transport sends them. A request is already exact: the
 * transport adds nothing to it but what HTTP itself needs (Host, Content-Length, Accept-Encoding, User-Agent).
 */

/** A body that can be sent again: `open` gives the bytes from the start each time (retries, 307 and 308). */
export interface RequestBody {
  /** Length in octets when it is known. */
  readonly length: number | undefined;
  /** The bytes from the start, each time. */
  open(): AsyncIterable<Uint8Array> | Uint8Array;
}

/** A request as it goes out, apart from what HTTP itself needs. */
export interface HttpRequest {
  readonly method: string;
  /** Scheme and authority of the chosen server, e.g. `https://api.example.com`. */
  readonly origin: string;
  /** Request target in origin form (RFC 9112, 3.2.1): path and query, percent-encoded, sent as it stands. */
  readonly target: string;
  /** Field names as declared; several lines of one name only where the field allows it. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: RequestBody | undefined;
  /** Set by `authorize`: which parts are credentials, and how a challenge is answered. */
  readonly authorization?: Authorization | undefined;
}

/** Where a credential stands in a request. `value` is the secret text as it appears there, already encoded. */
export interface CredentialPlace {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
  readonly value: string;
}

/** A client certificate for mutual TLS: PEM texts. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string | undefined;
}

/** How a request is authorized. */
export interface Authorization {
  readonly places: readonly CredentialPlace[];
  readonly clientCertificate?: ClientCertificate | undefined;
  /**
   * Looks at an answer of the origin that the request was made for. For a 401 it may give the request to send instead
   * (RFC 9110, 11.4), at most once per call; `undefined` keeps the answer.
   */
  readonly answered?: (
    request: HttpRequest,
    response: Pick<HttpResponse, "status" | "headers">,
    signal: AbortSignal,
  ) => Promise<HttpRequest | undefined>;
}

/** An answer whose body has not been read yet. */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; several lines of one name joined by ", " (RFC 9110, 5.3), `set-cookie` by "\n". */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL that answered, after redirects. */
  readonly url: string;
  /**
   * Content codings removed; bounded by `maxResponseBytes`. Must be read or cancelled (`return()` of its iterator).
   * Iteration throws `ToolError` only.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The value of a request field, by case-insensitive name; several lines joined by ", ". */
export function requestField(request: Pick<HttpRequest, "headers">, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const lines = request.headers.filter(([field]) => field.toLowerCase() === wanted).map(([, value]) => value);
  return lines.length === 0 ? undefined : lines.join(", ");
}

/** A body of bytes already in memory. */
export function bytesBody(bytes: Uint8Array): RequestBody {
  return { length: bytes.byteLength, open: () => bytes };
}
