/** Dry runs: nothing is sent; every request is recorded and answered with a sample made from the response schema. */

import type { JsonSchema } from "../codemode/tool.js";
import type { Redactor } from "../credentials/redaction.js";
import type { HttpRequest, HttpResponse } from "./message.js";
import { showRequest } from "./shown-request.js";

/** A request of a dry run, as `--json` prints it. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** Lower-case names; several lines joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly bodyEncoding: "utf8" | "base64";
}

/** The success answer that the document describes. */
export interface SampleAnswer {
  readonly status: number;
  readonly mediaType: string | undefined;
  /** References are local: `#/$defs/<name>`. */
  readonly schema: JsonSchema | undefined;
}

export interface DryRun {
  /** In the order of the calls. */
  readonly requests: readonly RecordedRequest[];
  /** Records a request and answers it. */
  answer(request: HttpRequest, sample: SampleAnswer | undefined): Promise<HttpResponse>;
}

/** @param redactor `undefined` shows credentials as they would be sent (`--show-secrets`) */
export function makeDryRun(redactor: Redactor | undefined): DryRun {
  const requests: RecordedRequest[] = [];
  return {
    requests,
    answer: async (request, sample) => {
      const shown = await showRequest(request, redactor);
      const headers: Record<string, string> = Object.create(null);
      for (const [name, value] of shown.headers) {
        const key = name.toLowerCase();
        headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
      }
      requests.push({
        method: shown.method,
        url: shown.url,
        headers: Object.fromEntries(Object.entries(headers)),
        body: shown.body?.text ?? null,
        bodyEncoding: shown.body?.encoding ?? "utf8",
      });
      return sampleResponse(request, sample);
    },
  };
}

async function sampleResponse(request: HttpRequest, sample: SampleAnswer | undefined): Promise<HttpResponse> {
  const mediaType = sample?.mediaType;
  const body = mediaType === undefined ? "" : await sampleBody(mediaType, sample?.schema);
  return {
    status: sample?.status ?? (body === "" ? 204 : 200),
    headers: mediaType === undefined ? {} : { "content-type": mediaType },
    url: request.origin + request.target,
    body: once(Buffer.from(body, "utf8")),
  };
}

async function sampleBody(mediaType: string, schema: JsonSchema | undefined): Promise<string> {
  const json = /[/+]json\b/i.test(mediaType);
  const value = schema === undefined || typeof schema === "boolean" ? null : await sampleValue(schema);
  if (json) return JSON.stringify(value ?? null);
  if (/json|event-stream/i.test(mediaType)) {
    // One item of a stream.
    const line = JSON.stringify(value ?? null);
    return /event-stream/i.test(mediaType) ? `data: ${line}\n\n` : `${line}\n`;
  }
  return typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
}

/** A value that fits the schema; `null` where the schema is beyond the sampler. */
async function sampleValue(schema: { readonly [keyword: string]: unknown }): Promise<unknown> {
  const { sample } = await import("./sampler.js");
  try {
    return sample(schema as never, { quiet: true, skipWriteOnly: true }, schema) ?? null;
  } catch {
    return null;
  }
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
}
