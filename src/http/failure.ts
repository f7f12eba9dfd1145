/**
 * One clear failure for everything that can go wrong between a request and its answer. The text names the server, what
 * happened and, in the hint, what to do; it never carries host paths, stack traces or secrets.
 */
import { ToolError, type ToolErrorDetails } from "../codemode/tool-error.js";

/** How far a request had come: up to `connect` no byte of it was sent. */
export type Phase = "connect" | "exchange" | "body";

export class HttpFailure extends ToolError {
  constructor(
    message: string,
    readonly phase: Phase,
    /** True when the same request may succeed a moment later. */
    readonly temporary: boolean,
    details: ToolErrorDetails = {},
  ) {
    super(message, details);
  }
}

const CA_HINT =
  "If the server's certificate authority is private, name it with --ca <file> or the variable NODE_EXTRA_CA_CERTS.";

/** Codes of OpenSSL and Node about the server's certificate, and what they mean to a reader. */
const CERTIFICATE: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate chain ends in an unknown self-signed certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate was issued by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate was issued by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate was issued by an unknown authority",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  CERT_REVOKED: "its certificate was revoked",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
  HOSTNAME_MISMATCH: "its certificate is for another host name",
  CERT_SIGNATURE_FAILURE: "the signature of its certificate is wrong",
  INVALID_CA: "its certificate chain has an invalid authority",
  INVALID_PURPOSE: "its certificate is not for servers",
  CERT_UNTRUSTED: "its certificate is not trusted",
  CERT_CHAIN_TOO_LONG: "its certificate chain is too long",
  CA_MD_TOO_WEAK: "its certificate uses too weak a signature",
  EE_KEY_TOO_SMALL: "its certificate uses too short a key",
  UND_ERR_PRX_TLS: "the proxy's certificate is for another host name",
};

interface Explanation {
  readonly text: string;
  readonly phase: Phase;
  readonly temporary: boolean;
  readonly hint?: string;
}

/** Codes of Node and undici. `text` follows "<METHOD> <origin>: ". */
const CODES: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: {
    text: "the connection was refused",
    phase: "connect",
    temporary: true,
    hint: "Check that the server is running and that --server names it.",
  },
  ENOTFOUND: { text: "the host name is unknown", phase: "connect", temporary: false, hint: "Check the server's URL." },
  EAI_AGAIN: { text: "the host name could not be looked up", phase: "connect", temporary: true },
  EHOSTUNREACH: { text: "the host cannot be reached", phase: "connect", temporary: true },
  ENETUNREACH: { text: "the network cannot be reached", phase: "connect", temporary: true },
  EADDRNOTAVAIL: { text: "no local address is left to connect from", phase: "connect", temporary: true },
  EMFILE: { text: "this process has too many open connections", phase: "connect", temporary: true },
  UND_ERR_CONNECT_TIMEOUT: { text: "no connection within the time allowed", phase: "connect", temporary: true },
  ETIMEDOUT: { text: "the connection timed out", phase: "exchange", temporary: true },
  UND_ERR_HEADERS_TIMEOUT: { text: "no answer within the time allowed", phase: "exchange", temporary: false },
  UND_ERR_BODY_TIMEOUT: { text: "the answer stopped arriving", phase: "body", temporary: false },
  UND_ERR_HEADERS_OVERFLOW: {
    text: "the answer's header section is larger than allowed",
    phase: "exchange",
    temporary: false,
  },
  ECONNRESET: { text: "the connection was reset", phase: "exchange", temporary: true },
  ECONNABORTED: { text: "the connection was aborted", phase: "exchange", temporary: true },
  EPIPE: { text: "the server closed the connection while the request was sent", phase: "exchange", temporary: true },
  UND_ERR_SOCKET: { text: "the server closed the connection early", phase: "exchange", temporary: true },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    text: "the answer's body is not as long as its Content-Length says",
    phase: "body",
    temporary: false,
  },
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: {
    text: "the request's body is not as long as announced",
    phase: "connect",
    temporary: false,
  },
  UND_ERR_INVALID_ARG: { text: "the request cannot be written as HTTP", phase: "connect", temporary: false },
  UND_ERR_NOT_SUPPORTED: { text: "the request has a field that cannot be sent", phase: "connect", temporary: false },
  EPROTO: { text: "the TLS handshake failed", phase: "connect", temporary: false },
};

/** The `code` of an error or of the error it wraps. */
function codeOf(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === "string" && code !== "UND_ERR_INFO" && code !== "UND_ERR_ABORTED") return code;
  }
  return undefined;
}

function explain(code: string | undefined, error: unknown): Explanation {
  const message = error instanceof Error ? error.message : "";
  if (code !== undefined) {
    const certificate = CERTIFICATE[code];
    if (certificate !== undefined)
      return { text: `the server was not trusted: ${certificate}`, phase: "connect", temporary: false, hint: CA_HINT };
    if (code === "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED" || code === "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE")
      return {
        text: "the server refused the TLS handshake; it may want a client certificate",
        phase: "connect",
        temporary: false,
      };
    if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_"))
      return {
        text: `the TLS handshake failed (${code
          .replace(/^ERR_(SSL|TLS)_/, "")
          .toLowerCase()
          .replaceAll("_", " ")})`,
        phase: "connect",
        temporary: false,
      };
    const known = CODES[code];
    if (known !== undefined) return known;
  }
  if (error instanceof Error && error.name === "HTTPParserError")
    return { text: notHttp(message), phase: "exchange", temporary: false };
  if (/proxy/i.test(message)) {
    const status = /\((\d{3})\)/.exec(message)?.[1];
    return {
      text: status === undefined ? "the proxy refused the connection" : `the proxy answered ${status}`,
      phase: "connect",
      temporary: false,
      hint: "The proxy comes from HTTP_PROXY, HTTPS_PROXY and NO_PROXY.",
    };
  }
  if (/disconnected before secure TLS/i.test(message))
    return { text: "the server closed the connection during the TLS handshake", phase: "connect", temporary: true };
  return {
    text: code === undefined ? "the exchange failed" : `the exchange failed (${code})`,
    phase: "exchange",
    temporary: false,
  };
}

/** The parser says in brackets what it stumbled over. */
function notHttp(message: string): string {
  const detail = /\(([^()]{1,80})\)/.exec(message)?.[1];
  return `the answer is not valid HTTP${detail === undefined ? "" : ` (${detail.charAt(0).toLowerCase()}${detail.slice(1)})`}`;
}

/**
 * Turns whatever the transport threw into a failure.
 *
 * @param about what was sent, e.g. `GET https://api.example.com`
 * @param phase how far the exchange had come, where the error itself does not say
 */
export function toFailure(error: unknown, about: string, phase?: Phase): ToolError {
  if (error instanceof ToolError) return error;
  const found = explain(codeOf(error), error);
  // "The server closed the connection" says more with the place where it did.
  const where = phase === "body" && found.phase !== "body" ? ", in the middle of the answer" : "";
  return new HttpFailure(
    `${about}: ${found.text}${where}.`,
    phase === "body" ? "body" : found.phase,
    found.temporary,
    found.hint === undefined ? { cause: error } : { cause: error, hint: found.hint },
  );
}
