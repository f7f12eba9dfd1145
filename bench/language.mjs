// Speed and memory of programs beside V8 and QuickJS (wasm), all in one run on the built package:
//   npm run build && node bench/language.mjs [workload,…] [--runs=<n>]
// Each engine runs each workload in a process of its own: `first` is the first run there, the other columns the median of those after
// it. The machine's mood changes the milliseconds; read the ratios. Memory is the most that the process held (resident).
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const WORKLOADS = JSON.parse(readFileSync(new URL("workloads.json", import.meta.url), "utf8"));
/** `tools.get` of every engine. */
const get = ({ id }) => ({ id, score: id % 7 });

const engines = {
  native() {
    const AsyncFunction = (async () => {}).constructor;
    return async (source) => new AsyncFunction("tools", source)({ get: async (input) => get(input) });
  },

  async quickjs() {
    const { newQuickJSWASMModule } = await import("quickjs-emscripten");
    const module = await newQuickJSWASMModule();
    return async (source) => {
      const context = module.newContext();
      const unwrap = (result) => context.unwrapResult(result);
      try {
        // The call itself is synchronous, as cheap as that boundary gets.
        context
          .newFunction("get", (text) => context.newString(JSON.stringify(get(JSON.parse(context.getString(text))))))
          .consume((fn) => context.setProp(context.global, "__get", fn));
        const program = `const tools = { get: async (input) => JSON.parse(__get(JSON.stringify(input))) };
          (async () => {\n${source}\n})().then((v) => { out = JSON.stringify(v); }, (e) => { out = "error " + e; });`;
        unwrap(context.evalCode(`globalThis.out = undefined; ${program}`)).dispose();
        unwrap(context.runtime.executePendingJobs());
        return JSON.parse(context.getProp(context.global, "out").consume(context.dump));
      } finally {
        context.dispose();
      }
    };
  },

  async codemode() {
    const { CodeMode, Tool } = await import("../dist/index.js");
    const runtime = CodeMode.make({ tools: { get: Tool.make({ description: "Get.", input: {}, run: get }) } });
    return async (source) => {
      const result = await runtime.run(source);
      if (!result.ok) throw new Error(result.error.message);
      return result.value;
    };
  },
};

/** The most that this process and its children held, in MB; children only where the system tells. */
function peakMegabytes() {
  let kilobytes = process.resourceUsage().maxRSS;
  try {
    for (const task of readdirSync("/proc/self/task"))
      for (const child of readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean))
        kilobytes += Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    // Not Linux: the process alone.
  }
  return kilobytes / 1024;
}

async function measure(engine, id, runs) {
  const { src } = WORKLOADS.find((workload) => workload.id === id);
  const run = await engines[engine]();
  const times = [];
  let value;
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    value = await run(src);
    times.push(performance.now() - start);
  }
  const [first, ...later] = times;
  const memory = peakMegabytes();
  process.send({ first, later: later.sort((a, b) => a - b)[later.length >> 1], memory, value: JSON.stringify(value) });
}

function inChild(engine, id, runs) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [new URL(import.meta.url).pathname, "--child", engine, id, String(runs)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.on("message", (result) => {
      resolve(result);
      child.kill();
    });
    child.on("exit", () => reject(new Error(`${engine} failed at ${id}.`)));
  });
}

async function main(args) {
  const runs = Number(args.find((arg) => arg.startsWith("--runs="))?.slice(7) ?? 9);
  const only = args.find((arg) => !arg.startsWith("--"))?.split(",");
  const workloads = WORKLOADS.filter(({ id }) => only === undefined || only.includes(id));
  const logs = { native: 0, quickjs: 0, first: 0 };
  console.log("Milliseconds, × native, × faster than QuickJS; peak memory in MB (native, QuickJS, this)");
  console.log(
    "| workload | native | QuickJS | this, first | this, later | × native | × faster than QuickJS | memory |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
  );
  for (const { id, title } of workloads) {
    const [native, quickjs, ours] = [
      await inChild("native", id, runs),
      await inChild("quickjs", id, runs),
      await inChild("codemode", id, runs),
    ];
    for (const result of [quickjs, ours])
      if (result.value !== native.value) throw new Error(`${title}: ${result.value} instead of ${native.value}`);
    const times = [native.later, quickjs.later, ours.first, ours.later].map((ms) => ms.toFixed(1));
    const overNative = ours.later / native.later;
    const underQuickJs = quickjs.later / ours.later;
    logs.native += Math.log(overNative);
    logs.quickjs += Math.log(underQuickJs);
    const memory = [native, quickjs, ours].map((result) => result.memory.toFixed(0)).join(", ");
    console.log(
      `| ${title} | ${times.join(" | ")} | ${overNative.toFixed(1)} | ${underQuickJs.toFixed(1)} | ${memory} |`,
    );
  }
  const mean = (log) => Math.exp(log / workloads.length).toFixed(1);
  console.log(`| geometric mean | | | | | ${mean(logs.native)} | ${mean(logs.quickjs)} | |`);
}

const [, , mode, engine, id, runs] = process.argv;
if (mode === "--child") await measure(engine, id, Number(runs));
else await main(process.argv.slice(2));
