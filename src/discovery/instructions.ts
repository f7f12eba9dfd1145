/** The text that teaches a language model to write programs: each line has to earn its tokens. */
import type { Catalog } from "./catalog.js";
import { type Outline, outline } from "./outline.js";
import { estimateTokens } from "./tokens.js";

/** What the text for a model is made for. */
export interface InstructionsOptions {
  /** About how many tokens the whole text may take; namespaces are named even beyond it. Default 2400. */
  readonly maxTokens?: number;
  /** Limits in force, told so that a program can be written for them. */
  readonly limits?: {
    readonly timeoutMs?: number | undefined;
    readonly maxToolCalls?: number | undefined;
    readonly maxOutputBytes?: number | undefined;
  };
}

const RULES = `Write one JavaScript or TypeScript program. It runs in a sandbox, calls tools, and what it returns comes back to you.

- \`await tools.a.b(input)\` calls a tool: one object, the decoded success body back. \`await Promise.all([...])\` runs calls side by side.
- End with \`return value\` (JSON). Filter, join and count in the program; return only what is needed. \`console.log\` lines come back too.
- Names are exact. \`search("what you need", { namespace?, limit?, offset? })\`, inside the program and without await, gives
  \`{ items: [{ path, signature, description }], total, next }\`. A query that is a tool's exact name adds the \`types\` its signature names.
  Where you have not seen a signature, return a search first.
- A failed call throws a \`ToolError\` with \`message\`, \`kind\`, \`tool\` and, for an HTTP error, \`status\`, \`headers\`, \`body\`.
  \`await response(tools.a.b, input)\` gives \`{ status, headers, data }\` for every status instead.
- \`for await (const page of pages(tools.a.list, input))\` follows next links of a listing.
- An \`AsyncIterable\` result is read with \`for await\`. A file is a handle \`{ file, mediaType, bytes }\`: pass it on as it is, its bytes stay outside.
- \`input\` is data from the host; \`sleep(ms)\` waits. The standard library, URL, TextEncoder and structuredClone are there; imports, network, files, timers and eval are not.`;

/**
 * The model-facing text: how programs are written, and the catalog within a budget. It says plainly whether the catalog is
 * complete; a namespace is never left out.
 */
export function instructions(catalog: Catalog, options: InstructionsOptions = {}): string {
  const { maxTokens = 2400, limits } = options;
  const rules = [RULES, limitsLine(limits)].filter((part) => part !== "").join("\n");
  const tools = outline(catalog, maxTokens - estimateTokens(rules) - 40);
  return `${rules}\n\n${heading(catalog, tools)}\n${tools.text}\n`;
}

function heading(catalog: Catalog, { complete, collapsed }: Outline): string {
  const count = catalog.entries.length;
  if (count === 0) return "There are no tools.";
  const all = count === 1 ? "The one tool" : `All ${count} tools`;
  if (complete === "signatures") return `${all}, with signatures:`;
  if (complete === "names") return `${all} by name; \`search\` gives the signatures that are not here:`;
  const namespaces = collapsed ? "the top namespaces with their counts" : "every namespace with its count";
  return `${count} tools: ${namespaces}, some names. \`search\` finds the rest and gives signatures:`;
}

function limitsLine(limits: InstructionsOptions["limits"]): string {
  const parts: string[] = [];
  if (limits?.timeoutMs !== undefined) parts.push(`${limits.timeoutMs / 1000} s`);
  if (limits?.maxToolCalls !== undefined) parts.push(`${limits.maxToolCalls} tool calls (a search is one)`);
  if (limits?.maxOutputBytes !== undefined) parts.push(`${Math.round(limits.maxOutputBytes / 1000)} kB of result`);
  return parts.length === 0 ? "" : `- Limits: ${parts.join(", ")}.`;
}
