/**
 * Runs programs in a realm of their own, as the sandbox does, without the process around it: the interpreter bundled and
 * evaluated in a fresh context, after what fills in the standard library of older Node versions.
 */
import vm from "node:vm";
import { buildSync } from "esbuild";

function bundle(entryPoint: string, globalName: string): vm.Script {
  const { outputFiles } = buildSync({
    entryPoints: [entryPoint],
    bundle: true,
    write: false,
    format: "iife",
    globalName,
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2023",
  });
  return new vm.Script(outputFiles[0]!.text, { filename: entryPoint });
}

const interpreter = bundle("src/interpreter/index.ts", "interpreter");
const polyfills = bundle("src/sandbox/realm/polyfills.ts", "polyfills");
let typescript: vm.Script | undefined;

export type Language = "javascript" | "typescript";

export interface Realm {
  /** Evaluates code in the realm natively. */
  evaluate(code: string): any;
  /** The result of `compile`: `{ program }` or `{ fault }`. `environment` adds to the default one. */
  compile(source: string, language?: Language, environment?: Record<string, unknown>): any;
  /** Runs a program; gives its value or throws its error. */
  run(source: string, language?: Language, environment?: Record<string, unknown>): Promise<any>;
  positionOf(error: unknown): { line: number; column: number } | undefined;
}

const GLOBALS = { console, URL, URLSearchParams, structuredClone, TextEncoder, TextDecoder, atob, btoa, setTimeout };
const HIDDEN = ["interpreter", "polyfills", "makeGlobals", "__codemode"];

export function makeRealm(globals: Record<string, unknown> = {}): Realm {
  const context = vm.createContext({ ...GLOBALS, ...globals });
  vm.runInContext("Error.stackTraceLimit = 0", context);
  polyfills.runInContext(context);
  interpreter.runInContext(context);
  vm.runInContext(
    `globalThis.makeGlobals = (hidden) => {
      const globals = Object.create(null);
      for (const key of Object.getOwnPropertyNames(globalThis)) if (!hidden.includes(key)) globals[key] = globalThis[key];
      return globals;
    };`,
    context,
  );
  const exported = context["interpreter"];
  vm.runInContext(
    `const native = Function.prototype.toString;
    Function.prototype.toString = { toString() { return interpreter.sourceOf(this) ?? native.call(this); } }.toString;`,
    context,
  );
  const compile: Realm["compile"] = (source, language = "javascript", environment = {}) => {
    if (language === "typescript") {
      typescript ??= bundle("src/sandbox/realm/typescript.ts", "__codemode");
      typescript.runInContext(context);
      exported.useTypeScript(vm.runInContext("__codemode.typescriptPlugin", context));
    }
    return exported.compile(source, language, {
      globals: context["makeGlobals"](HIDDEN),
      checkpoint() {},
      isLimit: () => false,
      isFrozenIntrinsic: () => false,
      missingMember: () => undefined,
      ...environment,
    });
  };
  return {
    evaluate: (code) => vm.runInContext(code, context),
    compile,
    positionOf: exported.positionOf,
    async run(source, language, environment) {
      const { program, fault } = compile(source, language, environment);
      if (fault !== undefined) {
        const { line, column } = fault.position;
        throw Object.assign(new Error(`${fault.kind}: ${fault.message} (${line}:${column})`), { fault });
      }
      return await program.run();
    },
  };
}
