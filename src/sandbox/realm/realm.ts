/** What the realm gives the execution (`execution/`): everything that runs programs is built from this. */
import type { Compile } from "../../interpreter/index.js";
import type { Bridge, RealmHandle } from "./bridge.js";
import type { Limits } from "./limits.js";

export interface Realm {
  /** Every function of it may be called at any stack depth: what the main realm throws never comes through. */
  readonly bridge: Bridge;
  readonly limits: Limits;
  readonly compile: Compile;
  /**
   * The record of global bindings for one program (null prototype, frozen): the standard library, the web built-ins and
   * `additions` (`tools`, `search`, `input`, timers, …), with a `globalThis` that holds the same names.
   */
  programGlobals(additions: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Where finished console lines go. Set by the execution; lines written without a sink are dropped. */
  setConsoleSink(sink: ConsoleSink | undefined): void;
  /** True when a program left something that runs when it will: a clean-up callback. */
  readonly retired: boolean;
  /** Forgets what the realm itself keeps of a program: source texts, counters of the console. */
  renew(): void;
  /** A value as readable text, bounded, calling no program code: for diagnostics of thrown values. */
  inspect(value: unknown): string;
  /** True for a Proxy made by the program: whoever copies a value out must not run its traps unawares. */
  isProxy(value: unknown): boolean;
  /** True for a built-in object that is frozen so that programs cannot change it: an assignment to an inheriting object succeeds all the same. */
  isShared(object: object): boolean;
}

export interface ConsoleSink {
  /** Characters that may still be written; a longer line is cut. */
  readonly budget: number;
  line(text: string): void;
}

export type CreateExecution = (realm: Realm) => RealmHandle;
