/** What an uncaught error or rejection of a program says in a diagnostic. Runs no program code. */
import type { Diagnostic } from "../../../codemode/diagnostic.js";
import type { Realm } from "../realm.js";
import type { ToolErrors } from "./tool-errors.js";

/** Longest message of a diagnostic, in UTF-16 code units. */
const LONGEST_MESSAGE = 4_000;

export function uncaught(error: unknown, realm: Pick<Realm, "inspect" | "isProxy">, errors: ToolErrors): Diagnostic {
  const known = errors.diagnosticOf(error);
  if (known !== undefined) return { ...known, message: shortened(known.message) };
  return { kind: "ExecutionFailure", message: shortened(describe(error, realm)) };
}

function describe(error: unknown, realm: Pick<Realm, "inspect" | "isProxy">): string {
  if (typeof error === "object" && error !== null && !realm.isProxy(error) && error instanceof Error) {
    const name = dataOf(error, "name", realm);
    const message = dataOf(error, "message", realm);
    if (message !== undefined) return name === undefined || name === "Error" ? message : `${name}: ${message}`;
  }
  return `Uncaught ${realm.inspect(error)}`;
}

/** A string property, own or inherited, that is neither a getter's nor a proxy's. */
function dataOf(object: object, key: string, realm: Pick<Realm, "isProxy">): string | undefined {
  for (let at: object | null = object; at !== null && !realm.isProxy(at); at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return typeof descriptor.value === "string" ? descriptor.value : undefined;
  }
  return undefined;
}

export function shortened(message: string): string {
  return message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
}
