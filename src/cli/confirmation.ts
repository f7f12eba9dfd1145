/**
 * `--confirm`: the user is asked before each call that may change something. Where nobody can be asked nothing is sent.
 */
import { createInterface } from "node:readline/promises";
import * as Effect from "effect/Effect";
import type { ToolFacts } from "../codemode/tool.js";
import { ToolError } from "../codemode/tool-error.js";
import { type Json, stringifyJson } from "../json/json.js";
import { paintErr, shown } from "./terminal.js";

/** How much of an input a question shows, in characters. */
const SHOWN_INPUT = 2_000;

/** One question at a time: programs call tools side by side. */
let last: Promise<unknown> = Promise.resolve();

async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(question, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

/** Succeeds when the call may be made; calls that change nothing always may. */
export function confirmed(name: string, facts: ToolFacts, input: Json | undefined): Effect.Effect<void, ToolError> {
  if (facts.readOnly === true) return Effect.void;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    return Effect.fail(
      new ToolError(`${name} needs your confirmation, and there is no terminal to ask at.`, {
        hint: "Run it in a terminal, or without --confirm.",
      }),
    );
  }
  const text = stringifyJson(input ?? null, 2).slice(0, SHOWN_INPUT);
  const operation = facts.method === undefined ? name : `${facts.method} ${facts.pathTemplate} (${name})`;
  const question = `${paintErr("bold", shown(operation))}\n${text.split("\n").map(shown).join("\n")}\nSend it? [y/N] `;
  return Effect.tryPromise({
    try: (signal) => {
      const turn = last.then(() => ask(question, signal));
      last = turn.catch(() => {});
      return turn;
    },
    catch: (cause) => new ToolError(`${name}: you could not be asked.`, { cause }),
  }).pipe(Effect.flatMap((yes) => (yes ? Effect.void : Effect.fail(new ToolError(`You did not allow ${name}.`)))));
}
