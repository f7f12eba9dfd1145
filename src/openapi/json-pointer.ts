/** JSON Pointer (RFC 6901). */

/** A reference token as it is written in a pointer. */
export function escapeToken(token: string | number): string {
  const text = String(token);
  return /[~/]/.test(text) ? text.replaceAll("~", "~0").replaceAll("/", "~1") : text;
}

/** The pointer of a member. */
export function joinPointer(pointer: string, token: string | number): string {
  return `${pointer}/${escapeToken(token)}`;
}

/** The reference tokens of a pointer; `undefined` when the text is none: it is empty or begins with a slash. */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A pointer from the fragment of a URI (RFC 6901, 6): percent-decoded. What is no percent-encoding stays. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** A pointer as the fragment of a URI. */
export function pointerFragment(pointer: string): string {
  return `#${encodeURI(pointer).replaceAll("#", "%23").replaceAll("?", "%3F")}`;
}
