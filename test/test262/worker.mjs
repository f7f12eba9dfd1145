// Runs tests one by one in fresh realms: natively in V8 ("v8"), or interpreted ("interpreter").
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { parentPort, workerData } from "node:worker_threads";

const { root, engine, bundle } = workerData;
const TIME_LIMIT = 5_000;

const harness = new Map();
function harnessScript(file) {
  let script = harness.get(file);
  // Their constants become properties of the global object, where the interpreted test finds them.
  if (script === undefined)
    harness.set(
      file,
      (script = new vm.Script(readFileSync(join(root, "harness", file), "utf8").replace(/^(const|let) /gm, "var "), {
        filename: file,
      })),
    );
  return script;
}
const rejections = new WeakMap();
const interpreter = bundle === undefined ? undefined : new vm.Script(bundle, { filename: "interpreter.js" });

const describe = (error, phase) => ({
  phase,
  name: String(error?.name ?? error?.constructor?.name ?? typeof error),
  message: String(error?.message ?? error).slice(0, 200),
});

function native(context, source) {
  let script;
  try {
    script = new vm.Script(source, { filename: "test.js" });
  } catch (error) {
    return Promise.resolve(describe(error, "parse"));
  }
  try {
    script.runInContext(context, { timeout: TIME_LIMIT });
    return Promise.resolve(undefined);
  } catch (error) {
    return Promise.resolve(describe(error, "runtime"));
  }
}

async function interpreted(context, source) {
  const { compile } = context.__interpreter;
  const end = Date.now() + TIME_LIMIT;
  const limit = new Error("time limit");
  const environment = {
    globals: vm.runInContext("globalThis", context),
    checkpoint() {
      if (Date.now() > end) throw limit;
    },
    isLimit: (error) => error === limit,
    missingMember: () => undefined,
  };
  const { program, fault } = compile(source, "javascript", environment, {
    script: true,
    openGlobals: true,
    topLevelThis: environment.globals,
  });
  // Every fault of the source is an early error here.
  if (fault !== undefined) return { phase: "parse", name: "SyntaxError", message: fault.message };
  // Whoever waits for a promise looks up its constructor, which tests may notice. Rejections are reported by Node instead.
  const promise = program.run();
  await new Promise((done) => setImmediate(done));
  const rejection = rejections.get(promise);
  return rejection === undefined ? undefined : describe(rejection.reason, "runtime");
}

/** Gives `undefined` when the test passes, else what was wrong. */
async function run(test) {
  const printed = [];
  const context = vm.createContext({});
  context.print = (text) => printed.push(String(text));
  if (interpreter !== undefined) {
    interpreter.runInContext(context);
    // The interpreter itself is not for the tests to see.
    const exported = context.__interpreter;
    delete context.__interpreter;
    context.__interpreter = exported;
    Object.defineProperty(context, "__interpreter", { enumerable: false });
  }
  for (const file of ["assert.js", "sta.js", ...(test.async ? ["doneprintHandle.js"] : []), ...test.includes])
    harnessScript(file).runInContext(context);
  const source = `"use strict";\n${readFileSync(join(root, test.path), "utf8")}`;
  const error = await (engine === "v8" ? native : interpreted)(context, source);
  if (test.async && error === undefined)
    for (let turn = 0; turn < 40 && !printed.some((line) => line.startsWith("Test262:")); turn++)
      await new Promise((done) => (turn < 5 ? setImmediate(done) : setTimeout(done, turn)));
  if (test.negative) {
    if (error === undefined) return `no error, but ${test.negative.type} is due`;
    if (error.name !== test.negative.type) return `${error.name}, but ${test.negative.type} is due`;
    return (test.negative.phase === "parse") === (error.phase === "parse")
      ? undefined
      : `error in phase ${error.phase}`;
  }
  if (error !== undefined) return `${error.name}: ${error.message}`;
  if (!test.async) return undefined;
  const line = printed.find((text) => text.startsWith("Test262:"));
  return line === undefined
    ? "the async test did not end"
    : line.startsWith("Test262:AsyncTestComplete")
      ? undefined
      : line;
}

process.on("unhandledRejection", (reason, promise) => rejections.set(promise, { reason }));
process.on("uncaughtException", () => {});
parentPort.on("message", async (test) => {
  let failure;
  try {
    failure = await run(test);
  } catch (error) {
    failure = `runner: ${String(error?.message ?? error)}`;
  }
  parentPort.postMessage({ path: test.path, failure });
});
