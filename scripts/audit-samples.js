async function samples(globals) {
  // One value of every kind that a program can make or be given. Names say what made them.
  const { URL, URLSearchParams, TextEncoder, TextDecoder, DOMException, structuredClone } = globals;
  const values = new Map();
  const add = (name, make) => {
    try {
      values.set(name, make());
    } catch (error) {
      values.set(`${name} (thrown)`, error);
    }
  };
  add("object literal", () => ({ a: 1 }));
  add("array literal", () => [1, , 2]);
  add("regular expression", () => /a/g);
  add("boxed primitives", () => [Object(1), Object("a"), Object(true), Object(1n), Object(Symbol("s"))]);
  add("function", () => function () {});
  add("arrow", () => () => 1);
  add("method", () => ({ m() {} }).m);
  add("accessors", () => Object.getOwnPropertyDescriptor({ get a() { return 1; }, set a(v) {} }, "a"));
  add("async function", () => async () => {});
  add("generator function", () => function* () {});
  add("async generator function", () => async function* () {});
  add("class", () => class A { static s = 1; #p = 2; get p() { return this.#p; } });
  add("derived class", () => class extends Array {});
  add("bound function", () => (() => 1).bind(null));
  add("generator", () => (function* () { yield 1; })());
  add("generator result", () => (function* () { yield 1; })().next());
  add("async generator", () => (async function* () { yield 1; })());
  add("arguments", () => (function () { return arguments; })(1));
  add("template object", () => ((strings) => strings)`a${1}b`);
  add("promise", () => Promise.resolve(1));
  add("promise with resolvers", () => Promise.withResolvers());
  add("promise parts", () => {
    const parts = [];
    new Promise((resolve, reject) => parts.push(resolve, reject));
    return parts;
  });
  values.set("allSettled", await Promise.allSettled([1, Promise.reject(new Error("x"))]));
  values.set("any", await Promise.any([Promise.reject(1)]).catch((error) => error));
  values.set("async iteration result", await (async function* () { yield 1; })().next());
  values.set("fromAsync", await Array.fromAsync([1]));
  values.set("rejected await", await (async () => { await Promise.reject(new Error("y")); })().catch((error) => error));
  for (const [name, make] of Object.entries({
    array: () => [1].entries(), map: () => new Map([[1, 2]]).entries(), set: () => new Set([1]).values(), string: () => "a"[Symbol.iterator](),
    match: () => "aa".matchAll(/a/g), typed: () => new Uint8Array(1).values(), helper: () => [1].values().map((x) => x),
    flatMap: () => [1].values().flatMap((x) => [x]), wrapped: () => Iterator.from({ next: () => ({ done: true }) }), concat: () => Iterator.concat([1]),
    segments: () => new Intl.Segmenter("en").segment("a b"), segment: () => new Intl.Segmenter("en").segment("a b")[Symbol.iterator](),
    parameters: () => new URLSearchParams("a=1").entries(),
  })) {
    add(`${name} iterator`, make);
    add(`${name} iterator result`, () => make().next?.());
  }
  add("exec result", () => /(?<n>a)/d.exec("a"));
  add("matchAll result", () => [..."ab".matchAll(/(?<n>.)/g)]);
  add("collections", () => [new Map(), new Set(), new WeakMap(), new WeakSet(), new WeakRef({}), new FinalizationRegistry(() => {})]);
  add("set operations", () => new Set([1]).union(new Set([2])));
  add("groupBy", () => [Object.groupBy([1], () => "a"), Map.groupBy([1], () => "a")]);
  add("buffers", () => [new ArrayBuffer(2), new ArrayBuffer(2, { maxByteLength: 4 }), new DataView(new ArrayBuffer(1)), new ArrayBuffer(2).slice(1)]);
  for (const name of Object.keys(globals)) {
    const kind = globals[name];
    if (/(8|16|32|64)(Clamped)?Array$/.test(name)) {
      add(name, () => [new kind(2), new kind(2).subarray(1), kind.of(), new kind(2).map((x) => x), new kind(2).toSorted()]);
    }
    if (/Error$/.test(name) && typeof kind === "function") add(name, () => (name === "AggregateError" ? new kind([1], "m") : new kind("m", { cause: 1 })));
  }
  add("base64", () => new Uint8Array(2).toBase64());
  add("date", () => new Date(0));
  add("proxy", () => new Proxy({}, {}));
  add("revocable", () => Proxy.revocable(() => {}, {}));
  add("descriptors", () => Object.getOwnPropertyDescriptors({ a: 1 }));
  add("error stack property", () => Object.getOwnPropertyDescriptor(new Error("a"), "stack"));
  add("disposable stack", () => { const stack = new DisposableStack(); stack.defer(() => {}); return [stack, stack.move()]; });
  add("async disposable stack", () => new AsyncDisposableStack());
  add("suppressed error", () => new SuppressedError(1, 2, "m"));
  add("raw JSON", () => JSON.rawJSON?.("1"));
  add("reviver", () => { const seen = []; JSON.parse('{"a":[1]}', function (key, value, context) { seen.push(this, context); return value; }); return seen; });
  for (const name of Object.getOwnPropertyNames(Intl)) {
    if (typeof Intl[name] !== "function" || !Intl[name].prototype) continue;
    add(`Intl.${name}`, () => (name === "DisplayNames" ? new Intl.DisplayNames("en", { type: "region" }) : new Intl[name]("en")));
    add(`Intl.${name} options`, () => new Intl[name]("en").resolvedOptions());
  }
  add("Intl parts", () => [new Intl.NumberFormat("en").formatToParts(1), new Intl.DateTimeFormat("en").formatToParts(0), new Intl.ListFormat("en").formatToParts(["a"])]);
  add("Intl bound", () => [new Intl.NumberFormat("en").format, new Intl.DateTimeFormat("en").format, new Intl.Collator("en").compare]);
  add("Intl legacy", () => Intl.NumberFormat.call(Object.create(Intl.NumberFormat.prototype), "en"));
  add("Intl locale", () => { const locale = new Intl.Locale("en"); return [locale.maximize(), locale.textInfo, locale.weekInfo, locale.getTextInfo?.(), locale.getCalendars?.()]; });
  add("null.x", () => null.x);
  add("undefined()", () => undefined());
  add("x is not defined", () => notDefinedAnywhere);
  add("constant", () => { const c = 1; c = 2; });
  add("array length", () => new Array(-1));
  add("JSON", () => JSON.parse("{"));
  add("URI", () => decodeURIComponent("%"));
  add("BigInt", () => 1n + 1);
  add("repeat", () => "x".repeat(-1));
  add("symbol", () => Symbol() + "");
  add("pattern", () => new RegExp("("));
  add("stack overflow", () => { const f = () => f() + 1; return f(); });
  add("native stack overflow", () => { let list = []; for (let i = 0; i < 1e5; i++) list = [list]; return list.toString(); });
  add("frozen", () => { "use strict"; Object.freeze({ a: 1 }).a = 2; return 1; });
  add("Function", () => Function("1"));
  add("incompatible receiver", () => Map.prototype.get.call({}, 1));
  add("not iterable", () => { const [a] = 1; return a; });
  add("URL", () => new URL("https://example.com/?a=1"));
  add("invalid URL", () => new URL(""));
  add("parameters", () => new URLSearchParams({ a: 1 }));
  add("encoder", () => [new TextEncoder(), new TextEncoder().encode("a"), new TextEncoder().encodeInto("a", new Uint8Array(1))]);
  add("decoder", () => [new TextDecoder(), new TextDecoder().decode(new Uint8Array(1))]);
  add("exception", () => new DOMException("m", "n"));
  add("clone", () => structuredClone({ a: [new Map([[1, new Set([1])]]), new Date(0), /a/g, new Error("e"), new Uint8Array(1)] }));
  add("no clone", () => structuredClone(() => {}));
  return values;
}
