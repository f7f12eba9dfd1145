import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";

/** Other Node executables to audit, separated by colons: a newer engine has built-ins that this one lacks. */
const others = (process.env["CODEMODE_NODES"] ?? "").split(":").filter((path) => path !== "");

describe("what a program's values can reach", () => {
  test.each([process.execPath, ...others])("is listed, frozen and of the realm: %s", (node) => {
    const report = execFileSync(node, ["scripts/audit-realm.mjs"], { encoding: "utf8" });
    expect(report).toMatch(/: \d{3,} shared objects, \d{3,} sample values, 0 failures/);
  });
});
