/**
 * Many calls of tools through the client, against a server that fails now and then: what the client says of its calls and
 * what the server has noted are compared to the last one.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { makeHttpClient } from "../../src/http/client.js";
import type { JsonObject } from "../../src/json/json.js";
import { OpenAPI, type OperationTool } from "../../src/openapi/index.js";
import { answer, rawServer } from "./raw-server.js";

export const FAULT_KINDS = ["reset", "reset in headers", "reset in body", "busy", "truncated"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What became of one exchange: as the server made it, and as the client saw it. */
export type Given = FaultKind | "answer";

export interface Accounts {
  readonly calls: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Exchanges beyond the first of a call. */
  readonly retried: number;
}

export interface Accounting {
  readonly client: Accounts;
  readonly server: Accounts;
  /** Exchanges by what the server did. */
  readonly given: Readonly<Record<Given, number>>;
  /** Calls whose exchanges are not those that the rules for retries lead to, or whose value is another call's. */
  readonly wrong: readonly string[];
  /** Requests of POST and PATCH that the server got more than once. */
  readonly repeatedUnsafe: readonly string[];
  readonly ms: number;
}

const METHODS = ["get", "put", "delete", "post", "patch"] as const;
/** RFC 9110, 9.2.2, of those. */
const IDEMPOTENT = new Set(["GET", "PUT", "DELETE"]);
const RETRIES = 2;
const CONCURRENCY = 16;

const DOCUMENT = {
  openapi: "3.1.1",
  info: { title: "items", version: "1" },
  paths: {
    "/items/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      ...Object.fromEntries(
        METHODS.map((method) => [
          method,
          {
            operationId: method,
            ...(method === "get" || method === "delete"
              ? {}
              : {
                  requestBody: {
                    content: {
                      "application/json": { schema: { type: "object", properties: { note: { type: "string" } } } },
                    },
                  },
                }),
            responses: {
              "200": {
                description: "the item",
                content: {
                  "application/json": { schema: { type: "object", properties: { id: { type: "integer" } } } },
                },
              },
            },
          },
        ]),
      ),
    },
  },
};

/** A fraction that depends on nothing but its arguments. */
function chance(seed: number, call: number, attempt: number): number {
  let hash =
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(call + 1, 0xc2b2ae35) ^ Math.imul(attempt, 0x27d4eb2f);
  for (const shift of [15, 13, 16]) {
    hash ^= hash >>> shift;
    hash = Math.imul(hash, 0x2c1b3c6d);
  }
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** What the server does with an exchange. Every call is asked at its first attempt; retries fail as often as anything. */
function given(seed: number, call: number, attempt: number, share: number): Given {
  const value = chance(seed, call, attempt);
  return value >= share ? "answer" : FAULT_KINDS[Math.floor((value / share) * FAULT_KINDS.length)]!;
}

/** The exchanges that the documented rules lead to. */
function expected(method: string, what: (attempt: number) => Given): Given[] {
  const exchanges: Given[] = [];
  for (let attempt = 1; ; attempt++) {
    const outcome = what(attempt);
    exchanges.push(outcome);
    // Once a part of a body is there, the answer has begun: it is not asked for again.
    const again = outcome === "reset" || outcome === "reset in headers" || outcome === "busy";
    if (!again || attempt > RETRIES || !IDEMPOTENT.has(method)) return exchanges;
  }
}

function perform(socket: Socket, outcome: Given, body: string): void {
  const whole = answer(200, { "Content-Type": "application/json" }, body);
  switch (outcome) {
    case "answer":
      socket.write(whole);
      return;
    case "busy":
      socket.write(answer(503, { "Retry-After": "0" }, "busy"));
      return;
    case "reset":
      socket.resetAndDestroy();
      return;
    case "reset in headers":
      socket.write(whole.subarray(0, 30), () => socket.resetAndDestroy());
      return;
    case "reset in body":
      // The other side has to see the header section before the reset overtakes it.
      socket.write(whole.subarray(0, whole.length - 50), () => setTimeout(() => socket.resetAndDestroy(), 20));
      return;
    case "truncated":
      socket.end(whole.subarray(0, whole.length - 50));
  }
}

/** @param share of exchanges that fail */
export async function account(calls: number, seed: number, share = 0.01): Promise<Accounting> {
  const record = new Map<number, { readonly method: string; readonly exchanges: Given[] }>();
  const server = await rawServer((socket, { method, target }) => {
    const call = Number(target.slice("/items/".length));
    const { exchanges } = record.get(call) ?? { exchanges: [] as Given[] };
    const outcome = given(seed, call, exchanges.length + 1, share);
    exchanges.push(outcome);
    record.set(call, { method, exchanges });
    perform(socket, outcome, JSON.stringify({ id: call, filler: "x".repeat(200) }));
  });
  const folder = mkdtempSync(join(tmpdir(), "accounting-"));
  const archive = join(folder, "exchanges.har");
  const client = makeHttpClient({ retries: RETRIES, concurrency: CONCURRENCY, record: archive });
  const started = performance.now();
  const wrong: string[] = [];
  let succeeded = 0;
  let failed = 0;
  try {
    const api = await Effect.runPromise(OpenAPI.fromDocument(DOCUMENT, { server: server.origin, client }));
    const tools = METHODS.map((method) => api.find(method) as OperationTool);
    let next = 0;
    const caller = async (): Promise<void> => {
      while (next < calls) {
        const call = next++;
        const tool = tools[call % tools.length]!;
        const input: JsonObject = tool.inputs.some(({ name }) => name === "note")
          ? { id: call, note: "é" }
          : { id: call };
        const outcome = await Effect.runPromise(
          Effect.match(tool.call(input, { mode: "value" }), {
            onSuccess: ({ data }) => ({ id: (data as { id: number }).id }),
            onFailure: () => undefined,
          }),
        );
        if (outcome === undefined) failed++;
        else succeeded++;
        const method = tool.facts.method!;
        const { exchanges } = record.get(call) ?? { exchanges: [] };
        const due = expected(method, (attempt) => given(seed, call, attempt, share));
        if (exchanges.join() !== due.join())
          wrong.push(`${method} ${call}: ${exchanges.join()} instead of ${due.join()}`);
        if (outcome === undefined ? due.at(-1) === "answer" : due.at(-1) !== "answer" || outcome.id !== call)
          wrong.push(
            `${method} ${call}: ${outcome === undefined ? "failed" : `got ${outcome.id}`} after ${due.join()}`,
          );
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, caller));
  } finally {
    await Effect.runPromise(client.close());
    await server.close();
  }
  const ms = performance.now() - started;
  const { log } = JSON.parse(readFileSync(archive, "utf8")) as { log: { entries: unknown[] } };
  rmSync(folder, { recursive: true });
  const all = [...record.values()];
  const exchanges = all.flatMap((call) => call.exchanges);
  const answered = all.filter((call) => call.exchanges.at(-1) === "answer").length;
  return {
    client: { calls: succeeded + failed, succeeded, failed, retried: log.entries.length - calls },
    server: {
      calls: record.size,
      succeeded: answered,
      failed: record.size - answered,
      retried: exchanges.length - record.size,
    },
    given: Object.fromEntries(
      [...FAULT_KINDS, "answer" as const].map((kind) => [kind, exchanges.filter((one) => one === kind).length]),
    ) as Record<Given, number>,
    wrong,
    repeatedUnsafe: [...record]
      .filter(([, { method, exchanges: sent }]) => !IDEMPOTENT.has(method) && sent.length > 1)
      .map(([call, { method }]) => `${method} ${call}`),
    ms,
  };
}
