/** Calls of tools against a server on loopback that keeps every octet it gets. */
import * as Effect from "effect/Effect";
import { onTestFinished } from "vitest";
import type { Answer, CallMode } from "../../src/codemode/tool.js";
import type { ToolError } from "../../src/codemode/tool-error.js";
import { makeHttpClient } from "../../src/http/client.js";
import type { Json } from "../../src/json/json.js";
import { OpenAPI, type OpenApiOptions, OperationTool } from "../../src/openapi/index.js";
import { answer, type RawServer, type Received, type Respond, rawServer } from "../http/raw-server.js";

export interface Wire {
  readonly server: RawServer;
  readonly api: Awaited<ReturnType<typeof load>>;
  /** Calls the operation `GET /x`. */
  call(operation: string, input?: Json, mode?: CallMode): Promise<Outcome>;
  /** The tool of an operation. */
  tool(operation: string): OperationTool;
}

export interface Outcome {
  /** What arrived, in order. */
  readonly requests: readonly Received[];
  /** The first request. @throws when nothing was sent. */
  readonly request: Received;
  readonly answer: Answer | undefined;
  readonly error: ToolError | undefined;
}

const json: Respond = (socket) => socket.write(answer(200, { "Content-Type": "application/json" }, '{"ok":true}'));

const load = (document: unknown, options: OpenApiOptions) => Effect.runPromise(OpenAPI.fromDocument(document, options));

/** A document's version, paths and components; servers, info and responses are filled in. */
export interface Description {
  readonly version?: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [field: string]: unknown;
}

function documentOf({ version = "3.0.4", paths, ...rest }: Description, origin: string): unknown {
  const complete = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([key, value]) => [
          key,
          Array.isArray(value) || typeof value !== "object" || value === null
            ? value
            : { responses: { default: { description: "any" } }, ...value },
        ]),
      ),
    ]),
  );
  const head = version === "2.0" ? { swagger: "2.0" } : { openapi: version, servers: [{ url: origin }] };
  return { ...head, info: { title: "test", version: "1" }, paths: complete, ...rest };
}

/** An API served until the test ends. */
export async function wire(
  description: Description,
  options: OpenApiOptions & { respond?: Respond } = {},
): Promise<Wire> {
  const server = await rawServer(options.respond ?? json);
  const client = makeHttpClient({ retries: 0, ...options.http });
  const api = await load(documentOf(description, server.origin), {
    uri: `${server.origin}/openapi.json`,
    client,
    ...options,
  });
  onTestFinished(async () => {
    await Effect.runPromise(client.close());
    await server.close();
  });
  const tool = (operation: string): OperationTool => {
    const found = api.find(operation);
    if (found instanceof OperationTool) return found;
    throw new Error(`${operation} is no tool: ${JSON.stringify(found)}`);
  };
  return {
    server,
    api,
    tool,
    async call(operation, input, mode = "value") {
      const before = server.requests.length;
      const called = tool(operation).call(input, { mode });
      const outcome = await Effect.runPromise(
        Effect.match(called, {
          onSuccess: (given) => ({ answer: given as Answer | undefined, error: undefined as ToolError | undefined }),
          onFailure: (error) => ({ answer: undefined, error }),
        }),
      );
      const requests = server.requests.slice(before);
      return {
        ...outcome,
        requests,
        get request() {
          const [first] = requests;
          if (first === undefined) throw new Error(`Nothing was sent: ${outcome.error?.message}`);
          return first;
        },
      };
    },
  };
}

/** One operation `GET /x` (or another method and path) with these parameters. */
export function withParameters(parameters: readonly unknown[], version = "3.0.4", path = "/x"): Description {
  return { version, paths: { [path]: { get: { parameters } } } };
}

/** One operation `POST /x` with a body of these media types. */
export function withContent(
  content: unknown,
  more: Readonly<Record<string, unknown>> = {},
  version = "3.0.4",
): Description {
  return { version, paths: { "/x": { post: { requestBody: { content, ...more } } } } };
}

export type { Received } from "../http/raw-server.js";
export { answer } from "../http/raw-server.js";
