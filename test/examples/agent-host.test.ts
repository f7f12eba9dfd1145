/** The examples do what they say. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("the agent host solves its task with three calls of one program, and its policy holds", async () => {
  const { stdout, stderr } = await run(process.execPath, ["scripts/example.mjs", "agent-host"]);
  const { answer, toolCalls } = JSON.parse(stdout) as { answer: string; toolCalls: unknown[] };
  expect(answer).toMatch(/^\d{4}-\d\d-\d\d: order \d+ of .+ (can|cannot) be shipped\.$/);
  expect(toolCalls).toEqual([
    { tool: "shop.orders.refund", outcome: "failure" },
    ...["shop.orders.list", "shop.customers.get", "shop.products.stock"].map((tool) => ({ tool, outcome: "success" })),
    { tool: "today", outcome: "success" },
  ]);
  expect(stderr).toContain("Refunds are not allowed.");
});
