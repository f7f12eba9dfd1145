/** Redirection (RFC 9110, 15.4), followed for safe methods only; any other redirect is an answer like every other. */
import { HttpFailure } from "./failure.js";
import type { HttpRequest, HttpResponse } from "./message.js";
import { isSafeMethod } from "./methods.js";

/** As fetch and browsers have it. */
export const MAX_REDIRECTS = 20;

const STATUSES = new Set([301, 302, 303, 307, 308]);

/** Fields that describe a body, dropped with it. */
const BODY_FIELDS = /^content-/i;

/**
 * The request that a redirect asks for, or `undefined` when the answer is not a redirect to follow.
 *
 * 303 turns everything but HEAD into GET without a body; the others keep method and body. When the origin changes, the
 * credentials and every field that the caller supplied stay behind, and so does the body: the document trusts its server
 * with them, not another one.
 *
 * @param about what was sent, for the text of a failure
 * @throws HttpFailure when the target is not http(s), or is http where the request was https
 */
export function redirected(
  request: HttpRequest,
  response: Pick<HttpResponse, "status" | "headers">,
  about: string,
): HttpRequest | undefined {
  const location = response.headers["location"];
  if (!STATUSES.has(response.status) || !isSafeMethod(request.method) || location === undefined || location === "")
    return undefined;
  const base = request.origin + request.target;
  if (!URL.canParse(location, base))
    throw new HttpFailure(`${about}: the server redirects to something that is no URL.`, "body", false);
  const url = new URL(location, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new HttpFailure(`${about}: the server redirects to a ${url.protocol} URL.`, "body", false);
  if (url.protocol === "http:" && request.origin.startsWith("https:"))
    throw new HttpFailure(`${about}: the server redirects from https to http, which is not followed.`, "body", false, {
      hint: "Name the server's new address with --server.",
    });
  const sameOrigin = url.origin === new URL(request.origin).origin;
  const toGet = response.status === 303 && request.method !== "HEAD" && request.method !== "GET";
  const next = {
    method: toGet ? "GET" : request.method,
    origin: sameOrigin ? request.origin : url.origin,
    target: url.pathname + url.search,
  };
  if (!sameOrigin) {
    if (request.body !== undefined && !toGet)
      throw new HttpFailure(
        `${about}: the server redirects a request with a body to another origin, which is not followed.`,
        "body",
        false,
      );
    return { ...next, headers: request.headers.filter(([name]) => /^accept$/i.test(name)), body: undefined };
  }
  return {
    ...next,
    headers: toGet ? request.headers.filter(([name]) => !BODY_FIELDS.test(name)) : request.headers,
    body: toGet ? undefined : request.body,
    authorization: request.authorization,
  };
}
