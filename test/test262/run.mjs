// Conformance of the interpreter, against V8 of the same Node:
//   node test/test262/run.mjs <folder of a test262 checkout> [--filter=<regex>] [--every=<n>] [--workers=<n>] [--update]
// A test counts when V8 passes it. Exit code 1 when a test fails that expected-failures.json does not name.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { buildSync } from "esbuild";
import { select } from "./selection.mjs";

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined || !existsSync(folder)) {
  console.error(
    "usage: node test/test262/run.mjs <folder of a test262 checkout> [--filter=<regex>] [--every=<n>] [--workers=<n>] [--update]",
  );
  process.exit(2);
}
const options = Object.fromEntries(flags.map((flag) => flag.replace(/^--/, "").split("=")));
const root = resolve(folder);
const EXPECTED = new URL("expected-failures.json", import.meta.url);
const SILENCE = 60_000;

const bundle = buildSync({
  entryPoints: [new URL("../../src/interpreter/index.ts", import.meta.url).pathname],
  bundle: true,
  write: false,
  format: "iife",
  globalName: "__interpreter",
  platform: "neutral",
  mainFields: ["module", "main"],
  target: "es2023",
}).outputFiles[0].text;

/** Runs all tests in worker threads; a test that answers nothing for long costs its worker. */
function runAll(tests, engine) {
  const failures = new Map();
  let next = 0;
  let done = 0;
  const start = Date.now();
  const work = () =>
    new Promise((finish) => {
      let worker;
      let current;
      let timer;
      const spawn = () => {
        worker = new Worker(new URL("worker.mjs", import.meta.url), {
          workerData: { root, engine, bundle: engine === "v8" ? undefined : bundle },
          resourceLimits: { stackSizeMb: 4, maxOldGenerationSizeMb: 1024 },
        });
        worker.on("message", ({ path, failure }) => {
          if (path === current?.path) settle(failure);
        });
        worker.on("error", (error) => lost(`the worker ended: ${error.message}`));
        feed();
      };
      const settle = (failure) => {
        clearTimeout(timer);
        if (failure !== undefined) failures.set(current.path, failure);
        current = undefined;
        if (++done % 2000 === 0)
          console.error(`${engine}: ${done} of ${tests.length}, ${Math.round((Date.now() - start) / 1000)} s`);
        feed();
      };
      const lost = async (why) => {
        clearTimeout(timer);
        await worker.terminate();
        if (current !== undefined) failures.set(current.path, why);
        done++;
        current = undefined;
        spawn();
      };
      const feed = () => {
        if (next >= tests.length) return void worker.terminate().then(finish);
        current = tests[next++];
        timer = setTimeout(() => lost("no answer"), SILENCE);
        worker.postMessage(current);
      };
      spawn();
    });
  return Promise.all(Array.from({ length: Number(options.workers ?? 2) }, work)).then(() => failures);
}

let tests = select(root);
if (options.filter) tests = tests.filter(({ path }) => new RegExp(options.filter).test(path));
if (options.every) tests = tests.filter((_, index) => index % Number(options.every) === 0);

const cache = options.baseline;
let baseline;
if (cache && existsSync(cache)) baseline = new Map(Object.entries(JSON.parse(readFileSync(cache, "utf8"))));
else {
  baseline = await runAll(tests, "v8");
  if (cache) writeFileSync(cache, JSON.stringify(Object.fromEntries(baseline)));
}
const counted = tests.filter(({ path }) => !baseline.has(path));
const failures = await runAll(counted, "interpreter");
const expected = existsSync(EXPECTED) ? JSON.parse(readFileSync(EXPECTED, "utf8")) : {};
const surprising = [...failures].filter(([path]) => !(path in expected));
const fixed = counted.map(({ path }) => path).filter((path) => path in expected && !failures.has(path));

console.log(`V8 ${process.versions.v8} (Node ${process.versions.node}) passes ${counted.length} of ${tests.length}`);
console.log(
  `the interpreter passes ${counted.length - failures.size} of those: ${((100 * (counted.length - failures.size)) / counted.length).toFixed(2)} %`,
);
for (const [path, failure] of surprising) console.log(`unexpected: ${path}\n    ${failure}`);
for (const path of fixed) console.log(`passes now: ${path}`);
if (options.output) writeFileSync(options.output, JSON.stringify(Object.fromEntries(failures), undefined, 1));
if (options.update !== undefined || flags.includes("--update"))
  writeFileSync(
    EXPECTED,
    `${JSON.stringify(Object.fromEntries([...failures].sort().map(([path, failure]) => [path, expected[path] ?? failure])), undefined, 2)}\n`,
  );
process.exitCode = surprising.length > 0 ? 1 : 0;
