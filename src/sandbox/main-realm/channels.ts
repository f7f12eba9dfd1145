/**
 * The sandbox process's pipes. The process has these descriptors and no others; they are made by the host.
 *
 * Messages of the host arrive on one pipe, read by the event loop. Messages to the host leave on another by blocking
 * writes. The first call of a turn of the event loop is on its way at once; those that follow it within a millisecond leave
 * together, whatever the program computes next. A synchronous request is answered on the way back of that second pipe,
 * which nothing else reads. Nothing is ever written to the third: its end tells the watchdog that the host is gone.
 */
import { readSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import { Lines } from "../lines.js";

export const HOST_TO_SANDBOX = 3;
export const SANDBOX_TO_HOST = 4;
export const LIFELINE = 5;

/** Calls are held back until there is this much of them, in characters, */
const WRITE_AT = 8 * 1024;
/** or for this long, in milliseconds. */
const LONGEST_DELAY = 1;

const { nextTick } = process;
// What `process.kill` calls, kept for when the process has lost it.
const { pid, _kill: kill } = process as unknown as { pid: number; _kill(pid: number, signal: number): number };

/** The process ends at once, without waiting for anything that may be blocked. */
export function die(): never {
  kill(pid, constants.signals.SIGKILL);
  throw new Error("unreachable");
}

/** Calls `receive` for each message of the host; the process ends with the pipe. */
export function listen(receive: (message: string) => void): void {
  const lines = new Lines(Number.POSITIVE_INFINITY, receive);
  const socket = new Socket({ fd: HOST_TO_SANDBOX, readable: true, writable: false });
  socket.on("data", (chunk) => lines.push(chunk));
  socket.on("close", die);
  socket.on("error", die);
}

/** Calls that are held back, and when the first of them was, in milliseconds. */
let held = "";
let heldSince = 0;
/** True from the first call of a turn of the event loop to the turn's end. */
let calling = false;

/** Writes one message, and those held back before it; returns when the pipe has taken them. */
export function send(message: string): void {
  write(`${held}${message}\n`);
  held = "";
}

/** Writes one message at once, or soon where it is one of many: `flush` and `flushDue` tell when. */
export function sendSoon(message: string): void {
  if (!calling) {
    nextTick(endTurn);
    calling = true;
    send(message);
    return;
  }
  if (held === "") heldSince = performance.now();
  held += `${message}\n`;
  if (held.length >= WRITE_AT) flush();
}

/** Writes what has been held back for too long. To be called every so often while a program runs; `now` in milliseconds. */
export function flushDue(now: number): void {
  if (held !== "" && now - heldSince >= LONGEST_DELAY) flush();
}

function flush(): void {
  write(held);
  held = "";
}

// The queue of ticks is worked off when the microtasks are done, and with them all that the program does at once.
function endTurn(): void {
  calling = false;
  if (held !== "") flush();
}

/** @throws RangeError near the end of the stack; nothing has been written then. */
function write(text: string): void {
  let at = 0;
  try {
    const bytes = Buffer.from(text);
    while (at < bytes.length) at += writeSync(SANDBOX_TO_HOST, bytes, at);
  } catch (error) {
    if (at > 0 || !(error instanceof RangeError)) die();
    throw error;
  }
}

/** Writes one message and blocks until its answer is there. */
export function ask(message: string): string {
  send(message);
  const chunk = Buffer.allocUnsafe(64 * 1024);
  let answer: string | undefined;
  const lines = new Lines(Number.POSITIVE_INFINITY, (line) => {
    answer = line;
  });
  while (answer === undefined) {
    let length = 0;
    try {
      length = readSync(SANDBOX_TO_HOST, chunk);
    } catch {
      die();
    }
    if (length === 0) die();
    lines.push(Buffer.from(chunk.subarray(0, length)));
  }
  return answer;
}
