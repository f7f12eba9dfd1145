/**
 * Programs that try to get out of the sandbox, or to exhaust the host. A fault found by anybody becomes a line in
 * `escapes.json` or `exhaustion.json`.
 */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { CodeMode, type Result } from "../runtime/built.js";
import { type ExhaustionAttack, generated } from "./generated.js";
import { CANARY, FORBIDDEN_TEXTS, Host, hostState } from "./host.js";

const read = <T>(name: string): T[] => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

interface Escape {
  readonly id: string;
  readonly source: string;
  readonly value?: unknown;
}

(globalThis as Record<string, unknown>)["__CANARY"] = CANARY;

function expectContained(result: Result): void {
  const text = JSON.stringify(result);
  for (const forbidden of FORBIDDEN_TEXTS) expect(text).not.toContain(forbidden);
}

describe("escapes are contained", () => {
  const host = new Host();
  const runtime = CodeMode.make({ tools: host.tools, limits: { timeoutMs: 2_000, maxMemoryBytes: 64 << 20 } });
  const before = hostState();
  afterAll(() => runtime.close());

  it.each(read<Escape>("escapes.json").map((attack) => [attack.id, attack] as const))("%s", async (_, attack) => {
    const result = await runtime.run(attack.source);
    expectContained(result);
    if ("value" in attack) expect(result).toMatchObject({ ok: true, value: attack.value });
    expect(result.ok && (result.value as { admin?: unknown } | null)?.admin).toBeFalsy();
    // Nothing is called once there is a result.
    const calls = host.calls;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(host.calls).toBe(calls);
    const after = hostState();
    const changed = [...after.keys()].filter((place) => !Object.is(after.get(place), before.get(place)));
    const gone = [...before.keys()].filter((place) => !after.has(place));
    expect([changed, gone]).toEqual([[], []]);
  });
});

/** Which diagnostics may tell of a limit. A program that stays within its means is one that was bounded. */
const DIAGNOSTICS: Record<string, readonly string[]> = {
  // Fast machines run out of memory before time and the other way round.
  time: ["TimeoutExceeded", "MemoryLimitExceeded", "ExecutionFailure"],
  memory: ["MemoryLimitExceeded", "TimeoutExceeded", "ExecutionFailure", "InvalidDataValue"],
  stack: [
    "ExecutionFailure",
    "ParseError",
    "UnsupportedSyntax",
    "InvalidDataValue",
    "TimeoutExceeded",
    "MemoryLimitExceeded",
  ],
  idle: ["ExecutionFailure"],
  data: ["InvalidDataValue"],
  size: ["InvalidDataValue", "MemoryLimitExceeded", "TimeoutExceeded", "ExecutionFailure", "UnsupportedSyntax"],
  output: ["TimeoutExceeded", "MemoryLimitExceeded"],
  calls: ["TimeoutExceeded", "MemoryLimitExceeded"],
  value: [],
};

describe("exhaustion is bounded", () => {
  const host = new Host();
  const runtime = CodeMode.make({ tools: host.tools, limits: { timeoutMs: 1_000, maxMemoryBytes: 64 << 20 } });
  afterAll(() => runtime.close());

  const attacks = [...read<ExhaustionAttack>("exhaustion.json"), ...generated];
  it.each(attacks.map((attack) => [attack.id, attack] as const))("%s", async (_, attack) => {
    const result = await runtime.run(attack.source);
    if (!result.ok) expect(DIAGNOSTICS[attack.limit]).toContain(result.error.kind);
    if (attack.limit === "value") expect(result).toMatchObject({ ok: true, value: 1 });
    if (attack.limit === "idle")
      expect(result).toMatchObject({ error: { message: expect.stringContaining("nothing can settle") } });
    // The host is well: it answers, with a result of a size that it can keep.
    expect(JSON.stringify(result).length).toBeLessThan(64 << 20);
    expect(await runtime.run("return (await tools.get({ id: 7 })).id")).toMatchObject({ ok: true, value: 7 });
  });
});
