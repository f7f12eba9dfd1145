import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Certificates, makeCertificates } from "./certificates.js";
import { FAULTS } from "./faults.js";
import { runFault } from "./run-fault.js";

let certificates: Certificates;
const loose: unknown[] = [];
const notice = (error: unknown): void => void loose.push(error);
beforeAll(() => {
  certificates = makeCertificates();
  process.on("uncaughtException", notice);
  process.on("unhandledRejection", notice);
});
afterAll(() => {
  process.off("uncaughtException", notice);
  process.off("unhandledRejection", notice);
  certificates.remove();
});

describe("one clear outcome, in bounded time and memory, for", () => {
  test.each(FAULTS)("$name", async (fault) => {
    const outcome = await runFault(fault, certificates);
    if (fault.fails !== undefined) {
      expect(outcome.text).toMatch(fault.fails);
      expect(outcome.failed).toBe(true);
      // One sentence that names the server; no stack, no path of this machine.
      expect(outcome.text).toMatch(/^[A-Z]+ https?:\/\/[^ ]+: .*\.$/);
      expect(outcome.text).not.toMatch(/\n|node_modules|at \S+ \(/);
    } else {
      expect(outcome.failed, outcome.text).toBe(false);
      expect(outcome.text).toBe(fault.answers);
    }
    expect(outcome.ms).toBeLessThan(20_000);
    expect(outcome.memory).toBeLessThan(400_000_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(loose).toEqual([]);
  });
});
