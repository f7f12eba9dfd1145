/**
 * The protocol between the host and a sandbox process: JSON texts (RFC 8259), one a line, each with a `type`.
 *
 * The host believes nothing that comes from a sandbox: `readSandboxMessage` checks every member of every message, and the
 * session checks their order. A message that fails is the end of that process, never a fault of the host.
 */
import type { Diagnostic, DiagnosticKind } from "../codemode/diagnostic.js";
import type { CallMode } from "../codemode/tool.js";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../json/json.js";
import { MAX_DEPTH } from "./depth.js";

/** `auto`: JavaScript, or else TypeScript. */
export type Language = "javascript" | "typescript" | "auto";

/** What bounds an execution. Absent is unbounded. */
export interface SandboxLimits {
  readonly timeoutMs?: number;
  readonly maxToolCalls?: number;
  readonly maxOutputBytes?: number;
  readonly maxMemoryBytes?: number;
}

/** The tools of all later executions, by dotted name. Sent once to a process. */
export interface ToolsMessage {
  readonly type: "tools";
  readonly names: readonly string[];
}

export interface ExecuteMessage {
  readonly type: "execute";
  /** The realm serves no other program, before or after. */
  readonly fresh?: true;
  readonly language: Language;
  readonly source: string;
  readonly limits: SandboxLimits;
  readonly input?: Json;
}

/** What a failed call shows to the program. */
export interface CallFailure {
  readonly kind: DiagnosticKind;
  readonly message: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly hint?: string;
}

/** Host to sandbox, while a program runs. `id` is the call's. */
export type DeliveryMessage =
  /** The answer of a call; `stream` instead of `data` where the items are to be pulled. */
  | {
      readonly type: "answer";
      readonly id: number;
      readonly data?: Json;
      readonly stream?: true;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly type: "failure"; readonly id: number; readonly error: CallFailure }
  /** One item of a stream, the answer to a `pull`. */
  | { readonly type: "item"; readonly id: number; readonly data: Json }
  | { readonly type: "end"; readonly id: number };

/** The host's answer to a `search`, on the synchronous channel. */
export type SearchReply = { readonly value: Json } | { readonly error: CallFailure };

/** Sandbox to host. */
export type SandboxMessage =
  /** A realm is prepared: `execute` may be sent. */
  | { readonly type: "ready" }
  | {
      readonly type: "call";
      readonly id: number;
      readonly tool: string;
      readonly mode: CallMode;
      readonly input?: Json;
    }
  /** Opens a stream of pages under `id`. */
  | { readonly type: "pages"; readonly id: number; readonly tool: string; readonly input?: Json }
  | { readonly type: "pull"; readonly id: number }
  | { readonly type: "close"; readonly id: number }
  | { readonly type: "search"; readonly query: Json; readonly options?: Json }
  | { readonly type: "log"; readonly line: string }
  /** The answer to a question on the lifeline: the offset of a built-in that runs now, in UTF-16 code units; -1 where none is known. */
  | { readonly type: "where"; readonly offset: number }
  /** The program has ended; nothing of it is listened to any more. */
  | {
      readonly type: "done";
      readonly value: Json;
      readonly truncated: boolean;
      readonly warnings: readonly Diagnostic[];
    }
  | {
      readonly type: "failed";
      readonly error: Diagnostic;
      readonly truncated: boolean;
      readonly warnings: readonly Diagnostic[];
    }
  /** Nothing of the ended program is left to run; rejections that nobody handled. */
  | { readonly type: "settled"; readonly warnings: readonly Diagnostic[] };

/** A message of a sandbox that no sound sandbox sends. */
export class ProtocolFault extends Error {}

const KINDS: ReadonlySet<string> = new Set<DiagnosticKind>([
  "ParseError",
  "UnsupportedSyntax",
  "UnknownTool",
  "InvalidToolInput",
  "InvalidToolOutput",
  "InvalidDataValue",
  "ToolCallLimitExceeded",
  "TimeoutExceeded",
  "MemoryLimitExceeded",
  "ToolFailure",
  "ExecutionFailure",
  "Truncated",
]);

/**
 * Reads one message of a sandbox.
 *
 * @throws ProtocolFault when it is not exactly a message of the protocol.
 */
export function readSandboxMessage(text: string): SandboxMessage {
  if (isTooDeep(text)) throw new ProtocolFault("nesting");
  let message: Json;
  try {
    message = parseJson(text);
  } catch {
    throw new ProtocolFault("not JSON");
  }
  if (!isJsonObject(message)) throw new ProtocolFault("not an object");
  switch (message["type"]) {
    case "ready":
      return { type: "ready" };
    case "call": {
      const mode = message["mode"];
      if (mode !== "value" && mode !== "response") throw new ProtocolFault("mode");
      const tool = text_(message, "tool");
      const { input } = message;
      return input === undefined
        ? { type: "call", id: id(message), tool, mode }
        : { type: "call", id: id(message), tool, mode, input };
    }
    case "pages":
      return { type: "pages", id: id(message), tool: text_(message, "tool"), ...optional(message, "input") };
    case "pull":
      return { type: "pull", id: id(message) };
    case "close":
      return { type: "close", id: id(message) };
    case "search":
      return { type: "search", query: message["query"] ?? null, ...optional(message, "options") };
    case "log":
      return { type: "log", line: text_(message, "line") };
    case "where": {
      const { offset } = message;
      if (typeof offset !== "number" || !Number.isSafeInteger(offset)) throw new ProtocolFault("offset");
      return { type: "where", offset };
    }
    case "done": {
      const { value } = message;
      if (value === undefined) throw new ProtocolFault("value");
      return { type: "done", value, truncated: message["truncated"] === true, warnings: warnings(message) };
    }
    case "failed":
      return {
        type: "failed",
        error: diagnostic(message["error"]),
        truncated: message["truncated"] === true,
        warnings: warnings(message),
      };
    case "settled":
      return { type: "settled", warnings: warnings(message) };
    default:
      throw new ProtocolFault("type");
  }
}

function id(message: JsonObject): number {
  const value = message["id"];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1) throw new ProtocolFault("id");
  return value;
}

function text_(message: JsonObject, member: string): string {
  const value = message[member];
  if (typeof value !== "string") throw new ProtocolFault(member);
  return value;
}

function optional<K extends string>(message: JsonObject, member: K): { readonly [member in K]?: Json } {
  const value = message[member];
  return (value === undefined ? {} : { [member]: value }) as { readonly [member in K]?: Json };
}

/** Most warnings of one execution that the host keeps. */
const MAX_WARNINGS = 100;

function warnings(message: JsonObject): readonly Diagnostic[] {
  const list = message["warnings"] ?? [];
  if (!Array.isArray(list) || list.length > MAX_WARNINGS) throw new ProtocolFault("warnings");
  return list.map(diagnostic);
}

function diagnostic(value: Json | undefined): Diagnostic {
  if (!isJsonObject(value)) throw new ProtocolFault("diagnostic");
  Object.setPrototypeOf(value, null);
  const { kind, message, location, tool, status, hint } = value;
  if (typeof kind !== "string" || !KINDS.has(kind)) throw new ProtocolFault("kind");
  if (typeof message !== "string") throw new ProtocolFault("message");
  if (tool !== undefined && typeof tool !== "string") throw new ProtocolFault("tool");
  if (hint !== undefined && typeof hint !== "string") throw new ProtocolFault("hint");
  if (status !== undefined && typeof status !== "number") throw new ProtocolFault("status");
  return {
    kind: kind as DiagnosticKind,
    message,
    ...(location === undefined ? {} : { location: position(location) }),
    ...(tool === undefined ? {} : { tool }),
    ...(status === undefined ? {} : { status }),
    ...(hint === undefined ? {} : { hint }),
  };
}

function position(value: Json): { line: number; column: number } {
  if (!isJsonObject(value)) throw new ProtocolFault("location");
  const { line, column } = value;
  if (!isCount(line) || !isCount(column)) throw new ProtocolFault("location");
  return { line, column };
}

const isCount = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** Whether JSON text nests deeper than values may, the message around them included. Linear, without recursion. */
function isTooDeep(text: string): boolean {
  const most = MAX_DEPTH + 4;
  // So short a text has no room for it.
  if (text.length <= most) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // A string: to its closing quote.
        at++;
        while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > most) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return false;
}
