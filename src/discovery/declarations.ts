/** TypeScript declarations of everything a program sees, for an editor and for `check`. */
import { propertyName } from "../codemode/tree.js";
import type { Catalog, CatalogEntry } from "./catalog.js";
import { comment, textLines } from "./documentation.js";
import { definition, fullType } from "./full-type.js";
import { CODEMODE_GLOBALS, WEB_GLOBALS } from "./global-declarations.js";
import { SharedDefinitions } from "./shared-definitions.js";
import { parameterOf, resultType } from "./signature.js";

export interface DeclarationsOptions {
  /** Only these tools; all by default. */
  readonly only?: (entry: CatalogEntry) => boolean;
  /** Said in the first line, e.g. the titles of the APIs. */
  readonly title?: string;
}

/** Names that the written types use, so that no schema of the same name gets in their way. */
const RESERVED = ["Array", "AsyncIterable", "FileHandle", "FileInput", "Promise", "Record", "Tools"];

/**
 * A declaration file (a global script, no module): `tools` with a comment on every tool and property, `input`, `search`,
 * `response`, `pages`, `sleep`, `ToolError`, `console`, `URL` and the other globals that the ECMAScript libraries of
 * TypeScript lack. It is accepted under `strict`, with or without the DOM library.
 */
export function declarations(catalog: Catalog, options: DeclarationsOptions = {}): string {
  const { only = () => true, title } = options;
  const shared = new SharedDefinitions(RESERVED);
  const root: Branch = { children: new Map() };
  for (const entry of catalog.entries) if (only(entry)) insert(root, entry);
  const tree = branch(root, shared, "  ");
  let types = "";
  for (const { name, type, schema } of shared) types += definition(name, type, schema, "  ");
  return [
    `// Globals of CodeMode programs${title ? ` for ${title.replace(/\s+/g, " ")}` : ""}. Generated; do not edit.`,
    `// For an editor: { "compilerOptions": { "lib": ["ESNext"], "types": [], "strict": true } } and this file beside the programs.`,
    "",
    "declare const tools: CodeMode.Tools;",
    "",
    "declare namespace CodeMode {",
    `  interface Tools ${tree}`,
    `${types}}`,
    "",
    CODEMODE_GLOBALS,
    WEB_GLOBALS,
  ].join("\n");
}

interface Branch {
  readonly children: Map<string, Branch>;
  entry?: CatalogEntry;
}

function insert(root: Branch, entry: CatalogEntry): void {
  let node = root;
  for (const segment of entry.segments) {
    let child = node.children.get(segment);
    if (!child) node.children.set(segment, (child = { children: new Map() }));
    node = child;
  }
  node.entry = entry;
}

/** The members of a namespace; a tool that is also a namespace is a callable object. */
function branch(node: Branch, shared: SharedDefinitions, indent: string): string {
  const inner = `${indent}  `;
  let text = "{\n";
  for (const [name, child] of node.children) {
    const key = propertyName(name);
    if (child.entry && child.children.size === 0)
      text += `${toolComment(child.entry, inner)}${inner}${key}${call(child.entry, shared, inner)};\n`;
    else if (child.entry) {
      const deeper = branch(child, shared, inner);
      const own = `${toolComment(child.entry, `${inner}  `)}${inner}  ${call(child.entry, shared, `${inner}  `)};\n`;
      text += `${inner}readonly ${key}: {\n${own}${deeper.slice(2)};\n`;
    } else text += `${inner}readonly ${key}: ${branch(child, shared, inner)};\n`;
  }
  return `${text}${indent}}`;
}

function call(entry: CatalogEntry, shared: SharedDefinitions, indent: string): string {
  const { inputSchema, outputSchema } = entry.tool;
  const parameter = parameterOf(inputSchema, shared.typesOf(inputSchema ?? true, "input"));
  const input = parameter ? `input${parameter.optional ? "?" : ""}: ${fullType(parameter.type, indent)}` : "";
  const output = resultType(outputSchema, shared.typesOf(outputSchema ?? true, "output"), (type) =>
    fullType(type, indent),
  );
  return `(${input}): Promise<${output}>`;
}

function toolComment({ tool }: CatalogEntry, indent: string): string {
  const { summary, method, pathTemplate, deprecated } = tool.facts;
  const lines = textLines(summary);
  if (tool.description !== summary) {
    const rest = textLines(tool.description);
    if (lines.length > 0 && rest.length > 0) lines.push("");
    lines.push(...rest);
  }
  if (method && pathTemplate) {
    if (lines.length > 0) lines.push("");
    lines.push(`\`${method} ${pathTemplate}\``);
  }
  if (deprecated) lines.push("@deprecated");
  return comment(lines, indent);
}
