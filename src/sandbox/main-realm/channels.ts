/**
 * The sandbox process's pipes. The process has these descriptors and no others; they are made by the host.
 *
 * Messages of the host arrive on one pipe, read by the event loop. Messages to the host leave on another by blocking
 * writes: a call is on its way at once, whatever the program computes next. A synchronous request is answered on the way
 * back of that second pipe, which nothing else reads. Nothing is ever written to the third: its end tells the watchdog
 * that the host is gone.
 */
import { readSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import { Lines } from "../lines.js";

export const HOST_TO_SANDBOX = 3;
export const SANDBOX_TO_HOST = 4;
export const LIFELINE = 5;

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

/** Writes one message; returns when the pipe has taken it. */
export function send(message: string): void {
  try {
    const bytes = Buffer.from(`${message}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(SANDBOX_TO_HOST, bytes, at);
  } catch {
    die();
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
