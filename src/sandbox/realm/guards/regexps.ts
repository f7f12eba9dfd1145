/**
 * `RegExp.prototype[@@replace]`, `[@@match]` and `[@@split]` (ECMA-262 §22.2.6) over the native `exec`.
 *
 * The natives are fast only on an untouched `RegExp.prototype`; frozen, it makes them ten to twenty times slower. These are
 * about as fast as the untouched ones, look at the limits between matches, and charge what they build.
 */
import { currentOffset } from "../../../interpreter/index.js";
import type { Bridge } from "../bridge.js";
import { replaceMethod } from "../intrinsics/native-like.js";
import type { Limits } from "../limits.js";
import { type Guards, LARGE } from "./guard.js";
import { substitute } from "./substitution.js";

const { apply, construct, ownKeys, set: reflectSet } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const RegExpPrototype = RegExp.prototype;
const NativeRegExp = RegExp;
const exec = RegExpPrototype.exec;
const flag = (name: string) => getOwnPropertyDescriptor(RegExpPrototype, name)!.get!;
const readGlobal = flag("global");
const readUnicode = flag("unicode");
const readUnicodeSets = flag("unicodeSets");
const readSource = flag("source");
const readFlags = flag("flags");

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

/** Texts shorter than this are searched in no time, whatever the pattern. */
const SHORT = 16;

export function guardRegExps(guards: Guards, isProxy: (value: unknown) => boolean, bridge: Pick<Bridge, "at">): void {
  const { limits } = guards;

  /** A regular expression on which `exec`, the flags and the constructor are sure to be the built-in ones. */
  const pristine = (value: unknown): value is RegExp => {
    if (!isObject(value) || isProxy(value) || getPrototypeOf(value) !== RegExpPrototype) return false;
    const keys = ownKeys(value);
    // `lastIndex` is the one own property that every regular expression has.
    return keys.length === 1 && keys[0] === "lastIndex";
  };

  /** The native `exec`. It may backtrack for ever, so where it is called is noted for whoever ends it. */
  const search = (regexp: unknown, text: unknown): RegExpExecArray | null => {
    if (typeof text === "string" && text.length < SHORT) return apply(exec, regexp, [text]);
    bridge.at(currentOffset());
    try {
      return apply(exec, regexp, [text]);
    } finally {
      bridge.at(-1);
    }
  };
  replaceMethod(RegExpPrototype, "exec", () => {
    return {
      exec(this: unknown, text: unknown): unknown {
        return search(this, text);
      },
    }.exec;
  });

  /** RegExpExec, §22.2.7.1. */
  const execute = (regexp: any, text: string, fast: boolean): RegExpExecArray | null => {
    guards.tick();
    if (fast) return search(regexp, text);
    const own = regexp.exec;
    if (typeof own === "function") {
      const result = apply(own, regexp, [text]);
      if (result !== null && !isObject(result)) throw new TypeError("exec must return an object or null");
      return result as RegExpExecArray | null;
    }
    return search(regexp, text);
  };

  const setLastIndex = (regexp: object, index: number): void => {
    if (!reflectSet(regexp, "lastIndex", index, regexp)) {
      throw new TypeError("Cannot assign to read only property 'lastIndex' of object '[object RegExp]'");
    }
  };
  const toLength = (value: unknown): number => {
    const number = Math.trunc(+(value as number));
    return number > 0 ? Math.min(number, Number.MAX_SAFE_INTEGER) : 0;
  };
  /** AdvanceStringIndex, §22.2.7.3. */
  const advance = (text: string, index: number, unicode: boolean): number => {
    if (!unicode || index + 1 >= text.length) return index + 1;
    return index + (text.codePointAt(index)! > 0xffff ? 2 : 1);
  };
  const stepOver = (regexp: any, text: string, unicode: boolean): void =>
    setLastIndex(regexp, advance(text, toLength(regexp.lastIndex), unicode));

  interface Flags {
    readonly global: boolean;
    readonly unicode: boolean;
  }
  const flagsOf = (regexp: object, fast: boolean): Flags => {
    if (fast) {
      const read = (get: () => unknown): boolean => apply(get, regexp, []) as boolean;
      return { global: read(readGlobal), unicode: read(readUnicode) || read(readUnicodeSets) };
    }
    const flags = `${(regexp as RegExp).flags}`;
    return { global: flags.includes("g"), unicode: flags.includes("u") || flags.includes("v") };
  };
  const requireObject = (value: unknown, name: string): void => {
    if (!isObject(value)) throw new TypeError(`RegExp.prototype.${name} called on incompatible receiver`);
  };

  function match(this: any, input: unknown): unknown {
    requireObject(this, "@@match");
    const text = `${input}`;
    const fast = pristine(this);
    const { global, unicode } = flagsOf(this, fast);
    if (!global) return execute(this, text, fast);
    setLastIndex(this, 0);
    const found: string[] = [];
    for (;;) {
      const result = execute(this, text, fast);
      if (result === null) return found.length === 0 ? null : found;
      const matched = `${result[0]}`;
      found.push(matched);
      if (found.length % LARGE === 0) limits.chargeBytes(LARGE * 32, "String.prototype.match");
      if (matched === "") stepOver(this, text, unicode);
    }
  }

  function replace(this: any, input: unknown, value: unknown): string {
    requireObject(this, "@@replace");
    const text = `${input}`;
    const fast = pristine(this);
    const replacer = typeof value === "function" ? (value as Replacer) : undefined;
    const template = replacer === undefined ? `${value}` : "";
    return fast ? replacePristine(this, text, template, replacer) : replaceAny(this, text, template, replacer);
  }

  /** Where only the replacer can run code of the program. It must not see its own changes to `lastIndex` take effect. */
  function replacePristine(regexp: RegExp, text: string, template: string, replacer: Replacer | undefined): string {
    const { global, unicode } = flagsOf(regexp, true);
    const output = new Output(text, limits);
    if (global) setLastIndex(regexp, 0);
    const results: RegExpExecArray[] = [];
    for (;;) {
      const result = execute(regexp, text, true);
      if (result === null) break;
      if (replacer === undefined) output.add(result.index, result[0], substituted(result, text, template));
      else results.push(result);
      if (!global) break;
      if (result[0] === "") stepOver(regexp, text, unicode);
    }
    for (let i = 0; i < results.length; i++) {
      const result = results[i]!;
      output.add(result.index, result[0], `${called(replacer!, result, text)}`);
    }
    return output.end();
  }

  const substituted = (result: RegExpExecArray, text: string, template: string): string => {
    const captures: (string | undefined)[] = [];
    for (let i = 1; i < result.length; i++) captures.push(result[i]);
    return substitute(
      template,
      { matched: result[0], text, position: result.index, captures, groups: result.groups },
      limits,
    );
  };

  const called = (replacer: Replacer, result: RegExpExecArray, text: string): unknown => {
    if (result.length === 1) return replacer(result[0], result.index, text);
    const parameters: unknown[] = [];
    for (let i = 0; i < result.length; i++) parameters.push(result[i]);
    parameters.push(result.index, text);
    if (result.groups !== undefined) parameters.push(result.groups);
    return apply(replacer, undefined, parameters);
  };

  /** §22.2.6.11 step by step: results of another `exec` may be anything. */
  function replaceAny(regexp: any, text: string, template: string, replacer: Replacer | undefined): string {
    const { global, unicode } = flagsOf(regexp, false);
    if (global) setLastIndex(regexp, 0);
    const results: any[] = [];
    for (;;) {
      const result = execute(regexp, text, false);
      if (result === null) break;
      results.push(result);
      if (!global) break;
      if (`${result[0]}` === "") stepOver(regexp, text, unicode);
    }
    const output = new Output(text, limits);
    for (const result of results) {
      const count = toLength(result.length);
      const matched = `${result[0]}`;
      const position = Math.max(0, Math.min(text.length, Math.trunc(+result.index) || 0));
      const captures: (string | undefined)[] = [];
      for (let i = 1; i < count; i++) captures.push(result[i] === undefined ? undefined : `${result[i]}`);
      let { groups } = result;
      if (replacer === undefined) {
        if (groups !== undefined) groups = Object(groups);
        output.add(position, matched, substitute(template, { matched, text, position, captures, groups }, limits));
      } else {
        const parameters: unknown[] = [matched, ...captures, position, text];
        if (groups !== undefined) parameters.push(groups);
        output.add(position, matched, `${apply(replacer, undefined, parameters)}`);
      }
    }
    return output.end();
  }

  /** Splitters of regular expressions seen before: global, so that `exec` searches; never given to a program. */
  const searchers = new WeakMap<object, RegExp>();
  const searcher = (regexp: RegExp): RegExp => {
    let made = searchers.get(regexp);
    if (made === undefined) {
      const flags = `${apply(readFlags, regexp, [])}`.replace("y", "").replace("g", "");
      made = new NativeRegExp(apply(readSource, regexp, []) as string, `${flags}g`);
      searchers.set(regexp, made);
    }
    return made;
  };

  function split(this: any, input: unknown, limit: unknown): string[] {
    requireObject(this, "@@split");
    const text = `${input}`;
    if (!pristine(this)) return splitAnchored(this, text, limit);
    const most = limit === undefined ? 2 ** 32 - 1 : (limit as number) >>> 0;
    if (most === 0) return [];
    const search = searcher(this);
    const { unicode } = flagsOf(this, true);
    search.lastIndex = 0;
    const parts: string[] = [];
    if (text === "") return execute(search, text, true) === null ? [text] : parts;
    let start = 0;
    for (;;) {
      const result = execute(search, text, true);
      if (result === null) break;
      const end = result.index + result[0].length;
      if (result[0] === "") {
        if (result.index >= text.length) break;
        search.lastIndex = advance(text, search.lastIndex, unicode);
        if (result.index === start) continue;
      } else if (result.index >= text.length) break;
      parts.push(text.slice(start, result.index));
      if (parts.length === most) return parts;
      if (parts.length % LARGE === 0) limits.chargeBytes(LARGE * 32, "String.prototype.split");
      start = end;
      for (let i = 1; i < result.length; i++) {
        parts.push(result[i]!);
        if (parts.length === most) return parts;
      }
    }
    parts.push(text.slice(start));
    return parts;
  }

  /** §22.2.6.14 step by step: a subclass or a changed object may observe each of them. */
  function splitAnchored(regexp: any, text: string, limit: unknown): string[] {
    const Species = speciesOf(regexp);
    const flags = `${regexp.flags}`;
    const unicode = flags.includes("u") || flags.includes("v");
    const splitter = construct(Species, [regexp, flags.includes("y") ? flags : `${flags}y`]) as any;
    const most = limit === undefined ? 2 ** 32 - 1 : (limit as number) >>> 0;
    const parts: string[] = [];
    if (most === 0) return parts;
    if (text === "") return execute(splitter, text, false) === null ? [text] : parts;
    let start = 0;
    for (let at = 0; at < text.length; ) {
      setLastIndex(splitter, at);
      const result = execute(splitter, text, false);
      const end = result === null ? start : Math.min(toLength(splitter.lastIndex), text.length);
      if (result === null || end === start) {
        at = advance(text, at, unicode);
        continue;
      }
      parts.push(text.slice(start, at));
      if (parts.length === most) return parts;
      start = end;
      const count = Math.max(0, toLength(result.length) - 1);
      for (let i = 1; i <= count; i++) {
        parts.push(result[i]!);
        if (parts.length === most) return parts;
      }
      at = start;
    }
    parts.push(text.slice(start));
    return parts;
  }

  replaceMethod(RegExpPrototype, Symbol.match, () => asMethod(match));
  replaceMethod(RegExpPrototype, Symbol.replace, () => asMethod(replace));
  replaceMethod(RegExpPrototype, Symbol.split, () => asMethod(split));
}

type Replacer = (...parameters: unknown[]) => unknown;

/** The text that replacement builds, charged as it grows. */
class Output {
  readonly #text: string;
  readonly #limits: Limits;
  #out = "";
  #next = 0;
  #charged = 0;

  constructor(text: string, limits: Limits) {
    this.#text = text;
    this.#limits = limits;
  }

  add(position: number, matched: string, replacement: string): void {
    if (position < this.#next) return;
    this.#out += this.#text.slice(this.#next, position) + replacement;
    this.#next = position + matched.length;
    if (this.#out.length - this.#charged >= LARGE) {
      this.#limits.chargeBytes(this.#out.length, "String.prototype.replace");
      this.#charged = this.#out.length;
    }
  }

  end(): string {
    return this.#next >= this.#text.length ? this.#out : this.#out + this.#text.slice(this.#next);
  }
}

/** SpeciesConstructor(regexp, %RegExp%), §7.3.22. */
function speciesOf(regexp: any): new (...parameters: any[]) => object {
  const maker = regexp.constructor;
  if (maker === undefined) return RegExp;
  if (!isObject(maker)) throw new TypeError("The .constructor property is not an object");
  const species = (maker as any)[Symbol.species];
  return species === undefined || species === null ? RegExp : species;
}

function asMethod(run: (this: any, ...parameters: any[]) => unknown): (...parameters: any[]) => unknown {
  return {
    method(this: unknown) {
      return apply(run, this, arguments);
    },
  }.method;
}
