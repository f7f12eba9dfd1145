/** A whole random program. */
import type * as fc from "fast-check";
import { type Choices, chosen } from "./choices.js";
import { PRELUDE } from "./prelude.js";
import { statements } from "./statements.js";
import { PROGRAM, Writer } from "./writer.js";

/** Where the statements stand: most at the top, some in a function of another sort. */
function placed(c: Choices, using: boolean): string {
  const w = new Writer(c, using);
  const write = (place = {}) => w.at({ ...PROGRAM, ...place }, () => w.scoped(() => statements(w, 2, 7).join("\n")));
  return w.c.weighted([
    [6, () => write()],
    [1, () => `await (async () => {\n${write()}\n})();`],
    [1, () => `(function () {\n${write({ awaits: false, inFunction: true })}\n}).call({ p: 1 }, 1, 2);`],
    [
      1,
      () =>
        `drive((function* () {\n${write({ awaits: false, yields: true, inFunction: true })}\n})(), ['next', 1], ['next', 2], ['next', 3], ['return', 4]);`,
    ],
    [
      1,
      () =>
        `await adrive((async function* () {\n${write({ yields: true, inFunction: true })}\n})(), ['next', 1], ['next', 2], ['throw', 3], ['next', 4]);`,
    ],
  ]);
}

/** The program and its parts: `trace` is its result. */
export function withPrelude(body: string): string {
  return `"use strict";${PRELUDE}
const clock = (async () => { for (let i = 0; i < 80; i++) { await null; ticks++; } })();
try {
${body}
} catch (e) { note('threw ' + show(e)); } finally { note('end'); await clock; return trace; }`;
}

/** Random programs: each is the body of a strict async function. `using`: the engine to compare with has `using`. */
export const randomProgram = (using = false): fc.Arbitrary<string> =>
  chosen(20, 700, (choices) => placed(choices, using));
