/** Runs one fault and measures its outcome. */
import * as Effect from "effect/Effect";
import { ToolError } from "../../src/codemode/tool-error.js";
import { makeHttpClient } from "../../src/http/client.js";
import type { Certificates } from "./certificates.js";
import { request, send } from "./client.js";
import { type Fault, shortLimits } from "./faults.js";
import { rawServer } from "./raw-server.js";

export interface FaultOutcome {
  /** The text of the failure, or of the answer. */
  readonly text: string;
  readonly failed: boolean;
  readonly ms: number;
  /** Growth of the resident set while the fault ran, in octets. */
  readonly memory: number;
}

export async function runFault(fault: Fault, certificates: Certificates): Promise<FaultOutcome> {
  const server = await rawServer(fault.respond ?? (() => {}), fault.tls?.(certificates), "127.0.0.1", fault.connected);
  const client = makeHttpClient({ ...shortLimits, ...fault.options?.(certificates) });
  const origin = fault.origin === "https" ? server.origin.replace("http:", "https:") : (fault.origin ?? server.origin);
  const sent = request(origin, "/", { method: fault.method ?? "GET" });
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const started = performance.now();
  try {
    const { text } = await send(
      client,
      fault.body === undefined ? sent : { ...sent, body: { length: undefined, open: fault.body } },
    );
    return outcome(text, false);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return outcome(error.message, true);
  } finally {
    clearInterval(watch);
    await Effect.runPromise(client.close());
    await server.close();
  }

  function outcome(text: string, failed: boolean): FaultOutcome {
    return {
      text,
      failed,
      ms: performance.now() - started,
      memory: Math.max(peak, process.memoryUsage.rss()) - before,
    };
  }
}
