/** Words of names, prose and questions, brought to a common form: split, lower case, without marks, stemmed. */
import { stemmer } from "stemmer";

/** Words that say nothing about which tool is meant. */
const STOP_WORDS = new Set(
  (
    "a about after all also am an and any are as at be been before being both but by can could did do does doing for from " +
    "had has have having he her here hers him his how i if in into is it its just let like may me more most my no not of off on " +
    "once one only or our out over please same she should so some such tell than that the their them then there these they " +
    "this those through to too under up us very want was we were what when where which while who whom why will with would " +
    "you your yours need give via per using use used"
  ).split(" "),
);

/** Short forms that names use for long words, in both directions. */
const ABBREVIATIONS: readonly (readonly [short: string, long: string])[] = [
  ["repo", "repository"],
  ["org", "organization"],
  ["pr", "pull"],
  ["env", "environment"],
  ["config", "configuration"],
  ["auth", "authentication"],
  ["app", "application"],
  ["doc", "document"],
  ["db", "database"],
  ["img", "image"],
  ["msg", "message"],
  ["info", "information"],
  ["dir", "directory"],
  ["vm", "machine"],
  ["perm", "permission"],
  ["stat", "statistic"],
  ["ref", "reference"],
  ["dept", "department"],
  ["acct", "account"],
  ["txn", "transaction"],
  ["qty", "quantity"],
  ["num", "number"],
  ["desc", "description"],
  ["addr", "address"],
  ["lang", "language"],
  ["temp", "temperature"],
];

const NORMAL = new Map<string, string>(ABBREVIATIONS.map(([short, long]) => [short, stemmer(long)]));
const BRITISH: readonly (readonly [RegExp, string])[] = [
  [/isation(s?)$/, "ization$1"],
  [/ise(d|s|r|rs)?$/, "ize$1"],
  [/colour/, "color"],
];

/** Irregular plurals that stemming leaves apart from their singular. */
const SINGULAR = new Map([
  ["people", "person"],
  ["children", "child"],
  ["men", "man"],
  ["women", "woman"],
  ["indices", "index"],
  ["vertices", "vertex"],
  ["matrices", "matrix"],
  ["criteria", "criterion"],
  ["media", "medium"],
  ["analyses", "analysis"],
]);

const cache = new Map<string, string>();

/** One lower-case word in its common form. */
export function normalWord(word: string): string {
  let form = cache.get(word);
  if (form === undefined) {
    form = SINGULAR.get(word) ?? word;
    if (/^[a-z]{4,}$/.test(form)) for (const [from, to] of BRITISH) form = form.replace(from, to);
    // Stemming knows English only; it leaves other scripts and codes (`sha256`) as they are.
    if (/^[a-z']+$/.test(form)) form = NORMAL.get(form) ?? NORMAL.get(form.replace(/s$/, "")) ?? stemmer(form);
    if (cache.size > 100_000) cache.clear();
    cache.set(word, form);
  }
  return form;
}

/** Letters and digits apart from the rest; `camelCase`, `HTTPServer` and `snake_case` in parts; marks removed. */
export function splitWords(text: string): string[] {
  // Most text is ASCII: there are no marks in it, and no words without spaces between.
  const plain = /^[\x00-\x7F]*$/.test(text);
  const bare = plain ? text : text.normalize("NFKD").replace(/\p{M}+/gu, "");
  const parts = bare
    .replace(plain ? /([a-z0-9])([A-Z])/g : /([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(plain ? /([A-Z])([A-Z][a-z])/g : /(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/['’]s\b/g, "")
    .toLowerCase()
    .match(plain ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu);
  if (!parts) return [];
  return plain ? parts : parts.flatMap(segmented);
}

let segmenter: Intl.Segmenter | undefined;

/** Scripts without spaces are cut by the platform's dictionary. */
function segmented(word: string): string[] {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)) return [word];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return Array.from(segmenter.segment(word), (part) => part.segment);
}

const texts = new Map<string, readonly string[]>();

/** The words of a text in common form, stop words left out. */
export function wordsOf(text: string): readonly string[] {
  // Names of parameters and properties come again and again.
  if (text.length > 40) return commonWords(text);
  let words = texts.get(text);
  if (words === undefined) {
    words = commonWords(text);
    if (texts.size > 50_000) texts.clear();
    texts.set(text, words);
  }
  return words;
}

function commonWords(text: string): string[] {
  const words: string[] = [];
  for (const word of splitWords(text)) if (!STOP_WORDS.has(word)) words.push(normalWord(word));
  return words;
}
