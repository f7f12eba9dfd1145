import { runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { makeTestRealm } from "./realm.js";

/** Calls every function that the globals lead to without a receiver, as sloppy code of other realms would fall for. */
const PROBE = `(globals) => {
  const seen = new Set();
  const open = Object.values(globals);
  while (open.length > 0) {
    const value = open.pop();
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value) || value === globalThis) continue;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) {
      const property = Reflect.getOwnPropertyDescriptor(value, key);
      open.push(property.value, property.get, property.set);
    }
    open.push(Reflect.getPrototypeOf(value));
  }
  const found = [];
  let count = 0;
  const check = (value, name) => {
    if (value === globalThis || (Array.isArray(value) && value.includes(globalThis))) found.push(name);
    if (value instanceof Promise) value.catch(() => {});
  };
  for (const call of seen) {
    if (typeof call !== "function" || call.name === "queueMicrotask") continue;
    count++;
    for (const parameters of [[], [{}], [[]], [() => 1], [() => 1, []]]) {
      try { check(call(...parameters), call.name); } catch {}
      try { check(Reflect.apply(call, null, parameters), call.name); } catch {}
    }
  }
  return "called " + count + " functions: " + (found.join() || "nothing");
}`;

// These run ordinary JavaScript inside the realm: what holds here holds without the interpreter.
describe("the realm alone", () => {
  const realm = makeTestRealm();

  test.each([
    "Function('return 1')",
    "new Function('return 1')",
    "(() => {}).constructor('return 1')",
    "(async () => {}).constructor('return 1')",
    "(function* () {}).constructor('yield 1')",
    "Object.getPrototypeOf(async function* () {}).constructor('yield 1')",
    "Reflect.construct(Function, ['return 1'])",
    "Reflect.construct((() => {}).constructor, ['return 1'], Object)",
    "new (class extends Function {})('return 1')",
    "Object.getPrototypeOf((async () => {}).constructor)('return 1')",
    "Function.prototype.constructor.call(null, 'return 1')",
    "Function.bind(null, 'return 1')()",
  ])("compiles no text: %s", (expression) => {
    expect(realm.show(expression)).toBe("throws EvalError");
  });

  test("Function stays a class of values", () => {
    expect(
      realm.show(
        "[(() => {}) instanceof Function, Function.prototype === Object.getPrototypeOf(() => {}), Function.length, Function.name]",
      ),
    ).toBe('[true,true,1,"Function"]');
  });

  test.each([
    "Object.prototype.polluted = 1",
    "Object.defineProperty(Array.prototype, 'map', { value: 1 })",
    "Array.prototype[Symbol.iterator] = null",
    "delete String.prototype.trim",
    "Object.setPrototypeOf(Map.prototype, null)",
    "Object.getPrototypeOf([][Symbol.iterator]()).next = 1",
    "Object.getPrototypeOf(function* () {}).prototype.next = 1",
    "Object.getPrototypeOf(Int8Array).from = 1",
    "Object.getPrototypeOf(''.matchAll(/a/g)).next = 1",
    "Object.defineProperty(Array, Symbol.species, { get: () => Object })",
    "RegExp.prototype.exec = () => null",
    "Promise.prototype.then = 1",
    "Error.stackTraceLimit = 10",
    "Error.prepareStackTrace = (error, frames) => frames",
    "JSON.parse = 1",
    "Math.random = 1",
    "Intl.NumberFormat.prototype.format = 1",
    "URL.prototype.href = 1",
    "URLSearchParams.prototype.get = 1",
    "TextDecoder.prototype.decode = 1",
    "console.log = 1",
    "Object.getPrototypeOf(console).x = 1",
    "Object.getPrototypeOf(new URLSearchParams('a').keys()).next = 1",
    "(() => 1).__proto__.call = 1",
    "Object.prototype.__defineGetter__.call(Object.prototype, 'x', () => 1)",
    "Object.assign(Object.prototype, { x: 1 })",
    "Array.prototype.push.call(Array.prototype, 1)",
    "Object.defineProperties(Symbol, { iterator: { value: 1 } })",
  ])("does not let itself be changed: %s", (statement) => {
    expect(() => realm.run(`${statement}; return 1;`)).toThrow();
  });

  test.each([
    "eval",
    "WebAssembly",
    "SharedArrayBuffer",
    "Atomics",
    "Temporal",
    "process",
    "require",
    "global",
    "gc",
    "__codemode",
  ])("has no %s", (name) => {
    expect(realm.show(`typeof ${name}`)).toBe('"undefined"');
    expect(realm.show(`Object.getOwnPropertyDescriptor(globalThis, "${name}")?.value`)).toBe("undefined");
  });

  test("keeps no legacy state of other matches, and no frames", () => {
    expect(realm.show("(/(a)/.test('a'), [RegExp.$1, RegExp.input, RegExp.lastMatch, RegExp['$&']])")).toBe(
      "[undefined,undefined,undefined,undefined]",
    );
    expect(realm.show("[Error.captureStackTrace, Error.stackTraceLimit, new Error('x').stack]")).toBe(
      "[undefined,undefined,undefined]",
    );
    expect(realm.show("[/a/.compile, (() => {}).hasOwnProperty('caller')]")).toBe("[undefined,false]");
  });

  test("shows no source of its own", () => {
    for (const built of [
      "Array.prototype.map",
      "console.log",
      "URL",
      "structuredClone",
      "String.prototype.replace",
      "Proxy",
      "Uint8Array",
      "new URL('a:b').toString",
      "Iterator.concat",
    ]) {
      expect(realm.show(`Function.prototype.toString.call(${built})`)).toMatch(
        /^"function [\w]*\(\) \{ \[native code\] \}"$/,
      );
    }
    expect(realm.show("Function.prototype.toString.call({})")).toBe("throws TypeError");
  });

  test("no function gives the realm's own global, whatever it is called on", () => {
    const globals = realm.realm.programGlobals({});
    const probe = runInContext(PROBE, realm.context) as (globals: object) => string;
    expect(probe(globals)).toMatch(/^called [5-9]\d\d functions: nothing$/);
  });

  test("a global object of the program is not the realm's", () => {
    expect(realm.show("Object.isFrozen((() => globalThis)())")).toBe("false");
    const globals = realm.realm.programGlobals({ tools: 1 });
    expect(Object.isFrozen(globals)).toBe(true);
    expect(Object.isFrozen(globals["globalThis"])).toBe(true);
    expect((globals["globalThis"] as { tools: unknown }).tools).toBe(1);
  });
});

describe("near the end of the stack", () => {
  // A main-realm error in the hands of a program would be the way to an unrestricted Function.
  test.each([
    ["reading stack", "new Error('x').stack"],
    ["stack of a native error", "(() => { try { null.x } catch (error) { return error.stack } })()"],
    ["URL", "new URL('https://example.com/?a=1').searchParams.append('b', 'c')"],
    ["invalid URL", "URL.canParse('')"],
    ["TextDecoder", "new TextDecoder('utf-16le').decode(new Uint8Array(4))"],
    ["console", "console.log({ a: [1, new Map([[1, 2]])] })"],
    ["console timers", "console.time('x' + Math.random())"],
    ["structuredClone", "structuredClone({ a: [1, new Date()] })"],
    ["regular expressions", "'aXbXc'.replace(/X/g, (x) => x).split(/b/)"],
    ["JSON", "JSON.stringify({ a: [1, { b: 2 }] })"],
    ["typed arrays", "new Uint8Array([1, 2, 3]).map((x) => x)"],
    ["Intl", "(1234.5).toLocaleString('en')"],
    ["promises", "Promise.resolve(1).then(() => {})"],
    ["base64", "atob(btoa('abc'))"],
  ])("every error is the realm's: %s", (_name, expression) => {
    const realm = makeTestRealm();
    realm.start({ deadline: performance.now() + 1e9, timeoutMs: 1e9, memoryBytes: 1e9 });
    const found = realm.run(`
      let foreign = "none";
      let thrown = 0;
      const attempt = () => {
        try {
          ${expression};
        } catch (error) {
          thrown++;
          if (!(error instanceof Error)) foreign = "foreign error";
        }
      };
      // Each depth of the last frames is met with a different rest of stack.
      const deepest = (depth) => { try { return deepest(depth + 1); } catch { return depth; } };
      const last = deepest(0) - 400;
      const descend = (depth) => {
        if (depth > last) attempt();
        try { descend(depth + 1); } catch (error) { if (!(error instanceof RangeError)) foreign = "foreign " + typeof error; }
      };
      const from = (frames) => (frames > 0 ? from(frames - 1) : descend(0));
      for (let frames = 0; frames < 3; frames++) from(frames);
      return foreign + (thrown > 0 ? "" : " (nothing thrown)");
    `);
    expect(found).not.toMatch(/foreign/);
  });
});
