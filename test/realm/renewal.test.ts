import { describe, expect, test } from "vitest";
import { makeProgramRealm } from "./realm.js";

const done = (value: unknown) => expect.objectContaining({ type: "done", value });
const settled = { type: "settled", warnings: [] };

describe("a realm that serves one program after the other", () => {
  test("starts each from nothing", async () => {
    const realm = makeProgramRealm();
    const source = `
      console.count("runs");
      console.time("t");
      console.group("outer");
      let caught;
      try { null.x } catch (error) { caught = error.stack.split("\\n")[1].trim() }
      return caught;`;
    const first = await realm.run(source);
    expect(first.slice(0, 2)).toEqual([
      { type: "log", line: "runs: 1" },
      { type: "log", line: "outer" },
    ]);
    expect(realm.renew()).toBe(true);
    expect(await realm.run(source)).toEqual(first);
  });

  test.each([
    ["a value", "return 1"],
    ["an error", "throw new Error('x')"],
    ["a fault of the source", "return ]"],
    ["a stream of events that it left", "const it = (function* () { yield 1 })(); it.next(); return 1"],
    ["a promise that nothing settles", "void (async () => { await new Promise(() => {}) })(); return 1"],
    ["an end that nothing could bring", "await new Promise(() => {})"],
    [
      "its own classes, symbols and proxies",
      "class A extends Array {}; new Proxy(new A(), {}); return Symbol.for('x').description",
    ],
  ])("is ready for another after %s", async (_, source) => {
    const realm = makeProgramRealm();
    await realm.run(source);
    expect(realm.renew()).toBe(true);
    expect(await realm.run("return 7")).toEqual([done(7), settled]);
    expect(realm.renew()).toBe(true);
  });

  test.each([
    ["a timer", "setTimeout(() => console.log('late'), 1); return 1"],
    ["a sleep that nobody waits for", "void sleep(1).then(() => console.log('late')); return 1"],
    ["a call that nobody waits for", "void tools.get({}).then(() => console.log('late')); return 1"],
    ["a clean-up callback", "new FinalizationRegistry(() => console.log('late')).register({}, 1); return 1"],
    ["a clean-up callback of a subclass", "new (class extends FinalizationRegistry {})(() => {}); return 1"],
    ["a limit", "for (;;) {}", { timeoutMs: 5 }],
    ["a limit that it met on its way out", "return { get a() { for (;;) {} } }", { timeoutMs: 5 }],
  ] as [string, string, object?][])("serves no other after %s", async (_, source, limits = {}) => {
    const realm = makeProgramRealm();
    await realm.run(source, limits);
    expect(realm.renew()).toBe(false);
  });

  test("serves no other while its program runs", async () => {
    const realm = makeProgramRealm();
    await realm.run("await tools.get({}); return 1");
    expect(realm.renew()).toBe(false);
  });
});
