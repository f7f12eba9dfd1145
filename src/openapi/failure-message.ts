/** What a server says about a failure, in one line, wherever it says it. */
import { STATUS_CODES } from "node:http";
import { isJsonObject, type Json } from "../json/json.js";

const LONGEST = 300;

/** Members of error bodies in common use: RFC 9457, RFC 6749, JSON:API, GraphQL, Google, AWS and many more. */
const MEMBERS = [
  "message",
  "Message",
  "detail",
  "error_description",
  "errorMessage",
  "description",
  "reason",
  "msg",
  "title",
  "error",
  "errors",
  "fault",
  "faultstring",
];

function find(body: Json | undefined, depth: number): string | undefined {
  if (typeof body === "string") return body.trim() === "" ? undefined : body;
  if (depth > 3 || body === undefined || body === null) return undefined;
  if (Array.isArray(body)) return find(body[0], depth + 1);
  if (!isJsonObject(body)) return undefined;
  for (const name of MEMBERS) {
    const found = Object.hasOwn(body, name) ? find(body[name], depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `GET /zones answered 422 Unprocessable Entity: The name is taken.` */
export function failureMessage(about: string, status: number, body: Json | undefined): string {
  const reason = STATUS_CODES[status];
  const head = `${about} answered ${status}${reason === undefined ? "" : ` ${reason}`}`;
  const markup = typeof body === "string" && /^\s*</.test(body);
  const said = markup ? undefined : find(body, 0)?.replace(/\s+/g, " ").trim();
  if (said === undefined || said === "") return `${head}.`;
  return `${head}: ${said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said}`;
}
