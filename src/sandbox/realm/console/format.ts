/** The Console Standard's Formatter (§2.2.1): `%s`, `%d`, `%i`, `%f`, `%j`, `%o`, `%O`, `%c`, `%%`. */

const DIRECTIVE = /%[sdifjoOc%]/g;

/** `inspect` writes any value; a string alone is written as it is. */
export function formatLine(values: readonly unknown[], inspect: (value: unknown) => string): string {
  let rest = values;
  const parts: string[] = [];
  const [first] = values;
  if (typeof first === "string" && values.length > 1 && first.includes("%")) {
    let next = 1;
    const text = first.replace(DIRECTIVE, (directive) => {
      if (directive === "%%") return "%";
      if (next >= values.length) return directive;
      return directiveText(directive, values[next++], inspect);
    });
    parts.push(text);
    rest = values.slice(next);
  }
  for (const value of rest) parts.push(typeof value === "string" ? value : inspect(value));
  return parts.join(" ");
}

function directiveText(directive: string, value: unknown, inspect: (value: unknown) => string): string {
  const object = (typeof value === "object" && value !== null) || typeof value === "function";
  switch (directive) {
    case "%c":
      return "";
    case "%s":
      return typeof value === "string" ? value : inspect(value);
    case "%d":
    case "%i":
    case "%f": {
      if (object || typeof value === "symbol") return "NaN";
      if (typeof value === "bigint") return `${value}n`;
      const number = directive === "%d" ? Number(value) : Number.parseFloat(`${value}`);
      return inspect(directive === "%i" ? Math.trunc(number) : number);
    }
    case "%j":
      try {
        return JSON.stringify(value) ?? "undefined";
      } catch {
        return inspect(value);
      }
    default:
      return inspect(value);
  }
}
