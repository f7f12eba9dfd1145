/** Sandbox processes, made ahead of their use. Each execution has one to itself; a clean one is used again. */
import type { Ending, SandboxListener } from "./sandbox-process.js";
import { SandboxProcess } from "./sandbox-process.js";

/** Most processes that wait for work. */
const MOST_SPARES = 2;
/** A process that has grown by more than this, in bytes, is not used again. */
const MOST_GROWTH = 96 * 1024 * 1024;
/** Longest start of a process, in milliseconds. */
const START_TIMEOUT = 30_000;

export class SandboxPool {
  #maxMemoryBytes: number | undefined;
  /** Ready or about to be. */
  #spares: Spare[] = [];
  #closed = false;

  constructor(maxMemoryBytes: number | undefined) {
    this.#maxMemoryBytes = maxMemoryBytes;
  }

  /** Starts a process now, so that a later execution finds it ready. Does nothing where one waits already. */
  prestart(): void {
    if (!this.#closed && this.#spares.length === 0) this.#keep(new SandboxProcess(this.#maxMemoryBytes));
  }

  /** A ready process, held until it is released or ends; `undefined` when none can be started. */
  async acquire(signal: AbortSignal): Promise<SandboxProcess | undefined> {
    const spare = this.#takeSpare() ?? new Spare(new SandboxProcess(this.#maxMemoryBytes));
    spare.process.hold(true);
    const abort = () => spare.process.end();
    signal.addEventListener("abort", abort, { once: true });
    const ready = await spare.ready;
    signal.removeEventListener("abort", abort);
    spare.process.listener = undefined;
    return ready ? spare.process : undefined;
  }

  /** Gives a process back whose program has ended without a trace; it makes its next realm meanwhile. */
  release(process: SandboxProcess): void {
    const grown = process.grownBytes ?? 0;
    if (!this.#closed && process.alive && grown < MOST_GROWTH && this.#spares.length < MOST_SPARES) this.#keep(process);
    else this.discard(process);
  }

  /** Ends a process, and makes up for it. */
  discard(process: SandboxProcess): void {
    process.hold(false);
    process.end();
    this.prestart();
  }

  close(): void {
    this.#closed = true;
    for (const { process } of this.#spares.splice(0)) process.end();
  }

  /** The spare that is ready, or else the one that started first. */
  #takeSpare(): Spare | undefined {
    const ready = this.#spares.findIndex((spare) => spare.isReady);
    return this.#spares.splice(Math.max(0, ready), 1)[0];
  }

  #keep(process: SandboxProcess): void {
    process.hold(false);
    const spare: Spare = new Spare(process, () => {
      const at = this.#spares.indexOf(spare);
      if (at >= 0) this.#spares.splice(at, 1);
    });
    this.#spares.push(spare);
  }
}

/** A process on its way to being ready. */
class Spare implements SandboxListener {
  readonly ready: Promise<boolean>;
  isReady = false;
  #settle!: (ready: boolean) => void;
  #onEnded: () => void;
  #timeout: NodeJS.Timeout;

  constructor(
    readonly process: SandboxProcess,
    onEnded: () => void = () => {},
  ) {
    this.#onEnded = onEnded;
    this.ready = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#timeout = setTimeout(() => process.end(), START_TIMEOUT).unref();
    process.listener = this;
  }

  message({ type }: { type: string }): void {
    clearTimeout(this.#timeout);
    // Nothing runs in it, so nothing else can be meant.
    if (type !== "ready" || this.isReady) {
      this.process.end("protocol");
      return;
    }
    this.isReady = true;
    this.#settle(true);
  }

  ended(_: Ending): void {
    clearTimeout(this.#timeout);
    this.#settle(false);
    this.#onEnded();
  }
}
