// Speed of the interpreter beside V8 and QuickJS (wasm), all in one run: node bench/language.mjs [workload,…] [--runs=<n>]
// Milliseconds of processor time, medians; read the ratios.
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { buildSync } from "esbuild";
import { newQuickJSWASMModule } from "quickjs-emscripten";

const args = process.argv.slice(2);
const runs = Number(args.find((arg) => arg.startsWith("--runs="))?.slice(7) ?? 5);
const only = args.find((arg) => !arg.startsWith("--"))?.split(",");
const workloads = JSON.parse(readFileSync(new URL("workloads.json", import.meta.url), "utf8")).filter(
  ({ id }) => only === undefined || only.includes(id),
);

/** `tools.get` in each engine's own language: the workloads measure the engine, not the way out of it. */
const TOOLS = "const tools = { get: async (input) => ({ id: input.id, score: input.id % 7 }) };\n";

function interpreter() {
  const { outputFiles } = buildSync({
    entryPoints: [new URL("../src/interpreter/index.ts", import.meta.url).pathname],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "interpreter",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2023",
  });
  const script = new vm.Script(outputFiles[0].text, { filename: "interpreter.js" });
  return () => freshRealm(script);
}

/** Every execution has a realm of its own in the sandbox, so every run has one here. */
function freshRealm(script) {
  const context = vm.createContext({});
  script.runInContext(context);
  const globals = vm.runInContext(
    "Object.freeze(Object.assign(Object.create(null), Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((key) => [key, globalThis[key]]))))",
    context,
  );
  const environment = {
    globals,
    checkpoint() {},
    isLimit: () => false,
    isFrozenIntrinsic: () => false,
    missingMember: () => undefined,
  };
  return async (source) => {
    const { program, fault } = context.interpreter.compile(source, "javascript", environment);
    if (fault) throw new Error(fault.message);
    return JSON.stringify(await program.run());
  };
}

function native() {
  const AsyncFunction = (async () => {}).constructor;
  return () => async (source) => JSON.stringify(await new AsyncFunction(source)());
}

async function quickjs() {
  const module = await newQuickJSWASMModule();
  return () => async (source) => {
    const context = module.newContext();
    try {
      context
        .unwrapResult(
          context.evalCode(
            `globalThis.out = undefined; (async () => {\n${source}\n})().then((v) => { out = JSON.stringify(v); }, (e) => { out = "error " + e; });`,
          ),
        )
        .dispose();
      context.runtime.executePendingJobs();
      return context.getProp(context.global, "out").consume(context.dump);
    } finally {
      context.dispose();
    }
  };
}

async function measure(prepare, source) {
  const times = [];
  let value;
  for (let i = 0; i < runs; i++) {
    const run = prepare();
    // Processor time, so that what else the machine does counts less.
    const before = process.cpuUsage();
    value = await run(source);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return { time: times.sort((a, b) => a - b)[runs >> 1], value };
}

const engines = { native: native(), quickjs: await quickjs(), interpreter: interpreter() };
const sums = { native: 0, quickjs: 0 };
console.log(
  "| workload | native ms | QuickJS ms | interpreter ms | × native | QuickJS is × slower |\n| --- | ---: | ---: | ---: | ---: | ---: |",
);
for (const { title, src } of workloads) {
  const result = {};
  for (const [name, prepare] of Object.entries(engines)) result[name] = await measure(prepare, TOOLS + src);
  if (result.interpreter.value !== result.native.value)
    throw new Error(`${title}: ${result.interpreter.value} instead of ${result.native.value}`);
  const overNative = result.interpreter.time / result.native.time;
  const underQuickJs = result.quickjs.time / result.interpreter.time;
  sums.native += Math.log(overNative);
  sums.quickjs += Math.log(underQuickJs);
  const ms = ({ time }) => time.toFixed(1);
  console.log(
    `| ${title} | ${ms(result.native)} | ${ms(result.quickjs)} | ${ms(result.interpreter)} | ${overNative.toFixed(1)} | ${underQuickJs.toFixed(1)} |`,
  );
}
console.log(
  `| geometric mean | | | | ${Math.exp(sums.native / workloads.length).toFixed(1)} | ${Math.exp(sums.quickjs / workloads.length).toFixed(1)} |`,
);
