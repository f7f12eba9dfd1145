// Looks for faults of the sandbox with random programs.
//   npm run fuzz -- [--minutes 1] [--seed N] [--only programs|attacks] [--count 1]
// `programs` compares random programs with V8; `attacks` mutates programs that try to get out and looks at what they leave.
// A seed gives the same programs again: `--seed N --count 1` replays one.
import { parseArgs } from "node:util";
import { importSource } from "./import-source.mjs";

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    count: { type: "string", default: "Infinity" },
    only: { type: "string" },
  },
});
const minutes = Number(options.minutes);
const seed = Number(options.seed);
const count = Number(options.count);
if (![minutes, seed, count].every((one) => one >= 0) || !["programs", "attacks", undefined].includes(options.only)) {
  console.error("Usage: npm run fuzz -- [--minutes N] [--seed N] [--count N] [--only programs|attacks]");
  process.exit(2);
}

const parts = options.only === undefined ? ["programs", "attacks"] : [options.only];
const { fuzz } = await importSource(`
  import { fuzzAttacks } from "./test/attacks/fuzz.js";
  import { fuzzPrograms } from "./test/language/random/fuzz.js";
  export const fuzz = { programs: fuzzPrograms, attacks: fuzzAttacks };
`);
let faults = 0;
for (const part of parts)
  faults += await fuzz[part]({ milliseconds: (minutes * 60_000) / parts.length, seed, count, print: console.log });
process.exitCode = faults > 0 ? 1 : 0;
