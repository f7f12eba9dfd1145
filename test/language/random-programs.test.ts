/** Random programs give what V8 gives, in the same order; and so do the programs that once did not. */
import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { CodeMode } from "../runtime/built.js";
import { difference } from "./random/difference.js";
import { programOf } from "./random/fuzz.js";
import { Native } from "./random/native.js";

const runtime = CodeMode.make({ tools: {}, limits: { timeoutMs: 30_000 } });
const native = new Native();

// Random programs leave promises rejected in the context that V8 runs them in: nothing of the test runner's.
const listeners = process.listeners("unhandledRejection");
process.removeAllListeners("unhandledRejection").on("unhandledRejection", () => {});
afterAll(async () => {
  process.removeAllListeners("unhandledRejection");
  for (const listener of listeners) process.on("unhandledRejection", listener);
  await runtime.close();
});

const found = JSON.parse(readFileSync(new URL("random/found.json", import.meta.url), "utf8")) as string[];
it.each(found)("%s", async (body) => {
  expect(await difference(body, native, runtime)).toBeUndefined();
});

it("random programs do what they do in V8", async () => {
  for (let seed = 1; seed <= 150; seed++)
    expect([seed, await difference(programOf(seed), native, runtime)]).toEqual([seed, undefined]);
});
