/** Each program gives what V8 gives, through the library, in the realm that programs really run in. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { CodeMode } from "../runtime/built.js";
import { traced } from "./encode.js";

interface Case {
  readonly area: string;
  readonly id: string;
  readonly src: string;
  readonly expected: unknown;
}

const cases = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8")) as Case[];
const runtime = CodeMode.make({ tools: {}, limits: { timeoutMs: 30_000 } });
afterAll(() => runtime.close());

describe("programs give what V8 gives", () => {
  it.each(cases)("$area/$id", async ({ src, expected }) => {
    const result = await runtime.run(traced(src));
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.value).toEqual(expected);
  });
});
