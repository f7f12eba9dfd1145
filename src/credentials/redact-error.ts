import { ToolError } from "../codemode/tool-error.js";
import type { Redactor } from "./redaction.js";

/** The failure without secrets in any of its public parts. The same one when it has none. */
export function redactError(error: ToolError, redactor: Redactor): ToolError {
  const { text } = redactor;
  const message = text(error.message);
  const hint = error.hint === undefined ? undefined : text(error.hint);
  const body = error.body === undefined ? undefined : redactor.json(error.body);
  const headers =
    error.headers === undefined
      ? undefined
      : Object.fromEntries(Object.entries(error.headers).map(([name, value]) => [name, text(value)]));
  const same =
    message === error.message &&
    hint === error.hint &&
    body === error.body &&
    Object.entries(headers ?? {}).every(([name, value]) => error.headers?.[name] === value);
  if (same) return error;
  return new ToolError(message, {
    cause: error.cause,
    kind: error.kind,
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
    ...(hint === undefined ? {} : { hint }),
  });
}
