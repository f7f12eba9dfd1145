/** What a tool gave, as the JSON text of a message for the program. */
import type { CallFailure } from "../../sandbox/protocol.js";
import type { Answer } from "../tool.js";
import { ToolError } from "../tool-error.js";

/** The message of an answer. One that is a stream is announced; its items follow when they are asked for. */
export function answerText(id: number, { data, status, headers }: Answer, stream: boolean): string {
  const facts =
    status === undefined && headers === undefined
      ? `{"type":"answer","id":${id}`
      : JSON.stringify({ type: "answer", id, status, headers }).slice(0, -1);
  return stream ? `${facts},"stream":true}` : `${facts},"data":${dataText(data)}}`;
}

/** The message of a failed call. A body that is no JSON is left out: what failed is the call, and that is to be told. */
export function failureText(id: number, { body, ...error }: CallFailure): string {
  const facts = JSON.stringify({ type: "failure", id, error });
  if (body === undefined) return facts;
  try {
    return `${facts.slice(0, -2)},"body":${dataText(body)}}}`;
  } catch {
    return facts;
  }
}

/** The message of one item of a stream. */
export function itemText(id: number, item: unknown): string {
  return `{"type":"item","id":${id},"data":${dataText(item)}}`;
}

/**
 * JSON text of a value; nothing at all is `null`. An integer beyond 2^53, which no number of a program can hold, keeps its
 * digits as a string.
 *
 * @throws ToolError `InvalidToolOutput` when the value is no JSON.
 */
function dataText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    try {
      return JSON.stringify(value, exactInteger) ?? "null";
    } catch (cause) {
      throw new ToolError("The tool gave a value that is no JSON: it contains itself, or is nested too deeply.", {
        kind: "InvalidToolOutput",
        cause,
      });
    }
  }
}

function exactInteger(_key: string, value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
