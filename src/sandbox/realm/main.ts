/**
 * The realm's own script: evaluated once in a fresh context whose code generation is off, then `boot` is called by the
 * sandbox process. From then on everything a program can reach was made in this realm.
 */
import type { Boot, RealmHandle } from "./bridge.js";
import { createExecution } from "./execution/execution.js";
import { programGlobals } from "./globals.js";
import { Limits } from "./limits.js";
import type { ConsoleSink } from "./realm.js";
import { safeBridge } from "./safe-bridge.js";

export const boot: Boot = (unsafeBridge, _options = {}): RealmHandle => {
  const bridge = safeBridge(unsafeBridge);
  const limits = new Limits(bridge);
  const output: { sink: ConsoleSink | undefined } = { sink: undefined };
  return createExecution({
    bridge,
    limits,
    compile: () => ({
      fault: { kind: "UnsupportedSyntax", message: "This build has no interpreter.", position: { line: 1, column: 1 } },
    }),
    programGlobals: (additions) => programGlobals({}, additions),
    setConsoleSink: (sink) => {
      output.sink = sink;
    },
    inspect: (value) => String(value),
    isProxy: () => false,
  });
};
