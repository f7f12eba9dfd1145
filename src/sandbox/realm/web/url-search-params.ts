/** `URLSearchParams` (URL Standard §6.2). */
import { quote } from "../console/quote.js";
import { type DecodeUtf8, type Pair, parseForm, serializeForm } from "./form-urlencoded.js";

type Kind = "key" | "value" | "key+value";

const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

/** Web IDL USVString. */
const usv = (value: unknown): string => `${value}`.toWellFormed();

function required(count: number, wanted: number, name: string): void {
  if (count < wanted) {
    throw new TypeError(
      `URLSearchParams.${name}: ${wanted} argument${wanted > 1 ? "s" : ""} required, but ${count} present.`,
    );
  }
}

/** For `URL` only: connects its query with its `searchParams`. */
export interface SearchParamsLink {
  /** Replaces the list without telling the URL. */
  load(query: string): void;
  /** Called after each change with the serialized list. */
  onChange: (query: string) => void;
}

export function createURLSearchParams(decodeUtf8: DecodeUtf8) {
  /** What `URL` passes to get a linked object; never visible to a program. */
  const links = new WeakMap<object, SearchParamsLink>();

  class URLSearchParams {
    #pairs: Pair[] = [];
    #link: SearchParamsLink = {
      load: (query) => {
        this.#pairs = parseForm(query, decodeUtf8);
      },
      onChange: () => {},
    };

    constructor(init: unknown = undefined) {
      links.set(this, this.#link);
      if (init === undefined) return;
      if ((typeof init === "object" && init !== null) || typeof init === "function") {
        const iterate = (init as Iterable<unknown>)[Symbol.iterator];
        if (iterate !== undefined && iterate !== null) this.#fromSequence(init as Iterable<unknown>);
        else this.#fromRecord(init as Record<string, unknown>);
      } else {
        const text = usv(init);
        this.#link.load(text.startsWith("?") ? text.slice(1) : text);
      }
    }

    #fromSequence(sequence: Iterable<unknown>): void {
      for (const item of sequence) {
        if ((typeof item !== "object" || item === null) && typeof item !== "function") {
          throw new TypeError("URLSearchParams: each pair must be an iterable [name, value].");
        }
        const pair: string[] = [];
        for (const part of item as Iterable<unknown>) pair.push(usv(part));
        if (pair.length !== 2) throw new TypeError("URLSearchParams: each pair must have exactly a name and a value.");
        this.#pairs.push(pair as Pair);
      }
    }

    #fromRecord(record: Record<string, unknown>): void {
      const seen = new Map<string, number>();
      for (const key of Reflect.ownKeys(record)) {
        if (!Reflect.getOwnPropertyDescriptor(record, key)?.enumerable) continue;
        if (typeof key === "symbol") throw new TypeError("URLSearchParams: a symbol cannot be a name.");
        const name = usv(key);
        const value = usv(record[key]);
        // Two keys may become one name once lone surrogates are replaced; the later value wins.
        const index = seen.get(name);
        if (index === undefined) seen.set(name, this.#pairs.push([name, value]) - 1);
        else this.#pairs[index]![1] = value;
      }
    }

    #changed(): void {
      this.#link.onChange(serializeForm(this.#pairs));
    }

    get size(): number {
      return this.#pairs.length;
    }

    append(name: unknown, value: unknown): void {
      this.#pairs;
      required(arguments.length, 2, "append");
      const pair: Pair = [usv(name), usv(value)];
      this.#pairs.push(pair);
      this.#changed();
    }

    delete(name: unknown, value: unknown = undefined): void {
      this.#pairs;
      required(arguments.length, 1, "delete");
      const wanted = usv(name);
      const only = value === undefined ? undefined : usv(value);
      this.#pairs = this.#pairs.filter((pair) => pair[0] !== wanted || (only !== undefined && pair[1] !== only));
      this.#changed();
    }

    get(name: unknown): string | null {
      this.#pairs;
      required(arguments.length, 1, "get");
      const wanted = usv(name);
      return this.#pairs.find((pair) => pair[0] === wanted)?.[1] ?? null;
    }

    getAll(name: unknown): string[] {
      this.#pairs;
      required(arguments.length, 1, "getAll");
      const wanted = usv(name);
      return this.#pairs.filter((pair) => pair[0] === wanted).map((pair) => pair[1]);
    }

    has(name: unknown, value: unknown = undefined): boolean {
      this.#pairs;
      required(arguments.length, 1, "has");
      const wanted = usv(name);
      const only = value === undefined ? undefined : usv(value);
      return this.#pairs.some((pair) => pair[0] === wanted && (only === undefined || pair[1] === only));
    }

    set(name: unknown, value: unknown): void {
      this.#pairs;
      required(arguments.length, 2, "set");
      const wanted = usv(name);
      const text = usv(value);
      const first = this.#pairs.findIndex((pair) => pair[0] === wanted);
      if (first < 0) {
        this.#pairs.push([wanted, text]);
      } else {
        this.#pairs[first]![1] = text;
        this.#pairs = this.#pairs.filter((pair, index) => index <= first || pair[0] !== wanted);
      }
      this.#changed();
    }

    sort(): void {
      // By code units; `sort` is stable, as the standard asks.
      this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      this.#changed();
    }

    toString(): string {
      return serializeForm(this.#pairs);
    }

    forEach(callback: unknown, thisArgument: unknown = undefined): void {
      this.#pairs;
      if (typeof callback !== "function")
        throw new TypeError("URLSearchParams.forEach: the callback is not a function.");
      for (let i = 0; i < this.#pairs.length; i++) {
        const [name, value] = this.#pairs[i]!;
        Reflect.apply(callback, thisArgument, [value, name, this]);
      }
    }

    entries(): Iterator<Pair> {
      return this.#iterator("key+value");
    }

    keys(): Iterator<string> {
      return this.#iterator("key");
    }

    values(): Iterator<string> {
      return this.#iterator("value");
    }

    #iterator(kind: Kind): never {
      const iterator = Object.create(SearchParamsIteratorPrototype);
      states.set(iterator, { pairs: () => this.#pairs, index: 0, kind });
      return iterator as never;
    }

    get [Symbol.toStringTag](): string {
      return "URLSearchParams";
    }
  }
  // Web IDL: iterating is `entries`, the same function.
  Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, {
    value: URLSearchParams.prototype.entries,
    writable: true,
    configurable: true,
  });

  interface State {
    pairs: () => readonly Pair[];
    index: number;
    kind: Kind;
  }
  const states = new WeakMap<object, State>();
  const SearchParamsIteratorPrototype: object = Object.create(IteratorPrototype, {
    next: {
      value: {
        next(this: object) {
          const state = states.get(this);
          if (state === undefined) throw new TypeError("next: not a URLSearchParams iterator.");
          const pair = state.pairs()[state.index];
          if (pair === undefined) return { value: undefined, done: true };
          state.index++;
          const { kind } = state;
          return { value: kind === "key" ? pair[0] : kind === "value" ? pair[1] : [pair[0], pair[1]], done: false };
        },
      }.next,
      enumerable: true,
    },
    [Symbol.toStringTag]: { value: "URLSearchParams Iterator" },
  });

  /** The pairs of a URLSearchParams object, for the console; `undefined` for any other value. */
  const describe = (value: object): string | undefined => {
    if (!links.has(value)) return undefined;
    const pairs: Pair[] = [];
    Reflect.apply(URLSearchParams.prototype.forEach, value, [(item: string, name: string) => pairs.push([name, item])]);
    const text = pairs.slice(0, 50).map(([name, item]) => `${quote(name)} => ${quote(item)}`);
    if (pairs.length > text.length) text.push(`... ${pairs.length - text.length} more items`);
    return pairs.length === 0 ? "URLSearchParams {}" : `URLSearchParams { ${text.join(", ")} }`;
  };

  return { URLSearchParams, SearchParamsIteratorPrototype, links, describe };
}
