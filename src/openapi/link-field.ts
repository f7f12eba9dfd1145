/** The Link field (RFC 8288, 3). */

export interface Link {
  readonly target: string;
  /** Relation types in lower case. */
  readonly relations: readonly string[];
}

const PARAMETER = /^\s*;\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/;

/** Reads the links of a field, several lines joined by commas. What is no link ends the reading. */
export function parseLinks(field: string): readonly Link[] {
  const links: Link[] = [];
  let rest = field;
  for (;;) {
    const start = /^[\s,]*<([^>]*)>/.exec(rest);
    if (start === null) return links;
    rest = rest.slice(start[0].length);
    let relations: string | undefined;
    for (let match = PARAMETER.exec(rest); match !== null; match = PARAMETER.exec(rest)) {
      rest = rest.slice(match[0].length);
      // "The rel parameter MUST NOT appear more than once; occurrences after the first MUST be ignored."
      if (match[1]!.toLowerCase() === "rel") relations ??= match[2]?.replace(/\\(.)/g, "$1") ?? match[3] ?? "";
    }
    links.push({
      target: start[1]!,
      relations: (relations ?? "")
        .toLowerCase()
        .split(/\s+/)
        .filter((one) => one !== ""),
    });
  }
}
