/**
 * After thousands of calls of which some fail in every way, the client's accounts are the server's.
 *
 * `CODEMODE_ACCOUNTING_CALLS` sets the number of calls; 10000 is the full run.
 */
import { expect, test } from "vitest";
import { account, FAULT_KINDS } from "./accounting.js";

const calls = Number(process.env["CODEMODE_ACCOUNTING_CALLS"] ?? 2_000);

test.each([
  ["1 % of the exchanges fail", 0.01],
  // Beyond what the budget for retries allows in the long run is another test's matter.
  ["5 % of the exchanges fail", 0.05],
])("%s", { timeout: 300_000 }, async (_, share) => {
  const { client, server, given, wrong, repeatedUnsafe } = await account(calls, 20_261_130, share);
  expect(wrong).toEqual([]);
  expect(repeatedUnsafe).toEqual([]);
  expect(client).toEqual(server);
  expect(client.calls).toBe(calls);
  // Every kind of fault was there, and some calls were saved by another try.
  for (const kind of FAULT_KINDS) expect(given[kind], kind).toBeGreaterThan(0);
  expect(client.retried).toBeGreaterThan(0);
});
