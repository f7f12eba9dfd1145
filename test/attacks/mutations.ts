/** Attacks that nobody wrote: parts of the known ones put together anew, and walks from whatever a program can reach. */
import { readFileSync } from "node:fs";
import * as acorn from "acorn";
import type * as fc from "fast-check";
import { type Choices, chosen } from "../language/random/choices.js";

interface Part {
  readonly start: number;
  readonly end: number;
}

interface Attack {
  readonly source: string;
  readonly expressions: readonly Part[];
  readonly keys: readonly Part[];
}

const OFFSET = "(async function () {".length;

function parsed(source: string): Attack | undefined {
  const expressions: Part[] = [];
  const keys: Part[] = [];
  const visit = (node: any, field: string): void => {
    if (node === null || typeof node !== "object") return;
    if (Array.isArray(node)) {
      for (const one of node) visit(one, field);
      return;
    }
    if (typeof node.type !== "string") return;
    const part = { start: node.start - OFFSET, end: node.end - OFFSET };
    const isName = field === "property" || field === "key";
    if (isName && node.type === "Identifier") keys.push(part);
    else if (/^(argument|arguments|init|right|object|expression|test|elements|value)$/.test(field) && part.start > 0)
      if (/Expression|Literal$|^Identifier$/.test(node.type) && part.end - part.start < 250) expressions.push(part);
    for (const name of Object.keys(node)) if (name !== "type") visit(node[name], name);
  };
  try {
    visit(
      (acorn.parse(`(async function () {${source}\n})`, { ecmaVersion: "latest" }) as any).body[0].expression.body.body,
      "",
    );
  } catch {
    return undefined;
  }
  return { source, expressions, keys };
}

const read = (name: string): { source: string }[] =>
  JSON.parse(readFileSync(`test/attacks/${name}.json`, "utf8")) as { source: string }[];

const ATTACKS = [...read("escapes"), ...read("escapes"), ...read("exhaustion")]
  .map(({ source }) => parsed(source))
  .filter((attack) => attack !== undefined && attack.expressions.length > 0) as Attack[];

/** Code that only something which evaluates strings would run: the word stands nowhere in the program. */
const PAYLOAD = `'return "EVAL" + "UATED" + (typeof __CANARY === "undefined" ? "" : __CANARY) + (typeof process === "undefined" ? "" : process.env.FUZZ_CANARY)'`;

const NAMES =
  "constructor prototype __proto__ call apply bind toString valueOf then caller callee arguments stack cause raw groups indices next return throw name length message get set value description source flags size buffer href searchParams errors suppressed".split(
    " ",
  );

/** Where a walk begins. */
const ROOTS = [
  "tools",
  "tools.get",
  "await tools.get({ id: 1 })",
  "await tools.fail({}).catch((e) => e)",
  "await tools.refuse({}).catch((e) => e)",
  "await tools.nope?.({})",
  "search('get')",
  "response",
  "pages",
  "console",
  "console.log",
  "URL",
  "new URL('http://a/b?c')",
  "new URLSearchParams('a=1')",
  "new TextEncoder().encode('a')",
  "new TextDecoder()",
  "structuredClone({ a: [1] })",
  "structuredClone",
  "(() => { let e; (function f() { try { f(); } catch (x) { e ??= x; } })(); return e; })()",
  "(() => { let r = []; (function f() { try { f(); r.push(Object.keys(console)); } catch (x) { r.push(x); try { r.push(new URL('x')); } catch (y) { r.push(y); } } })(); return r[0]; })()",
  "(() => { let r; (function f() { try { f(); } catch { r ??= (() => { try { return [].concat(new Proxy([], {})).map((x) => x); } catch (e) { return e; } })(); } })(); return r; })()",
  "[][Symbol.iterator]().next()",
  "(function* () {})()",
  "(async function* () {})()",
  "(async function* () { yield 1; })().next()",
  "Promise.reject(1).catch((e) => ({ e }))",
  "((s) => s)`a${1}b`",
  "/(?<x>a)/d.exec('a')",
  "'aa'.matchAll(/a/g)",
  "new Intl.NumberFormat('en')",
  "new Intl.DateTimeFormat('en').formatToParts",
  "new Intl.Collator()",
  "(function () { return arguments; })(1)",
  "new Proxy(function () {}, {})",
  "Proxy.revocable({}, {})",
  "Symbol.prototype",
  "globalThis",
  "Function",
  "(async () => {}).constructor",
  "new Error('x', { cause: tools })",
  "new AggregateError([1])",
  "new WeakRef({})",
  "new FinalizationRegistry(() => {})",
  "new DataView(new ArrayBuffer(8))",
  "Object.getOwnPropertyDescriptor(Map.prototype, 'size').get",
  "input",
  "sleep",
  "sleep(1)",
  "atob",
  "Array.fromAsync([1])",
  "Iterator.prototype",
  "new (class extends Promise {})(() => {})",
  "class { static #p = 1 }",
  "Reflect",
  "(() => { try { null.x; } catch (e) { return e; } })()",
  "(() => { try { JSON.parse('{'); } catch (e) { return e; } })()",
  "(() => { try { new URL('x'); } catch (e) { return e; } })()",
  "(() => { try { atob('*'); } catch (e) { return e; } })()",
];

function walk(c: Choices): string {
  const steps = (): string =>
    c.weighted([
      [6, () => `x = x[${JSON.stringify(c.pick(NAMES))}];`],
      [3, () => "x = Object.getPrototypeOf(x);"],
      [3, () => `{ const k = Reflect.ownKeys(Object(x)); x = x[k[${c.below(40)} % (k.length || 1)]]; }`],
      [
        3,
        () =>
          `{ const k = Reflect.ownKeys(Object(x)); const d = Reflect.getOwnPropertyDescriptor(Object(x), k[${c.below(40)} % (k.length || 1)]); x = d?.${c.pick(["value", "get", "set"])} ?? x; }`,
      ],
      [2, () => `x = x.bind(${c.pick(["null", "tools", "x", "globalThis"])});`],
      [
        2,
        () =>
          `x = Reflect.${c.pick(["apply(x, undefined, [x])", "construct(x, [x])", "construct(Object, [], x)", "apply(Function.prototype.call, x, [x, x])"])};`,
      ],
      [
        2,
        () =>
          `x = new Proxy(Object(x), { ${c.pick(["get", "apply", "construct", "getPrototypeOf", "has", "ownKeys"])}: (...a) => { seen.push(...a); return a[0]; } });`,
      ],
      [2, () => `x = (${c.pick(ATTACKS).source.length % 2 ? "await x" : "x"});`],
      [1, () => `x = x(${c.pick(ROOTS)});`],
    ]);
  const list = Array.from(
    { length: 1 + c.below(6) },
    () => `try { ${steps()} seen.push(x); } catch (e) { seen.push(e); x = e ?? x; }`,
  );
  return `let x; const seen = []; try { x = ${c.pick(ROOTS)}; seen.push(x); } catch (e) { x = e; seen.push(e); }
${list.join("\n")}
const out = [];
for (const s of seen) {
  for (const f of [s, s?.constructor, s?.constructor?.constructor]) try { out.push(String(await f(${PAYLOAD})?.())); } catch (e) { out.push(e?.stack ?? String(e)); }
  try { s.polluted = 1; Object.getPrototypeOf(s).polluted = 1; } catch (e) { out.push(e?.message); }
  try { out.push(String(s), JSON.stringify(s)?.slice(0, 500)); console.log(s); } catch (e) { out.push(e?.stack); }
}
return out.map((o) => typeof o === 'string' ? o.slice(0, 2000) : typeof o);`;
}

const WRAPS: readonly ((source: string) => string)[] = [
  (s) => s,
  (s) => `return await (async () => { ${s} })();`,
  (s) => `return await (async function* () { ${s} })().next();`,
  (s) => `return await { then(ok, no) { (async () => { ${s} })().then(ok, no); } };`,
  (s) => `const f = async () => { ${s} }; return await new Proxy({}, { get: () => f() }).x;`,
  (s) =>
    `const f = async () => { ${s} }; let p; try { \`\${{ [Symbol.toPrimitive]() { p = f(); return ''; } }}\`; } catch {} return await p;`,
  (s) => `const f = async () => { ${s} }; return { toJSON() { f(); return 1; }, a: await f() };`,
  (s) =>
    `const f = async () => { ${s} }; const o = { get x() { return f(); } }; try { return await o.x; } finally { f().catch(() => {}); }`,
  (s) => `const f = async () => { ${s} }; return await Promise.all([f(), f()].map((p) => p.catch((e) => e?.stack)));`,
  (s) => `class A { static async #m() { ${s} } static m() { return A.#m(); } } return await A.m();`,
  (s) => `try { throw 0; } catch { return await (async () => { ${s} })(); } finally { console.log('end'); }`,
  (s) =>
    `const f = async () => { ${s} }; let r; await (function g(n) { try { return g(n + 1); } catch { return r ??= f(); } })(0); return r;`,
];

/** An attack with expressions of others in it, or with other names. */
function mutated(c: Choices): string {
  let { source, expressions, keys } = c.pick(ATTACKS);
  for (let i = 1 + c.below(3); i > 0; i--) {
    const names = keys.length > 0 && c.chance(35);
    const place = c.pick(names ? keys : expressions);
    const other = c.pick(ATTACKS);
    const part = c.pick(other.expressions);
    const by = names
      ? c.pick(NAMES)
      : c.chance(25)
        ? `(${c.pick(ROOTS)})`
        : c.chance(15)
          ? PAYLOAD
          : `(${other.source.slice(part.start, part.end)})`;
    const next = parsed(source.slice(0, place.start) + by + source.slice(place.end));
    if (next === undefined || next.expressions.length === 0) continue;
    ({ source, expressions, keys } = next);
  }
  return source;
}

/** The body of a program that attacks its sandbox. */
export const randomAttack: fc.Arbitrary<string> = chosen(30, 60, (c) => {
  const one = (): string => c.pick(WRAPS)(c.chance(45) ? walk(c) : mutated(c));
  return c.chance(20)
    ? `const first = await (async () => { ${one()} })().catch((e) => String(e?.stack)); ${one()}`
    : one();
});
