/** A model that needs no network: it does what a language model would do, by a script. */
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { type Message, Model, type ShownTool, type Turn } from "./agent.js";

/** Three calls: the largest open order decides which customer and which stock are asked for. */
const REPORT = `
  const orders = [];
  for await (const page of pages(tools.shop.orders.list, { status: "open", per_page: 50 })) orders.push(...page);
  const largest = orders.reduce((a, b) => (b.total > a.total ? b : a));
  const customer = await tools.shop.customers.get({ customerId: largest.customerId });
  const stock = await tools.shop.products.stock({ sku: largest.lines[0].sku });
  return { order: largest.id, customer: customer.name, inStock: stock.quantity >= largest.lines[0].quantity };`;

const REFUND = `return tools.shop.orders.refund({ id: 1001, reason: "just in case" });`;

function next(messages: readonly Message[], tools: readonly ShownTool[]): Turn {
  const results = messages.filter((message) => message.role === "tool");
  switch (results.length) {
    case 0:
      // It writes programs only for tools that it was told of.
      if (!tools.some(({ description }) => description.includes("orders.list"))) return { answer: "I have no orders." };
      return { tool: "execute", input: { code: REFUND } };
    case 1:
      return { tool: "execute", input: { code: REPORT } };
    case 2:
      return { tool: "today", input: {} };
    default: {
      // The value is the last part of the text of a settlement.
      const [refund, report, today] = results.map(({ text }) => text);
      const { order, customer, inStock } = JSON.parse(report!.slice(report!.indexOf("{")));
      const refused = refund!.includes("not allowed") ? "" : " (and money went back)";
      return { answer: `${today}: order ${order} of ${customer} ${inStock ? "can" : "cannot"} be shipped${refused}.` };
    }
  }
}

export const ScriptedModel = Layer.succeed(Model, {
  next: (messages, tools) => Effect.sync(() => next(messages, tools)),
});
