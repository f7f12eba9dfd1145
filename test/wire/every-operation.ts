/** One call of each operation of a document against a server on loopback that notes what it gets, and what a judge says. */
import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as Effect from "effect/Effect";
import { makeHttpClient } from "../../src/http/client.js";
import { isJsonObject, type Json, type JsonObject } from "../../src/json/json.js";
import { makeFileStore } from "../../src/openapi/files.js";
import { OpenAPI, type OpenApiOptions, type OperationTool } from "../../src/openapi/index.js";
import { answer, type Received, rawServer } from "../http/raw-server.js";
import type { Judge, Verdict } from "./independent.js";
import { sampleInput } from "./sample-input.js";

export interface Judged {
  readonly operation: string;
  readonly tool: OperationTool;
  readonly input: JsonObject;
  readonly request: Received | undefined;
  /** Why nothing was sent. */
  readonly refused: string | undefined;
  readonly verdict: Verdict | undefined;
  /** Values that arrived as something else. */
  readonly misreadings: readonly string[];
}

export interface EveryOperation {
  readonly judged: readonly Judged[];
  /** Operations for which no input was found that fits the tool's own schema. */
  readonly unsampled: readonly string[];
}

const TRIES = 8;
const compiler = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
});

/** @param every call one operation of so many */
export async function callEveryOperation(
  document: JsonObject,
  judge: Judge,
  every: number,
  conventions: OpenApiOptions["conventions"],
): Promise<EveryOperation> {
  const server = await rawServer((socket) => socket.write(answer(200, { "Content-Type": "application/json" }, "{}")));
  const client = makeHttpClient({ retries: 0 });
  const files = makeFileStore({ files: { "sample.bin": import.meta.filename } });
  const api = await Effect.runPromise(
    OpenAPI.fromDocument(withoutSecurity(document), { server: server.origin, client, files, conventions }),
  );
  const judged: Judged[] = [];
  const unsampled: string[] = [];
  try {
    for (const [index, tool] of api.operations.entries()) {
      if (index % every !== 0) continue;
      const operation = `${tool.facts.method} ${tool.facts.pathTemplate}`;
      const input = fittingInput(tool, index);
      if (input === undefined) {
        unsampled.push(operation);
        continue;
      }
      const before = server.requests.length;
      const refused = await Effect.runPromise(
        Effect.match(tool.call(input, { mode: "response" }), {
          onSuccess: () => undefined,
          onFailure: (error) => error.message,
        }),
      );
      const request = server.requests[before];
      const verdict = request === undefined ? undefined : await judge(request);
      const type = request?.headers["content-type"]?.split(";")[0] ?? "";
      const misreadings = verdict?.operation === operation ? misread(tool, input, verdict, type) : [];
      judged.push({ operation, tool, input, request, refused, verdict, misreadings });
    }
  } finally {
    await Effect.runPromise(client.close());
    await server.close();
  }
  return { judged, unsampled };
}

/** Inputs that the judge read as something else. Lists and objects in parameters are left to its schemas. */
function misread(tool: OperationTool, input: JsonObject, { read }: Verdict, type: string): string[] {
  const found: string[] = [];
  for (const { name, in: place, parameter } of tool.inputs) {
    const value = input[name];
    if (value === undefined || place === "contentType" || place === "querystring") continue;
    if (place === "body") {
      const got = parameter === null ? read.body : (read.body as JsonObject | undefined)?.[parameter];
      if (type === "application/json" ? !isDeepStrictEqual(got, value) : isScalar(value) && got !== String(value))
        found.push(`body ${parameter}: ${JSON.stringify(got)} for ${JSON.stringify(value)}`);
    } else if (isScalar(value)) {
      const got = read[place][place === "header" ? parameter!.toLowerCase() : parameter!];
      if ([got].flat().join() !== String(value)) found.push(`${place} ${parameter}: ${got} for ${value}`);
    }
  }
  return found;
}

const isScalar = (value: Json): boolean => typeof value !== "object";

/** Optional inputs are there in the first tries; required ones alone when those do not fit. */
function fittingInput(tool: OperationTool, index: number): JsonObject | undefined {
  const fits = compiler.compile(tool.inputSchema as object);
  const { properties } = tool.inputSchema as { properties: Readonly<Record<string, { enum?: unknown }>> };
  const open = tool.inputs.find((input) => input.in === "contentType" && properties[input.name]!.enum === undefined);
  const fields = tool.inputs.filter((input) => input.in === "header" || input.in === "cookie");
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const input = sampleInput(tool.inputSchema!, {
      seed: index * 7919 + attempt,
      optional: attempt < TRIES / 2,
      file: { file: "sample.bin" },
    });
    if (!isJsonObject(input)) return undefined;
    // Fields have no encoding for other characters.
    for (const { name } of fields) if (typeof input[name] === "string") input[name] = asciiText(input[name]);
    // The media type of a body that may have any: one that can carry whatever value there is.
    if (open !== undefined && input[open.name] !== undefined) input[open.name] = "application/json";
    if (fits(input)) return input;
  }
  return undefined;
}

const asciiText = (text: string): string => text.replace(/[^\x21-\x7e]/g, "-");

/** Credentials have suites of their own. */
function withoutSecurity(document: JsonObject): JsonObject {
  const copy = structuredClone(document);
  delete copy["security"];
  for (const item of Object.values(copy["paths"] as JsonObject))
    for (const operation of Object.values(item as JsonObject)) delete (operation as JsonObject)["security"];
  return copy;
}
