/**
 * Regular expression modifiers, `(?ims-ims:…)` (ECMA-262 §22.2.1), for engines that lack them: the pattern is rewritten to
 * one without modifiers that matches the same. What cannot be rewritten stays the engine's SyntaxError.
 */

interface Mode {
  i: boolean;
  m: boolean;
  s: boolean;
}

const NEWLINES = "\\n\\r\\u2028\\u2029";
const MODIFIERS = /^\(\?([ims]*)(?:-([ims]*))?:/;
/** Ranges wider than this are taken to hold both cases of their letters. */
const WIDEST = 0x400;

/** The pattern without modifiers, and the flags to compile it with; `undefined` when it has none, or cannot be rewritten. */
export function rewriteModifiers(pattern: string, flags: string): { pattern: string; flags: string } | undefined {
  if (!/\(\?[ims-]+:/.test(pattern)) return undefined;
  const base: Mode = { i: flags.includes("i"), m: flags.includes("m"), s: flags.includes("s") };
  const rewritten = new Rewriter(pattern, /[uv]/.test(flags), flags.includes("v"), base).run();
  return rewritten === undefined ? undefined : { pattern: rewritten, flags: flags.replace(/[ims]/g, "") };
}

class Rewriter {
  readonly #pattern: string;
  readonly #unicode: boolean;
  readonly #sets: boolean;
  readonly #modes: Mode[];
  #at = 0;
  #out = "";

  constructor(pattern: string, unicode: boolean, sets: boolean, base: Mode) {
    this.#pattern = pattern;
    this.#unicode = unicode;
    this.#sets = sets;
    this.#modes = [base];
  }

  get #mode(): Mode {
    return this.#modes[this.#modes.length - 1]!;
  }

  run(): string | undefined {
    while (this.#at < this.#pattern.length) {
      const character = this.#pattern[this.#at]!;
      if (character === "(") {
        if (!this.#group()) return undefined;
      } else if (character === ")") {
        if (this.#modes.length === 1) return undefined;
        this.#modes.pop();
        this.#copy(1);
      } else if (character === "[") {
        if (!this.#class()) return undefined;
      } else if (character === "^" || character === "$") {
        this.#at++;
        // With the flags gone, both are those of the whole text; a look-around says so for every line.
        const look = character === "^" ? "(?<!" : "(?!";
        this.#out += this.#mode.m ? `${look}[^${NEWLINES}])` : character;
      } else if (character === ".") {
        this.#at++;
        this.#out += this.#mode.s ? "[^]" : ".";
      } else if (character === "\\") {
        if (!this.#escape()) return undefined;
      } else {
        this.#literal(this.#take());
      }
    }
    return this.#modes.length === 1 ? this.#out : undefined;
  }

  #copy(length: number): void {
    this.#out += this.#pattern.slice(this.#at, this.#at + length);
    this.#at += length;
  }

  /** The next character; a code point where the pattern is one of code points. */
  #take(): string {
    const point = this.#pattern.codePointAt(this.#at)!;
    const character = this.#unicode ? String.fromCodePoint(point) : this.#pattern[this.#at]!;
    this.#at += character.length;
    return character;
  }

  #group(): boolean {
    const rest = this.#pattern.slice(this.#at, this.#at + 16);
    const found = MODIFIERS.exec(rest);
    const name = /^\(\?<[^=!>][^>]*>/.exec(this.#pattern.slice(this.#at));
    if (found === null || rest.startsWith("(?:")) {
      this.#modes.push(this.#mode);
      this.#copy(name !== null ? name[0].length : (/^\((?:\?(?:[:=!]|<[=!]))?/.exec(rest)?.[0].length ?? 1));
      return true;
    }
    const [text, on = "", off] = found;
    if (on === "" && (off === undefined || off === "")) return false;
    const all = on + (off ?? "");
    if (new Set(all).size !== all.length) return false;
    const mode = { ...this.#mode };
    for (const flag of on) mode[flag as keyof Mode] = true;
    for (const flag of off ?? "") mode[flag as keyof Mode] = false;
    this.#modes.push(mode);
    this.#at += text.length;
    this.#out += "(?:";
    return true;
  }

  #literal(character: string): void {
    const variants = this.#mode.i ? variantsOf(character) : [character];
    this.#out += variants.length === 1 ? character : `[${variants.join("")}]`;
  }

  #escape(): boolean {
    const code = this.#codeEscape();
    if (code !== undefined) {
      if (this.#mode.i && variantsOf(code.character).length > 1) this.#literal(code.character);
      else this.#out += code.text;
      return true;
    }
    const next = this.#pattern[this.#at + 1] ?? "";
    // Case-insensitive references and properties of case have no equivalent.
    if (this.#mode.i && /[1-9kpP]/.test(next)) return false;
    if (next === "k" || next === "p" || next === "P") {
      const whole = /^\\[kpP](?:<[^>]*>|\{[^}]*\})?/.exec(this.#pattern.slice(this.#at))![0];
      this.#copy(whole.length);
    } else if (next === "c") {
      this.#copy(3);
    } else {
      this.#copy(2);
    }
    return true;
  }

  /** `\x41`, `\u0041`, `\u{41}`: taken, with the character it stands for. */
  #codeEscape(): { text: string; character: string } | undefined {
    const rest = this.#pattern.slice(this.#at, this.#at + 12);
    const found =
      /^\\x([\da-fA-F]{2})/.exec(rest) ??
      /^\\u([\da-fA-F]{4})/.exec(rest) ??
      (this.#unicode ? /^\\u\{([\da-fA-F]{1,6})\}/.exec(rest) : null);
    if (found === null) return undefined;
    const point = Number.parseInt(found[1]!, 16);
    if (point > 0x10ffff) return undefined;
    this.#at += found[0].length;
    return { text: found[0], character: String.fromCodePoint(point) };
  }

  #class(): boolean {
    const start = this.#at;
    const end = this.#classEnd();
    if (end < 0) return false;
    if (!this.#mode.i) {
      this.#copy(end - start);
      return true;
    }
    // Set operations and nested classes are not taken apart.
    if (this.#sets && /[[&\-\\]/.test(this.#pattern.slice(start + 1, end - 1))) return false;
    this.#at = start + 1;
    let extra = "";
    while (this.#at < end - 1) {
      const low = this.#classAtom();
      if (low === undefined) continue;
      let high = low;
      if (this.#pattern[this.#at] === "-" && this.#at + 1 < end - 1) {
        this.#at++;
        high = this.#classAtom() ?? low;
      }
      extra += otherCases(low, high);
    }
    this.#at = end;
    this.#out += `${this.#pattern.slice(start, end - 1)}${extra}]`;
    return true;
  }

  /** One character of a class; `undefined` for an escape that stands for many. */
  #classAtom(): number | undefined {
    if (this.#pattern[this.#at] !== "\\") return this.#take().codePointAt(0);
    const code = this.#codeEscape();
    if (code !== undefined) return code.character.codePointAt(0);
    const next = this.#pattern[this.#at + 1] ?? "";
    this.#at += /[pP]/.test(next) ? /^\\[pP](?:\{[^}]*\})?/.exec(this.#pattern.slice(this.#at))![0].length : 2;
    return /[dDwWsSpPbBc]/.test(next) ? undefined : next.codePointAt(0);
  }

  /** The index after the class that begins here; -1 when it has no end. */
  #classEnd(): number {
    let depth = 0;
    for (let at = this.#at; at < this.#pattern.length; at++) {
      const character = this.#pattern[at];
      if (character === "\\") at++;
      else if (character === "[" && (this.#sets || depth === 0)) depth++;
      else if (character === "]" && --depth === 0) return at + 1;
    }
    return -1;
  }
}

/** The character and its other case, where that is one character. */
function variantsOf(character: string): string[] {
  const same = (text: string): boolean => [...text].length === 1;
  const variants = new Set([character]);
  for (const other of [character.toLowerCase(), character.toUpperCase()]) if (same(other)) variants.add(other);
  return [...variants];
}

/** What a class needs beside the range to hold both cases of its letters. */
function otherCases(low: number, high: number): string {
  if (high - low > WIDEST) return "";
  let extra = "";
  for (let point = low; point <= high; point++) {
    for (const other of variantsOf(String.fromCodePoint(point))) {
      const code = other.codePointAt(0)!;
      if (code < low || code > high) extra += other;
    }
  }
  return extra;
}

const { construct } = Reflect;

/** Replaces the global `RegExp` where the engine knows no modifiers. Evaluated before anything captures it. */
export function supportModifiers(): void {
  const Native = RegExp;
  try {
    new Native("(?i:a)");
    return;
  } catch {
    // Rewritten below.
  }
  /** Pattern and flags of rewritten expressions, as they were given. */
  const originals = new WeakMap<object, { source: string; flags: string }>();

  const make = (parameters: unknown[], newTarget: unknown): object => {
    const create = (...given: unknown[]): object =>
      newTarget === wrapper ? new (Native as any)(...given) : construct(Native, given, newTarget as never);
    try {
      return create(...parameters);
    } catch (error) {
      const [pattern, flags = ""] = parameters;
      if (typeof pattern !== "string" || typeof flags !== "string") throw error;
      const rewritten = rewriteModifiers(pattern, flags);
      if (rewritten === undefined) throw error;
      const made = create(rewritten.pattern, rewritten.flags);
      originals.set(made, { source: pattern.replaceAll("\n", "\\n"), flags });
      return made;
    }
  };
  /** A copy of a rewritten expression is made from what it was given. */
  const unfold = ([pattern, flags]: unknown[]): unknown[] => {
    const original = originals.get(pattern as object);
    if (original === undefined) return flags === undefined ? [pattern] : [pattern, flags];
    return [original.source, flags ?? original.flags];
  };
  const wrapper: RegExpConstructor = new Proxy(Native, {
    construct: (_native, parameters, newTarget) => make(unfold(parameters), newTarget),
    apply: (_native, _receiver, parameters) => {
      const [pattern, flags] = parameters;
      if (flags === undefined && pattern instanceof Native && pattern.constructor === wrapper) return pattern;
      return make(unfold(parameters), wrapper);
    },
  });
  const define = (name: string, read: (original: { source: string; flags: string }) => unknown): void => {
    const property = Object.getOwnPropertyDescriptor(Native.prototype, name)!;
    const native = property.get!;
    const holder = {
      get [name](): unknown {
        const original = originals.get(this as object);
        return original === undefined ? Reflect.apply(native, this, []) : read(original);
      },
    };
    Object.defineProperty(Native.prototype, name, {
      ...property,
      get: Object.getOwnPropertyDescriptor(holder, name)!.get!,
    });
  };
  define("source", ({ source }) => source);
  for (const [name, flag] of [
    ["ignoreCase", "i"],
    ["multiline", "m"],
    ["dotAll", "s"],
  ] as const) {
    define(name, ({ flags }) => flags.includes(flag));
  }
  Object.defineProperty(Native.prototype, "constructor", { value: wrapper });
  globalThis.RegExp = wrapper;
}
