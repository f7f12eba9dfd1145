/** Replacement templates (ECMA-262 §22.1.3.19.1 GetSubstitution): `$$`, `$&`, `` $` ``, `$'`, `$1`, `$<name>`. */
import type { Limits } from "../limits.js";
import { LARGE } from "./guard.js";

export interface Match {
  readonly matched: string;
  readonly text: string;
  readonly position: number;
  /** Without the whole match. */
  readonly captures: readonly (string | undefined)[];
  readonly groups: object | undefined;
}

/** The text that replaces a match; what it grows to is charged on the way. */
export function substitute(template: string, match: Match, limits: Limits): string {
  if (!template.includes("$")) return template;
  const { matched, text, position, captures, groups } = match;
  let out = "";
  let from = 0;
  let charged = 0;
  for (let at = template.indexOf("$"); at >= 0 && at + 1 < template.length; at = template.indexOf("$", from)) {
    out += template.slice(from, at);
    const next = template[at + 1]!;
    let used = 2;
    if (next === "$") out += "$";
    else if (next === "&") out += matched;
    else if (next === "`") out += text.slice(0, position);
    else if (next === "'") out += text.slice(Math.min(text.length, position + matched.length));
    else if (next >= "0" && next <= "9") {
      const [index, digits] = captureIndex(template, at + 1, captures.length);
      if (index === 0) out += "$";
      else out += captures[index - 1] ?? "";
      used = index === 0 ? 1 : 1 + digits;
    } else if (next === "<" && groups !== undefined) {
      const end = template.indexOf(">", at);
      if (end < 0) {
        out += "$";
        used = 1;
      } else {
        const capture = (groups as Record<string, unknown>)[template.slice(at + 2, end)];
        if (capture !== undefined) out += `${capture as string}`;
        used = end - at + 1;
      }
    } else {
      out += "$";
      used = 1;
    }
    from = at + used;
    if (out.length - charged >= LARGE) {
      limits.chargeBytes(out.length, "String.prototype.replace");
      charged = out.length;
    }
  }
  return out + template.slice(from);
}

/** One or two digits, the longest that names a capture; 0 where none does. */
function captureIndex(template: string, at: number, count: number): [index: number, digits: number] {
  const first = template.charCodeAt(at) - 48;
  const second = template.charCodeAt(at + 1) - 48;
  if (second >= 0 && second <= 9) {
    const both = first * 10 + second;
    if (both >= 1 && both <= count) return [both, 2];
  }
  return first >= 1 && first <= count ? [first, 1] : [0, 1];
}
