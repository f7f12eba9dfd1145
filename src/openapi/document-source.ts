/** Reading the octets of a document: a file, or a resource over HTTP (RFC 9110). */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Dispatcher } from "undici";
import { DocumentError } from "./document-error.js";
import { decodeText } from "./document-text.js";

const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
const MAX_REDIRECTS = 10;
const TIMEOUT_MS = 60_000;
const ACCEPT = "application/vnd.oai.openapi+json, application/json, application/yaml, text/yaml, */*;q=0.5";

export interface SourceText {
  readonly text: string;
  /** Where the text was found, after redirects. */
  readonly uri: string;
}

export interface ReadOptions {
  /** Asked before every request, redirects included. */
  readonly mayVisit?: (url: URL) => boolean;
  /** Header fields for requests to the origin of the document, for documents behind a login. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The origin that `headers` belong to. */
  readonly origin?: string | undefined;
}

/** Reads a `file:`, `http:` or `https:` URI. A user name and password in the URL are sent as Basic credentials. */
export async function readSource(uri: string, options: ReadOptions = {}): Promise<SourceText> {
  const url = new URL(uri);
  if (url.protocol === "file:") return readFileSource(url);
  if (url.protocol === "http:" || url.protocol === "https:") return readHttpSource(url, options);
  throw new DocumentError(`${uri}: documents are read from files and http(s) URLs, not ${url.protocol}`, {
    reason: "unreadable",
    source: uri,
  });
}

async function readFileSource(url: URL): Promise<SourceText> {
  let path = url.href;
  try {
    path = fileURLToPath(url);
    return { text: decodeText(await readFile(path), path), uri: url.href };
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw new DocumentError(`Cannot read ${path}: ${fileReason(cause)}.`, {
      reason: "unreadable",
      source: path,
      hint: "Check the path; it is taken relative to the current folder.",
      cause,
    });
  }
}

function fileReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "no such file";
  if (code === "EISDIR") return "it is a folder";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  return message;
}

async function readHttpSource(start: URL, options: ReadOptions): Promise<SourceText> {
  const mayVisit = options.mayVisit ?? (() => true);
  const authorization = basicCredentials(start);
  const ownFields = { ...(authorization === undefined ? {} : { authorization }), ...options.headers };
  const origin = options.origin ?? start.origin;
  start.username = start.password = "";
  const { request, EnvHttpProxyAgent } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent();
  try {
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (!mayVisit(url)) throw unreadable(start, `it redirects to ${url.origin}, which this document may not read`);
      const response = await request(url, {
        dispatcher,
        headers: { accept: ACCEPT, "user-agent": "codemode-openapi", ...(url.origin === origin ? ownFields : {}) },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const location = response.headers["location"];
      if (response.statusCode >= 300 && response.statusCode < 400 && typeof location === "string") {
        await response.body.dump();
        url = new URL(location, url);
        if (url.protocol !== "http:" && url.protocol !== "https:")
          throw unreadable(start, `it redirects to ${url.href}`);
        continue;
      }
      if (response.statusCode < 200 || response.statusCode >= 300) {
        await response.body.dump();
        throw new DocumentError(`${withoutCredentials(start)} answered with HTTP status ${response.statusCode}.`, {
          reason: "http-status",
          source: withoutCredentials(start),
          status: response.statusCode,
          hint:
            response.statusCode === 401 || response.statusCode === 403
              ? "Give the header it needs for the document, or download the document and give the file."
              : "Check the URL in a browser or with curl.",
        });
      }
      const charset = /;\s*charset="?([^";\s]+)/i.exec(String(response.headers["content-type"] ?? ""))?.[1];
      url.hash = "";
      return { text: decodeText(await readBody(response, start), withoutCredentials(url), charset), uri: url.href };
    }
    throw unreadable(start, `more than ${MAX_REDIRECTS} redirects`);
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw unreadable(start, connectionReason(cause), cause);
  } finally {
    await dispatcher.destroy();
  }
}

function basicCredentials({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text, "utf8").toString("base64")}`;
}

async function readBody(response: Dispatcher.ResponseData, url: URL): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_DOCUMENT_BYTES) throw unreadable(url, `it is larger than ${MAX_DOCUMENT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function connectionReason(error: unknown): string {
  const cause = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] };
  const code = cause.code ?? cause.errors?.[0]?.code;
  if (code === "ECONNREFUSED") return "connection refused";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the host name cannot be resolved";
  if (cause.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1000} s`;
  return cause.message || String(code ?? error);
}

function unreadable(url: URL, reason: string, cause?: unknown): DocumentError {
  const source = withoutCredentials(url);
  return new DocumentError(`Cannot read ${source}: ${reason}.`, { reason: "unreadable", source, cause });
}

/** A URL as messages show it: user information and query may be secret. */
function withoutCredentials(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
