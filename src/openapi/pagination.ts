/**
 * The next page of a listing, where the answer itself links to it: `Link: rel="next"` (RFC 8288), `x-ms-pageable`, OData,
 * JSON:API and HAL. A link is followed only within the same origin and operation: it comes from a server, and the request
 * carries credentials.
 */
import type { Answer } from "../codemode/tool.js";
import type { HttpRequest } from "../http/message.js";
import { isJsonObject, type Json } from "../json/json.js";
import { parseLinks } from "./link-field.js";
import type { OperationPlan } from "./plan.js";
import type { ChosenServer } from "./server-object.js";

/** Matches the paths of an operation's requests. */
export type PageOperation = RegExp;

export function pageOperation(plan: OperationPlan, server: ChosenServer): PageOperation {
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const path = plan.template.path.map((piece) => (typeof piece === "string" ? literal(piece) : "[^/]+")).join("");
  return new RegExp(`^${literal(server.basePath)}${path}/?$`);
}

/** The request of the page after an answer; `undefined` when the answer links to none that may be followed. */
export function followingPage(
  plan: OperationPlan,
  operation: PageOperation,
  request: HttpRequest,
  answer: Answer,
): HttpRequest | undefined {
  if (plan.method !== "GET") return undefined;
  const link = nextLink(plan, answer);
  if (link === undefined) return undefined;
  let url: URL;
  try {
    url = new URL(link, request.origin + request.target);
  } catch {
    return undefined;
  }
  if (url.origin !== request.origin || !operation.test(url.pathname)) return undefined;
  return { ...request, target: url.pathname + url.search };
}

function nextLink(plan: OperationPlan, answer: Answer): string | undefined {
  const field = answer.headers?.["link"];
  const fromField =
    field === undefined ? undefined : parseLinks(field).find(({ relations }) => relations.includes("next"));
  if (fromField !== undefined) return fromField.target;
  const data = answer.data as Json;
  if (!isJsonObject(data)) return undefined;
  const at = (...path: string[]): Json | undefined =>
    path.reduce<Json | undefined>(
      (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      data,
    );
  const candidates = [
    // AutoRest: a dot in the name may be part of a name or a step.
    ...(plan.nextLinkName === undefined ? [] : [at(plan.nextLinkName), at(...plan.nextLinkName.split("."))]),
    at("@odata.nextLink"),
    at("odata.nextLink"),
    at("links", "next"),
    at("links", "next", "href"),
    at("_links", "next"),
    at("_links", "next", "href"),
  ];
  return candidates.find((candidate): candidate is string => typeof candidate === "string" && candidate !== "");
}
