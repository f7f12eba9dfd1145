/** Reading the octets of a document: a file, or a resource over HTTP (RFC 9110). */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { ToolError } from "../codemode/tool-error.js";
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

const DISPATCHER = { connectMs: 10_000, maxHeaderBytes: 64 * 1024, http2: false, proxy: true };
const LIMITS = { headersMs: TIMEOUT_MS, bodyIdleMs: TIMEOUT_MS, maxResponseBytes: MAX_DOCUMENT_BYTES };

async function readHttpSource(start: URL, options: ReadOptions): Promise<SourceText> {
  const [{ makeDispatchers }, { exchange }] = await Promise.all([
    import("../http/dispatcher.js"),
    import("../http/transport.js"),
  ]);
  const origin = options.origin ?? start.origin;
  const authorization = basicCredentials(start);
  const own = Object.entries({ ...(authorization === undefined ? {} : { authorization }), ...options.headers });
  start.username = start.password = "";
  const dispatchers = makeDispatchers(DISPATCHER);
  try {
    const dispatcher = await dispatchers.get({});
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (options.mayVisit?.(url) === false) {
        throw unreadable(start, `it redirects to ${url.origin}, which this document may not read`);
      }
      const request = {
        method: "GET",
        origin: url.origin,
        target: url.pathname + url.search,
        headers: [["accept", ACCEPT], ...(url.origin === origin ? own : [])] as [string, string][],
        body: undefined,
      };
      const response = await exchange(request, dispatcher, LIMITS, AbortSignal.timeout(TIMEOUT_MS * 5));
      const { location } = response.headers;
      if (response.status >= 300 && response.status < 400 && location !== undefined) {
        await response.body[Symbol.asyncIterator]().return?.();
        url = redirectTarget(location, url, start);
        continue;
      }
      if (response.status < 200 || response.status >= 300) throw statusError(start, response.status);
      const charset = /;\s*charset="?([^";\s]+)/i.exec(response.headers["content-type"] ?? "")?.[1];
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      url.hash = "";
      return { text: decodeText(Buffer.concat(chunks), withoutCredentials(url), charset), uri: url.href };
    }
    throw unreadable(start, `more than ${MAX_REDIRECTS} redirects`);
  } catch (cause) {
    if (cause instanceof DocumentError) throw cause;
    throw unreadable(start, (cause as Error).message.replace(/^GET \S+: |\.$/g, ""), cause);
  } finally {
    await dispatchers.destroy();
  }
}

function redirectTarget(location: string, from: URL, start: URL): URL {
  try {
    const url = new URL(location, from);
    if (url.protocol === "http:" || url.protocol === "https:") return url;
  } catch {
    // Told below.
  }
  throw unreadable(start, `it redirects to ${JSON.stringify(location)}, which is no http(s) URL`);
}

function statusError(url: URL, status: number): DocumentError {
  return new DocumentError(`${withoutCredentials(url)} answered with HTTP status ${status}.`, {
    reason: "http-status",
    source: withoutCredentials(url),
    status,
    hint:
      status === 401 || status === 403
        ? "Give the header it needs for the document, or download the document and give the file."
        : "Check the URL in a browser or with curl.",
  });
}

function basicCredentials({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text, "utf8").toString("base64")}`;
}

function unreadable(url: URL, reason: string, cause?: unknown): DocumentError {
  const source = withoutCredentials(url);
  const hint = cause instanceof ToolError ? cause.hint?.replace("--server names it", "the URL is right") : undefined;
  return new DocumentError(`Cannot read ${source}: ${reason}.`, { reason: "unreadable", source, hint, cause });
}

/** A URL as messages show it: user information and query may be secret. */
function withoutCredentials(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
