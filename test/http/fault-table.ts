/**
 * Prints what `docs/http.md` has of faults: a table of what each leads to, in how much time and memory; or, with the
 * argument `accounting`, the accounts of client and server after many calls of which some fail.
 */
import { account } from "./accounting.js";
import { makeCertificates } from "./certificates.js";
import { FAULTS } from "./faults.js";
import { runFault } from "./run-fault.js";

if (process.argv[2] === "accounting") await printAccounts();
else await printFaults();

async function printAccounts(): Promise<void> {
  for (const share of [0.01, 0.05]) {
    const { client, server, given, wrong, repeatedUnsafe, ms } = await account(10_000, 20_261_130, share);
    const faults = Object.entries(given).filter(([kind]) => kind !== "answer");
    const counts = (["calls", "succeeded", "failed", "retried"] as const).map((of) => `${client[of]} / ${server[of]}`);
    console.log(
      `| ${share * 100} % | ${faults.map(([, count]) => count).reduce((a, b) => a + b)} | ${counts.join(" | ")} | ` +
        `${wrong.length} | ${repeatedUnsafe.length} | ${(ms / 1000).toFixed(0)} |`,
    );
  }
}

async function printFaults(): Promise<void> {
  const certificates = makeCertificates();
  const rows: string[] = [];
  for (const fault of FAULTS) {
    const { text, failed, ms, memory } = await runFault(fault, certificates);
    const outcome = failed
      ? text.replace(/^\S+ \S+: /, "").replace(/\.$/, "")
      : text === ""
        ? "an answer without a body"
        : `the answer "${text}"`;
    rows.push(`| ${fault.name} | ${outcome} | ${Math.round(ms)} | ${(Math.max(0, memory) / 1e6).toFixed(0)} |`);
  }
  certificates.remove();
  console.log(rows.join("\n"));
}
