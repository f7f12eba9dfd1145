// Walks everything that a program's values can reach inside the realm, and fails on anything that the allow-list does not
// name, that a program could change, or that belongs to another realm. Runs on any Node: node scripts/audit-realm.mjs
import { readFileSync } from "node:fs";
import { createContext, runInContext, Script } from "node:vm";
import { transformSync } from "esbuild";

const root = new URL("../", import.meta.url);
const text = (path) => readFileSync(new URL(path, root), "utf8");
const list = transformSync(text("src/sandbox/realm/intrinsics/allow-list.ts"), { loader: "ts", format: "cjs" }).code;
const { ALLOWED, ALLOWED_GLOBALS } = new Function("module", `${list}; return module.exports;`)({ exports: {} });

const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
for (const name of ["polyfills", "realm"]) new Script(text(`dist/sandbox/${name}.js`)).runInContext(context);
const none = () => undefined;
const parts = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
];
let globals;
runInContext("__codemode.boot", context)(
  {
    post: none,
    request: none,
    now: () => 0,
    setTimer: none,
    at: none,
    clearTimer: none,
    memory: () => 0,
    setUrlPart: none,
    parseUrl: (url) => JSON.stringify(Object.fromEntries(parts.map((part) => [part, new URL(url)[part]]))),
    encodingName: () => "utf-8",
    decodeText: () => "text",
  },
  {
    reveal: (realm) => {
      globals = realm.programGlobals({});
    },
  },
);

const audit = runInContext(`(${inside})`, context);
const report = JSON.parse(
  await audit(globals, JSON.stringify({ ALLOWED, ALLOWED_GLOBALS }), text("scripts/audit-samples.js"), (code) =>
    runInContext(code, context),
  ),
);
for (const failure of report.failures) console.error(failure);
console.log(
  `Node ${process.version}: ${report.shared} shared objects, ${report.values} sample values, ${report.failures.length} failures`,
);
process.exitCode = report.failures.length === 0 ? 0 : 1;

/** Evaluated inside the realm. */
async function inside(globals, allowedText, samplesText, evaluate) {
  const { ALLOWED: allowed, ALLOWED_GLOBALS: allowedGlobals } = JSON.parse(allowedText);
  const failures = [];
  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
  const keyName = (key) => (typeof key === "symbol" ? `@@${String(key.description).replace("Symbol.", "")}` : key);

  /** Every object reachable from the values, with one path to it. */
  const walk = (values) => {
    const paths = new Map();
    const open = [];
    const add = (value, path) => {
      if (isObject(value) && !paths.has(value)) {
        paths.set(value, path);
        open.push(value);
      }
    };
    for (const [name, value] of values) add(value, name);
    while (open.length > 0) {
      const object = open.shift();
      const path = paths.get(object);
      add(Reflect.getPrototypeOf(object), `${path}.[[Prototype]]`);
      for (const key of Reflect.ownKeys(object)) {
        const { value, get, set } = Reflect.getOwnPropertyDescriptor(object, key);
        add(value, `${path}.${keyName(key)}`);
        add(get, `${path}.get ${keyName(key)}`);
        add(set, `${path}.set ${keyName(key)}`);
      }
    }
    return paths;
  };

  // Evaluated twice, so that not even a template object is shared between the two.
  const first = [...(await evaluate(`(${samplesText})`)(globals))];
  const second = [...(await evaluate(`(${samplesText})\n// again`)(globals))];
  const reached = walk([...first, ...Object.entries(globals), ["the realm's global", globalThis]]);
  const again = walk(second);

  // What two independent sets of values both lead to is shared by all programs of the realm: a built-in.
  const shared = new Map();
  for (const [object, path] of reached) if (again.has(object)) shared.set(object, path);
  for (const name of Object.keys(globals)) {
    for (const [object, path] of walk([[name, globals[name]]])) if (object !== globalThis) shared.set(object, path);
  }

  // The names of the allow-list, found from here and not by the realm's own code.
  const named = new Map();
  const gp = Reflect.getPrototypeOf;
  const hidden = {
    "%ArrayIteratorPrototype%": gp([].values()),
    "%MapIteratorPrototype%": gp(new Map().keys()),
    "%SetIteratorPrototype%": gp(new Set().keys()),
    "%StringIteratorPrototype%": gp(""[Symbol.iterator]()),
    "%RegExpStringIteratorPrototype%": gp("".matchAll(/a/g)),
    "%TypedArray%": gp(Int8Array),
    "%TypedArray%.prototype": gp(Int8Array.prototype),
    "%AsyncFunction%": (async () => {}).constructor,
    "%AsyncFunction.prototype%": gp(async () => {}),
    "%GeneratorFunction%": function* () {}.constructor,
    "%GeneratorFunction.prototype%": gp(function* () {}),
    "%GeneratorPrototype%": gp(function* () {}).prototype,
    "%AsyncGeneratorFunction%": async function* () {}.constructor,
    "%AsyncGeneratorFunction.prototype%": gp(async function* () {}),
    "%AsyncGeneratorPrototype%": gp(async function* () {}).prototype,
    "%AsyncIteratorPrototype%": gp(gp(async function* () {}).prototype),
    "%IteratorHelperPrototype%": gp([].values().map((x) => x)),
    "%ConcatIteratorPrototype%": gp(Iterator.concat()),
    "%WrapForValidIteratorPrototype%": gp(Iterator.from({ next() {} })),
    "%SegmentsPrototype%": gp(new Intl.Segmenter("en").segment("a")),
    "%SegmentIteratorPrototype%": gp(new Intl.Segmenter("en").segment("a")[Symbol.iterator]()),
    "Array.prototype.@@unscopables": Array.prototype[Symbol.unscopables],
  };
  for (const name of Object.keys(allowed)) {
    const object = name in hidden ? hidden[name] : name.split(".").reduce((value, key) => value?.[key], globals);
    if (isObject(object)) named.set(object, name);
  }
  const web = [
    "URL",
    "URLSearchParams",
    "TextEncoder",
    "TextDecoder",
    "DOMException",
    "structuredClone",
    "atob",
    "btoa",
    "queueMicrotask",
    "console",
  ];
  const ours = walk(web.map((name) => [name, globals[name]]));
  const iteratorOfParams = gp(new globals.URLSearchParams("a=1").keys());
  for (const [object, path] of walk([["%URLSearchParamsIteratorPrototype%", iteratorOfParams]])) ours.set(object, path);

  const leafHolders = new Map();
  for (const [object, name] of named) {
    for (const key of Reflect.ownKeys(object)) {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(object, key);
      const permitted =
        allowed[name].split(" ").includes(keyName(key)) ||
        (typeof object === "function" && (key === "length" || key === "name"));
      if (!permitted) failures.push(`${name}.${keyName(key)} is not on the allow-list`);
      for (const one of [value, get, set]) if (isObject(one)) leafHolders.set(one, `${name}.${keyName(key)}`);
    }
  }
  for (const name of allowedGlobals.split(" ")) leafHolders.set(globals[name], name);
  const stack = Reflect.getOwnPropertyDescriptor(new Error(), "stack");
  for (const one of [stack?.get, stack?.set]) leafHolders.set(one, "the stack property of errors");
  const ends = new Set([Object.prototype, globals.globalThis]);
  for (const [object, path] of reached) {
    if (object === globalThis) continue;
    let end = object;
    for (let next = gp(end); next !== null; next = gp(next)) end = next;
    if (end !== object && !ends.has(end)) failures.push(`${path}: its prototype chain ends outside of the realm`);
    if (object !== Object.prototype && typeof object === "function" && gp(object) === null)
      failures.push(`${path}: a function without prototype`);
  }
  for (const [object, path] of shared) {
    if (!Object.isFrozen(object)) failures.push(`${path}: shared and not frozen`);
    const known =
      named.has(object) ||
      leafHolders.has(object) ||
      ours.has(object) ||
      object === globals.globalThis ||
      object === globals;
    if (!known) failures.push(`${path}: shared and not on the allow-list`);
  }
  for (const key of Reflect.ownKeys(globalThis)) {
    const value = globalThis[key];
    if (value !== undefined && !Object.is(globals[key], value) && key !== "globalThis")
      failures.push(`the realm's global has ${keyName(key)}`);
  }
  for (const name of ["eval", "WebAssembly", "SharedArrayBuffer", "Atomics", "process", "require", "Temporal"]) {
    if (name in globals || name in globals.globalThis) failures.push(`${name} is a global`);
  }
  return JSON.stringify({ failures, shared: shared.size, values: first.length });
}
