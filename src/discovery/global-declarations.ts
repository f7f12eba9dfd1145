/** Declarations of the programs' globals beside `tools`: ours, and those of the web that no ECMAScript library has. */

/** Types and functions of CodeMode itself. */
export const CODEMODE_GLOBALS = `/** What a refused or failed call throws: an \`Error\` whose \`name\` is "ToolError". */
interface ToolError extends Error {
  readonly name: "ToolError";
  readonly kind: "InvalidToolInput" | "InvalidToolOutput" | "InvalidDataValue" | "ToolCallLimitExceeded" | "ToolFailure" | "UnknownTool";
  /** The dotted name of the tool. */
  readonly tool: string;
  /** The HTTP status code, for an answer outside 2xx. */
  readonly status?: number;
  /** Response fields, lower-case names. */
  readonly headers?: { readonly [name: string]: string };
  /** The decoded body of the answer, bounded in size. */
  readonly body?: any;
}

/** A file that a program may pass on: one given by the host, or an earlier download. */
interface FileInput {
  readonly file: string;
  readonly mediaType?: string;
  readonly filename?: string;
}

/** A body saved by the host; its bytes never enter the program. */
interface FileHandle {
  readonly file: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Ranked look-up of tools. Counted as a tool call. */
declare function search(
  query: string,
  options?: { namespace?: string; limit?: number; offset?: number },
): {
  items: {
    path: string;
    name: string;
    method: string | null;
    pathTemplate: string | null;
    description: string;
    signature: string;
    score: number;
    types?: string;
  }[];
  total: number;
  next: { offset: number } | null;
};

/** Calls a tool and gives every HTTP answer, also outside 2xx. */
declare function response<T extends (...input: any[]) => Promise<any>>(
  tool: T,
  ...input: Parameters<T>
): Promise<{ status: number; headers: { [name: string]: string }; data: any }>;

/** The pages of a listing, by its next links. */
declare function pages<T extends (...input: any[]) => Promise<any>>(
  tool: T,
  ...input: Parameters<T>
): AsyncIterableIterator<Awaited<ReturnType<T>>>;

/** A promise that settles after a number of milliseconds. */
declare function sleep(ms: number): Promise<void>;

/** The host's input data. */
declare const input: any;
`;

/**
 * Globals of the web. Where the DOM library is loaded too, its own declarations stand: \`typeof globalThis\` then has
 * \`onmessage\`, and the interfaces merge.
 */
export const WEB_GLOBALS = `interface Console {
  debug(...data: any[]): void;
  error(...data: any[]): void;
  info(...data: any[]): void;
  log(...data: any[]): void;
  warn(...data: any[]): void;
}
declare var console: Console;

interface URLSearchParams {
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  toString(): string;
  forEach(callbackfn: (value: string, key: string, parent: URLSearchParams) => void, thisArg?: any): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
declare var URLSearchParams: typeof globalThis extends { onmessage: any; URLSearchParams: infer T }
  ? T
  : {
      prototype: URLSearchParams;
      new (init?: string[][] | Record<string, string> | string | URLSearchParams): URLSearchParams;
    };

interface URL {
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toJSON(): string;
  toString(): string;
}
declare var URL: typeof globalThis extends { onmessage: any; URL: infer T }
  ? T
  : {
      prototype: URL;
      new (url: string | URL, base?: string | URL): URL;
      canParse(url: string | URL, base?: string | URL): boolean;
      parse(url: string | URL, base?: string | URL): URL | null;
    };

interface TextEncoder {
  readonly encoding: string;
  encode(input?: string): Uint8Array<ArrayBuffer>;
}
declare var TextEncoder: typeof globalThis extends { onmessage: any; TextEncoder: infer T }
  ? T
  : { prototype: TextEncoder; new (): TextEncoder };

interface TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(input?: ArrayBufferLike | ArrayBufferView, options?: { stream?: boolean }): string;
}
declare var TextDecoder: typeof globalThis extends { onmessage: any; TextDecoder: infer T }
  ? T
  : { prototype: TextDecoder; new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder };

declare function structuredClone<T = any>(value: T, options?: { transfer?: any[] }): T;
declare function atob(data: string): string;
declare function btoa(data: string): string;
`;
