/**
 * Random programs over the constructs whose order of evaluation is easy to get wrong. They end by construction: loops count
 * to small numbers, and functions call only what was declared before them.
 */
import * as fc from "fast-check";

const names = ["a", "b", "c"] as const;
const name = fc.constantFrom(...names);

/** Positions differ in what may be written there. */
interface Context {
  readonly awaits: boolean;
  readonly yields: boolean;
  /** The label of the innermost loop. */
  readonly loop: string | undefined;
}

const literal = fc.constantFrom(
  "0",
  "1",
  "2.5",
  "-0",
  "'x'",
  "''",
  "true",
  "false",
  "null",
  "undefined",
  "3n",
  "[]",
  "[1, 2, 3]",
  "{ p: 1, q: { r: 2 } }",
  "NaN",
);

function expression(depth: number, context: Context): fc.Arbitrary<string> {
  const parenthesized = literal.map((text) => `(${text})`);
  if (depth === 0)
    return fc.oneof(
      parenthesized,
      name,
      fc.nat(9).map((n) => `log(${n})`),
    );
  const inner = expression(depth - 1, context);
  const options: fc.Arbitrary<string>[] = [
    parenthesized,
    name,
    inner.map((e) => `log(${e})`),
    fc
      .tuple(inner, fc.constantFrom("+", "-", "*", "<", ">=", "===", "!=", "&&", "||", "??", ","), inner)
      .map(([l, op, r]) => `((${l}) ${op} (${r}))`),
    fc.tuple(fc.constantFrom("!", "typeof ", "void "), inner).map(([op, e]) => `(${op}(${e}))`),
    fc.tuple(inner, inner, inner).map(([c, t, e]) => `((${c}) ? (${t}) : (${e}))`),
    fc.tuple(name, fc.constantFrom("=", "+=", "??=", "||=", "&&="), inner).map(([n, op, e]) => `(${n} ${op} (${e}))`),
    fc.tuple(name, fc.constantFrom("++", "--")).map(([n, op]) => `(${n}${op})`),
    fc.tuple(inner, inner).map(([l, r]) => `[${l}, ...[${r}], ${l}]`),
    fc
      .tuple(inner, inner)
      .map(([l, r]) => `({ p: ${l}, [log('k')]: ${r}, ...{ s: ${l} }, get g() { return log('g'); } })`),
    fc.tuple(inner, fc.constantFrom("p", "q?.r", "length", "[0]", "missing")).map(([e, key]) => `(${e})?.${key}`),
    fc.tuple(inner, inner).map(([l, r]) => `f(${l}, ${r})`),
    fc.tuple(inner, inner).map(([l, r]) => `o.m(${l}, ...[${r}])`),
    inner.map((e) => `\`<\${${e}}>\``),
    inner.map((e) => `tag\`x\${${e}}y\``),
    inner.map((e) => `(([x, { p: y = log('d') } = {}] = [], ...z) => [x, y, z.length])(iter([${e}]), 1)`),
    fc.tuple(name, name, inner).map(([l, r, e]) => `([${l}, o.t, ...${r}] = iter([1, ${e}, 3]))`),
    fc.tuple(name, inner).map(([l, e]) => `({ p: ${l} = log('default'), ...o.rest } = Object(${e}))`),
    inner.map((e) => `new K(${e}).value`),
    inner.map((e) => `[...gen(${e})]`),
  ];
  if (context.awaits)
    options.push(
      inner.map((e) => `(await (${e}))`),
      inner.map((e) => `(await later(${e}))`),
      inner.map((e) => `(await agen(${e}).next()).value`),
    );
  if (context.yields)
    options.push(
      inner.map((e) => `(yield (${e}))`),
      inner.map((e) => `(yield* iter([${e}, 2]))`),
    );
  return fc.oneof({ maxDepth: 4 }, ...options);
}

function statement(depth: number, context: Context): fc.Arbitrary<string> {
  const e = expression(depth > 1 ? 2 : 1, context);
  const simple: fc.Arbitrary<string>[] = [
    e.map((text) => `log(${text});`),
    e.map((text) => `${text};`),
    fc.tuple(name, e).map(([n, text]) => `${n} = ${text};`),
  ];
  simple.push(
    e.map((text) => `throw Object(${text});`),
    e.map((text) => `return ${text};`),
  );
  if (context.loop)
    simple.push(fc.constantFrom("break;", "continue;", `break ${context.loop};`, `continue ${context.loop};`));
  if (depth === 0) return fc.oneof(...simple.slice(0, 3), simple[3]!);
  const body = block(depth - 1, context);
  const label = `loop${depth}`;
  const loopBody = block(depth - 1, { ...context, loop: label });
  const options: fc.Arbitrary<string>[] = [
    ...simple,
    fc.tuple(e, body, body).map(([c, t, f]) => `if (${c}) ${t} else ${f}`),
    fc.tuple(body, body, body).map(([t, c, f]) => `try ${t} catch (error) { log('caught'); ${c} } finally ${f}`),
    fc.tuple(body, body).map(([t, f]) => `try ${t} finally ${f}`),
    fc
      .tuple(loopBody, e)
      .map(([b, x]) => `${label}: for (let i = 0; i < 3; i++) { closures.push(() => i); log(${x}); ${b} }`),
    fc
      .tuple(loopBody, e)
      .map(([b, x]) => `${label}: for (const x of iter([1, ${x}])) { closures.push(() => x); ${b} }`),
    fc.tuple(loopBody).map(([b]) => `${label}: for (const k in { x: 1, y: 2 }) { log(k); ${b} }`),
    fc.tuple(loopBody, e).map(([b, x]) => `{ let n = 0; ${label}: while (n++ < 2 && (${x}, true)) ${b} }`),
    fc.tuple(loopBody).map(([b]) => `{ let n = 0; ${label}: do ${b} while (n++ < 1); }`),
    fc
      .tuple(e, body, body)
      .map(([d, x, y]) => `switch (${d}) { case 1: ${x} case log(2): ${y} break; default: log('default'); }`),
    fc.tuple(e, e).map(([x, y]) => `{ let [u, v = ${y}] = iter([${x}]); closures.push(() => u); log(v); }`),
  ];
  if (context.awaits)
    options.push(
      fc.tuple(loopBody, e).map(([b, x]) => `${label}: for await (const x of [${x}, later(2)]) { log(x); ${b} }`),
      fc.tuple(loopBody, e).map(([b, x]) => `${label}: for await (const x of agen(${x})) { log(x); ${b} }`),
    );
  return fc.oneof(...options);
}

function block(depth: number, context: Context): fc.Arbitrary<string> {
  return fc.array(statement(depth, context), { minLength: 1, maxLength: 3 }).map((list) => `{ ${list.join(" ")} }`);
}

const LIBRARY = `
let ticks = 0, calls = 0;
const later = (v) => new Promise((ok) => { log('later'); Promise.resolve().then(() => ok(v)); });
const iter = (list) => ({ [Symbol.iterator]() { let i = 0; return { next() { log('next'); return { value: list[i], done: i++ >= list.length }; }, return(v) { log('return'); return {}; } }; } });
const tag = (strings, ...values) => strings.raw.join('|') + values.length;
const closures = [];
const o = { m(...args) { log('m'); return args.length; }, t: 0 };
class Base { constructor(v) { log('base'); this.value = v; } }
class K extends Base { #hidden = log('field'); constructor(v) { super(v); log(this.#hidden); } }
let a = 1, b = 'two', c = [3];
`;

/** The body of an async function: helpers with random bodies, then random statements. */
export const randomProgram: fc.Arbitrary<string> = fc
  .tuple(
    block(1, { awaits: false, yields: false, loop: undefined }),
    block(1, { awaits: false, yields: true, loop: undefined }),
    block(2, { awaits: true, yields: true, loop: undefined }),
    fc.array(statement(2, { awaits: true, yields: false, loop: undefined }), { minLength: 2, maxLength: 5 }),
    block(2, { awaits: true, yields: false, loop: undefined }),
  )
  .map(
    ([plain, generator, asyncGenerator, statements, concurrent]) => `${LIBRARY}
const budget = () => { if (++calls > 60) throw new Error('enough'); };
function f(x, y = log('default')) { budget(); if (calls > 8) return x; ${plain.replace(/\b(gen|f)\(/g, "o.m(")} return y; }
function* gen(x) { budget(); if (calls > 20) return; yield x; ${generator.replace(/\b(gen|f)\(/g, "o.m(")} }
async function* agen(x) { budget(); if (calls > 30) return; yield x; ${asyncGenerator.replace(/\b(agen|gen|f)\(/g, "o.m(")} }
const other = (async () => ${concurrent.replace(/\b(agen|gen|f)\(/g, "o.m(")})().then((v) => log(v), (e) => log('rejected'));
const clock = (async () => { for (let i = 0; i < 40; i++) { await null; ticks++; log('tick'); } })();
try { ${statements.join("\n")} } finally { try { await clock; await other; } finally { for (const g of closures) log(g()); } }
return [a, b, c];`,
  );
