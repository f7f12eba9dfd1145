/** Programs run by V8 itself, in a context of their own. */
import vm from "node:vm";
import { buildSync } from "esbuild";

/** Executions that share a context. */
const SHARED = 200;

const polyfills = new vm.Script(
  buildSync({
    entryPoints: ["src/sandbox/realm/polyfills.ts"],
    bundle: true,
    write: false,
    format: "iife",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2023",
  }).outputFiles[0]!.text,
);

export class Native {
  #context: vm.Context | undefined;
  #runs = 0;

  /**
   * The program's value; `{ fault }` for a syntax error, `{ idle: true }` where nothing settles any more, `undefined` for one
   * that takes too long.
   */
  run(source: string): unknown {
    if (this.#context === undefined || ++this.#runs % SHARED === 0) {
      // Its microtasks run within the time limit too.
      this.#context = vm.createContext(Object.create(null), {
        codeGeneration: { strings: false, wasm: false },
        microtaskMode: "afterEvaluate",
      });
      polyfills.runInContext(this.#context);
      vm.runInContext("Object.setPrototypeOf(globalThis, null); Error.stackTraceLimit = 0;", this.#context);
    }
    const context = this.#context;
    let script: vm.Script;
    try {
      script = new vm.Script(
        `(async function () {${source}\n}).call(undefined).then(function (value) { $result = JSON.stringify(value); })`,
      );
    } catch (error) {
      return { fault: String(error) };
    }
    context["$result"] = undefined;
    try {
      script.runInContext(context, { timeout: 500 });
    } catch {
      this.#context = undefined;
      return undefined;
    }
    return context["$result"] === undefined ? { idle: true } : JSON.parse(context["$result"]);
  }
}
