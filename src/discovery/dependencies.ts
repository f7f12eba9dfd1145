/**
 * Which operations give the identifiers that another one needs, read off paths and parameter names: an operation at
 * `/movies/{movie_id}/credits` cannot be called before something at `/movies`, `/search/movies` or `/movies/popular` gave a
 * movie. A whole task needs such look-ups though its words never mention them.
 */
import type { CatalogEntry } from "./catalog.js";
import { wordsOf } from "./words.js";

export interface Provider {
  /** Index of the entry. */
  readonly id: number;
  /** How likely it is the look-up that is needed, 0 to 1. */
  readonly weight: number;
}

interface Shape {
  readonly segments: readonly string[];
  /** The path with anonymous variables: equal for `/a/{x}` and `/a/{y}`. */
  readonly key: string;
}

/** Words of parameter names that say which kind of handle it is, not of what. */
const HANDLE = new Set(
  wordsOf("id ids identifier uuid guid number num no slug name key code token sha login username handle ref path"),
);
const SEARCH = new Set(wordsOf("search find lookup query"));
const EVERYTHING = "";
const READS = new Set(["GET", "QUERY"]);

const isVariable = (segment: string): boolean => segment.includes("{");
const keyOf = (segments: readonly string[]): string => segments.map((one) => (isVariable(one) ? "{}" : one)).join("/");

export class Dependencies {
  readonly #shapes: readonly (Shape | undefined)[];
  readonly #byKey = new Map<string, number[]>();
  /** Reads one fixed segment below a collection: `/movies/popular`. */
  readonly #below = new Map<string, number[]>();
  /** Reads whose last segment names a resource: `/user/repos`. */
  readonly #byResource = new Map<string, number[]>();
  readonly #searches = new Map<string, number[]>();
  /** Operations that look things up by text: at a path that says so, without a variable. */
  readonly lookups: ReadonlySet<number>;

  constructor(readonly entries: readonly CatalogEntry[]) {
    const lookups = new Set<number>();
    const push = (map: Map<string, number[]>, key: string, id: number): void => {
      const list = map.get(key);
      if (list) list.push(id);
      else map.set(key, [id]);
    };
    this.#shapes = entries.map(({ tool: { facts } }, id) => {
      if (facts.pathTemplate === undefined || facts.method === undefined) return undefined;
      const segments = facts.pathTemplate.split("/").filter((segment) => segment !== "");
      const shape = { segments, key: keyOf(segments) };
      const last = segments.at(-1);
      if (last === undefined || isVariable(last)) return shape;
      const fixed = segments.filter((segment) => !isVariable(segment)).map((segment) => wordsOf(segment));
      const searching = fixed.some((words) => words.some((word) => SEARCH.has(word)));
      if (searching && fixed.length === segments.length) {
        lookups.add(id);
        const resources = fixed.map((words) => words.filter((word) => !SEARCH.has(word)).join(" ")).filter(Boolean);
        // A search that names no resource searches everything.
        for (const resource of resources.length > 0 ? resources : [EVERYTHING]) push(this.#searches, resource, id);
      }
      if (!READS.has(facts.method)) return shape;
      push(this.#byKey, shape.key, id);
      push(this.#below, keyOf(segments.slice(0, -1)), id);
      push(this.#byResource, fixed.at(-1)!.join(" "), id);
      return shape;
    });
    this.lookups = lookups;
  }

  /** Whether an operation is about one thing: its path has a variable. */
  isAboutOne(id: number): boolean {
    return this.#shapes[id]?.key.includes("{}") ?? false;
  }

  /** Whether an operation's path ends with a variable: it is about one member of a collection. */
  isAboutMember(id: number): boolean {
    return this.#shapes[id]?.key.endsWith("{}") ?? false;
  }

  /** The operations that may give what entry `id` needs, each with its best weight. */
  providers(id: number): Provider[] {
    const shape = this.#shapes[id];
    if (!shape) return [];
    const found = new Map<number, number>();
    const offer = (ids: readonly number[] | undefined, weight: number): void => {
      for (const one of ids ?? []) if (one !== id) found.set(one, Math.max(found.get(one) ?? 0, weight));
    };
    const { segments } = shape;
    // The identifier nearest to the end is the one a task is most about.
    let importance = 1;
    for (let at = segments.length - 1; at >= 0; at--) {
      if (!isVariable(segments[at]!)) continue;
      const collection = segments.slice(0, at);
      const key = keyOf(collection);
      for (const resource of resourceNames(segments, at)) {
        offer(this.#searches.get(resource), importance);
        offer(this.#byResource.get(resource), 0.6 * importance);
      }
      offer(this.#byKey.get(key), importance);
      offer(this.#searches.get(EVERYTHING), 0.5 * importance);
      offer(this.#below.get(key), 0.5 * importance);
      importance *= 0.6;
    }
    return Array.from(found, ([one, weight]) => ({ id: one, weight }));
  }
}

/** What a path variable names: the segment before it, its own name without `id` and the like. */
function resourceNames(segments: readonly string[], at: number): Set<string> {
  const names = new Set<string>();
  const before = segments[at - 1];
  if (before !== undefined && !isVariable(before)) names.add(wordsOf(before).join(" "));
  const own = wordsOf(segments[at]!).filter((word) => !HANDLE.has(word));
  names.add(own.join(" "));
  names.delete("");
  return names;
}
