/** What the suites need to send a request and look at its outcome. */
import * as Effect from "effect/Effect";
import { ToolError } from "../../src/codemode/tool-error.js";
import { readBytes } from "../../src/http/body.js";
import type { HttpClient } from "../../src/http/client.js";
import { bytesBody, type HttpRequest, type HttpResponse } from "../../src/http/message.js";

export interface Outcome {
  readonly status: number;
  readonly headers: HttpResponse["headers"];
  readonly url: string;
  readonly text: string;
}

export function request(
  origin: string,
  target: string,
  more: Partial<Omit<HttpRequest, "body">> & { body?: string | undefined } = {},
): HttpRequest {
  const { body, ...rest } = more;
  return {
    method: "GET",
    headers: [],
    origin,
    target,
    ...rest,
    body: body === undefined ? undefined : bytesBody(Buffer.from(body)),
  };
}

/** Sends and reads to the end. */
export function send(client: HttpClient, sent: HttpRequest): Promise<Outcome> {
  return Effect.runPromise(
    Effect.gen(function* () {
      const response = yield* client.send(sent, { tool: "test" });
      const bytes = yield* readBytes(response);
      return {
        status: response.status,
        headers: response.headers,
        url: response.url,
        text: Buffer.from(bytes).toString(),
      };
    }),
  );
}

/** The failure of a request that must not succeed. */
export async function failure(client: HttpClient, sent: HttpRequest): Promise<ToolError> {
  try {
    const { status, text } = await send(client, sent);
    throw new Error(`expected a failure, got ${status} ${text.slice(0, 80)}`);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}
