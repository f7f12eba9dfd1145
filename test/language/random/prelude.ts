/**
 * What every random program begins with: a trace of everything that can be observed, and objects that report how they are
 * used. `ticks` counts turns of the microtask queue, so that a line of the trace also says when it was written.
 */
export const PRELUDE = String.raw`
const trace = [];
let ticks = 0, fuel = 300, shown = 0;
const spies = new WeakSet(), templates = new Map();
const note = (text) => { if (trace.length < 500) trace.push(ticks + ' ' + text); };
const keyText = (key) => typeof key === 'symbol' ? String(key) : /^\w+$/.test(key) ? key : JSON.stringify(key);
const show = (value, seen = []) => {
  if (seen.length === 0) shown = 0;
  if (++shown > 60) return '…';
  switch (typeof value) {
    case 'string': return JSON.stringify(value.length > 600 ? value.slice(0, 600) + value.length : value);
    case 'number': return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint': return value + 'n';
    case 'symbol': case 'undefined': case 'boolean': return String(value);
  }
  if (value === null) return 'null';
  if (spies.has(value)) return '<spy>';
  if (value === Function.prototype.toString) return 'native "toString"';
  if (typeof value === 'function' && Function.prototype.toString.call(value).includes('[native code]')) return 'native ' + show((Object.getOwnPropertyDescriptor(value, 'name') ?? {}).value, [0]);
  const mark = Object.getOwnPropertyDescriptor(value, Symbol.toStringTag);
  if (mark && mark.writable === false && !mark.enumerable && typeof mark.value === 'string') return 'built-in ' + mark.value;
  const made = Object.getOwnPropertyDescriptor(value, 'constructor');
  if (made && typeof made.value === 'function' && made.value.prototype === value && Function.prototype.toString.call(made.value).includes('[native code]')) return 'prototype of ' + show(made.value, [0]);
  if (seen.includes(value)) return '<' + seen.indexOf(value) + '>';
  if (seen.length > 5) return '…';
  const inner = [...seen, value];
  const list = [];
  const proto = Object.getPrototypeOf(value);
  const maker = proto === null ? undefined : spies.has(proto) ? undefined : Object.getOwnPropertyDescriptor(proto, 'constructor');
  let title = proto === null ? 'null-proto ' : maker && typeof maker.value === 'function' && !spies.has(maker.value) ? (Object.getOwnPropertyDescriptor(maker.value, 'name') ?? {}).value + ' ' : '? ';
  const kind = Object.prototype.toString.call(Object.hasOwn(value, Symbol.toStringTag) ? 0 : 1) && typeof value === 'function' ? 'function' : Array.isArray(value) ? 'array' : 'object';
  if (value instanceof Map) for (const [k, v] of Map.prototype.entries.call(value)) list.push(show(k, inner) + '=>' + show(v, inner));
  if (value instanceof Set) for (const v of Set.prototype.values.call(value)) list.push(show(v, inner));
  if (value instanceof Date) try { list.push(String(Date.prototype.getTime.call(value))); } catch { }
  if (Object.isFrozen(value)) title += 'frozen ';
  else if (!Object.isExtensible(value)) title += 'fixed ';
  for (const key of Reflect.ownKeys(value)) {
    if (key === 'stack' || key === 'stackTraceLimit' || (kind === 'function' && key === 'prototype') || (kind === 'array' && key === 'length')) continue;
    const own = Object.getOwnPropertyDescriptor(value, key);
    const flags = (own.enumerable ? '' : '~') + (own.configurable ? '' : '!') + (own.writable === false ? '=' : '');
    list.push(flags + keyText(key) + ': ' + ('value' in own ? show(own.value, inner) : (own.get ? 'get' : '') + (own.set ? 'set' : '')));
    if (list.length > 24) break;
  }
  if (kind === 'array') title += value.length + ' ';
  return title + kind + '{' + list.join(', ') + '}';
};
const log = (value) => { note(show(value)); return value; };
const attempt = (f, otherwise) => { try { return f(); } catch (e) { log(e); return otherwise; } };
const spend = () => { if (--fuel < 0) throw new RangeError('fuel'); };
const cap = (x) => {
  if (typeof x === 'string') return x.slice(0, 40);
  if (typeof x === 'bigint') return BigInt.asIntN(70, x);
  if (Array.isArray(x) && !spies.has(x) && x.length > 12) try { x.length = 12; } catch { return []; }
  return x;
};
/* What may be changed: anything but a built-in. */
const own = (x) => {
  if (typeof x === 'function') throw new TypeError('not an own object');
  if (Object(x) !== x || spies.has(x)) return x;
  const maker = Object.getOwnPropertyDescriptor(x, 'constructor');
  if (maker && typeof maker.value === 'function' && maker.value.prototype === x) throw new TypeError('not an own object');
  return x;
};
const forward = (name) => new Proxy({}, { get: (_, trap) => (target, ...args) => {
  note(name + '.' + trap + (typeof args[0] === 'string' || typeof args[0] === 'symbol' ? ' ' + keyText(args[0]) : ''));
  return Reflect[trap](target, ...args);
} });
const spy = (name, target) => {
  if (Object(target) !== target || spies.has(target)) return target;
  const proxy = new Proxy(target, forward(name));
  spies.add(proxy);
  return proxy;
};
const prim = (name, value) => ({ [Symbol.toPrimitive](hint) { note(name + ' as ' + hint); return value; } });
const conv = (name, value, text) => ({ valueOf() { note(name + ' valueOf'); return value; }, toString() { note(name + ' toString'); return text; } });
const step = (name, value, done) => ({ get done() { note(name + ' done?'); return done; }, get value() { note(name + ' value?'); return value; } });
const iterator = (name, list, how, wrap) => {
  let i = 0;
  const it = {
    get next() { note(name + ' next?'); return function (v) {
      note(name + ' next ' + show(v) + arguments.length);
      if (how === 4 && i === 1) throw new Error(name + ' next');
      if (how === 5) return wrap(1);
      return wrap(step(name, list[i], i++ >= list.length));
    }; },
  };
  if (how !== 1) it.return = function (v) {
    note(name + ' return ' + show(v) + arguments.length);
    if (how === 2) throw new Error(name + ' return');
    if (how === 3) return wrap(1);
    return wrap(step(name, v, true));
  };
  if (how > 5) it.throw = function (e) { note(name + ' throw ' + show(e)); if (how === 6) throw e; return wrap(step(name, e, how === 8)); };
  return it;
};
const iter = (name, list, how = 0) => ({ get [Symbol.iterator]() { note(name + ' iterator?'); return () => iterator(name, list, how, (x) => x); } });
const aiter = (name, list, how = 0) => ({ get [Symbol.asyncIterator]() { note(name + ' asyncIterator?'); return () => iterator(name, list, how, (x) => how % 2 ? x : Promise.resolve(x)); } });
const later = async (value, turns = 1) => { for (let i = 0; i < turns; i++) await null; return value; };
const fails = async (value, turns = 1) => { for (let i = 0; i < turns; i++) await null; throw value; };
const then = (name, value, how = 0) => ({ get then() { note(name + ' then?'); return (ok, no) => { note(name + ' then'); if (how === 1) no(value); else if (how === 2) throw value; else ok(value); ok(0); }; } });
const tag = (strings, ...values) => {
  if (!templates.has(strings)) templates.set(strings, templates.size);
  note('tag ' + templates.get(strings) + show(strings.raw) + Object.isFrozen(strings));
  return strings.map((s, i) => s + (i < values.length ? show(values[i]) : '')).join('|');
};
const drive = (g, ...steps) => {
  for (const [how, value] of steps) try { log(g[how](value)); } catch (e) { log(e); }
  return g;
};
const adrive = async (g, ...steps) => {
  const all = [];
  for (const [how, value] of steps) all.push(g[how](value).then((r) => { note(how + ' gave ' + show(r)); }, (e) => { note(how + ' threw ' + show(e)); }));
  await Promise.all(all);
  return g;
};
class Base {
  static s = 1; #b = 2; f = 'f';
  constructor(...args) { note('Base ' + args.length + (new.target === Base)); this.n = args[0]; }
  m(x) { note('Base.m'); return x; }
  get g() { note('Base.g'); return this.f; }
  set g(v) { note('Base.g='); this.f = v; }
  static sm() { return this.s; }
  get b() { return this.#b; }
  *[Symbol.iterator]() { yield this.n; }
}
`;
