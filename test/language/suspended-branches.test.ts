/** An `if` whose branches suspend, in each place that runs one and in each form that a branch has: what happens, and in which order. */
import { describe, expect, it } from "vitest";
import { makeRealm } from "./realm.js";

const PRELUDE = `
  const log = [];
  const note = (x) => (log.push(x), x);
  const fail = (x) => { log.push("fail " + x); throw new Error(x); };
  const items = (...list) => ({ [Symbol.iterator]() { let i = 0; return {
    next: () => (note("next"), { done: i >= list.length, value: list[i++] }), return: () => (note("closed"), {}) }; } });
`;
const TESTS = ["x > 1", "note(x) === 2", "x === 2 ? fail('test') : x", "x === 1 || x === 3"];
const BRANCHES = [
  "W(x);",
  "{ W(note(x)); }",
  "seen = W(x);",
  "{ const y = W(x); }",
  "return W(x);",
  "{ W(fail('operand')); }",
  "W(x); else note('else');",
  "W(x); else break;",
  "W(x); else if (x === 1) note('one'); else continue;",
  "W(x); else W(note('both'));",
  "if (x === 3) W(x);",
];
const PLACES = [
  (body: string) => `for (const x of items(1, 2, 3)) { ${body} }`,
  (body: string) => `for (const x of items(1, 2, 3)) ${body}`,
  (body: string) => `for (let x = 1; x < 4; x++) ${body}`,
  (body: string) => `for (let x = 1; x < 4; x++) { note('before'); ${body} note('after'); }`,
  (body: string) => `let x = 0; while (x++ < 3) { ${body} }`,
  (body: string) => `let x = 2; do { ${body} } while (x-- > 1)`,
  (body: string) =>
    `for (const key in { 1: 0, 2: 0 }) { const x = +key; try { ${body} } finally { note('finally'); } }`,
];

const asynchronous = (code: string) => `${PRELUDE} let seen;
  const f = async () => { ${code.replaceAll("W(", "await (")} };
  try { note(await f()); } catch (e) { note(e.message); }
  return [log, seen ?? null];`;
const generating = (code: string) => `${PRELUDE} let seen;
  const f = function* () { ${code.replaceAll("W(", "yield (")} };
  for (const end of ["next", "throw", "return"]) {
    const steps = f();
    try {
      for (let i = 0; i < 9; i++) { const step = i === 1 ? steps[end](new Error(end).message) : steps.next(i); note(step); if (step.done) break; }
    } catch (e) { note(String(e.message ?? e)); }
  }
  return [log, seen ?? null];`;

const AsyncFunction = (async () => {}).constructor as new (code: string) => () => Promise<unknown>;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe.each(BRANCHES)("if (…) %s", (branch) => {
  it.each(TESTS)("with the test %s", async (test) => {
    const realm = makeRealm();
    for (const place of PLACES)
      for (const form of [asynchronous, generating]) {
        const source = form(place(`if (${test}) ${branch}`));
        expect(plain(await realm.run(source)), source).toEqual(plain(await new AsyncFunction(source)()));
      }
  });
});
