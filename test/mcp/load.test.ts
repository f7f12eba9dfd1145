/** Many sessions at once over HTTP: each gets its own answers, in turn, from a bounded number of processes. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, httpServer } from "./clients.js";

const SESSIONS = 20;
const EXECUTIONS = 5;

let server: HttpServer;
beforeAll(async () => {
  server = await httpServer(["demo:", "--executions", "3"]);
});
afterAll(() => server.close());

test("serves more sessions than there are processes, without an error or an answer of another", async () => {
  let most = 0;
  const sampler = setInterval(() => {
    most = Math.max(most, server.sandboxes().length);
  }, 20);
  const ends: number[] = [];
  const session = async (client: Client, number: number): Promise<void> => {
    for (let index = 0; index < EXECUTIONS; index++) {
      const input = number * EXECUTIONS + index;
      const code = `const order = await tools.orders.get({ id: 1001 }); return [input, order.id];`;
      const result = await client.callTool({ name: "execute", arguments: { code, input } }, undefined, {
        timeout: 110_000,
      });
      expect(result.structuredContent).toMatchObject({ ok: true, value: [input, 1001] });
      ends.push(number);
    }
    await client.close();
  };
  const clients = await Promise.all(Array.from({ length: SESSIONS }, () => server.client()));
  await Promise.all(clients.map(session));
  clearInterval(sampler);
  // Nobody is served five times before everybody has been served once.
  expect(new Set(ends.slice(0, SESSIONS * 2)).size).toBe(SESSIONS);
  if (process.platform === "linux") {
    expect(most).toBeGreaterThan(1);
    // One more for the moment in which an ended process still closes its pipes.
    expect(most).toBeLessThanOrEqual(4);
  }
}, 120_000);

test("an execution that waits for its turn ends when its client goes away", async () => {
  const [busy, waiting, after] = await Promise.all([server.client(), server.client(), server.client()]);
  const running = Array.from({ length: 3 }, () =>
    busy.callTool({ name: "execute", arguments: { code: "await sleep(3_000); return 1" } }),
  );
  await expect.poll(() => server.sandboxes().length).toBe(3);
  const abort = new AbortController();
  const aborted = waiting.callTool({ name: "execute", arguments: { code: "return 2" } }, undefined, {
    signal: abort.signal,
  });
  setTimeout(() => abort.abort(), 200);
  await expect(aborted).rejects.toThrow();
  const last = after.callTool({ name: "execute", arguments: { code: "return 3" } });
  for (const result of await Promise.all(running)) expect(result.structuredContent).toMatchObject({ value: 1 });
  expect((await last).structuredContent).toMatchObject({ ok: true, value: 3 });
  await Promise.all([busy, waiting, after].map((client) => client.close()));
});
