import * as fc from "fast-check";
import { expect, it } from "vitest";
import { traced } from "./encode.js";
import { randomProgram } from "./random-programs.js";
import { makeRealm } from "./realm.js";

it("random programs do the same in the same order as in V8", async () => {
  const realm = makeRealm();
  await fc.assert(
    fc.asyncProperty(randomProgram, async (body) => {
      const source = `"use strict"; ${traced(body)}`;
      const native = JSON.stringify(await realm.evaluate(`(async () => { ${source} })()`));
      expect(JSON.stringify(await realm.run(source))).toBe(native);
    }),
    { numRuns: 150 },
  );
});
