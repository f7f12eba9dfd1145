/**
 * The tools of an agent host: registered in scopes, shown to a model either directly or through the one tool `execute`, and
 * called as they were shown.
 *
 * A registration lives as long as its scope; closing it reveals the one before. A model request takes a snapshot and calls
 * through it, so that a call runs the tool that the model was shown, whatever was registered since. Hiding a tool from a
 * request (`visible`) is a matter of what the model reads, not of what it may do: `authorize` decides that, for direct
 * calls and for calls nested in a program alike.
 */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { Scope } from "effect/Scope";
import { type Catalog, type CatalogEntry, createCatalog } from "../discovery/index.js";
import { type Json, type JsonObject, stringifyJson } from "../json/json.js";
import { type CallObserver, CurrentCallObserver, observerHooks } from "./call-observer.js";
import { CodeMode, type CodeModeRuntime, type ExecuteOptions } from "./code-mode.js";
import { Sandbox } from "./host/sandbox.js";
import { outcomeOf, type ToolCallStart } from "./host/tool-call.js";
import { checkedLimits, type Limits } from "./limits.js";
import type { Result, ToolCall } from "./result.js";
import { settlementText } from "./settlement.js";
import type { Answer, Tool, ToolTree } from "./tool.js";
import type { ToolError } from "./tool-error.js";
import { flattenTools } from "./tree.js";

/** The name of the tool that runs programs. No direct tool may take it. */
export const EXECUTE = "execute";

/** How a model reaches a tool: as a tool of its own, or from programs given to `execute`. */
export type Exposure = "direct" | "execute";

/** Tools, and how a model reaches them. */
export interface Registration<R> {
  readonly tools: ToolTree<R>;
  /** A name before all of theirs: `github` makes `issues.list` to `github.issues.list`. */
  readonly group?: string;
  readonly exposure: Exposure;
}

/** What a registry is made with. */
export interface RegistryOptions<R> {
  /** Bounds of each execution. */
  readonly limits?: Limits;
  /** Programs that run at a time, of all snapshots together: see `SandboxOptions`. Default: no limit. */
  readonly maxProcesses?: number;
  /** The host's decision on each call, direct or nested. A `ToolError` refuses it: nothing is run. */
  readonly authorize?: (call: ToolCallStart) => Effect.Effect<void, ToolError, R>;
}

/** What a call of the model gave, ready to be shown: the text is bounded, what happened stands beside it. */
export interface Settlement {
  readonly ok: boolean;
  /** For the model. Of `execute`: side effects first, the value last. */
  readonly text: string;
  /** Of `execute`: the whole result. */
  readonly result?: Result;
  /** Of a direct call: what it answered. */
  readonly answer?: Answer;
  /** The calls of tools that were made, nested ones included. */
  readonly toolCalls: readonly ToolCall[];
  /** Names of the files that calls saved. */
  readonly files: readonly string[];
}

/** What one request of a model is shown. */
export interface SnapshotOptions {
  /** Which tools the model is shown. */
  readonly visible?: (name: string, tool: Tool<unknown>) => boolean;
}

interface Registered<R> {
  readonly registration: Registration<R>;
  /** Dotted names with the group. */
  readonly tools: ReadonlyMap<string, Tool<R>>;
}

/** The tools of an agent host. Close it when no more programs come. */
export class ToolRegistry<R = never> {
  readonly #registered: Registered<R>[] = [];
  readonly #options: RegistryOptions<R>;
  readonly #sandbox: Sandbox;

  /** @throws RangeError for an invalid limit. */
  constructor(options: RegistryOptions<R> = {}) {
    this.#options = options;
    this.#sandbox = new Sandbox({ ...checkedLimits(options.limits), maxProcesses: options.maxProcesses });
  }

  /** Ends the processes that wait for a program, of every snapshot. */
  close(): void {
    this.#sandbox.close();
  }

  /**
   * Adds tools until the scope closes.
   *
   * @throws RangeError (a defect) when a direct tool would be named `execute`.
   */
  register(registration: Registration<R>): Effect.Effect<void, never, Scope> {
    return Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => {
          const { group, exposure } = registration;
          const tools = new Map<string, Tool<R>>();
          for (const { name, tool } of flattenTools(registration.tools).values()) {
            tools.set(group === undefined ? name : `${group}.${name}`, tool);
          }
          if (exposure === "direct" && tools.has(EXECUTE)) {
            throw new RangeError(`"${EXECUTE}" is the tool that runs programs: give this one another name or a group.`);
          }
          const registered = { registration, tools };
          this.#registered.push(registered);
          return registered;
        }),
        (registered) =>
          Effect.sync(() => {
            this.#registered.splice(this.#registered.indexOf(registered), 1);
          }),
      ),
    );
  }

  /** The tools as they are now, for one request of a model. The last registration of a name wins. */
  snapshot({ visible = () => true }: SnapshotOptions = {}): ToolSnapshot<R> {
    const tools = new Map<string, { readonly tool: Tool<R>; readonly exposure: Exposure }>();
    for (const { registration, tools: named } of this.#registered) {
      for (const [name, tool] of named) tools.set(name, { tool, exposure: registration.exposure });
    }
    const of = (exposure: Exposure): Record<string, Tool<R>> => {
      const tree: Record<string, Tool<R>> = Object.create(null);
      for (const [name, entry] of tools) {
        if (entry.exposure === exposure && visible(name, entry.tool)) tree[name] = entry.tool;
      }
      return tree;
    };
    return new ToolSnapshot(of("direct"), of("execute"), this.#options, this.#sandbox);
  }
}

/** What one model request is shown, and calls. */
export class ToolSnapshot<R> {
  /** The tools that the model sees as such. */
  readonly direct: readonly CatalogEntry[];
  /** The tools that programs reach; when there are any, the model sees `execute`. */
  readonly nested: readonly CatalogEntry[];
  readonly #direct: Catalog;
  readonly #nested: Catalog;
  readonly #runtime: CodeModeRuntime<R>;
  readonly #authorize: RegistryOptions<R>["authorize"];

  /** @internal Use `ToolRegistry.snapshot`. */
  constructor(direct: ToolTree<R>, nested: ToolTree<R>, { limits, authorize }: RegistryOptions<R>, sandbox: Sandbox) {
    this.#direct = createCatalog(direct);
    this.#nested = createCatalog(nested);
    this.direct = this.#direct.entries;
    this.nested = this.#nested.entries;
    this.#authorize = authorize;
    this.#runtime = CodeMode.make({
      tools: nested,
      limits,
      sandbox,
      ...observerHooks,
    }) as CodeModeRuntime<R>;
  }

  /** The description of `execute`: the language, and the catalog of the tools that programs reach. */
  instructions(): string {
    return this.#runtime.instructions();
  }

  /** Runs what the model called. Never fails: a refusal and a failure are settlements with `ok: false`. */
  call(name: string, input: Json | undefined): Effect.Effect<Settlement, never, R> {
    if (name === EXECUTE && this.nested.length > 0) return this.#callExecute(input);
    const entry = this.#direct.get(name);
    if (entry === undefined) return Effect.succeed(failed(`There is no tool ${JSON.stringify(name)}.`));
    return this.#callDirect(name, entry.tool as Tool<R>, input);
  }

  /** Runs a program over the nested tools, each call of it authorized and observed. */
  execute(
    source: string,
    options: ExecuteOptions & { readonly observer?: CallObserver } = {},
  ): Effect.Effect<Result, never, R> {
    const { observer, ...rest } = options;
    return Effect.flatMap(Effect.context<R>(), (context) =>
      this.#runtime.execute(source, rest).pipe(
        Effect.provideService(CurrentCallObserver, {
          before: (call) => {
            const authorized = this.#authorize?.(call) ?? Effect.void;
            return Effect.andThen(Effect.provideContext(authorized, context), observer?.before(call) ?? Effect.void);
          },
          after: (call) => observer?.after(call),
        }),
      ),
    );
  }

  #callExecute(input: Json | undefined): Effect.Effect<Settlement, never, R> {
    const { code, input: given } = (input ?? {}) as JsonObject;
    if (typeof code !== "string") return Effect.succeed(failed('"code" must be a string: the program to run.'));
    const files: string[] = [];
    const observer: CallObserver = {
      before: () => Effect.void,
      after: (call) => void files.push(...(call.files ?? [])),
    };
    return Effect.map(this.execute(code, { observer, ...(given === undefined ? {} : { input: given }) }), (result) => ({
      ok: result.ok,
      text: settlementText(result, (tool) => this.#nested.get(tool)?.tool.facts),
      result,
      toolCalls: result.toolCalls,
      files,
    }));
  }

  #callDirect(name: string, tool: Tool<R>, input: Json | undefined): Effect.Effect<Settlement, never, R> {
    const started = performance.now();
    const authorized = Effect.suspend(() => this.#authorize?.({ index: 0, tool: name, input }) ?? Effect.void);
    const call = Effect.andThen(
      authorized,
      Effect.suspend(() => tool.call(input, { mode: "value" })),
    );
    return Effect.map(Effect.exit(call), (exit) => directSettlement(name, exit, performance.now() - started));
  }
}

function directSettlement(name: string, exit: Exit.Exit<Answer, ToolError>, durationMs: number): Settlement {
  const { outcome, status, message } = outcomeOf(exit);
  const toolCall: ToolCall = {
    tool: name,
    outcome,
    durationMs,
    ...(status === undefined ? {} : { status }),
    ...(message === undefined ? {} : { message }),
  };
  if (!Exit.isSuccess(exit)) return { ...failed(message ?? "The call was interrupted."), toolCalls: [toolCall] };
  const answer = exit.value;
  return { ok: true, text: answerText(answer), answer, toolCalls: [toolCall], files: answer.files ?? [] };
}

function answerText({ data }: Answer): string {
  if (typeof data === "string") return data;
  if (typeof data === "object" && data !== null && Symbol.asyncIterator in data) return "The answer is a stream.";
  return stringifyJson(data as Json, 2);
}

function failed(text: string): Settlement {
  return { ok: false, text, toolCalls: [], files: [] };
}
