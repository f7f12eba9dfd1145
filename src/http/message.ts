/**
 * HTTP messages (RFC 9110) as the adapter builds them and the transport sends them. A request is already exact: the
 * transport adds nothing to it but what HTTP itself needs (Host, Content-Length, Accept-Encoding, User-Agent).
 */

/** A body that can be sent again: `open` gives the bytes from the start each time (retries, 307 and 308). */
export interface RequestBody {
  /** Length in octets when it is known. */
  readonly length: number | undefined;
  open(): AsyncIterable<Uint8Array> | Uint8Array;
}

export interface HttpRequest {
  readonly method: string;
  /** Scheme and authority of the chosen server, e.g. `https://api.example.com`. */
  readonly origin: string;
  /** Request target in origin form (RFC 9112, 3.2.1): path and query, percent-encoded, sent as it stands. */
  readonly target: string;
  /** Field names as declared; several lines of one name only where the field allows it. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: RequestBody | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; several lines of one name joined by ", " (RFC 9110, 5.3), `set-cookie` by "\n". */
  readonly headers: Readonly<Record<string, string>>;
  /** The URL that answered, after redirects. */
  readonly url: string;
  /** Content codings removed; bounded by `maxResponseBytes`. Must be read or cancelled. */
  readonly body: AsyncIterable<Uint8Array>;
}
