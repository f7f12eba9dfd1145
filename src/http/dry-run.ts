/** Dry runs: nothing is sent; every request is recorded and answered with a sample made from the response schema. */

import { type JsonSchema, SCHEMA_ANNOTATION } from "../codemode/tool.js";
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

export interface DryRun {
  /** In the order of the calls. */
  readonly requests: readonly RecordedRequest[];
  /** Records a request and answers it with a value that fits the tool's output schema. */
  answer(request: HttpRequest, outputSchema: JsonSchema | undefined): Promise<HttpResponse>;
}

/** @param redactor `undefined` shows credentials as they would be sent (`--show-secrets`) */
export function makeDryRun(redactor: Redactor | undefined): DryRun {
  const requests: RecordedRequest[] = [];
  return {
    requests,
    answer: async (request, outputSchema) => {
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
      return sampleResponse(request, outputSchema);
    },
  };
}

async function sampleResponse(request: HttpRequest, schema: JsonSchema | undefined): Promise<HttpResponse> {
  const url = request.origin + request.target;
  if (schema === undefined || typeof schema === "boolean" || schema["type"] === "null")
    return { status: 204, headers: {}, url, body: once(Buffer.alloc(0)) };
  const stream = schema[SCHEMA_ANNOTATION] === "stream";
  const { items = {} } = schema as { items?: JsonSchema };
  // Of a stream one item; the references in it lead to the definitions of the whole schema.
  const value = await sampleValue(stream ? items : schema, schema);
  return {
    status: 200,
    headers: { "content-type": stream ? "application/x-ndjson" : "application/json" },
    url,
    body: once(Buffer.from(`${JSON.stringify(value)}\n`, "utf8")),
  };
}

/** A value that fits the schema; `null` where the schema is beyond the sampler. */
async function sampleValue(schema: JsonSchema, root: object): Promise<unknown> {
  const { sample } = await import("./sampler.js");
  try {
    return sample(schema as never, { quiet: true, skipWriteOnly: true }, root) ?? null;
  } catch {
    return null;
  }
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
}
