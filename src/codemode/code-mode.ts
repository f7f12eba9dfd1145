/** The runtime: a snapshot of tools, and programs that call them. */
import * as Effect from "effect/Effect";
import type { Scope } from "effect/Scope";
import {
  type Catalog,
  type CatalogEntry,
  createCatalog,
  type InstructionsOptions,
  instructions,
  type SearchOptions,
  type SearchResult,
  search,
} from "../discovery/index.js";
import type { Json } from "../json/json.js";
import type { Language } from "../sandbox/protocol.js";
import { runExecution } from "./host/execution.js";
import { Sandbox, type SandboxOptions } from "./host/sandbox.js";
import { answerSearch } from "./host/search-answer.js";
import type { Hooks } from "./host/tool-call.js";
import { checkedLimits, type Limits } from "./limits.js";
import type { Result } from "./result.js";
import type { Tool, ToolTree } from "./tool.js";

// Effect keeps the running fiber in a global of its own, made by the first run. Made now, so that a host that watches its
// globals sees no change when a program runs.
Effect.runSync(Effect.sync(() => {}));

/** What the tools of a tree need from the Effect environment; nothing where the types do not tell. */
export type ServicesOf<Tree> = Tree extends ToolTree<infer R> ? (unknown extends R ? never : R) : never;

/** What `CodeMode.make` takes. */
export interface CodeModeOptions<Tree extends ToolTree<any>> extends Hooks<ServicesOf<Tree>> {
  readonly tools: Tree;
  readonly limits?: Limits | undefined;
  /** Programs that run at a time: see `SandboxOptions`. Default: no limit. A given `sandbox` has its own bound. */
  readonly maxProcesses?: number | undefined;
  /**
   * A realm of its own for each program. By default the programs of a runtime follow one another in a realm whose built-ins are
   * frozen, which is several times faster; it is renewed when a program leaves anything behind. Set this where they come
   * from people who must not trust one another even if a flaw were found in that.
   */
  readonly freshRealms?: boolean | undefined;
  /** A sandbox that was started ahead, with the same memory limit. */
  readonly sandbox?: Sandbox | undefined;
}

/** What one execution takes beside its source. */
export interface ExecuteOptions {
  /** The global `input` of the program: JSON. */
  readonly input?: Json | undefined;
  /**
   * Default: JavaScript, or TypeScript where the source is no JavaScript. Only a program that is TypeScript pays for its
   * parser.
   */
  readonly language?: Language | undefined;
  /** Bounds of this execution; each default to the runtime's. `maxMemoryBytes` is the runtime's alone. */
  readonly limits?: Omit<Limits, "maxMemoryBytes"> | undefined;
}

/** Runs programs over a snapshot of tools. Close it when no more programs come. */
export class CodeModeRuntime<R> {
  /** The tools, in the order of the tree. */
  readonly catalog: readonly CatalogEntry[];
  readonly limits: Limits;
  readonly #catalog: Catalog;
  readonly #hooks: Hooks<R>;
  readonly #sandbox: Sandbox;
  readonly #freshRealms: boolean;
  #tools: string | undefined;

  /** @internal Use `CodeMode.make`. */
  constructor(options: CodeModeOptions<ToolTree<R>>) {
    this.limits = checkedLimits(options.limits);
    this.#catalog = createCatalog(options.tools);
    this.catalog = this.#catalog.entries;
    this.#hooks = { onToolCallStart: options.onToolCallStart, onToolCallEnd: options.onToolCallEnd } as Hooks<R>;
    this.#freshRealms = options.freshRealms ?? false;
    this.#sandbox = options.sandbox ?? new Sandbox({ ...this.limits, maxProcesses: options.maxProcesses });
  }

  /** The text that tells a model how to write programs, with as much of the catalog as its budget holds. */
  instructions(options?: InstructionsOptions): string {
    return instructions(this.#catalog, { limits: this.limits, ...options });
  }

  /** Ranked look-up of tools, as programs have it. */
  search(query: string, options?: SearchOptions): SearchResult {
    return search(this.#catalog, query, options);
  }

  /** Starts a sandbox process now, so that the next execution need not wait for it. */
  prestart(): void {
    this.#sandbox.prestart();
  }

  /**
   * Runs a program. The Effect never fails for the program's fault; interrupting it interrupts the calls in flight and
   * waits for their clean-up.
   *
   * @throws RangeError (a defect) for an invalid limit.
   */
  execute(source: string, options: ExecuteOptions = {}): Effect.Effect<Result, never, R> {
    const execution = Effect.flatMap(Effect.context<R>(), (context) =>
      runExecution({
        source,
        language: options.language ?? "auto",
        input: options.input,
        limits: { ...this.limits, ...checkedLimits(options.limits), maxMemoryBytes: this.limits.maxMemoryBytes },
        fresh: this.#freshRealms,
        hooks: this.#hooks,
        context,
        pool: this.#sandbox.pool,
        tools: this.#toolsMessage,
        tool: (name) => this.#catalog.get(name)?.tool as Tool<R> | undefined,
        search: (query, settings) => answerSearch(this.#catalog, query, settings),
      }),
    );
    // The calls run in this context, so their spans are below this one.
    return Effect.withSpan(execution, "codemode.execute");
  }

  /** The same as a promise, for tools that need no services. `signal` interrupts. */
  run(
    this: CodeModeRuntime<never>,
    source: string,
    options: ExecuteOptions & { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Result> {
    const { signal, ...rest } = options;
    return Effect.runPromise(this.execute(source, rest), signal === undefined ? undefined : { signal });
  }

  /** Ends the processes that wait for a program. A program that runs is not affected. */
  close(): void {
    this.#sandbox.close();
  }

  get #toolsMessage(): string {
    this.#tools ??= JSON.stringify({ type: "tools", names: this.catalog.map(({ name }) => name) });
    return this.#tools;
  }
}

/** Makes runtimes. */
export const CodeMode = {
  /**
   * A runtime over a snapshot of tools.
   *
   * @throws RangeError for an invalid limit.
   */
  make<const Tree extends ToolTree<any>>(options: CodeModeOptions<Tree>): CodeModeRuntime<ServicesOf<Tree>> {
    return new CodeModeRuntime(options as CodeModeOptions<ToolTree<any>>) as CodeModeRuntime<ServicesOf<Tree>>;
  },

  /** The same, closed with the scope. */
  scoped<const Tree extends ToolTree<any>>(
    options: CodeModeOptions<Tree>,
  ): Effect.Effect<CodeModeRuntime<ServicesOf<Tree>>, never, Scope> {
    return Effect.acquireRelease(
      Effect.sync(() => CodeMode.make(options)),
      (runtime) => Effect.sync(() => runtime.close()),
    );
  },

  /**
   * Starts a sandbox process before the tools are known, e.g. while a document loads. Give it to `make`.
   *
   * @throws RangeError for an invalid limit.
   */
  prestart({ maxProcesses, oneProgram, ...limits }: SandboxOptions = {}): Sandbox {
    const sandbox = new Sandbox({ ...checkedLimits(limits), maxProcesses, oneProgram });
    sandbox.prestart();
    return sandbox;
  },
};
