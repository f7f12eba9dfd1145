/**
 * The variables of one call are not those of another. Frames of functions that contain no function are used again, which no program
 * must notice.
 */
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRealm } from "./realm.js";

const run = async (source: string): Promise<unknown> =>
  JSON.parse(JSON.stringify(await makeRealm().run(source, "javascript")));

/** The forms that function objects have, each around the same parameters and body. */
const FORMS: readonly ((parameters: string, body: string) => string)[] = [
  (parameters, body) => `(${parameters}) => { ${body} }`,
  (parameters, body) => `function (${parameters}) { ${body} }`,
  (parameters, body) => `({ m(${parameters}) { ${body} } }).m`,
  (parameters, body) => `new (class { m(${parameters}) { ${body} } })().m`,
];
const PARAMETERS = ["", "a", "a, b", "a, b, c", "a, b, c, d", "a = 7", "{ a } = {}", "...a"];

describe.each(PARAMETERS)("a call with the parameters (%s)", (parameters) => {
  const used = parameters === "" ? "0" : "a";
  const programs = {
    "finds no value of an earlier call in its variables": (form: (typeof FORMS)[number]) => `
      const f = ${form(parameters, `var x; let y; const seen = [x, y, ${used}]; x = y = 5; { let z; seen.push(z); z = 6; } return seen;`)};
      return [f(1), f(), f(2), f()].map((seen) => JSON.stringify(seen));`,
    "keeps its own while it calls itself": (form: (typeof FORMS)[number]) => `
      let depth = 0;
      const f = ${form(parameters, `const mine = ++depth; let sum = mine; if (mine < 6) sum += f(mine) + f(mine); depth--; return sum * 10 + mine;`)};
      return f(0);`,
    "keeps its own while a built-in calls it again": (form: (typeof FORMS)[number]) => `
      let depth = 0;
      const f = ${form(parameters, `let mine = ++depth; if (depth < 4) [1, 2].forEach(f); const after = mine; depth--; return after;`)};
      return [f(1), f(2)];`,
    "may have left the last one with an exception": (form: (typeof FORMS)[number]) => `
      let n = 0;
      const f = ${form(parameters, `var kept; if (kept !== undefined) throw new Error("kept"); kept = ++n; if (n % 2) throw kept; return kept;`)};
      const seen = [];
      for (let i = 0; i < 6; i++) try { seen.push(f(i)); } catch (error) { seen.push("threw " + error); }
      return seen;`,
  };
  for (const [name, program] of Object.entries(programs))
    it(name, async () => {
      for (const form of FORMS) {
        const source = program(form);
        const native: unknown = new Function(`"use strict"; ${source}`)();
        expect(await run(source), source).toEqual(JSON.parse(JSON.stringify(native)));
      }
    });
});

it("functions that calls of one function made share nothing that the language does not share", async () => {
  const step = fc.record({ maker: fc.nat(2), call: fc.nat(3), by: fc.integer({ min: -9, max: 9 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const source = `
        const counter = (by) => { let n = 0; return (more) => { let sum = n; n += by + more; return sum + n; }; };
        const makers = [[], [], []];
        const seen = [];
        for (const { maker, call, by } of ${JSON.stringify(steps)}) {
          if (call === 0 || makers[maker].length === 0) makers[maker].push(counter(by));
          seen.push(makers[maker][call % makers[maker].length](by));
        }
        return seen;`;
      expect(await run(source)).toEqual(new Function(source)());
    }),
    { numRuns: 50 },
  );
});

/** V8 gives the generators of every function object a hidden class: made per node, they would be new ones in every program. */
it("generator functions of the interpreter stand at the top of their modules", () => {
  const folder = new URL("../../src/interpreter/", import.meta.url);
  const nested = readdirSync(folder)
    // The function objects that programs see are made there, one for each of theirs.
    .filter((file) => file !== "generators.ts")
    .flatMap((file) =>
      readFileSync(new URL(file, folder), "utf8")
        .split("\n")
        .map((line) => `${file}: ${line}`),
    )
    .filter(
      (line) => /^\S+: \s+.*(function\s*\*|^\s*\*\s*\w+\()/.test(line) && !/getPrototypeOf|: \s+(\*|\/\/)/.test(line),
    );
  expect(nested).toEqual([]);
});
