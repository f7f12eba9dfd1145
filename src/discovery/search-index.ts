/** What search knows of every tool: words by field, and the shape of its path. Built on first use. */
import type { Catalog, CatalogEntry } from "./catalog.js";
import { Dependencies } from "./dependencies.js";
import { type FieldWeight, InvertedIndex } from "./inverted-index.js";
import { propertyNames } from "./property-names.js";
import { wordsOf } from "./words.js";

/** Names, paths and summaries say what a tool is; prose and property names hint at it. */
const FIELDS = {
  name: { weight: 1.6, normalization: 0.6 },
  path: { weight: 1.4, normalization: 0.6 },
  /** The last fixed segment of the path: the resource that the operation is about. */
  resource: { weight: 1.2, normalization: 0 },
  summary: { weight: 1.6, normalization: 0.6 },
  tags: { weight: 0.6, normalization: 0.5 },
  description: { weight: 0.7, normalization: 0.7 },
  inputs: { weight: 0.5, normalization: 0.7 },
  outputs: { weight: 0.4, normalization: 0.8 },
} as const satisfies Record<string, FieldWeight>;

type Field = keyof typeof FIELDS;

export interface SearchIndex {
  readonly words: InvertedIndex;
  readonly dependencies: Dependencies;
  /** HTTP methods that occur, `undefined` for tools that are no operations; by tool its index in that list. */
  readonly methods: readonly (string | undefined)[];
  readonly methodOf: Uint8Array;
  /** Segments of the path, at most 10. */
  readonly depthOf: Uint8Array;
  /** What operations are about: the words of the last fixed segments that occur; by tool its index in that list. */
  readonly resources: readonly (readonly string[])[];
  readonly resourceOf: Uint32Array;
}

const indexes = new WeakMap<Catalog, SearchIndex>();

export function searchIndex(catalog: Catalog): SearchIndex {
  let index = indexes.get(catalog);
  if (!index) {
    const { entries } = catalog;
    const { length } = entries;
    const methods = [...new Set(entries.map((entry) => entry.tool.facts.method))];
    const depth = ({ tool }: CatalogEntry): number => Math.min(10, tool.facts.pathTemplate?.split("/").length ?? 0);
    const names = entries.map(resourceName);
    const resources = [...new Set(names)];
    const numbers = new Map(resources.map((name, number) => [name, number]));
    index = {
      words: new InvertedIndex(length, Object.values(FIELDS), (id) => Object.values(fields(entries[id]!))),
      dependencies: new Dependencies(entries),
      methods,
      methodOf: Uint8Array.from(entries, (entry) => methods.indexOf(entry.tool.facts.method)),
      depthOf: Uint8Array.from(entries, depth),
      resources: resources.map(wordsOf),
      resourceOf: Uint32Array.from(names, (name) => numbers.get(name)!),
    };
    indexes.set(catalog, index);
  }
  return index;
}

/** The last fixed segment of an operation's path; the name's last segment for a tool that is none. */
function resourceName({ tool, segments }: CatalogEntry): string {
  const { pathTemplate } = tool.facts;
  if (pathTemplate === undefined) return segments.at(-1) ?? "";
  return pathTemplate.split("/").findLast((segment) => segment !== "" && !segment.includes("{")) ?? "";
}

/** The words of every field, in the order of `FIELDS`. */
function fields(entry: CatalogEntry): Record<Field, readonly string[]> {
  const { tool, segments } = entry;
  const { operationId, pathTemplate = "", summary = "", tags = [] } = tool.facts;
  return {
    name: wordsOf([...segments, operationId ?? ""].join(" ")),
    path: wordsOf(pathTemplate),
    resource: wordsOf(resourceName(entry)),
    summary: wordsOf(summary),
    tags: wordsOf(tags.join(" ")),
    description: wordsOf(tool.description.slice(0, 1000)),
    inputs: propertyNames(tool.inputSchema, 2).flatMap(wordsOf),
    outputs: [...new Set(propertyNames(tool.outputOutline ?? tool.outputSchema, 3).flatMap(wordsOf))],
  };
}
