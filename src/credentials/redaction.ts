/**
 * Redaction: every secret the host was given is replaced wherever text leaves it: values, logs, diagnostics, archives.
 *
 * A secret is found as it is and as a server or a library may have written it again: percent-encoded (also in forms),
 * JSON-escaped, HTML-escaped, and base64 (both alphabets, at each of the three alignments, so also inside
 * `user:password`). Any mixture of these within one text is found, because each character of the secret is matched in
 * all its spellings.
 */
import type { Json } from "../json/json.js";

export const REDACTED = "[redacted]";

/**
 * A shorter secret is only replaced where it is a whole value: its letters occur in too many honest texts, and replacing
 * those would both destroy them and tell the secret by its absence.
 */
export const SHORTEST_SECRET = 4;

/** Shorter pieces of base64 would be found by chance. */
const SHORTEST_BASE64 = 8;

/** Longer secrets (keys, certificates) are recognised by their first characters and replaced up to here. */
const LONGEST_PATTERN = 4096;

/** Knows secrets, and takes them out of texts. */
export interface Redactor {
  /** From now on `secret` is replaced. Registering it again costs nothing. */
  add(secret: string): void;
  /** The text without secrets. */
  text(text: string): string;
  /** The value without secrets in its strings, keys and numbers. The same value when there is nothing to replace. */
  json(value: Json): Json;
  /** True when the text holds a secret. */
  finds(text: string): boolean;
}

export function makeRedactor(): Redactor {
  const secrets = new Set<string>();
  const whole = new Set<string>();
  let shortest = Number.POSITIVE_INFINITY;
  let pattern: RegExp | undefined;

  const add = (secret: string): void => {
    if (secret === "" || whole.has(secret)) return;
    whole.add(secret);
    if (secret.length < SHORTEST_SECRET) return;
    secrets.add(secret);
    shortest = Math.min(shortest, secret.length);
    pattern = undefined;
  };

  const compiled = (): RegExp => (pattern ??= new RegExp(patternOf(secrets), "g"));

  const text = (value: string): string => {
    if (whole.has(value)) return REDACTED;
    if (value.length < shortest) return value;
    return value.replace(compiled(), REDACTED);
  };

  const json = (value: Json): Json => {
    if (whole.size === 0) return value;
    switch (typeof value) {
      case "string":
        return text(value);
      case "number":
      case "bigint":
        return whole.has(String(value)) && String(value).length >= SHORTEST_SECRET ? REDACTED : value;
      case "object":
        if (value === null) return null;
        return Array.isArray(value) ? list(value) : object(value);
      default:
        return value;
    }
  };

  const list = (items: Json[]): Json[] => {
    let copy: Json[] | undefined;
    for (let i = 0; i < items.length; i++) {
      const item = json(items[i]!);
      if (item !== items[i]) (copy ??= items.slice())[i] = item;
    }
    return copy ?? items;
  };

  const object = (members: { [key: string]: Json }): { [key: string]: Json } => {
    let changed = false;
    const entries: [string, Json][] = [];
    for (const key of Object.keys(members)) {
      const name = key.length < shortest ? key : text(key);
      const member = json(members[key]!);
      changed ||= name !== key || member !== members[key];
      entries.push([name, member]);
    }
    return changed ? Object.fromEntries(entries) : members;
  };

  return { add, text, json, finds: (value) => value.length >= shortest && text(value) !== value };
}

function patternOf(secrets: ReadonlySet<string>): string {
  const alternatives = new Set<string>();
  for (const secret of secrets) {
    alternatives.add([...secret.slice(0, LONGEST_PATTERN)].map(spellings).join(""));
    for (const text of new Set([secret, encodeURIComponent(secret.toWellFormed())]))
      for (const piece of base64Pieces(text)) alternatives.add([...piece].map(base64Spellings).join(""));
  }
  // The longest first, so that a secret which contains another one goes as a whole.
  return alternatives.size === 0 ? "(?!)" : [...alternatives].sort((a, b) => b.length - a.length).join("|");
}

const HTML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#0?39;",
};
const JSON_SHORT: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f" };

/** One character of a secret, in every spelling. Letters and digits are written as they are by everyone. */
function spellings(character: string): string {
  if (/^[A-Za-z0-9_]$/.test(character)) return character;
  const forms = [literal(character), percent(character)];
  if (character === " ") forms.push("\\+");
  const html = HTML[character];
  if (html !== undefined) forms.push(html);
  // Once for each time that the text went into JSON.
  if ('"\\/'.includes(character)) forms.push(`\\\\{1,7}${literal(character)}`);
  const short = JSON_SHORT[character];
  if (short !== undefined) forms.push(`\\\\{1,7}${short}`);
  const units = [...Array(character.length).keys()].map((i) => character.charCodeAt(i).toString(16).padStart(4, "0"));
  forms.push(units.map((unit) => `\\\\{1,7}u${anyCase(unit)}`).join(""));
  return `(?:${forms.join("|")})`;
}

function percent(character: string): string {
  // "%" itself is percent-encoded where an encoded text is encoded again.
  return [...Buffer.from(character, "utf8")]
    .map((octet) => `%(?:25){0,3}${anyCase(octet.toString(16).padStart(2, "0"))}`)
    .join("");
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** The characters of base64 that depend on the secret alone, for each alignment in which it may stand. */
function base64Pieces(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8").subarray(0, LONGEST_PATTERN);
  return [0, 1, 2]
    .map((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
      const first = Math.ceil((before * 8) / 6);
      const last = Math.floor(((before + bytes.length) * 8) / 6);
      return text.slice(first, last);
    })
    .filter((piece) => piece.length >= SHORTEST_BASE64);
}

function base64Spellings(character: string): string {
  if (character === "+") return "(?:\\+|-|%2[bB])";
  if (character === "/") return "(?:\\/|_|\\\\\\/|%2[fF])";
  return character;
}
