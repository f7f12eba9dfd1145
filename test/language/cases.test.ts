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

describe("programs give what V8 gives", () => {
  // The one case about syntax of regular expressions that the engine itself must know.
  for (const { area, id, src, expected } of cases)
    it.skipIf(id === "modifiers" && !supportsModifiers())(`${area}/${id}`, async () => {
      const result = await makeRealm().run(traced(src));
      expect(JSON.parse(JSON.stringify(result))).toEqual(expected);
    });
});

function supportsModifiers(): boolean {
  try {
    return /(?i:a)/.test("A");
  } catch {
    return false;
  }
}
