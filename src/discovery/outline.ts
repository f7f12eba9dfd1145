/** A catalog within a number of tokens: every namespace with its count, as many names as fit, then signatures. */
import { toolExpression } from "../codemode/tree.js";
import type { Catalog, CatalogEntry } from "./catalog.js";
import { estimateTokens } from "./tokens.js";

interface Group {
  /** The expression of the namespace, e.g. `tools.repos`. */
  readonly expression: string;
  readonly count: number;
  /** The most useful first. */
  readonly entries: readonly CatalogEntry[];
  shown: number;
  signatures: number;
}

export interface Outline {
  readonly text: string;
  /** Whether every tool is named, and whether every tool's signature is given. */
  readonly complete: "signatures" | "names" | false;
  /** Whether deep namespaces are counted in the ones above them. */
  readonly collapsed: boolean;
}

/** What a group's own line and each further name cost beside their letters. */
const GROUP_OVERHEAD = 5;
const NAME_OVERHEAD = 1;

/**
 * The outline of a catalog. Every top namespace is named with its count, whatever the budget, and deeper ones as far as
 * they leave room; then names go round the namespaces until the budget is spent; what is left when all are named buys
 * signatures, again round the namespaces.
 *
 * @param budget tokens, as `estimateTokens` counts them.
 */
export function outline(catalog: Catalog, budget: number): Outline {
  const { groups, collapsed } = groupsWithin(catalog, 0.6 * budget);
  const total = catalog.entries.length;
  const left = goRound(groups, budget - headings(groups), "shown", (_, leaf) => estimateTokens(leaf) + NAME_OVERHEAD);
  const named = groups.every((group) => group.shown === group.count);
  if (named) goRound(groups, left, "signatures", (entry, leaf) => estimateTokens(line(entry)) - estimateTokens(leaf));
  const signed = named && groups.every((group) => group.signatures === group.count);
  const text = groups.map(render).join("\n");
  return { text, complete: total === 0 || signed ? "signatures" : named ? "names" : false, collapsed };
}

const headings = (groups: readonly Group[]): number =>
  groups.reduce((sum, group) => sum + estimateTokens(group.expression) + GROUP_OVERHEAD, 0);

/** Groups by whole namespaces, or by their first segments where whole ones would take too much. */
function groupsWithin(catalog: Catalog, budget: number): { groups: Group[]; collapsed: boolean } {
  const deepest = catalog.entries.reduce((most, entry) => Math.max(most, entry.segments.length - 1), 0);
  for (let depth = deepest; ; depth--) {
    const groups = groupsOf(catalog, depth);
    if (depth <= 1 || headings(groups) <= budget) return { groups, collapsed: depth < deepest };
  }
}

/** Advances one entry per group and round while the budget lasts. */
function goRound(
  groups: readonly Group[],
  budget: number,
  counter: "shown" | "signatures",
  cost: (entry: CatalogEntry, leaf: string) => number,
): number {
  let waiting = groups.filter((group) => group[counter] < group.count);
  while (waiting.length > 0) {
    const next: Group[] = [];
    for (const group of waiting) {
      const entry = group.entries[group[counter]]!;
      const price = cost(entry, leafOf(entry, group));
      if (price > budget) continue;
      budget -= price;
      group[counter]++;
      if (group[counter] < group.count) next.push(group);
    }
    waiting = next;
  }
  return budget;
}

function groupsOf(catalog: Catalog, depth: number): Group[] {
  const byNamespace = new Map<string, CatalogEntry[]>();
  for (const entry of catalog.entries) {
    const expression = toolExpression(entry.segments.slice(0, Math.min(depth, entry.segments.length - 1)));
    const group = byNamespace.get(expression);
    if (group) group.push(entry);
    else byNamespace.set(expression, [entry]);
  }
  return Array.from(byNamespace, ([expression, entries]) => ({
    expression,
    count: entries.length,
    entries: mostUsefulFirst(entries),
    shown: 0,
    signatures: 0,
  }));
}

/** What follows a group's expression, without a leading dot: `list`, `messages.list`, `["odd name"]`. */
function leafOf(entry: CatalogEntry, group: Group): string {
  return entry.path.slice(group.expression.length).replace(/^\./, "");
}

/** Short paths are the heart of an API; in turn from each area, so that no area hides the others. */
function mostUsefulFirst(entries: readonly CatalogEntry[]): CatalogEntry[] {
  const areas = new Map<string, CatalogEntry[]>();
  for (const entry of entries) {
    const { tags, pathTemplate } = entry.tool.facts;
    const area =
      tags?.[0] ?? pathTemplate?.split("/").find((segment) => segment !== "" && !segment.includes("{")) ?? "";
    const list = areas.get(area);
    if (list) list.push(entry);
    else areas.set(area, [entry]);
  }
  const lists = [...areas.values()].map((list) => [...list].sort((a, b) => weight(a) - weight(b)));
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

function weight(entry: CatalogEntry): number {
  const { deprecated, pathTemplate, method } = entry.tool.facts;
  const depth = pathTemplate?.split("/").length ?? 0;
  return (deprecated ? 1000 : 0) + 2 * depth + (method === undefined || method === "GET" || method === "POST" ? 0 : 1);
}

function line(entry: CatalogEntry): string {
  return entry.description === "" ? entry.signature : `${entry.signature} // ${entry.description}`;
}

function render(group: Group): string {
  const { expression, count, entries, shown, signatures } = group;
  const names = entries.slice(signatures, shown).map((entry) => leafOf(entry, group));
  const more = count - shown;
  if (more > 0) names.push(`… ${more} more`);
  const heading = names.length > 0 ? `${expression} (${count}): ${names.join(", ")}` : `${expression} (${count})`;
  return [heading, ...entries.slice(0, signatures).map((entry) => `  ${line(entry)}`)].join("\n");
}
