// Loads the MCP server over HTTP: many sessions at once, each of which runs programs one after another.
//   node scripts/mcp-load.mjs [--sessions 200] [--executions 50] [-- further arguments of `codemode-openapi mcp`]
// Prints a table and exits with 1 when any execution failed. Resident memory is told on Linux only.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { values, positionals } = parseArgs({
  options: { sessions: { type: "string", default: "200" }, executions: { type: "string", default: "50" } },
  allowPositionals: true,
});
const sessions = Number(values.sessions);
const executions = Number(values.executions);

/** Two calls of the demo API and some work on their answers; the input comes back, so that no answer is another's. */
const CODE = `
  const [orders, customer] = await Promise.all([
    tools.orders.list({ status: "open", per_page: 2 }),
    tools.customers.get({ customerId: "c-1" }),
  ]);
  return { input, customer: customer.id, totals: orders.map((order) => order.total).length };`;

const server = spawn(
  process.execPath,
  ["bin/codemode-openapi.js", "mcp", "demo:", "--http", "0", "--json", ...positionals],
  {
    stdio: ["ignore", "pipe", "ignore"],
  },
);
const { url, token } = await new Promise((resolve, reject) => {
  server.stdout.once("data", (data) => resolve(JSON.parse(String(data))));
  server.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
});

/** Resident memory of the server and its sandbox processes, in MB, and the number of these. */
function memory() {
  try {
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").split(" ").filter(Boolean);
    const all = [server.pid, ...children].map((pid) => {
      try {
        return (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096) / 1e6;
      } catch {
        return 0; // Ended meanwhile.
      }
    });
    return {
      server: Math.round(all[0]),
      sandboxes: Math.round(all.slice(1).reduce((a, b) => a + b, 0)),
      processes: children.length,
    };
  } catch {
    return undefined;
  }
}

const latencies = [];
/** By session: the mean latency, which tells whether some wait longer than others. */
const means = [];
let errors = 0;
let firstError;
let mostProcesses = 0;
const samples = [];
const total = sessions * executions;

async function call(client, session, index) {
  const input = session * executions + index;
  const begin = performance.now();
  try {
    const { structuredContent } = await client.callTool(
      { name: "execute", arguments: { code: CODE, input } },
      undefined,
      {
        timeout: 300_000,
      },
    );
    const { ok, value } = structuredContent;
    if (!ok || value.input !== input || value.customer !== "c-1" || value.totals !== 2) {
      throw new Error(JSON.stringify(structuredContent));
    }
  } catch (error) {
    errors++;
    firstError ??= error;
  }
  const took = performance.now() - begin;
  latencies.push(took);
  if (latencies.length % 1000 === 0) {
    const seconds = Math.round((performance.now() - begin) / 1000);
    console.error(`${latencies.length} after ${seconds} s, ${errors} errors`, memory());
  }
  if (latencies.length === total >> 1) samples.push(["middle", memory()]);
  return took;
}

async function session(number) {
  const client = new Client({ name: "load", version: "1" }, { capabilities: {} });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
  );
  let sum = 0;
  for (let index = 0; index < executions; index++) sum += await call(client, number, index);
  means.push(sum / executions);
  await client.close();
}

const sampler = setInterval(() => {
  mostProcesses = Math.max(mostProcesses, memory()?.processes ?? 0);
}, 100);
samples.push(["start", memory()]);
const begin = performance.now();
await Promise.all(Array.from({ length: sessions }, (_, number) => session(number)));
const seconds = (performance.now() - begin) / 1000;
clearInterval(sampler);
samples.push(["end", memory()]);
server.kill("SIGTERM");

const sorted = latencies.toSorted((a, b) => a - b);
const percentile = (p) =>
  `${Math.round(sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)])} ms`;
const at = (name) => samples.find(([label]) => label === name)?.[1];
const rows = [
  ["sessions at once", sessions],
  ["executions", total],
  ["errors", errors],
  ["executions per second", (total / seconds).toFixed(1)],
  ["latency p50", percentile(50)],
  ["latency p95", percentile(95)],
  ["latency p99", percentile(99)],
  ["latency max", percentile(100)],
  [
    "mean latency of a session, least to most",
    `${Math.round(Math.min(...means))} to ${Math.round(Math.max(...means))} ms`,
  ],
  ["most sandbox processes", mostProcesses],
  ...["start", "middle", "end"].map((name) => [
    `resident, ${name}`,
    at(name) ? `server ${at(name).server} MB, ${at(name).processes} sandboxes ${at(name).sandboxes} MB` : "unknown",
  ]),
];
console.log("| | |\n| --- | --- |");
for (const row of rows) console.log(`| ${row.join(" | ")} |`);
if (firstError) console.error(String(firstError));
process.exitCode = errors > 0 ? 1 : 0;
