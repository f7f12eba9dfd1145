/** The search for programs that get out of the sandbox, or leave something in it. */
import { readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { shrunk } from "../language/random/difference.js";
import type { FuzzOptions } from "../language/random/fuzz.js";
import { CodeMode, type CodeModeRuntime, type Result } from "../runtime/built.js";
import { CANARY, FORBIDDEN_TEXTS, Host, hostState } from "./host.js";
import { randomAttack } from "./mutations.js";

const TIMEOUT = 1_000;
/** How long after its time limit a program may take to be ended, in milliseconds. */
const LATE = 1_500;
/** How much more the host may hold after any number of programs, in MB: nothing of a program stays. */
const MOST_HELD = 32;
/** Programs between two looks at what they have left. */
const BATCH = 20;
const KINDS = new Set(
  "ParseError UnsupportedSyntax UnknownTool InvalidToolInput InvalidToolOutput InvalidDataValue ToolCallLimitExceeded TimeoutExceeded MemoryLimitExceeded ToolFailure ExecutionFailure".split(
    " ",
  ),
);

Object.assign(globalThis, { __CANARY: CANARY });
process.env["FUZZ_CANARY"] = CANARY;

const FORBIDDEN = [...FORBIDDEN_TEXTS, "EVALUATED", process.execPath, hostname()];

/** Everything that the built-ins of a program are, as one text: the same for every program of a runtime. */
const PROBE = `
const lines = [], seen = new Set();
const look = (value, path, depth) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || depth > 5) return;
  seen.add(value);
  if (path !== 'globalThis.tools' && !Object.isFrozen(value)) lines.push(path + ' is not frozen');
  const proto = Object.getPrototypeOf(value);
  for (const key of Reflect.ownKeys(value)) {
    const d = Reflect.getOwnPropertyDescriptor(value, key);
    lines.push([path, String(key), typeof d.value, typeof d.value === 'object' || typeof d.value === 'function' ? '' : String(d.value), !!d.get, !!d.set, d.writable, d.configurable].join(' '));
    for (const part of ['value', 'get', 'set']) look(d[part], path + '.' + String(key), depth + 1);
  }
  look(proto, path + '^', depth + 1);
};
look(globalThis, 'globalThis', 0);
for (const one of [function* () {}, async function* () {}, async () => {}, [][Symbol.iterator](), new Map().entries(), ''.matchAll(/a/g), ''[Symbol.iterator]()]) look(Object.getPrototypeOf(one), 'of ' + lines.length, 1);
let text = 0;
for (const line of lines) for (let i = 0; i < line.length; i++) text = (text * 31 + line.charCodeAt(i)) | 0;
console.count(); console.groupEnd();
const loose = lines.filter((l) => l.endsWith('not frozen'));
return [lines.length, text, loose.slice(0, 20), ({}).polluted, [].polluted, (() => {}).polluted, typeof x, typeof seen.polluted, String(RegExp.$1), new Error('e').stack.split(':').length];
`;

export const attackOf = (seed: number): string => fc.sample(randomAttack, { seed, numRuns: 1 })[0]!;

export class AttackJudge {
  readonly host = new Host();
  readonly runtime: CodeModeRuntime<never> = CodeMode.make({
    tools: this.host.tools,
    limits: { timeoutMs: TIMEOUT, maxMemoryBytes: 64 << 20, maxOutputBytes: 1 << 20 },
  }) as CodeModeRuntime<never>;
  readonly #hostBefore = hostState();
  #clean: string | undefined;

  /** What is wrong with what came of a program; `undefined` where it was contained. Only one that is late three times is late. */
  async fault(source: string): Promise<string | undefined> {
    let found: string | undefined;
    for (let i = 0; i < 3; i++) {
      found = await this.#faultOnce(source);
      if (found?.startsWith("ended after") !== true) break;
    }
    return found;
  }

  async #faultOnce(source: string): Promise<string | undefined> {
    const start = performance.now();
    let result: Result;
    try {
      result = await this.runtime.run(source, { language: "javascript" });
    } catch (error) {
      return `run() threw ${String(error)}`;
    }
    const took = performance.now() - start;
    const text = JSON.stringify(result);
    const leaked = FORBIDDEN.find((one) => text.includes(one) && !source.includes(one));
    if (leaked !== undefined) {
      const at = text.indexOf(leaked);
      return `leaked ${leaked === CANARY ? "the canary" : leaked}: ${text.slice(Math.max(0, at - 100), at + 100)}`;
    }
    if (!result.ok && !KINDS.has(result.error.kind)) return `of kind ${result.error.kind}`;
    if (took > TIMEOUT + LATE) return `ended after ${Math.round(took)} ms`;
    return undefined;
  }

  /** What the programs before have left, in the sandbox or in the host. */
  async residue(): Promise<string | undefined> {
    const result = await this.runtime.run(PROBE, { language: "javascript", limits: { timeoutMs: 20_000 } });
    if (!result.ok) return `the probe failed: ${JSON.stringify(result.error)}`;
    const now = JSON.stringify([result.value, result.logs]);
    this.#clean ??= now;
    if (now !== this.#clean) return `built-ins changed: ${this.#clean} became ${now}`;
    const after = hostState();
    const changed = [...after.keys()].filter((place) => !Object.is(after.get(place), this.#hostBefore.get(place)));
    return changed.length > 0 ? `the host changed: ${changed.join()}` : undefined;
  }

  async close(): Promise<string | undefined> {
    await this.runtime.close();
    await new Promise((done) => setTimeout(done, 1_000));
    const left = sandboxes();
    return left.length > 0 ? `processes left: ${left.join()}` : undefined;
  }
}

/** MB that the host holds. */
function held(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}

/** Sandbox processes of this one (Linux). */
function sandboxes(): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      const parent = readFileSync(`/proc/${id}/stat`, "utf8")
        .replace(/^.*\) \S /, "")
        .split(" ")[0];
      return Number(parent) === process.pid && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("process.cjs");
    } catch {
      return false;
    }
  });
}

/** Prints each fault with its seed and a small program. @returns the number of faults. */
export async function fuzzAttacks({ milliseconds, seed, count, print }: FuzzOptions): Promise<number> {
  let faults = 0;
  const fault = (text: string): void => {
    faults++;
    print(`FAULT ${text}\n`);
  };
  process.on("uncaughtException", (error) => fault(`uncaught exception in the host: ${error.stack}`));
  process.on("unhandledRejection", (error) => fault(`unhandled rejection in the host: ${String(error)}`));
  const judge = new AttackJudge();
  await judge.residue();
  const heap = held();
  const end = performance.now() + milliseconds;
  let done = 0;
  for (let next = seed; performance.now() < end && next < seed + count; next++) {
    const source = attackOf(next);
    const found = await judge.fault(source);
    done++;
    if (found !== undefined) {
      const sort = found.slice(0, 12);
      const small = await shrunk(
        source,
        async (smaller) => (await judge.fault(smaller))?.startsWith(sort) === true,
        20_000,
      );
      fault(`seed ${next}: ${found}\n--- program\n${small}`);
    }
    if (done % BATCH === 0) {
      const left = await judge.residue();
      if (left !== undefined) fault(`after seeds ${next - BATCH + 1} to ${next}: ${left}`);
    }
    if (done % 500 === 0) print(`${done} attacks, ${faults} faults, heap grown by ${Math.round(held() - heap)} MB`);
  }
  if (held() - heap > MOST_HELD) fault(`the host holds ${Math.round(held() - heap)} MB more`);
  const left = await judge.close();
  if (left !== undefined) fault(left);
  print(`${done} attacks from seed ${seed}: ${faults} faults, heap grown by ${Math.round(held() - heap)} MB`);
  return faults;
}
