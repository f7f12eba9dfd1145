/** The search for programs that do not do what they do in V8. */
import * as fc from "fast-check";
import { CodeMode } from "../../runtime/built.js";
import { difference, shrunk } from "./difference.js";
import { Native } from "./native.js";
import { randomProgram } from "./program.js";

export interface FuzzOptions {
  readonly milliseconds: number;
  /** Of the first program; the next one has the next seed. */
  readonly seed: number;
  readonly count: number;
  readonly print: (line: string) => void;
}

/** Programs in flight at a time. */
const LANES = 2;

/** True where this engine knows `using`. */
export const hasUsing = new Native().run("{ using x = null; } return 1;") === 1;

export const programOf = (seed: number): string => fc.sample(randomProgram(hasUsing), { seed, numRuns: 1 })[0]!;

/** Prints each difference with its seed and a small program. @returns the number of differences. */
export async function fuzzPrograms({ milliseconds, seed, count, print }: FuzzOptions): Promise<number> {
  process.on("unhandledRejection", () => {});
  const runtime = CodeMode.make({ tools: {}, limits: { timeoutMs: 10_000 } });
  const native = new Native();
  const end = performance.now() + milliseconds;
  let done = 0;
  let differences = 0;
  let next = seed;
  const seen = new Map<string, number>();
  const lane = async (): Promise<void> => {
    while (performance.now() < end && next < seed + count) {
      const mine = next++;
      const body = programOf(mine);
      const found = await difference(body, native, runtime);
      done++;
      if (done % 1_000 === 0) print(`${done} programs, ${differences} differences`);
      if (found === undefined) continue;
      differences++;
      // The same fault is met again and again: two examples are enough.
      const sort = `${found.expected}\n${found.actual}`.replace(/\d+|"[^"]*"/g, "");
      const times = (seen.get(sort) ?? 0) + 1;
      seen.set(sort, times);
      if (times > 2) {
        print(`again (${times}) seed ${mine}: ${found.expected.slice(0, 80)} / ${found.actual.slice(0, 80)}`);
        continue;
      }
      const small = await shrunk(body, async (smaller) => (await difference(smaller, native, runtime)) !== undefined);
      const { expected, actual } = (await difference(small, native, runtime)) ?? found;
      print(`DIFFERENCE seed ${mine}\n--- program\n${small}\n--- V8\n${expected}\n--- here\n${actual}\n`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await runtime.close();
  print(`${done} programs from seed ${seed}: ${differences} differences`);
  return differences;
}
