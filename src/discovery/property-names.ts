import type { JsonSchema } from "../codemode/tool.js";
import { resolveLocal } from "./schema-type.js";

const MOST_NAMES = 150;
const MOST_SCHEMAS = 1000;

/** Names of the properties that a schema shows down to a number of levels, outermost first, 150 at most. */
export function propertyNames(schema: JsonSchema | undefined, depth: number): string[] {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  let level: unknown[] = [schema];
  for (let d = 0; d < depth && level.length > 0; d++) {
    const next: unknown[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== "object" || node === null || seen.has(node)) return;
      if (names.size >= MOST_NAMES || seen.size >= MOST_SCHEMAS) return;
      seen.add(node);
      const one = node as Record<string, unknown>;
      if (typeof one["$ref"] === "string") visit(resolveLocal(schema, one["$ref"]));
      for (const keyword of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
        if (Array.isArray(one[keyword])) one[keyword].forEach(visit);
      }
      visit(one["items"]);
      visit(one["additionalProperties"]);
      const properties = one["properties"];
      if (typeof properties !== "object" || properties === null) return;
      for (const [name, property] of Object.entries(properties)) {
        names.add(name);
        next.push(property);
      }
    };
    level.forEach(visit);
    level = next;
  }
  return [...names].slice(0, MOST_NAMES);
}
