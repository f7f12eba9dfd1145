/**
 * Runs programs in a realm of their own, as the sandbox does, without the process around it: the interpreter bundled and
 * evaluated in a fresh context.
 */
import vm from "node:vm";
import { buildSync } from "esbuild";

const bundle = new vm.Script(
  buildSync({
    entryPoints: ["src/interpreter/index.ts"],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "interpreter",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2023",
  }).outputFiles[0]!.text,
  { filename: "interpreter.js" },
);

export interface Realm {
  readonly context: vm.Context;
  /** Evaluates setup code in the realm, natively. */
  evaluate(code: string): any;
  /** Runs a program; gives its value or throws its error. */
  run(source: string, language?: "javascript" | "typescript"): Promise<any>;
}

export function makeRealm(globals: Record<string, unknown> = {}): Realm {
  const context = vm.createContext({
    console,
    URL,
    URLSearchParams,
    structuredClone,
    TextEncoder,
    TextDecoder,
    atob,
    btoa,
    setTimeout,
    ...globals,
  });
  vm.runInContext("Error.stackTraceLimit = 0", context);
  bundle.runInContext(context);
  const evaluate = (code: string): any => vm.runInContext(code, context);
  evaluate(`
    globalThis.makeEnvironment = () => {
      const globals = Object.create(null);
      for (const key of Object.getOwnPropertyNames(globalThis)) if (!["interpreter", "makeEnvironment"].includes(key)) globals[key] = globalThis[key];
      return { globals, checkpoint() {}, isLimit: () => false, isFrozenIntrinsic: () => false, missingMember: () => undefined };
    };
  `);
  return {
    context,
    evaluate,
    async run(source, language = "javascript") {
      const environment = evaluate("makeEnvironment()");
      const { program, fault } = context["interpreter"].compile(source, language, environment, { openGlobals: false });
      if (fault)
        throw Object.assign(
          new Error(`${fault.kind}: ${fault.message} (${fault.position.line}:${fault.position.column})`),
          { fault },
        );
      return await program.run();
    },
  };
}
