/** Prints the fault table of `docs/http.md`: what each fault leads to, in how much time and memory. */
import { makeCertificates } from "./certificates.js";
import { FAULTS } from "./faults.js";
import { runFault } from "./run-fault.js";

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
