/** Replays: answers come from an HTTP Archive, matched by method, URL and body; nothing is sent. */
import { readFile } from "node:fs/promises";
import type { Redactor } from "../credentials/redaction.js";
import { once } from "./dry-run.js";
import { HttpFailure } from "./failure.js";
import type { Har, HarEntry } from "./har.js";
import { type HttpRequest, type HttpResponse, requestField } from "./message.js";
import { type ShownBody, showRequest } from "./shown-request.js";

export interface HarReplay {
  /** The recorded answer; equal requests get their answers in the order of the archive, the last one again and again. */
  answer(request: HttpRequest): Promise<HttpResponse>;
}

/** Said of the length and coding of bytes that are recorded without them. */
const OF_THE_WIRE = new Set(["content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"]);

/** @throws Error with a message for the user when the file cannot be read or is no HTTP Archive */
export async function loadHarReplay(path: string, redactor: Redactor): Promise<HarReplay> {
  let har: Har;
  try {
    har = JSON.parse(await readFile(path, "utf8")) as Har;
  } catch (error) {
    const why = error instanceof SyntaxError ? "is not JSON" : "cannot be read";
    throw new Error(`The HTTP Archive ${path} ${why}.`);
  }
  if (!Array.isArray(har?.log?.entries)) throw new Error(`${path} is not an HTTP Archive: it has no log.entries.`);
  return makeHarReplay(har, redactor);
}

export function makeHarReplay(har: Har, redactor: Redactor): HarReplay {
  const answers = new Map<string, HarEntry[]>();
  for (const entry of har.log.entries) {
    // An exchange that gave no answer has none to replay.
    if (!(entry.response?.status >= 100)) continue;
    const { method, url, postData } = entry.request;
    const key = keyOf(
      method,
      url,
      postData === undefined ? undefined : { text: postData.text ?? "", encoding: postData._encoding ?? "utf8" },
      postData?.mimeType,
    );
    answers.set(key, [...(answers.get(key) ?? []), entry]);
  }
  return {
    answer: async (request) => {
      const shown = await showRequest(request, redactor);
      const found = answers.get(keyOf(shown.method, shown.url, shown.body, requestField(request, "content-type")));
      const entry = found !== undefined && found.length > 1 ? found.shift() : found?.[0];
      if (entry === undefined)
        throw new HttpFailure(
          `The archive has no answer for ${shown.method} ${shown.url}${shown.body === undefined ? "" : " with this body"}.`,
          "connect",
          false,
          {
            hint: "Record it again with --record.",
          },
        );
      return toResponse(entry, request);
    },
  };
}

function keyOf(
  method: string,
  url: string,
  body: (Pick<ShownBody, "text"> & { encoding: string }) | undefined,
  mediaType = "",
): string {
  // A multipart boundary is new for each request and says nothing.
  const boundary = /^multipart\/.*boundary="?([^";]+)/i.exec(mediaType)?.[1];
  const text =
    body === undefined ? "" : boundary === undefined ? body.text : body.text.replaceAll(boundary, "boundary");
  return `${method} ${URL.canParse(url) ? new URL(url).href : url}\n${body?.encoding === "base64" ? "base64" : "utf8"}\n${text}`;
}

function toResponse({ response }: HarEntry, request: HttpRequest): HttpResponse {
  const headers: Record<string, string> = {};
  for (const { name, value } of response.headers) {
    const key = name.toLowerCase();
    if (OF_THE_WIRE.has(key) || key.startsWith(":")) continue;
    headers[key] = headers[key] === undefined ? value : `${headers[key]}${key === "set-cookie" ? "\n" : ", "}${value}`;
  }
  const { text = "", encoding } = response.content;
  return {
    status: response.status,
    headers,
    url: request.origin + request.target,
    body: once(Buffer.from(text, encoding === "base64" ? "base64" : "utf8")),
  };
}
