/** The errors that failed and refused calls throw: `name` is `ToolError`, with `kind`, `tool` and the parts of an answer. */
import type { Diagnostic, DiagnosticKind } from "../../../codemode/diagnostic.js";
import type { CallFailure } from "../../protocol.js";

export class ToolErrors {
  #failures = new WeakMap<object, { failure: CallFailure; tool: string | undefined }>();

  /** A new error for the program. Its parts are enumerable, so that a returned error says what happened. */
  make(failure: CallFailure, tool: string | undefined): Error {
    const error = new Error(failure.message);
    Object.defineProperty(error, "name", { value: "ToolError", writable: true, configurable: true });
    const parts: Record<string, unknown> = { message: failure.message, kind: failure.kind, tool };
    for (const part of ["status", "headers", "body", "hint"] as const) parts[part] = failure[part];
    for (const [name, value] of Object.entries(parts)) {
      if (value === undefined) continue;
      Object.defineProperty(error, name, { value, enumerable: true, writable: true, configurable: true });
    }
    this.#failures.set(error, { failure, tool });
    return error;
  }

  /** The diagnostic of an error made here, whatever the program did to its properties since. */
  diagnosticOf(error: unknown): Diagnostic | undefined {
    const known = typeof error === "object" && error !== null ? this.#failures.get(error) : undefined;
    if (known === undefined) return undefined;
    const { failure, tool } = known;
    return {
      kind: failure.kind,
      message: failure.message,
      ...(tool === undefined ? {} : { tool }),
      ...(failure.status === undefined ? {} : { status: failure.status }),
      ...(failure.hint === undefined ? {} : { hint: failure.hint }),
    };
  }

  refused(kind: DiagnosticKind, message: string, tool?: string, hint?: string): Error {
    return this.make({ kind, message, ...(hint === undefined ? {} : { hint }) }, tool);
  }
}
