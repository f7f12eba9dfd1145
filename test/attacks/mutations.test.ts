/** Mutated attacks are contained, and leave nothing for the programs after them. `npm run fuzz` tries others. */
import { expect, it } from "vitest";
import { AttackJudge, attackOf } from "./fuzz.js";

it("mutated attacks are contained", async () => {
  const judge = new AttackJudge();
  try {
    expect(await judge.residue()).toBeUndefined();
    for (let seed = 1; seed <= 80; seed++) {
      const source = attackOf(seed);
      expect([seed, await judge.fault(source)]).toEqual([seed, undefined]);
      if (seed % 20 === 0) expect([seed, await judge.residue()]).toEqual([seed, undefined]);
    }
    // What the judge looks for, it finds.
    expect(await judge.fault("return 'EVALUA' + 'TED'")).toContain("leaked");
  } finally {
    expect(await judge.close()).toBeUndefined();
  }
});
