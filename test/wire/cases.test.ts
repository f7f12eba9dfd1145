/** One call against one small document each, and the exact request or refusal that the specifications define. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/codemode/tool.js";
import type { ToolError } from "../../src/codemode/tool-error.js";
import { makeHttpClient } from "../../src/http/client.js";
import type { Json } from "../../src/json/json.js";
import { makeFileStore } from "../../src/openapi/files.js";
import { OpenAPI, OperationTool } from "../../src/openapi/index.js";
import { folderOf } from "../openapi/files.js";
import { parseMultipart } from "./multipart.js";

type Value = Record<string, any>;

interface Arrived {
  readonly at: "base" | "other";
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

interface Observed {
  readonly requests: readonly Arrived[];
  readonly tools: readonly string[];
  readonly refused: string | undefined;
  readonly answer: Answer | undefined;
}

const folder = join(import.meta.dirname, "cases");
const cases: Value[] = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));

/** Replaces the origins' names in every string. */
function filled(value: any, origins: { base: string; other: string }): any {
  if (typeof value === "string") return value.replaceAll("@BASE@", origins.base).replaceAll("@OTHER@", origins.other);
  if (Array.isArray(value)) return value.map((item) => filled(item, origins));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, origins)]));
}

async function observe(test: Value): Promise<{ observed: Observed; expected: Value; close(): void }> {
  const requests: Arrived[] = [];
  const documents = new Map<string, Buffer>();
  const origins = { base: "", other: "" };
  const listen = async (at: "base" | "other"): Promise<Server> => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        const path = request.url!.split("?")[0]!;
        const document = at === "base" && request.method === "GET" ? documents.get(path) : undefined;
        if (document !== undefined) return response.end(document);
        requests.push({
          at,
          method: request.method!,
          url: request.url!,
          headers: request.headers,
          body: Buffer.concat(chunks),
        });
        const served =
          test["serveMap"]?.[`${request.method} ${path}`] ?? (test["serveMap"] ? undefined : test["serve"]);
        const { status, headers, body, bodyGzipOf, bodyBase64 } = served ?? {
          status: 200,
          headers: { "content-type": "application/json" },
          body: '{"ok":true}',
        };
        response.writeHead(status, filled(headers ?? {}, origins));
        return response.end(
          bodyGzipOf ? gzipSync(bodyGzipOf) : bodyBase64 ? Buffer.from(bodyBase64, "base64") : (body ?? ""),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origins[at] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return server;
  };
  const servers = [await listen("base"), await listen("other")];
  const source = filled(test["docUrl"], origins);
  if (test["spec"]) documents.set(new URL(source).pathname, Buffer.from(JSON.stringify(filled(test["spec"], origins))));
  for (const [name, text] of Object.entries<any>(test["files"] ?? {})) {
    const content = filled(text, origins);
    const prefix = Buffer.from(test["fileBytes"]?.[name]?.prefixHex ?? "", "hex");
    documents.set(
      `/${name}`,
      Buffer.concat([prefix, Buffer.from(typeof content === "string" ? content : JSON.stringify(content))]),
    );
  }
  const client = makeHttpClient({ retries: 0 });
  const observed = await attempt(test, source, client).then((outcome) => ({ requests, ...outcome }));
  return {
    observed,
    expected: filled(test["expect"], origins),
    close: () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      void Effect.runPromise(client.close());
    },
  };
}

async function attempt(
  test: Value,
  source: string,
  client: ReturnType<typeof makeHttpClient>,
): Promise<Omit<Observed, "requests">> {
  const uploads: Record<string, string> = {};
  const into = folderOf({});
  const given = (value: any): Json => {
    if (Array.isArray(value)) return value.map(given);
    if (typeof value !== "object" || value === null) return value;
    if ("$int" in value) return BigInt(value.$int);
    if (!("$bytes" in value))
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, given(member)]));
    const name = value.filename ?? "payload.bin";
    uploads[name] = join(into, "up", name);
    mkdirSync(dirname(uploads[name]!), { recursive: true });
    writeFileSync(uploads[name]!, Buffer.from(value.$bytes, "base64"));
    return { file: name, ...(value.contentType ? { mediaType: value.contentType } : {}) };
  };
  const args = Object.entries<any>(test["call"].args ?? {}).map(([at, value]) => [at, given(value)] as const);
  const credentials = Object.fromEntries(
    Object.entries<any>(test["auth"] ?? {}).map(([name, auth]) => [
      name,
      `literal:${auth.value ?? auth.token ?? `${auth.username}:${auth.password}`}`,
    ]),
  );
  const options = {
    client,
    credentials,
    serverVariables: test["call"].serverVariables,
    files: makeFileStore({ files: uploads, directory: join(into, "down") }),
  };
  const loaded = await Effect.runPromise(
    Effect.match(OpenAPI.load(source, options), {
      onSuccess: (api) => ({ api }),
      onFailure: ({ message }) => ({ message }),
    }),
  );
  if ("message" in loaded) return { tools: [], refused: loaded.message, answer: undefined };
  const tools = loaded.api.operations.map(({ facts }) => `${facts.method} ${facts.pathTemplate}`);
  const tool = loaded.api.find(test["call"].operation);
  if (!(tool instanceof OperationTool)) return { tools, refused: tool?.reason ?? "not found", answer: undefined };
  const outcome = await Effect.runPromise(
    Effect.match(tool.call(inputOf(tool, args, test["call"].contentType), { mode: "response" }), {
      onSuccess: (answer) => ({ refused: undefined, answer: answer as Answer | undefined }),
      onFailure: (error: ToolError) => ({ refused: error.message, answer: undefined }),
    }),
  );
  return { tools, ...outcome };
}

function inputOf(
  tool: OperationTool,
  args: readonly (readonly [string, Json])[],
  contentType: string | undefined,
): Json {
  const key = (location: string, name: string): string | undefined =>
    tool.inputs.find(
      (input) =>
        input.in === location &&
        (location === "header" ? input.parameter?.toLowerCase() === name.toLowerCase() : input.parameter === name),
    )?.name;
  const whole = tool.inputs.find((input) => input.in === "body" && input.parameter === null)?.name;
  const input: [string, Json][] = contentType === undefined ? [] : [["contentType", contentType]];
  for (const [at, value] of args) {
    const [location, ...name] = at.split(":");
    if (at !== "body") {
      const found = key(location === "formData" ? "body" : location!, name.join(":"));
      if (found !== undefined) input.push([found, value]);
    } else if (whole !== undefined || typeof value !== "object" || value === null) input.push([whole ?? "body", value]);
    else
      for (const [property, member] of Object.entries(value)) input.push([key("body", property) ?? property, member]);
  }
  return Object.fromEntries(input);
}

/** What is wrong with an outcome by one expectation. */
function faults(expected: Value, { requests, refused, answer }: Observed): string[] {
  if (expected["error"] || expected["skipped"])
    return refused !== undefined && requests.length === 0 ? [] : ["was sent"];
  const bad: string[] = [];
  if (expected["redirect"]) {
    const redirected = requests[1];
    // Giving the redirect to the caller is as good as following it.
    if (redirected === undefined)
      return answer?.status !== undefined && answer.status >= 300 && answer.status < 400 ? [] : ["no redirect"];
    bad.push(...requestFaults(expected["redirect"], redirected));
  }
  if (expected["request"]) {
    const [first] = requests.filter(({ at }) => at === "base");
    if (first === undefined) return [`nothing sent: ${refused}`];
    bad.push(...requestFaults(expected["request"], first));
  }
  const { result } = expected;
  if (result !== undefined) {
    if (answer === undefined) return [`no answer: ${refused}`];
    if (result.status !== undefined && answer.status !== result.status) bad.push(`status ${answer.status}`);
    if (result.json !== undefined && JSON.stringify(answer.data) !== JSON.stringify(result.json))
      bad.push(`data ${JSON.stringify(answer.data)}`);
    if (result.empty && answer.data !== null) bad.push("data");
    if (result.textContains && !JSON.stringify(answer.data).includes(JSON.stringify(result.textContains).slice(1, -1)))
      bad.push("text");
    for (const [name, value] of Object.entries(result.headers ?? {}))
      if (answer.headers?.[name] !== value) bad.push(`header ${name}`);
  }
  return bad;
}

function matches(expected: any, value: unknown): boolean {
  if (typeof expected === "string") return value === expected;
  if (expected?.startsWith !== undefined)
    return String(value ?? "")
      .toLowerCase()
      .startsWith(expected.startsWith.toLowerCase());
  return true;
}

function requestFaults(expected: Value, request: Arrived): string[] {
  const bad: string[] = [];
  if (expected["method"] && request.method !== expected["method"]) bad.push(`method ${request.method}`);
  if (expected["url"] !== undefined && ![expected["url"], ...(expected["urlAlso"] ?? [])].includes(request.url))
    bad.push(`url ${request.url}`);
  for (const [name, value] of Object.entries(expected["headers"] ?? {}))
    if (!matches(value, request.headers[name])) bad.push(`${name}: ${request.headers[name]}`);
  for (const name of expected["absentHeaders"] ?? [])
    if (request.headers[name] !== undefined) bad.push(`${name} is there`);
  for (const [name, value] of Object.entries(expected["headersNot"] ?? {}))
    if (request.headers[name] === value) bad.push(`${name}: ${value}`);
  const cookies = (request.headers.cookie ?? "").split("; ");
  for (const [name, value] of Object.entries(expected["cookies"] ?? {}))
    if (!cookies.includes(`${name}=${value}`)) bad.push(`cookie ${name}`);
  const { body } = expected;
  if (body === undefined) return bad;
  const text = request.body.toString();
  if (body.absent && request.body.length > 0) bad.push("body");
  if (body.text !== undefined && ![body.text, ...(body.textAlso ?? [])].includes(text)) bad.push(`body ${text}`);
  if (body.textCompact !== undefined && text !== body.textCompact) bad.push(`body ${text}`);
  if ("json" in body && JSON.stringify(JSON.parse(text)) !== JSON.stringify(body.json)) bad.push(`body ${text}`);
  if (body.base64 !== undefined && request.body.toString("base64") !== body.base64) bad.push("octets");
  if (body.form && JSON.stringify([...new URLSearchParams(text)]) !== JSON.stringify(body.form))
    bad.push(`form ${text}`);
  if (body.multipart) bad.push(...multipartFaults(body.multipart, request));
  return bad;
}

function multipartFaults(expected: Value[], request: Arrived): string[] {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const parts = parseMultipart({ method: "POST", target: "", lines: [], headers, body: request.body });
  if (parts.length !== expected.length) return [`${parts.length} parts`];
  return expected.flatMap((wanted, index) => {
    const part = parts[index]!;
    const bad: string[] = [];
    if (part.name !== wanted["name"]) bad.push(`part ${part.name}`);
    if (wanted["filename"] !== undefined && (part.filename ?? null) !== wanted["filename"])
      bad.push(`filename ${part.filename}`);
    if (wanted["contentType"] && !matches(wanted["contentType"], part.type)) bad.push(`type ${part.type}`);
    if (wanted["text"] !== undefined && part.body.toString() !== wanted["text"]) bad.push(`text ${part.body}`);
    if (wanted["base64"] !== undefined && part.body.toString("base64") !== wanted["base64"]) bad.push("octets");
    if (
      wanted["json"] !== undefined &&
      JSON.stringify(JSON.parse(part.body.toString())) !== JSON.stringify(wanted["json"])
    )
      bad.push(`json ${part.body}`);
    return bad;
  });
}

describe("wire", () => {
  it.each(cases.map((test) => [test["id"] as string, test["title"] as string, test] as const))(
    "%s: %s",
    async (_, __, test) => {
      const { observed, expected, close } = await observe(test);
      try {
        const accepted: Value[] = expected["anyOf"] ?? [expected];
        const outcomes = accepted.map((one) => faults(one, observed));
        expect(outcomes.find((bad) => bad.length === 0) ?? outcomes).toEqual([]);
        const operations = expected["operations"];
        if (operations?.count !== undefined) expect(observed.tools).toHaveLength(operations.count);
        for (const operation of operations?.callable ?? []) expect(observed.tools).toContain(operation);
      } finally {
        close();
      }
    },
  );
});
