import { describe, expect, it } from "vitest";
import { codemode, json } from "./command-line.js";

/** No address but loopback can be reached: a proxy that is not there. */
const offline = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};

describe("demo", () => {
  it("tells its story on stderr and prints the result on stdout", async () => {
    const { code, stdout, stderr } = await codemode(["demo"], { env: offline });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      open: 12,
      shippable: expect.arrayContaining([1001]),
      perCountry: {
        GB: expect.any(Number),
        FR: expect.any(Number),
        DE: expect.any(Number),
        IN: expect.any(Number),
        JP: expect.any(Number),
      },
      refund: "409: Order 1001 is open; only a paid order can be refunded.",
    });
    for (const text of [
      "Demo shop",
      "tools.orders.list(",
      "skipped: GET /orders/search, undefined-serialization",
      "for await (const page of pages(",
      "orders.refund 409",
      "12 open orders",
    ]) {
      expect(stderr).toContain(text);
    }
  });

  it("--json is the whole result: sequence, fan-out and a failure among the calls", async () => {
    const outcome = await codemode(["demo", "--json"], { env: offline });
    const { ok, toolCalls, logs } = json(outcome);
    expect({ ok, stderr: outcome.stderr, logs }).toEqual({
      ok: true,
      stderr: "",
      logs: [expect.stringMatching(/12 open orders/)],
    });
    const count = (tool: string) => toolCalls.filter((call: any) => call.tool === tool).length;
    expect(count("orders.list")).toBe(3);
    expect(count("products.stock")).toBe(4);
    expect(count("customers.get")).toBeGreaterThan(3);
    expect(toolCalls.find((call: any) => call.tool === "orders.refund")).toMatchObject({
      outcome: "failure",
      status: 409,
    });
  });

  it("--quiet prints the result only", async () => {
    const { code, stdout, stderr } = await codemode(["demo", "--quiet", "--output", "yaml"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^open: 12\n/);
  });
});

describe("demo:", () => {
  it("is a document and a server for every command", async () => {
    expect((await codemode(["call", "demo:", "orders.get", "--id", "1001", "--output", "yaml"])).stdout).toContain(
      "customerId: c-1",
    );
    expect((await codemode(["skipped", "demo:", "--fail"])).code).toBe(1);
    const convention = ["--convention", "deepObject=brackets"];
    expect((await codemode(["skipped", "demo:", "--fail", ...convention])).code).toBe(0);
    const found = await codemode([
      "call",
      "demo:",
      "orders.search",
      "--filter",
      '{"total":{"min":50}}',
      "--json",
      ...convention,
    ]);
    expect(json(found).value.every((order: any) => order.total >= 50)).toBe(true);
    expect(json(found).value.length).toBeGreaterThan(0);
  });

  it("can be changed while the command runs", async () => {
    const program = `
      const order = await tools.orders.create({ customerId: "c-2", lines: [{ sku: "cup-set", quantity: 2 }] });
      const again = await tools.orders.get({ id: order.id });
      return [order.total, again.status];`;
    expect(json(await codemode(["run", "demo:", "-e", program, "--json"])).value).toEqual([44, "open"]);
  });

  it("asks for its token like any other API when another credential is given", async () => {
    const outcome = await codemode([
      "call",
      "demo:",
      "orders.get",
      "--id",
      "1001",
      "--auth",
      "bearerAuth=literal:wrong-token",
      "--json",
    ]);
    expect(json(outcome).error).toMatchObject({ kind: "ToolFailure", status: 401 });
  });
});
