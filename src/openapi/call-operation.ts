/** Executes a plan: encode, authorize, send, decode. */
import * as Effect from "effect/Effect";
import type { Answer, CallMode } from "../codemode/tool.js";
import { ToolError } from "../codemode/tool-error.js";
import { authorize } from "../credentials/authorize.js";
import type { Credentials } from "../credentials/credentials.js";
import type { HttpClient } from "../http/client.js";
import type { HttpRequest, HttpResponse } from "../http/message.js";
import type { Json } from "../json/json.js";
import { decodeAnswer } from "./answer.js";
import type { FileStore } from "./files.js";
import { followingPage, pageOperation } from "./pagination.js";
import type { OperationPlan } from "./plan.js";
import { encodeRequest } from "./request.js";
import type { ChosenServer, MissingServer } from "./server-object.js";

/** What a call needs beside its plan. */
export interface CallEnvironment {
  /** The dotted name of the tool. */
  readonly tool: string;
  readonly server: ChosenServer | MissingServer;
  readonly client: HttpClient;
  readonly credentials: Credentials;
  readonly files: FileStore;
}

/** A promise of the adapter as an effect: what is not a `ToolError` is a defect. */
function attempt<A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, ToolError> {
  return Effect.tryPromise({ try: run, catch: (error) => error }).pipe(
    Effect.catch((error) => (error instanceof ToolError ? Effect.fail(error) : Effect.die(error))),
  );
}

/** @throws ToolError when there is none: nothing is sent to a guess. */
function serverOf({ server, tool }: CallEnvironment): ChosenServer {
  if (!("missing" in server)) return server;
  throw new ToolError(`${tool} has no server to go to. ${server.missing}`, {
    hint: "Give the API's server with --server <url>.",
  });
}

/** One call. Interruption ends the exchange, also while the body is read. */
export function callOperation(
  plan: OperationPlan,
  input: Json | undefined,
  mode: CallMode,
  environment: CallEnvironment,
): Effect.Effect<Answer, ToolError> {
  return attempt(async () => encodeRequest(plan, input, serverOf(environment), environment.files)).pipe(
    Effect.flatMap((request) => sendRequest(plan, request, mode, environment)),
  );
}

function sendRequest(
  plan: OperationPlan,
  request: HttpRequest,
  mode: CallMode,
  environment: CallEnvironment,
): Effect.Effect<Answer, ToolError> {
  const { client, credentials, files, tool } = environment;
  return authorize(request, plan.security, credentials, { tool }).pipe(
    Effect.flatMap((authorized) => client.send(authorized, { tool, outputSchema: () => plan.outputSchema })),
    Effect.flatMap((response) =>
      attempt((signal) =>
        decodeAnswer(endedBy(signal, response), {
          mode,
          method: plan.method,
          about: client.redactor.text(`${plan.method} ${request.target.split("?")[0]}`),
          files,
          redact: (value) => client.redactor.json(value),
        }),
      ),
    ),
  );
}

/** The response, its body given up when the signal comes. */
function endedBy(signal: AbortSignal, response: HttpResponse): HttpResponse {
  const iterator = response.body[Symbol.asyncIterator]();
  const end = (): void => void iterator.return?.();
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return { ...response, body: { [Symbol.asyncIterator]: () => iterator } };
}

/**
 * The pages of a listing, each the answer of a call in `value` mode. The next page is asked for when the program wants it;
 * leaving the iteration ends the exchange that is under way.
 *
 * @throws ToolError of the call that fails.
 */
export function callPages(
  plan: OperationPlan,
  input: Json | undefined,
  environment: CallEnvironment,
): AsyncIterable<Answer> {
  return {
    [Symbol.asyncIterator]() {
      const leaving = new AbortController();
      const pages = eachPage(plan, input, environment, leaving.signal);
      return {
        next: () => pages.next(),
        async return() {
          leaving.abort();
          await pages.return(undefined).catch(() => {});
          return { done: true, value: undefined };
        },
      };
    },
  };
}

async function* eachPage(
  plan: OperationPlan,
  input: Json | undefined,
  environment: CallEnvironment,
  signal: AbortSignal,
): AsyncGenerator<Answer, undefined> {
  const server = serverOf(environment);
  const operation = pageOperation(plan, server);
  const seen = new Set<string>();
  let request: HttpRequest | undefined = await encodeRequest(plan, input, server, environment.files);
  while (request !== undefined) {
    seen.add(request.target);
    const answer: Answer = await Effect.runPromise(sendRequest(plan, request, "value", environment), { signal });
    yield answer;
    const next = followingPage(plan, operation, request, answer);
    // A page that is its own successor would go on for ever.
    request = next === undefined || seen.has(next.target) ? undefined : next;
  }
  return undefined;
}
