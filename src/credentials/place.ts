/** Puts credentials into a request: header fields, the query, the one Cookie field. */
import { type CredentialPlace, type HttpRequest, requestField } from "../http/message.js";
import { CredentialError } from "./sources.js";

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** RFC 9110, 5.5: visible characters, spaces, tabs and obs-text; nothing that ends a line. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** RFC 6265, 4.1.1: what a cookie value cannot carry is percent-encoded, as browsers' scripts do. */
const NOT_COOKIE_OCTET = /[^\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]/gu;

/** Percent-encodes everything outside unreserved (RFC 3986, 2.3). */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** @throws CredentialError when a field cannot carry the value */
export function headerPlace(name: string, value: string, scheme: string): CredentialPlace {
  if (!TOKEN.test(name))
    throw new CredentialError(`"${name}", the header of the security scheme "${scheme}", is not a field name.`);
  if (!FIELD_VALUE.test(value) || value.trim() !== value)
    throw new CredentialError(
      `The credential for "${scheme}" has characters that a header cannot carry.`,
      "Look for a line break or a space at its end.",
    );
  return { in: "header", name, value };
}

export function queryPlace(name: string, value: string): CredentialPlace {
  return { in: "query", name, value: percentEncode(value) };
}

export function cookiePlace(name: string, value: string, scheme: string): CredentialPlace {
  if (!TOKEN.test(name))
    throw new CredentialError(`"${name}", the cookie of the security scheme "${scheme}", is not a cookie name.`);
  return { in: "cookie", name, value: value.replace(NOT_COOKIE_OCTET, (c) => encodeURIComponent(c)) };
}

/**
 * The request with its credentials. A credential replaces what the caller gave under the same name: sending both would
 * let a program choose.
 *
 * @throws CredentialError when two credentials claim one place
 */
export function placeCredentials(request: HttpRequest, places: readonly CredentialPlace[]): HttpRequest {
  const taken = new Set<string>();
  for (const { in: where, name } of places) {
    const key = `${where} ${where === "header" ? name.toLowerCase() : name}`;
    if (taken.has(key))
      throw new CredentialError(`Two security schemes of one requirement both use the ${where} "${name}".`);
    taken.add(key);
  }
  return places.reduce((result, place) => PUT[place.in](result, place), request);
}

const PUT: Readonly<Record<CredentialPlace["in"], (request: HttpRequest, place: CredentialPlace) => HttpRequest>> = {
  header: (request, { name, value }) => ({
    ...request,
    headers: [...request.headers.filter(([field]) => field.toLowerCase() !== name.toLowerCase()), [name, value]],
  }),
  query: (request, { name, value }) => {
    const at = request.target.indexOf("?");
    const path = at < 0 ? request.target : request.target.slice(0, at);
    const query = at < 0 ? "" : request.target.slice(at + 1);
    const pairs = query === "" ? [] : query.split("&").filter((pair) => decoded(pair) !== name);
    return { ...request, target: `${path}?${[...pairs, `${percentEncode(name)}=${value}`].join("&")}` };
  },
  cookie: (request, { name, value }) => {
    const before = requestField(request, "cookie");
    const kept = (before ?? "").split(/;\s*/).filter((pair) => pair !== "" && pair.split("=")[0] !== name);
    const cookie = [...kept, `${name}=${value}`].join("; ");
    return {
      ...request,
      headers: [...request.headers.filter(([field]) => field.toLowerCase() !== "cookie"), ["Cookie", cookie]],
    };
  },
};

/** The name of a query pair. */
function decoded(pair: string): string {
  const name = pair.split("=")[0]!.replaceAll("+", " ");
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
