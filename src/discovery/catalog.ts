/** The tools of a tree as discovery sees them: ordered, named, described; everything dear is computed on first use. */
import type { Tool, ToolTree } from "../codemode/tool.js";
import { flattenTools, toolExpression } from "../codemode/tree.js";
import { signatureOf } from "./signature.js";

/** A tool with what a reader needs to call it. */
export interface CatalogEntry {
  /** The JavaScript expression to paste, e.g. `tools.pets.list` or `tools["odd name"].get`. */
  readonly path: string;
  /** The dotted name. */
  readonly name: string;
  readonly segments: readonly string[];
  readonly tool: Tool<unknown>;
  /** One line of plain text; empty when nothing is known. */
  readonly description: string;
  /** The one-line TypeScript signature. */
  readonly signature: string;
}

export interface Catalog {
  /** In the order of the tree. */
  readonly entries: readonly CatalogEntry[];
  /** The entry of a dotted name. */
  get(name: string): CatalogEntry | undefined;
}

class Entry implements CatalogEntry {
  #description: string | undefined;
  #signature: string | undefined;

  constructor(
    readonly segments: readonly string[],
    readonly name: string,
    readonly tool: Tool<unknown>,
  ) {}

  get path(): string {
    return toolExpression(this.segments);
  }

  get description(): string {
    this.#description ??= describe(this.tool);
    return this.#description;
  }

  get signature(): string {
    this.#signature ??= signatureOf(this.tool, this.path);
    return this.#signature;
  }
}

/** The catalog of a tool tree: a dotted key is a path, the last definition of a path wins. */
export function createCatalog<R>(tree: ToolTree<R>): Catalog {
  const entries = new Map<string, CatalogEntry>();
  for (const { segments, name, tool } of flattenTools(tree).values()) {
    entries.set(name, new Entry(segments, name, tool as Tool<unknown>));
  }
  return { entries: [...entries.values()], get: (name) => entries.get(name) };
}

const LONGEST_DESCRIPTION = 160;
/** How much of a text is read for its first sentence. */
const LONGEST_TEXT = 2000;

/** A tool in one line: its summary, else the first sentence of its description, as plain text. */
function describe(tool: Tool<unknown>): string {
  const { summary, deprecated } = tool.facts;
  const text = plainText((summary || tool.description).slice(0, LONGEST_TEXT));
  const sentence = summary ? text : (/^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text);
  const line = shorten(sentence.replace(/(?<!\.)\.$/, ""), LONGEST_DESCRIPTION);
  return deprecated ? `(deprecated) ${line}`.trimEnd() : line;
}

/** Markdown and HTML as plain text on one line: links keep their text, marks and tags go. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<\/?[a-zA-Z][^<>]*>/g, " ")
    .replace(/^\s*(#{1,6}|>|[-*+])\s+/gm, "")
    .replace(/(\*\*|__|`)/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** At most `length` UTF-16 code units, cut between words, with an ellipsis where something is missing. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.\uD800-\uDBFF]+$/, "")}…`;
}
