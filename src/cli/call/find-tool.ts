/**
 * Which tool a word of the command line means: a name, a path expression, an operationId, or a method with a path template.
 */
import { type Catalog, type CatalogEntry, closestNames } from "../../discovery/index.js";
import type { Skipped } from "../apis.js";

export type Found = { readonly entry: CatalogEntry } | { readonly message: string; readonly hint: string | undefined };

const OPERATION = /^([A-Za-z]+)\s+(\/\S*)$/;

/** `tools["odd name"].get` → `odd name.get`; `undefined` when it is no such expression. */
function nameOfExpression(text: string): string | undefined {
  if (!/^tools\s*[.[]/.test(text)) return undefined;
  const segments: string[] = [];
  const step = /\s*(?:\.\s*([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)|\[\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\])/uy;
  step.lastIndex = "tools".length;
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (!match) return undefined;
    if (match[1] !== undefined) segments.push(match[1]);
    else {
      const quoted = match[2]!;
      const inner = quoted.slice(1, -1);
      try {
        segments.push(JSON.parse(quoted.startsWith("'") ? `"${inner.replaceAll('"', '\\"').replaceAll("\\'", "'")}"` : quoted) as string);
      } catch {
        return undefined;
      }
    }
  }
  return segments.join(".");
}

/** A path template without the names of its expressions: `/pets/{id}` and `/pets/{petId}` are the same place. */
const shape = (template: string): string => template.replace(/\{[^{}]*\}/g, "{}");

function byOperation(method: string, template: string, entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  const candidates = entries.filter(({ tool }) => tool.facts.method === method.toUpperCase());
  const exact = candidates.filter(({ tool }) => tool.facts.pathTemplate === template);
  return exact.length > 0 ? exact : candidates.filter(({ tool }) => shape(tool.facts.pathTemplate ?? "") === shape(template));
}

function ambiguous(text: string, entries: readonly CatalogEntry[]): Found {
  return { message: `${JSON.stringify(text)} may mean several tools.`, hint: `Write one of their names: ${entries.map(({ name }) => name).join(", ")}.` };
}

/** A skipped operation that the word means: the reason is a better answer than a suggestion. */
function skippedAs(text: string, skipped: readonly Skipped[]): Skipped | undefined {
  const operation = OPERATION.exec(text);
  if (operation) return skipped.find(({ method, pathTemplate }) => method === operation[1]!.toUpperCase() && shape(pathTemplate) === shape(operation[2]!));
  const folded = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return skipped.find(({ operationId }) => operationId !== null && (operationId === text || folded(operationId) === folded(text)));
}

/** @param skipped asked only when no tool is meant: it plans every operation */
export function findTool(text: string, catalog: Catalog, skipped: () => readonly Skipped[]): Found {
  const name = nameOfExpression(text) ?? text;
  const named = catalog.get(name);
  if (named) return { entry: named };
  const operation = OPERATION.exec(text);
  const matches = operation
    ? byOperation(operation[1]!, operation[2]!, catalog.entries)
    : catalog.entries.filter(({ tool }) => tool.facts.operationId === text);
  if (matches.length === 1) return { entry: matches[0]! };
  if (matches.length > 1) return ambiguous(text, matches);
  const reason = skippedAs(text, skipped());
  if (reason) {
    return {
      message: `${reason.method} ${reason.pathTemplate} is no tool: ${reason.reason}`,
      hint: `${reason.code} at ${reason.pointer}`,
    };
  }
  const names = operation
    ? catalog.entries.map(({ tool }) => `${tool.facts.method} ${tool.facts.pathTemplate}`)
    : catalog.entries.map((entry) => entry.name);
  const near = closestNames(text, names);
  return {
    message: `There is no tool ${JSON.stringify(text)}.`,
    hint: near.length > 0 ? `Did you mean ${near.join(", ")}?` : "codemode-openapi list shows the tools, codemode-openapi search finds them.",
  };
}
