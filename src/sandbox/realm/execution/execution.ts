/**
 * One execution: from the source text to `done` or `failed`, and on to `settled`.
 *
 * A realm serves one execution at a time. What ends it comes from four sides: the program settles, a limit is exceeded, nothing is
 * left that could settle the program, or the host ends the process. After the end nothing of the program is listened to:
 * every check throws, so that what still runs of it stops.
 */
import type { Diagnostic } from "../../../codemode/diagnostic.js";
import type { CallMode } from "../../../codemode/tool.js";
import { toolExpression } from "../../../codemode/tree.js";
import { currentPosition, type Position, positionOf } from "../../../interpreter/index.js";
import type { DeliveryMessage, ExecuteMessage, SandboxLimits, SearchReply, ToolsMessage } from "../../protocol.js";
import type { RealmHandle } from "../bridge.js";
import type { LimitError } from "../limits.js";
import type { Realm } from "../realm.js";
import { Calls } from "./calls.js";
import { compileAs } from "./compile-as.js";
import { ConsoleLines } from "./console-lines.js";
import { type CopyOptions, copyOut, Uncopyable } from "./copy-out.js";
import { Rejections } from "./rejections.js";
import { Timers } from "./timers.js";
import { ToolErrors } from "./tool-errors.js";
import { ToolTree } from "./tool-tree.js";
import { truncationMarker } from "./truncation.js";
import { uncaught } from "./uncaught.js";
import { utf8Length } from "./utf8-length.js";

/** The timer of the deadline; those of the program count from 1. */
const DEADLINE = 0;

/** Most characters of JSON text in one value that crosses: in UTF-8 less than the host takes in one message. */
const LARGEST_VALUE = 64 * 1024 * 1024;

/** Builds what runs programs in this realm. */
export function createExecution(realm: Realm): RealmHandle {
  let execution = new Execution(realm);
  return {
    execute: (text) => execution.execute(JSON.parse(text)),
    deliver: (text) => execution.deliver(JSON.parse(text)),
    timer: (id) => execution.timer(id),
    idle: () => execution.idle(),
    rejected: (promise, reason) => execution.rejections.add(promise, reason),
    handled: (promise) => execution.rejections.remove(promise),
    renew: () => {
      if (!execution.leftNothing || realm.retired) return false;
      realm.renew();
      execution = new Execution(realm);
      return true;
    },
  };
}

/** `returning`: the value of the program is being copied out; program code may still run, but calls nothing. */
type State = "waiting" | "running" | "returning" | "ended" | "settled";

class Execution {
  readonly rejections: Rejections;
  #realm: Realm;
  #state: State = "waiting";
  #limits: SandboxLimits = {};
  #names: readonly string[] = [];
  #tree: ToolTree;
  #errors = new ToolErrors();
  #calls: Calls;
  #timers: Timers;
  #lines: ConsoleLines | undefined;
  #callCount = 0;
  #warnings: Diagnostic[] = [];
  #leftWaiting = false;

  readonly #inputs: CopyOptions;
  readonly #results: CopyOptions;

  constructor(realm: Realm) {
    const { bridge } = realm;
    this.#realm = realm;
    const common = {
      maxLength: LARGEST_VALUE,
      describe: (object: object) =>
        this.#tree.describe(object) ?? (this.#calls.streams.has(object) ? "a stream" : undefined),
      checkpoint: () => realm.limits.check(),
    };
    this.#inputs = { ...common, bigInts: true };
    this.#results = { ...common, bigInts: false };
    // A stream that is left after the end closes nothing: the host has done so.
    this.#calls = new Calls((message) => {
      if (this.#state === "running") bridge.post(message);
    }, this.#errors);
    this.#timers = new Timers(bridge);
    this.rejections = new Rejections((reason) => !realm.limits.isLimit(reason));
    this.#tree = this.#makeTree();
  }

  /** The program has come to its own end, and nothing is left that could continue any part of it. */
  get leftNothing(): boolean {
    return this.#state === "settled" && !this.#leftWaiting;
  }

  execute(message: ExecuteMessage): void {
    const { bridge, limits } = this.#realm;
    this.#state = "running";
    this.#limits = message.limits;
    const { timeoutMs, maxMemoryBytes, maxOutputBytes } = this.#limits;
    this.#lines = new ConsoleLines(maxOutputBytes, bridge.post);
    this.#realm.setConsoleSink(this.#lines);
    limits.start({
      timeoutMs,
      deadline: timeoutMs === undefined ? undefined : bridge.now() + timeoutMs,
      memoryBytes: maxMemoryBytes,
      onExceeded: (error) => this.#exceeded(error),
    });
    if (timeoutMs !== undefined) bridge.setTimer(DEADLINE, timeoutMs);
    try {
      this.#start(message);
    } catch (error) {
      this.#fail(error);
    }
  }

  #start(message: ExecuteMessage): void {
    const compiled = compileAs(this.#realm, message.source, message.language, {
      globals: this.#realm.programGlobals(this.#globals(message.input)),
      checkpoint: () => this.#realm.limits.check(),
      isLimit: (error) => this.#realm.limits.isLimit(error),
      isFrozenIntrinsic: (object) => this.#realm.isShared(object),
      isProxy: (value) => this.#realm.isProxy(value),
      missingMember: (object, key) => {
        const missing = this.#tree.explainMissing(object, key);
        return missing && this.#errors.refused("UnknownTool", missing.message, missing.name);
      },
    });
    if ("fault" in compiled) {
      const { kind, message: text, position, hint } = compiled.fault;
      this.#end({ kind, message: text, location: position, ...(hint === undefined ? {} : { hint }) });
      return;
    }
    compiled.program.run().then(
      (value) => this.#succeed(value),
      (error) => this.#fail(error),
    );
  }

  deliver(message: DeliveryMessage | ToolsMessage): void {
    if (message.type === "tools") {
      this.#names = message.names;
      this.#tree = this.#makeTree();
    } else if (this.#state === "running") {
      this.#calls.deliver(message);
    }
  }

  timer(id: number): void {
    if (this.#state !== "running") return;
    if (id !== DEADLINE) {
      this.#guarded(() => this.#timers.fire(id));
      return;
    }
    const [waiting] = this.#calls.names();
    const what = waiting === undefined ? "" : ` while waiting for ${toolExpression(waiting.split("."))}`;
    this.#guarded(() =>
      this.#realm.limits.exceed(
        "TimeoutExceeded",
        `The time limit of ${this.#limits.timeoutMs} ms was exceeded${what}.`,
      ),
    );
  }

  /** Nothing is left to run at once: what the program waits for must come from outside. */
  idle(): void {
    if (this.#state === "running" && this.#calls.size === 0 && this.#timers.size === 0) {
      this.#end({
        kind: "ExecutionFailure",
        message: "The program waits for a promise that nothing can settle any more.",
        hint: "No call, timer or stream is left that could continue it. Look for a promise whose resolve is never called.",
      });
    }
    if (this.#state !== "ended") return;
    this.#state = "settled";
    this.#realm.limits.lifted(() => {
      const warnings = [...this.#warnings, ...this.rejections.warnings((reason) => this.#uncaught(reason))];
      this.#post({ type: "settled", warnings: warnings.slice(0, 100) });
    });
  }

  /** Runs a callback of the program outside its own flow; what it throws is a warning. */
  #guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (this.#realm.limits.isLimit(error)) return;
      const { message, ...rest } = this.#uncaught(error);
      this.#warnings.push({ ...rest, message: `Uncaught in a callback: ${message}` });
    }
  }

  #globals(input: unknown): Record<string, unknown> {
    const timers = this.#timers;
    const later =
      (repeated: boolean) =>
      (run: unknown, ms?: unknown, ...parameters: unknown[]) => {
        if (typeof run !== "function") throw new TypeError("The first argument must be a function.");
        this.#mustRun();
        return timers.start(() => Reflect.apply(run, undefined, parameters), ms, repeated);
      };
    const functions = {
      search: (query?: unknown, options?: unknown) => this.#search(query, options),
      response: (tool?: unknown, given?: unknown) => this.#call(this.#toolName("response", tool), "response", given),
      pages: (tool?: unknown, given?: unknown) => this.#pages(this.#toolName("pages", tool), given),
      sleep: (ms?: unknown) => {
        this.#mustRun();
        return new Promise<void>((resolve) => timers.start(resolve, ms));
      },
      setTimeout: later(false),
      setInterval: later(true),
      clearTimeout: (id?: unknown) => timers.clear(id),
      clearInterval: (id?: unknown) => timers.clear(id),
      queueMicrotask: (run?: unknown) => {
        if (typeof run !== "function") throw new TypeError("The first argument must be a function.");
        void Promise.resolve().then(() => this.#guarded(() => Reflect.apply(run, undefined, [])));
      },
    };
    for (const [name, value] of Object.entries(functions)) {
      Object.defineProperty(value, "name", { value: name });
      Object.freeze(value);
    }
    return { tools: this.#tree.root, input: input === undefined ? null : input, ...functions };
  }

  #makeTree(): ToolTree {
    return new ToolTree(this.#names, (name, input) => this.#call(name, "value", input));
  }

  #toolName(caller: string, tool: unknown): string {
    const name = this.#tree.nameOf(tool);
    if (name !== undefined) return name;
    throw this.#errors.refused(
      "UnknownTool",
      `${caller}() takes a tool and its input, e.g. ${caller}(tools.example, {}).`,
    );
  }

  #call(name: string, mode: CallMode, input: unknown): Promise<unknown> {
    this.#count();
    let text: string | undefined;
    try {
      text = this.#copyInput(input, name);
    } catch (error) {
      if (this.#realm.limits.isLimit(error)) throw error;
      return Promise.reject(error);
    }
    this.#mustRun();
    return this.#calls.call(name, mode, text);
  }

  #pages(name: string, input: unknown): object {
    this.#mustRun();
    // A page counts when it is there: only then is it known that there was one more.
    return this.#calls.pages(name, this.#copyInput(input, name), () => this.#count());
  }

  #search(query: unknown, options: unknown): unknown {
    this.#count();
    const question = this.#copyInput(query, "search") ?? "null";
    const settings = this.#copyInput(options, "search");
    this.#mustRun();
    const reply = this.#realm.bridge.request(
      `{"type":"search","query":${question}${settings === undefined ? "" : `,"options":${settings}`}}`,
    );
    if (reply === undefined) throw this.#errors.refused("ToolFailure", "The search failed.", "search");
    const found = JSON.parse(reply) as SearchReply;
    if ("error" in found) throw this.#errors.make(found.error, "search");
    return found.value;
  }

  /** Counts a call, a page or a search against `maxToolCalls`. */
  #count(): void {
    this.#mustRun();
    const { maxToolCalls } = this.#limits;
    if (++this.#callCount > (maxToolCalls ?? Number.POSITIVE_INFINITY)) {
      this.#realm.limits.exceed("ToolCallLimitExceeded", `The limit of ${maxToolCalls} tool calls was exceeded.`);
    }
  }

  /** Throws a limit's error unless the program runs: what is left of an ended one starts nothing. */
  #mustRun(): void {
    this.#realm.limits.check();
    if (this.#state !== "running") this.#realm.limits.exceed("ExecutionFailure", "The program has ended.");
  }

  #copyInput(value: unknown, tool: string): string | undefined {
    try {
      return this.#copy(value, true);
    } catch (error) {
      if (!(error instanceof Uncopyable)) throw error;
      throw this.#errors.refused("InvalidDataValue", describeUncopyable(error, "The input"), tool, error.hint);
    }
  }

  #copy(value: unknown, bigInts: boolean): string | undefined {
    return copyOut(value, bigInts ? this.#inputs : this.#results);
  }

  #succeed(value: unknown): void {
    if (this.#state !== "running") return;
    this.#state = "returning";
    try {
      const text = this.#copy(value, false) ?? "null";
      if (this.#state === "returning") this.#end(undefined, text);
    } catch (error) {
      if (error instanceof Uncopyable) {
        const { hint } = error;
        const message = describeUncopyable(error, "The result");
        this.#end({ kind: "InvalidDataValue", message, ...(hint === undefined ? {} : { hint }) });
      } else {
        this.#fail(error);
      }
    }
  }

  #fail(error: unknown): void {
    if (this.#realm.limits.isLimit(error)) this.#exceeded(error as LimitError);
    else this.#end(this.#uncaught(error));
  }

  #uncaught(error: unknown): Diagnostic {
    return { ...uncaught(error, this.#realm, this.#errors), ...located(positionOf(error)) };
  }

  #exceeded({ kind, message }: LimitError): void {
    this.#end({ kind, message, ...located(this.#realm.limits.lifted(currentPosition)) });
  }

  /** Ends the program with an error, or else with its value as JSON text. Only the first end counts. */
  #end(error: Diagnostic | undefined, value = "null"): void {
    if (this.#state === "ended" || this.#state === "settled" || this.#state === "waiting") return;
    this.#state = "ended";
    this.#leftWaiting = this.#calls.size > 0 || this.#timers.size > 0 || this.#realm.limits.exceeded !== undefined;
    this.#calls.clear();
    this.#timers.clearAll();
    this.#realm.bridge.clearTimer(DEADLINE);
    this.#realm.setConsoleSink(undefined);
    if (error === undefined) this.#postValue(value);
    else {
      const truncated = this.#lines?.truncated === true;
      this.#realm.limits.lifted(() => this.#post({ type: "failed", error, truncated, warnings: [] }));
    }
    try {
      // From here on every check throws.
      this.#realm.limits.exceed("ExecutionFailure", "The program has ended.");
    } catch {
      // The error is for what still runs of the program.
    }
  }

  #postValue(value: string): void {
    const { maxOutputBytes } = this.#limits;
    let truncated = this.#lines?.truncated === true;
    let text = value;
    const warnings: Diagnostic[] = [];
    if (maxOutputBytes !== undefined && value.length * 3 > maxOutputBytes) {
      const bytes = utf8Length(value);
      if (bytes > maxOutputBytes) {
        truncated = true;
        text = truncationMarker(value, bytes, maxOutputBytes);
        warnings.push({
          kind: "Truncated",
          message: `The result has ${bytes} bytes of JSON, more than maxOutputBytes (${maxOutputBytes}), and was replaced by a summary.`,
          hint: "Return less: pick the fields that are needed, filter, or aggregate.",
        });
      }
    }
    this.#realm.bridge.post(
      `{"type":"done","truncated":${truncated},"warnings":${JSON.stringify(warnings)},"value":${text}}`,
    );
  }

  #post(message: object): void {
    this.#realm.bridge.post(JSON.stringify(message));
  }
}

function located(location: Position | undefined): { location?: Position } {
  return location === undefined ? {} : { location };
}

function describeUncopyable({ path, reason }: Uncopyable, what: string): string {
  return `${what} is not data at ${path}: ${reason}.`;
}
