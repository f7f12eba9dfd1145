/** Streamed bodies, item by item. */
import { TextDecoder } from "node:util";
import { ToolError } from "../codemode/tool-error.js";
import { type Json, type JsonObject, parseJson } from "../json/json.js";

/** Characters of one line or event that are kept; a longer one is no stream of items but an attack or a mistake. */
const LONGEST_ITEM = 16 * 1024 * 1024;

/** The lines of UTF-8 text as they come; a byte order mark goes. */
async function* lines(chunks: AsyncIterable<Uint8Array>, separator: RegExp): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A carriage return at the end may be half of a line break.
    const held = rest.endsWith("\r") ? "\r" : "";
    const parts = (held === "" ? rest : rest.slice(0, -1)).split(separator);
    rest = parts.pop()! + held;
    yield* parts;
    if (rest.length > LONGEST_ITEM)
      throw new ToolError("An item of the stream is too long.", { kind: "InvalidToolOutput" });
  }
  rest += decoder.decode();
  if (rest !== "") yield* rest.split(separator);
}

/**
 * Server-sent events (HTML, 9.2.6). Each has `data`, and `event`, `id` and `retry` where its block has them; comments are
 * passed over, and so is a block that the end of the stream cuts off.
 */
export async function* serverSentEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject> {
  let data: string[] = [];
  let fields: JsonObject = {};
  for await (const line of lines(chunks, /\r\n|\n|\r/)) {
    if (line === "") {
      if (data.length > 0) yield { ...fields, data: data.join("\n") };
      data = [];
      fields = {};
      continue;
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "event") fields["event"] = value;
    else if (name === "id" && !value.includes("\0")) fields["id"] = value;
    else if (name === "retry" && /^[0-9]+$/.test(value)) fields["retry"] = Number(value);
  }
}

/** JSON texts, one a line, empty lines passed over. @throws ToolError `InvalidToolOutput` at a line that is no JSON. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Json> {
  let number = 0;
  for await (const line of lines(chunks, /\r\n|\n/)) {
    number += 1;
    if (line.trim() !== "") yield parseItem(line, `Line ${number}`);
  }
}

/** A JSON text sequence (RFC 7464): each text follows a record separator. */
export async function* jsonSequence(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Json> {
  let number = 0;
  for await (const text of lines(chunks, /\x1e/)) {
    if (text.trim() === "") continue;
    number += 1;
    yield parseItem(text, `Text ${number}`);
  }
}

function parseItem(text: string, label: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw new ToolError(`${label} of the stream is not JSON: ${JSON.stringify(text.slice(0, 200))}.`, {
      kind: "InvalidToolOutput",
    });
  }
}
