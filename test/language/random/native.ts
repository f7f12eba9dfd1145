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

  /** The program's value; `{ fault }` for a syntax error, `{ idle: true }` where nothing settles any more. */
  async run(source: string): Promise<unknown> {
    if (this.#context === undefined || ++this.#runs % SHARED === 0) {
      this.#context = vm.createContext({ structuredClone: undefined }, { codeGeneration: { strings: false, wasm: false } });
      polyfills.runInContext(this.#context);
      vm.runInContext("delete globalThis.structuredClone; Error.stackTraceLimit = 0;", this.#context);
    }
    let script: vm.Script;
    try {
      script = new vm.Script(`(async function () {${source}\n}).call(undefined)`);
    } catch (error) {
      return { fault: String(error) };
    }
    const value = script.runInContext(this.#context, { timeout: 5_000 }) as Promise<unknown>;
    const idle = new Promise((resolve) => setImmediate(() => setImmediate(resolve, { idle: true })));
    // The value belongs to the context: a copy has the prototypes of this one.
    return JSON.parse(JSON.stringify(await Promise.race([value, idle])));
  }
}
