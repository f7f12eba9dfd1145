import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { traced } from "./encode.js";
import { makeRealm } from "./realm.js";

interface Case {
  readonly area: string;
  readonly id: string;
  readonly src: string;
  readonly expected: unknown;
}

const cases = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8")) as Case[];

/** Built-ins that Node 20 lacks: the sandbox fills them in, this bare realm does not. */
const BUILT_INS =
  /Promise\.(withResolvers|try)|fromAsync|isError|RegExp\.escape|groupBy|\(\?i:|\.(union|values\(\)\.(filter|map))\(|g\(\)\.reduce/;

describe("programs give what V8 gives", () => {
  for (const { area, id, src, expected } of cases)
    it.skipIf(BUILT_INS.test(src) && !("groupBy" in Object))(`${area}/${id}`, async () => {
      const result = await makeRealm().run(traced(src));
      expect(JSON.parse(JSON.stringify(result))).toEqual(expected);
    });
});
