import { afterAll, expect, test } from "vitest";
import { CodeMode } from "../runtime/built.js";

const runtime = CodeMode.make({ tools: {}, limits: { timeoutMs: 20_000 } });
afterAll(() => runtime.close());

test("no message shows the source of the interpreter", async () => {
  const result = await runtime.run(`
    class A {}
    const functions = [() => 1, async () => 1, function () {}, function* () {}, async function* () {}, A, class extends A {}, { m() {} }.m, { async m() {} }.m];
    const shown = [];
    for (const f of functions) {
      for (const use of [
        () => Map.prototype.get.call(f, 1), () => Reflect.construct(f, []), () => Promise.resolve.call(f), () => new f(), () => f(),
        () => Symbol.prototype.toString.call(f), () => Reflect.construct(Date, [], f), () => Array.from.call(f, { length: 1 }),
      ]) {
        try { use(); } catch (error) { if (/=>|\\n|\\.\\.\\./.test(error.message + error.stack.split("\\n    at ")[0])) shown.push(error.message); }
      }
    }
    return shown;
  `);
  expect(result).toMatchObject({ ok: true, value: [] });
});

test("a message that the program wrote stays as it is", async () => {
  const text = "(a) => {\n  x\n} is not ";
  const result = await runtime.run(
    `class Own extends Error {} return [new TypeError(input), new Own(input)].map((error) => { try { throw error; } catch (caught) { return caught.message; } });`,
    { input: text },
  );
  expect(result).toMatchObject({ ok: true, value: [text, text] });
});
