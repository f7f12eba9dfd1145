/** A host to attack: tools with secrets behind them, and a look at whether anything of the host was changed. */
import { resolve } from "node:path";
import { Tool, ToolError } from "../runtime/built.js";

export const CANARY = `CANARY-${Math.random().toString(36).slice(2)}`;
/** Written in the source of a tool: a program that sees it has seen the host's code. */
export const SOURCE_MARK = "HOSTSRC";

/** Text that no outcome of a program may contain. */
export const FORBIDDEN_TEXTS = [
  CANARY,
  SOURCE_MARK,
  "HOSTLEAK",
  "node:internal",
  "file://",
  "node_modules",
  resolve("."),
  "process.cjs",
  "realm.js",
];

export class Host {
  /** Calls since the last `expectQuiet`. */
  calls = 0;

  readonly tools = {
    get: this.#tool((input: { id?: unknown } | null) => ({
      id: input?.id,
      list: [1, 2],
      nested: { a: 1 },
      kept: "HOSTSRC".length,
    })),
    fail: this.#tool(() => {
      throw Object.assign(new Error("upstream answered 500", { cause: new Error("inner") }), {
        hostSecret: CANARY,
        config: { token: CANARY },
      });
    }),
    refuse: this.#tool(() => {
      throw new ToolError("refused", { cause: new Error(CANARY), status: 403 });
    }),
    echo: this.#tool((input) => input),
    str: this.#tool((input: any) => `${input && typeof input === "object" && "text" in input ? input.text : input}`),
    call: this.#tool((input) => (typeof input === "function" ? input({ host: true }) : "not a function")),
    admin: this.#tool((input: any) => (input?.admin ? "HOSTLEAK admin" : "plain")),
    mark: this.#tool(() => 1),
  };

  #tool(run: (input: any) => unknown) {
    return Tool.make({
      description: "A tool.",
      run: async (input) => {
        await null;
        this.calls++;
        return run(input);
      },
    });
  }
}

const roots: Record<string, object> = {
  Object,
  "Object.prototype": Object.prototype,
  Array,
  "Array.prototype": Array.prototype,
  "Function.prototype": Function.prototype,
  String,
  "String.prototype": String.prototype,
  "Number.prototype": Number.prototype,
  Promise,
  "Promise.prototype": Promise.prototype,
  "RegExp.prototype": RegExp.prototype,
  "Map.prototype": Map.prototype,
  "Set.prototype": Set.prototype,
  "Symbol.prototype": Symbol.prototype,
  Error,
  "Error.prototype": Error.prototype,
  JSON,
  Math,
  Reflect,
  Date,
  "%ArrayIteratorPrototype%": Object.getPrototypeOf([][Symbol.iterator]()),
  "%MapIteratorPrototype%": Object.getPrototypeOf(new Map().entries()),
};

/** Everything that a program might have changed in the host's own built-ins, in a comparable form. */
export function hostState(): Map<string, unknown> {
  const state = new Map<string, unknown>();
  for (const [name, root] of Object.entries(roots)) {
    for (const key of Reflect.ownKeys(root)) {
      // Test runners set this one themselves.
      if (name === "Error" && key === "stackTraceLimit") continue;
      const descriptor = Reflect.getOwnPropertyDescriptor(root, key)!;
      state.set(`${name}.${String(key)}`, descriptor.get ?? descriptor.value);
    }
    state.set(`${name} prototype`, Object.getPrototypeOf(root));
    state.set(`${name} extensible`, Object.isExtensible(root));
  }
  for (const name of Object.getOwnPropertyNames(globalThis)) state.set(`global ${name}`, true);
  return state;
}
