// What a tool call costs beside a bare round trip over a pipe between two Node processes, all in one run:
// node bench/calls.mjs [--runs=<n>], after `npm run build`. Medians of warm runs; read the ratios.
import { spawn } from "node:child_process";
import { CodeMode, Tool } from "../dist/index.js";

const runs = Number(process.argv.find((arg) => arg.startsWith("--runs="))?.slice(7) ?? 41);
/** Runs that are not counted: both processes compile what they often do. */
const WARM_UP = 20;

const score = (id) => (id * 37) % 101;

const WORKLOADS = [
  {
    title: "1,000 calls at once",
    calls: 1_000,
    source: `const ids = Array.from({ length: 1000 }, (_, i) => i);
      const rs = await Promise.all(ids.map((id) => tools.get({ id })));
      return rs.reduce((a, r) => a + r.score, 0);`,
    bare: async (ask) => {
      const answers = await Promise.all(Array.from({ length: 1_000 }, (_, id) => ask({ id })));
      return answers.reduce((sum, answer) => sum + answer.score, 0);
    },
  },
  {
    title: "2,000 calls one after the other",
    calls: 2_000,
    source: `let sum = 0;
      for (let id = 0; id < 2000; id++) sum += (await tools.get({ id })).score;
      return sum;`,
    bare: async (ask) => {
      let sum = 0;
      for (let id = 0; id < 2_000; id++) sum += (await ask({ id })).score;
      return sum;
    },
  },
];

/** The yardstick: a process that answers each line of JSON with one of its own, and nothing else. */
function startEcho() {
  const code = `
    const lines = require("node:readline").createInterface({ input: process.stdin });
    lines.on("line", (line) => {
      const { id } = JSON.parse(line);
      process.stdout.write(JSON.stringify({ id, score: (id * 37) % 101 }) + "\\n");
    });`;
  const child = spawn(process.execPath, ["-e", code], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) waiting.shift()(JSON.parse(line));
  });
  const ask = (message) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      child.stdin.write(`${JSON.stringify(message)}\n`);
    });
  return { ask, end: () => child.stdin.end() };
}

async function medianOf(run, expected) {
  const times = [];
  for (let i = 0; i < WARM_UP + runs; i++) {
    const started = performance.now();
    const value = await run();
    if (i >= WARM_UP) times.push(performance.now() - started);
    if (value !== expected) throw new Error(`${JSON.stringify(value)} instead of ${expected}`);
  }
  return times.sort((a, b) => a - b)[runs >> 1];
}

const echo = startEcho();
const runtime = CodeMode.make({
  tools: { get: Tool.make({ description: "Gives a score.", input: {}, run: ({ id }) => ({ id, score: score(id) }) }) },
});
const execute = async (source) => {
  const result = await runtime.run(source);
  return result.ok ? result.value : result.error;
};

console.log("| workload | tool call µs | bare round trip µs | tool call is × |\n| --- | ---: | ---: | ---: |");
for (const { title, calls, source, bare } of WORKLOADS) {
  let expected = 0;
  for (let id = 0; id < calls; id++) expected += score(id);
  const tool = (await medianOf(() => execute(source), expected)) / calls;
  const pipe = (await medianOf(() => bare(echo.ask), expected)) / calls;
  console.log(`| ${title} | ${(tool * 1e3).toFixed(1)} | ${(pipe * 1e3).toFixed(1)} | ${(tool / pipe).toFixed(2)} |`);
}
runtime.close();
echo.end();
