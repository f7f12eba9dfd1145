/** What request methods promise (RFC 9110, 9.2). */

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]);
const IDEMPOTENT_METHODS = new Set([...SAFE_METHODS, "PUT", "DELETE"]);

/** RFC 9110, 9.2.1, and QUERY: the client asks for no change. `method` in upper case. */
export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/** RFC 9110, 9.2.2: sending it twice is meant to have the effect of once. `method` in upper case. */
export function isIdempotentMethod(method: string): boolean {
  return IDEMPOTENT_METHODS.has(method);
}
