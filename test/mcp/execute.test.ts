import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stdioClient, textOf } from "./clients.js";

let client: Client;
beforeAll(async () => {
  client = await stdioClient(["demo:"]);
});
afterAll(() => client.close());

const execute = (code: string, input?: unknown) =>
  client.callTool({ name: "execute", arguments: { code, ...(input === undefined ? {} : { input }) } });

describe("the server over standard streams", () => {
  test("offers execute, described by the instructions, and search", async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["execute", "search"]);
    expect(tools[0]!.description).toContain("orders");
    expect(tools[0]!.annotations).toMatchObject({ readOnlyHint: false });
    expect(tools[1]!.annotations).toMatchObject({ readOnlyHint: true });
  });

  test("solves a task of three calls: search, then a program that lists and gets", async () => {
    const found = await client.callTool({ name: "search", arguments: { query: "list open orders", limit: 3 } });
    expect(textOf(found)).toContain("tools.orders.list");
    const result = await execute(
      `const [first] = await tools.orders.list({ status: input.status, per_page: 1 });
       const order = await tools.orders.get({ id: first.id });
       const customer = await tools.customers.get({ customerId: order.customerId });
       return { id: order.id, customer: customer.id === order.customerId };`,
      { status: "open" },
    );
    expect(result.structuredContent).toMatchObject({ ok: true, value: { id: 1001, customer: true } });
    expect(textOf(result)).toMatch(/^calls: 3 succeeded, 0 failed, 0 interrupted\nside effects: none\n/);
  });

  test("says what was changed before anything else, also when the program fails afterwards", async () => {
    const result = await execute(
      `await tools.orders.create({ customerId: "c-1", lines: [{ sku: "cup-set", quantity: 1 }] });
       throw new Error("afterwards");`,
    );
    expect(result.isError).toBe(true);
    const lines = textOf(result).split("\n");
    expect(lines[0]).toBe("calls: 1 succeeded, 0 failed, 0 interrupted");
    expect(lines[2]).toBe("- POST orders.create: success (201)");
    expect(lines[3]).toMatch(/^error ExecutionFailure at line 2, column \d+: .*afterwards/);
  });

  test("bounds the list of calls, and counts the rest", async () => {
    const result = await execute(
      `for (let i = 0; i < 40; i++) await response(tools.orders.refund, { id: 1001, reason: "no" }); return 1;`,
    );
    const text = textOf(result);
    expect(text.match(/^- POST orders\.refund/gm)).toHaveLength(25);
    expect(text).toContain("- and 15 more");
  });

  test("never cuts a value in half", async () => {
    const result = await execute(`return Array.from({ length: 50_000 }, (_, i) => ({ i, text: "x".repeat(20) }));`);
    expect(result.structuredContent).toMatchObject({ truncated: true });
    expect(textOf(result).length).toBeLessThan(150_000);
  });

  test("tells the program's console and the progress of its calls", async () => {
    const logs: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params.data));
    const progress: string[] = [];
    await client.callTool(
      { name: "execute", arguments: { code: `console.log("hello"); return tools.orders.get({ id: 1001 });` } },
      undefined,
      { onprogress: ({ message }) => void progress.push(message ?? "") },
    );
    await expect.poll(() => logs).toEqual(["hello"]);
    expect(progress).toEqual(["orders.get started", "orders.get: success"]);
  });

  test("ends an execution that the client cancels", async () => {
    const abort = new AbortController();
    const running = client.callTool({ name: "execute", arguments: { code: "await sleep(50_000)" } }, undefined, {
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(), 300);
    await expect(running).rejects.toThrow();
    expect((await execute("return 1")).structuredContent).toMatchObject({ ok: true, value: 1 });
  });

  test.each([
    [{ name: "execute", arguments: {} }, /"code" must be a string/],
    [{ name: "search", arguments: { query: "a", limit: 0 } }, /"limit" must be an integer of at least 1/],
    [{ name: "search", arguments: { query: 3 } }, /"query" must be a string/],
  ])("tells a model its mistake: %j", async (call, message) => {
    const result = await client.callTool(call);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(message);
  });

  test("refuses a tool that it does not have", async () => {
    await expect(client.callTool({ name: "orders.get" })).rejects.toThrow(/has "execute" and "search"/);
  });
});

describe("confirmation", () => {
  const code = `return (await response(tools.orders.refund, { id: 1001, reason: "no" })).status;`;

  test("asks before a call that may change something, and only then", async () => {
    const asking = await stdioClient(["demo:", "--confirm"], { elicitation: {} });
    const questions: string[] = [];
    let action: "accept" | "decline" = "decline";
    asking.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return { action, content: {} };
    });
    const run = (program: string) => asking.callTool({ name: "execute", arguments: { code: program } });
    expect((await run("return (await tools.orders.get({ id: 1001 })).id")).structuredContent).toMatchObject({
      value: 1001,
    });
    expect(questions).toEqual([]);
    const refused = await run(code);
    expect(refused.structuredContent).toMatchObject({ ok: false, error: { kind: "ToolFailure" } });
    expect(textOf(refused)).toContain("The user did not allow orders.refund.");
    expect(questions[0]).toContain("POST /orders/{id}/refund");
    action = "accept";
    expect((await run(code)).structuredContent).toMatchObject({ ok: true, value: 409 });
    await asking.close();
  });

  test("refuses where the client cannot ask", async () => {
    const mute = await stdioClient(["demo:", "--confirm"]);
    const result = await mute.callTool({ name: "execute", arguments: { code } });
    expect(textOf(result)).toContain("this client cannot ask");
    await mute.close();
  });
});

describe("another MCP server as a source of tools", () => {
  test("its tools stand under its name, its text stays text", async () => {
    const both = await stdioClient(["demo:", "--mcp", `inner=node bin/codemode-openapi.js mcp demo:`]);
    const code = `
      const found = await tools.inner.search({ query: "refund" });
      const nested = await tools.inner.execute({ code: "return 6 * 7" });
      return [Object.keys(tools.inner), found.items.length > 0, nested.value];`;
    const result = await both.callTool({ name: "execute", arguments: { code } });
    expect(result.structuredContent).toMatchObject({ ok: true, value: [["execute", "search"], true, 42] });
    // What the inner server says only reads is no side effect; what may change something is one.
    expect(textOf(result)).toContain("- inner.execute: success");
    expect(textOf(result)).not.toContain("- inner.search");
    await both.close();
  });
});
