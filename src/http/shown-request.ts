/** A request as people and archives may see it: every credential replaced. */
import type { Redactor } from "../credentials/redaction.js";
import { REDACTED } from "../credentials/redaction.js";
import type { CredentialPlace, HttpRequest, RequestBody } from "./message.js";

export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  /** Lines as sent, names as written. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ShownBody | undefined;
}

export interface ShownBody {
  readonly text: string;
  readonly encoding: "utf8" | "base64";
  readonly bytes: number;
}

/**
 * Shows a request. A credential is replaced where `authorize` put it, however short it is; any other occurrence of a
 * secret is replaced as the redactor finds it.
 *
 * @param redactor `undefined` shows the request as it would be sent
 */
export async function showRequest(request: HttpRequest, redactor: Redactor | undefined): Promise<ShownRequest> {
  const url = request.origin + request.target;
  const body = request.body === undefined ? undefined : showBytes(await bodyBytes(request.body), redactor);
  if (redactor === undefined) return { method: request.method, url, headers: request.headers, body };
  const places = request.authorization?.places ?? [];
  return {
    method: request.method,
    url: redactor.text(withoutQuery(url, places)),
    headers: request.headers.map(([name, value]) => [name, redactor.text(withoutField(name, value, places))] as const),
    body,
  };
}

/** Text where the bytes are UTF-8, else base64. */
export function showBytes(bytes: Uint8Array, redactor: Redactor | undefined): ShownBody {
  let text: string | undefined;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = undefined;
  }
  if (text !== undefined) return { text: redactor?.text(text) ?? text, encoding: "utf8", bytes: bytes.byteLength };
  // One character an octet, so that a secret inside binary data is found too.
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const shown = Buffer.from(redactor?.text(latin1) ?? latin1, "latin1").toString("base64");
  return { text: shown, encoding: "base64", bytes: bytes.byteLength };
}

export async function bodyBytes(body: RequestBody): Promise<Uint8Array> {
  const opened = body.open();
  if (opened instanceof Uint8Array) return opened;
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function withoutQuery(url: string, places: readonly CredentialPlace[]): string {
  let shown = url;
  for (const { in: where, value } of places)
    if (where === "query" && shown.endsWith(`=${value}`)) shown = cut(shown, value);
  for (const { in: where, value } of places)
    if (where === "query") shown = shown.replaceAll(`=${value}&`, `=${REDACTED}&`);
  return shown;
}

function cut(text: string, end: string): string {
  return text.slice(0, text.length - end.length) + REDACTED;
}

function withoutField(name: string, value: string, places: readonly CredentialPlace[]): string {
  const field = name.toLowerCase();
  const header = places.find((place) => place.in === "header" && place.name.toLowerCase() === field);
  // The word before a token says which scheme was used and is no secret.
  if (header !== undefined) return value.replace(/^((?:Basic|Bearer|Digest) )?.*$/s, `$1${REDACTED}`);
  if (field !== "cookie") return value;
  const cookies = new Set(places.filter((place) => place.in === "cookie").map((place) => place.name));
  return value
    .split("; ")
    .map((pair) => (cookies.has(pair.split("=")[0]!) ? `${pair.split("=")[0]}=${REDACTED}` : pair))
    .join("; ");
}
