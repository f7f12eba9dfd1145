/** The named types behind a signature. */
import type { Tool } from "../codemode/tool.js";
import { compactType } from "./compact-type.js";
import { SchemaTypes } from "./schema-type.js";
import { streamItems } from "./signature.js";
import { childrenOf, type TypeNode } from "./type-node.js";

type Name = Extract<TypeNode, { kind: "name" }>;

/**
 * One line per named type that a signature mentions, and per type that those mention, nearest first:
 * `type Pet = { id: number; owner: Owner }`.
 *
 * @param limit about how many characters; what does not fit is left out, and said so in a last comment.
 */
export function definitionsOf(tool: Tool<unknown>, signature: string, limit = 4000): string {
  const lines: string[] = [];
  let text = signature;
  let left = limit;
  let omitted = 0;
  const roots = [tool.inputSchema, tool.outputSchema].flatMap((schema) => {
    const types = new SchemaTypes(schema ?? true);
    return [types.typeOf(streamItems(schema)?.items ?? schema)];
  });
  for (const name of namesWithin(roots)) {
    if (!new RegExp(`(?<![\\w$."])${name.name.replaceAll("$", "\\$")}(?![\\w$:?"])`, "u").test(text)) continue;
    const line = `type ${name.name} = ${compactType(name.target(), Math.max(200, Math.min(900, left)), false)}`;
    if (lines.includes(line)) continue;
    if (line.length > left) {
      omitted++;
      continue;
    }
    left -= line.length;
    lines.push(line);
    text += `\n${line}`;
  }
  if (omitted > 0) lines.push(`// ${omitted} more`);
  return lines.join("\n");
}

/** Names in breadth-first order, each once. */
function* namesWithin(roots: readonly TypeNode[]): Generator<Name> {
  const seen = new Set<string>();
  let level = [...roots];
  while (level.length > 0) {
    const next: TypeNode[] = [];
    for (const node of level) {
      if (node.kind !== "name") next.push(...childrenOf(node));
      else if (!seen.has(node.pointer)) {
        seen.add(node.pointer);
        if (seen.size > 200) return;
        yield node;
        next.push(node.target());
      }
    }
    level = next;
  }
}
