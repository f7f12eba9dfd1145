/** A realm in this process, made of the built bundles: for tests of that wall alone, without an interpreter before it. */
import { readFileSync } from "node:fs";
import { type Context, createContext, runInContext, Script } from "node:vm";
import { web } from "../../src/sandbox/main-realm/web.js";
import type { Boot, Bridge, RealmHandle } from "../../src/sandbox/realm/bridge.js";
import type { LimitSettings } from "../../src/sandbox/realm/limits.js";
import type { Realm } from "../../src/sandbox/realm/realm.js";

const bundle = (name: string): Script =>
  new Script(readFileSync(new URL(`../../dist/sandbox/${name}.js`, import.meta.url), "utf8"), {
    filename: `${name}.js`,
  });

let bundles: { polyfills: Script; realm: Script } | undefined;

export interface TestRealm {
  readonly context: Context;
  readonly realm: Realm;
  readonly lines: string[];
  /** Evaluates a function body of ordinary JavaScript inside the realm, with the web built-ins in scope. */
  run(body: string): unknown;
  /** The same, as a readable string: values of the realm are not compared outside of it. */
  show(expression: string): string;
  /** Sets the limits of the one execution of this realm. */
  start(settings: LimitSettings): void;
}

function bootable(): { context: Context; boot: Boot } {
  bundles ??= { polyfills: bundle("polyfills"), realm: bundle("realm") };
  const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  bundles.polyfills.runInContext(context);
  bundles.realm.runInContext(context);
  return { context, boot: runInContext("__codemode.boot", context) as Boot };
}

/** A bridge to nowhere. */
const BRIDGE: Bridge = {
  post: () => {},
  request: () => undefined,
  now: () => performance.now(),
  at: () => {},
  setTimer: () => {},
  clearTimer: () => {},
  memory: () => 0,
  loadTypeScript: () => false,
  ...web,
};

/** A realm that executes programs, one after the other: the handle that the sandbox process has. */
export interface ProgramRealm {
  /** Runs a program to `settled`; gives the messages that it sent. */
  run(source: string, limits?: object): Promise<Record<string, any>[]>;
  /** `RealmHandle.renew`. */
  renew(): boolean;
}

export function makeProgramRealm(): ProgramRealm {
  let messages: Record<string, any>[] = [];
  const handle: RealmHandle = bootable().boot({
    ...BRIDGE,
    post: (message) => {
      messages.push(JSON.parse(message));
    },
  });
  handle.deliver(JSON.stringify({ type: "tools", names: ["get"] }));
  return {
    renew: () => handle.renew(),
    run: async (source, limits = {}) => {
      messages = [];
      handle.execute(JSON.stringify({ type: "execute", language: "javascript", source, limits }));
      await new Promise(setImmediate);
      handle.idle();
      return messages;
    },
  };
}

export function makeTestRealm(memory: () => number = () => 0): TestRealm {
  const { context, boot } = bootable();
  let realm: Realm | undefined;
  boot(
    { ...BRIDGE, memory },
    {
      reveal: (revealed) => {
        realm = revealed;
      },
    },
  );
  const lines: string[] = [];
  realm!.setConsoleSink({
    budget: 1_000_000,
    line: (text) => {
      lines.push(text);
    },
  });
  const globals = realm!.programGlobals({});
  const names = Object.keys(globals).filter((name) => !/^(undefined|NaN|Infinity|globalThis)$/.test(name));
  const run = (body: string): unknown =>
    (
      runInContext(`(globals) => { "use strict"; const { ${names.join(", ")} } = globals; ${body} }`, context) as (
        globals: object,
      ) => unknown
    )(globals);
  return {
    context,
    realm: realm!,
    lines,
    run,
    show: (expression) => `${run(`return ${SHOW}(() => (${expression}));`)}`,
    start: (settings) => realm!.limits.start(settings),
  };
}

/** A value, or the name of what was thrown, as text that keeps kinds apart. */
export const SHOW = `((compute) => {
  const show = (value, depth) => {
    if (depth > 5) return "~";
    if (typeof value === "function") return "function " + value.name;
    if (typeof value === "bigint") return value + "n";
    if (typeof value === "symbol") return "symbol";
    if (typeof value === "string") return JSON.stringify(value);
    if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
    if (Array.isArray(value)) {
      const items = [];
      for (let i = 0; i < value.length; i++) items.push(i in value ? show(value[i], depth + 1) : "hole");
      return "[" + items.join() + "]" + (value.groups ? show({ ...value.groups }, depth + 1) : "") + (value.index ?? "");
    }
    if (value instanceof Error) return value.name + ": " + value.message;
    const entries = Object.keys(value).map((key) => key + ":" + show(value[key], depth + 1));
    return Object.prototype.toString.call(value) + "{" + entries.join() + "}";
  };
  try {
    return show(compute(), 0);
  } catch (error) {
    return "throws " + error.name;
  }
})`;
