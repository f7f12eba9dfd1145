/** `URL` (URL Standard §6.1): parsing is the bridge's, the object is the realm's own. */
import type { Bridge } from "../bridge.js";
import type { createURLSearchParams, SearchParamsLink } from "./url-search-params.js";

interface Parts {
  href: string;
  origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
}

/** Members with a setter, apart from `href` (throws) and `search` (updates `searchParams`). */
const SETTABLE = ["protocol", "username", "password", "host", "hostname", "port", "pathname", "hash"] as const;

const usv = (value: unknown): string => `${value}`.toWellFormed();

function invalid(input: string): TypeError {
  const error = new TypeError(`Invalid URL: ${input.length > 200 ? `${input.slice(0, 200)}…` : input}`);
  return Object.assign(error, { code: "ERR_INVALID_URL", input });
}

export function createURL(bridge: Bridge, params: ReturnType<typeof createURLSearchParams>) {
  const read = (text: string | undefined): Parts | undefined => (text === undefined ? undefined : JSON.parse(text));
  const parse = (url: unknown, base: unknown): Parts | undefined =>
    read(bridge.parseUrl(usv(url), base === undefined ? undefined : usv(base)));

  class URL {
    /** Parts of a URL object, for the console; `undefined` for any other value. */
    static describe(value: object): { name: string; properties: Record<string, unknown> } | undefined {
      return #parts in value
        ? { name: "URL", properties: { ...value.#parts, searchParams: value.#params } }
        : undefined;
    }

    #parts: Parts;
    #params: InstanceType<typeof params.URLSearchParams>;
    #link: SearchParamsLink;

    constructor(url: unknown, base: unknown = undefined) {
      if (arguments.length === 0) throw new TypeError("URL: 1 argument required, but only 0 present.");
      const input = usv(url);
      const parts = parse(input, base);
      if (parts === undefined) throw invalid(input);
      this.#parts = parts;
      this.#params = new params.URLSearchParams();
      this.#link = params.links.get(this.#params)!;
      this.#link.load(parts.search.slice(1));
      this.#link.onChange = (query) => this.#set("search", query);
    }

    static canParse(url: unknown, base: unknown = undefined): boolean {
      return parse(url, base) !== undefined;
    }

    static parse(url: unknown, base: unknown = undefined): URL | null {
      return parse(url, base) === undefined ? null : new URL(url, base);
    }

    /** A value that a setter cannot use leaves the URL as it is, as the standard says. */
    #set(part: string, value: string): void {
      this.#parts = read(bridge.setUrlPart(this.#parts.href, part, value)) ?? this.#parts;
    }

    get href(): string {
      return this.#parts.href;
    }

    set href(value: unknown) {
      const input = usv(value);
      const parts = parse(input, undefined);
      if (parts === undefined) throw invalid(input);
      this.#parts = parts;
      this.#link.load(parts.search.slice(1));
    }

    get origin(): string {
      return this.#parts.origin;
    }

    get search(): string {
      return this.#parts.search;
    }

    set search(value: unknown) {
      this.#set("search", usv(value));
      this.#link.load(this.#parts.search.slice(1));
    }

    get searchParams(): object {
      return this.#params;
    }

    toString(): string {
      return this.#parts.href;
    }

    toJSON(): string {
      return this.#parts.href;
    }

    get [Symbol.toStringTag](): string {
      return "URL";
    }

    static {
      for (const part of SETTABLE) {
        const accessor = {
          get [part](): string {
            return (this as unknown as URL).#parts[part];
          },
          set [part](value: unknown) {
            (this as unknown as URL).#set(part, usv(value));
          },
        };
        const { get, set } = Object.getOwnPropertyDescriptor(accessor, part)!;
        Object.defineProperty(URL.prototype, part, { get: get!, set: set!, configurable: true });
      }
    }
  }
  // Web IDL: members are enumerable.
  for (const key of Object.getOwnPropertyNames(URL.prototype)) {
    if (key !== "constructor") Object.defineProperty(URL.prototype, key, { enumerable: true });
  }
  const describeURL = URL.describe;
  Reflect.deleteProperty(URL, "describe");
  return { URL, describeURL };
}
