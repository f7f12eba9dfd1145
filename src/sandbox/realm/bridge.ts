/**
 * The line between the sandbox process's main realm and the realm that programs run in.
 *
 * A bridge is made of main-realm functions, so it is dangerous: the realm's own code keeps it in closures, no program value
 * ever reaches it, and only strings, numbers, booleans and the realm's own byte arrays cross it. No bridge function throws:
 * what fails answers `undefined`, and the realm throws an error of its own.
 */
import type { Realm } from "./realm.js";

export interface Bridge {
  /** Sends one protocol message (JSON text) to the host; a call that is one of many within a millisecond or so. */
  post(message: string): void;
  /** Asks the host and blocks until it answers (JSON text). For `search`, which is synchronous by contract. */
  request(message: string): string | undefined;
  /** Milliseconds, monotonic. Asked for every so often while a program runs: calls that wait to be sent leave then. */
  now(): number;
  /** Notes the offset in the program of a built-in that nothing can interrupt, before it runs; -1 afterwards. */
  at(offset: number): void;
  /** Calls `RealmHandle.timer(id)` after `ms` milliseconds. */
  setTimer(id: number, ms: number): void;
  clearTimer(id: number): void;
  /**
   * Bytes that the program holds: the heap and the buffers outside it, beyond what the sandbox itself held at the start.
   * `exact` collects garbage first (slow: the caller asks only when a cheap answer is over the limit).
   */
  memory(exact: boolean): number;
  /** Makes the TypeScript parser available in the realm (`realm/typescript.ts`); false when that failed. */
  loadTypeScript(): boolean;
  /** WHATWG URL parsing: JSON text of `{href, origin, protocol, username, password, host, hostname, port, pathname, search, hash}`. */
  parseUrl(input: string, base: string | undefined): string | undefined;
  /** The same record after assigning one of its members, as the setters of `URL` do. */
  setUrlPart(href: string, part: string, value: string): string | undefined;
  /** Encoding standard: the canonical name of a label. */
  encodingName(label: string): string | undefined;
  /** Decodes bytes; `undefined` when `fatal` and malformed. A `stream` number names a decoder that keeps its state. */
  decodeText(
    label: string,
    fatal: boolean,
    ignoreBom: boolean,
    bytes: Uint8Array,
    stream: number,
    more: boolean,
  ): string | undefined;
}

/** What the realm gives back to the main realm: realm functions that never throw. */
export interface RealmHandle {
  /** Starts a program: the protocol's `execute` message (JSON text). Answers go through `Bridge.post`. */
  execute(message: string): void;
  /** Any later message from the host (JSON text): results of calls, pulls of streams, an interruption. */
  deliver(message: string): void;
  timer(id: number): void;
  /** Called when the microtask queue is empty: the realm reports a program that nothing can settle any more. */
  idle(): void;
  /** A promise was rejected and nobody handles it (HostPromiseRejectionTracker). The main realm only passes both on. */
  rejected(promise: object, reason: unknown): void;
  /** Somebody handles it after all. */
  handled(promise: object): void;
  /**
   * Makes the realm ready for another program, after `settled`. False when the last one left something that could still run: then
   * this realm must not serve another.
   */
  renew(): boolean;
}

export interface BootOptions {
  /** For conformance suites only: built-ins stay as the engine made them (neither reduced nor frozen). Default true. */
  readonly hardened?: boolean;
  /** For the realm's own tests only: is given what the execution gets. */
  readonly reveal?: (realm: Realm) => void;
}

/** `boot`, the export of the realm bundle (`realm/main.ts`), called once per realm. */
export type Boot = (bridge: Bridge, options?: BootOptions) => RealmHandle;
