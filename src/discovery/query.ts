/** What a query says: its words with weights, what it names, and whether it asks, makes, changes or removes. */
import { normalWord, splitWords, wordsOf } from "./words.js";

export type Intent = "read" | "create" | "update" | "delete";

export interface Query {
  /** Words in common form, each once, with what they count. */
  readonly terms: ReadonlyMap<string, number>;
  readonly intent: Intent | undefined;
  /** Whether it names a particular thing ("Titanic", `"main"`), which some tool must look up. */
  readonly namesThing: boolean;
}

const VERBS: Readonly<Record<Intent, string>> = {
  read:
    "list get show find search read fetch look lookup browse count check compare download view see retrieve display query " +
    "who what which when where how why is are does did was were has many much latest current currently my",
  create:
    "create add make new post open start submit send upload register generate trigger invite put give attach issue begin " +
    "launch schedule publish fork copy clone save store insert write charge pay buy order book subscribe follow star " +
    "request merge approve accept confirm dismiss reject decline react run rerun retry resend redeliver assign block link share " +
    "notify enroll grant import export convert turn",
  update: "update change edit modify rename set replace move transfer mark enable disable close reopen protect lock",
  delete:
    "delete remove drop cancel revoke destroy erase clear unset detach unfollow unstar unsubscribe uninstall purge",
};

const INTENTS = new Map<string, Intent>(
  (Object.entries(VERBS) as [Intent, string][]).flatMap(([intent, verbs]) =>
    verbs.split(" ").map((verb) => [verb, intent] as const),
  ),
);

/** Verbs that every API uses for the same thing: they say the intent, and little about which tool. */
const GENERIC: Readonly<Record<Intent, readonly string[]>> = {
  read: generic("list get show find read fetch look view see retrieve display browse"),
  create: generic("create add make new post put give"),
  update: generic("update change edit modify set replace"),
  delete: generic("delete remove drop destroy erase"),
};

const GENERIC_INTENT = new Map<string, Intent>(
  (Object.entries(GENERIC) as [Intent, string[]][]).flatMap(([intent, verbs]) => verbs.map((verb) => [verb, intent])),
);

const GENERIC_WEIGHT = 0.3;

/** How documents say "my". */
const OWN = generic("authenticated me");

function generic(words: string): string[] {
  return words.split(" ").map(normalWord);
}

/** Beginnings that hide the verb. */
const PREAMBLE = new Set("please can could would you i we want need to like let me us help for every each".split(" "));

/** "Give me", "show us", "tell me": the rest is what is asked for. */
function isGiveMe(words: readonly string[], at: number): boolean {
  const next = words[at + 1];
  return ["give", "show", "tell"].includes(words[at]!) && (next === "me" || next === "us");
}

/** @param known whether any tool speaks of a word. */
export function parseQuery(text: string, known: (word: string) => boolean): Query {
  const words = splitWords(text);
  let at = 0;
  while (at < words.length - 1 && (PREAMBLE.has(words[at]!) || isGiveMe(words, at))) at++;
  const asked = words.slice(0, at).some((_, index) => isGiveMe(words, index));
  const intent = INTENTS.get(words[at] ?? "") ?? (asked ? "read" : undefined);
  const terms = new Map<string, number>();
  const suggest = (candidates: readonly string[], weight: number): void => {
    for (const word of candidates) if (known(word) && !terms.has(word)) terms.set(word, weight);
  };
  for (const word of wordsOf(text)) terms.set(word, GENERIC_INTENT.has(word) ? GENERIC_WEIGHT : 1);
  const generic = GENERIC_INTENT.get(normalWord(words[at] ?? ""));
  if (generic && generic !== "read") suggest(GENERIC[generic], GENERIC_WEIGHT / 2);
  if (words.includes("my") || (words.includes("me") && !asked)) suggest(OWN, 0.5);
  const named = namedWords(text, known);
  for (const word of named) if (terms.has(word)) terms.set(word, 0.25 * terms.get(word)!);
  return { terms, intent, namesThing: named.size > 0 };
}

/** Runs of capitalised words, joined by little words, and quoted text. */
const NAME =
  /\p{Lu}[\p{L}\p{N}'’.-]*(?:(?:\s+(?:of|the|and|in|on|as|a|de|van|von|la|&|\d+))*\s+\p{Lu}[\p{L}\p{N}'’.-]*)*/gu;
const QUOTED = /["“«]([^"”»]+)["”»]/gu;

/** The words of the proper names in a query: capitalised within a sentence, and at least in part unknown to every tool. */
function namedWords(text: string, known: (word: string) => boolean): Set<string> {
  const words = new Set<string>();
  for (const [, quoted] of text.matchAll(QUOTED)) for (const word of wordsOf(quoted!)) words.add(word);
  const trimmed = text.trim();
  // Title Case or SHOUTING throughout says nothing.
  const tokens = trimmed.match(/\p{L}[\p{L}'’]*/gu) ?? [];
  if (tokens.length > 1 && tokens.every((token) => /^\p{Lu}/u.test(token))) return words;
  for (const match of trimmed.matchAll(NAME)) {
    // The first word of a sentence is capital anyway.
    const first = match.index === 0 || /[.!?]\s*$/.test(trimmed.slice(0, match.index));
    const name = first ? match[0].replace(/^\S+\s*/, "") : match[0];
    const own = wordsOf(name);
    if (!/\p{Lu}/u.test(name) || own.every(known) || /^\p{Lu}{2,4}$/u.test(name)) continue;
    for (const word of own) words.add(word);
  }
  return words;
}

/** How well an HTTP method fits an intent, 0 to 1. */
const FIT: Readonly<Record<Intent, Readonly<Record<string, number>>>> = {
  read: { GET: 1, HEAD: 0.8, QUERY: 1, OPTIONS: 0.7, POST: 0.75, PUT: 0.65, PATCH: 0.65, DELETE: 0.6 },
  create: { POST: 1, PUT: 0.95, PATCH: 0.8, GET: 0.7, DELETE: 0.6 },
  update: { PATCH: 1, PUT: 1, POST: 0.95, GET: 0.7, DELETE: 0.65 },
  delete: { DELETE: 1, POST: 0.85, PUT: 0.7, PATCH: 0.7, GET: 0.65 },
};

export function methodFit(intent: Intent | undefined, method: string | undefined): number {
  if (intent === undefined || method === undefined) return 1;
  return FIT[intent][method.toUpperCase()] ?? 0.8;
}

/** Something new is made in a collection; what is changed or removed is a member of one. */
export function memberFit(intent: Intent | undefined, isMember: boolean): number {
  if (intent === "create") return isMember ? 0.9 : 1;
  if (intent === "update" || intent === "delete") return isMember ? 1 : 0.95;
  return 1;
}
