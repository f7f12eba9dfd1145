/** Fresh realms, one an execution: a vm context without code generation, in which the realm's scripts are evaluated. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Context, createContext, Script } from "node:vm";
import type { Boot, Bridge, RealmHandle } from "../realm/bridge.js";

/** Scripts are compiled once and run in every realm. */
const scripts = new Map<string, Script>();

function script(name: string): Script {
  let compiled = scripts.get(name);
  if (compiled === undefined) {
    compiled = new Script(readFileSync(join(__dirname, name), "utf8"), { filename: name });
    scripts.set(name, compiled);
  }
  return compiled;
}

/** Newest built-ins that some supported Node lacks: where one is missing, the polyfills are evaluated. */
const PROBE = new Script(`[
  Array.fromAsync, Promise.try, Promise.withResolvers, Set.prototype.union, Object.groupBy, RegExp.escape, Math.sumPrecise,
  Uint8Array.fromBase64, Error.isError, Math.f16round, Map.prototype.getOrInsert,
  typeof Iterator === "function" && Iterator.concat, typeof DisposableStack === "function" && DisposableStack,
].every((one) => typeof one === "function")`);

let lacking: boolean | undefined;

export interface Realm {
  readonly handle: RealmHandle;
  /** Makes the TypeScript parser available in the realm. */
  loadTypeScript(): void;
}

/** What `realm.js` exports. */
interface RealmScript {
  readonly boot: Boot;
  readonly useTypeScript: (plugin: unknown) => void;
}

export function makeRealm(bridge: Bridge): Realm {
  const context: Context = createContext(Object.create(null), {
    name: "program",
    codeGeneration: { strings: false, wasm: false },
  });
  lacking ??= PROBE.runInContext(context) !== true;
  if (lacking) script("polyfills.js").runInContext(context);
  script("realm.js").runInContext(context);
  const { boot, useTypeScript } = new Script("__codemode").runInContext(context) as RealmScript;
  return {
    handle: boot(bridge),
    loadTypeScript: () => {
      script("typescript.js").runInContext(context);
      useTypeScript(new Script("__codemode.typescriptPlugin").runInContext(context));
    },
  };
}
