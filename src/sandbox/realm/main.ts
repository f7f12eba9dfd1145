/**
 * The realm's own script: evaluated once in a fresh context whose code generation is off, then `boot` is called by the
 * sandbox process. From then on everything a program can reach was made in this realm.
 *
 * Order matters. Modules capture the intrinsics they use when this script is evaluated, the interpreter's among them; `boot`
 * then replaces what programs see (guards, web built-ins), deletes what the allow-list does not name, and freezes the rest.
 */
import { useCharges } from "../../interpreter/charges.js";
import {
  addErrorConstructor,
  compile,
  forgetSources,
  prepareAsyncGenerators,
  sourceOf,
} from "../../interpreter/index.js";
import type { Boot, RealmHandle } from "./bridge.js";
import { createConsole } from "./console/console.js";
import { type InspectContext, Inspector } from "./console/inspect.js";
import { createExecution } from "./execution/execution.js";
import { programGlobals } from "./globals.js";
import { installGuards } from "./guards/guards.js";
import { disableFunctionConstructors } from "./intrinsics/function-constructors.js";
import { patchFunctionToString } from "./intrinsics/function-source.js";
import { harden } from "./intrinsics/harden.js";
import { freezeDeeply } from "./intrinsics/native-like.js";
import { registerProxies } from "./intrinsics/proxies.js";
import { Limits } from "./limits.js";
import type { ConsoleSink, Realm } from "./realm.js";
import { safeBridge } from "./safe-bridge.js";
import { createWeb } from "./web/web.js";

export { useTypeScript } from "../../interpreter/index.js";

// Before anything else: with this property the engine would call a formatter OF THE MAIN REALM when `stack` is read, and near
// the end of the stack the RangeError thrown there would lead to an unrestricted `Function`. Without it no stack is taken.
Reflect.deleteProperty(Error, "stackTraceLimit");

export const boot: Boot = (unsafeBridge, options = {}): RealmHandle => {
  const bridge = safeBridge(unsafeBridge);
  const limits = new Limits(bridge);
  const output: { sink: ConsoleSink | undefined } = { sink: undefined };
  let shared = new WeakSet<object>();
  const isShared = (object: object): boolean => shared.has(object);
  const proxies = registerProxies();
  const { isProxy, proxyTarget } = proxies;
  const web = createWeb({ bridge, limits, isProxy });
  const inspection: InspectContext = { isProxy, proxyTarget, sourceOf, describe: web.describe };
  let retired = false;
  const { console, reset: resetConsole } = createConsole({ ...inspection, bridge, limits, sink: () => output.sink });
  prepareAsyncGenerators();
  patchFunctionToString(sourceOf, isProxy);
  addErrorConstructor(web.globals.DOMException);

  if (options.hardened !== false) {
    useCharges(installGuards(limits, proxies, isShared, bridge, () => (retired = true)));
    disableFunctionConstructors();
    shared = harden();
    for (const object of [...Object.values(web.globals), ...web.hidden, console]) freezeDeeply(object, shared);
  }
  const globals = { ...web.globals, console };

  const realm: Realm = {
    bridge,
    limits,
    compile,
    programGlobals: (additions) => programGlobals(globals, additions),
    setConsoleSink: (sink) => {
      output.sink = sink;
    },
    get retired() {
      return retired;
    },
    renew: () => {
      forgetSources();
      resetConsole();
    },
    inspect: (value) => new Inspector(inspection).inspect(value),
    isProxy,
    isShared,
  };
  options.reveal?.(realm);
  return createExecution(realm);
};
