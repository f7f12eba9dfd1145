/**
 * Which tool a word of the command line means: a name, a path expression, an operationId, or a method with a path template.
 */
import { type CatalogEntry, closestNames, createCatalog } from "../../discovery/index.js";
import { OperationTool, type Skipped } from "../../openapi/index.js";
import type { LoadedApi, LoadedApis } from "../apis.js";

export interface FoundTool {
  readonly entry: CatalogEntry;
  readonly tool: OperationTool;
}

export type Found = FoundTool | { readonly message: string; readonly hint: string };

const OPERATION = /^([A-Za-z]+)\s+(\/\S*)$/;

/** `tools["odd name"].get` → `odd name.get`; `undefined` when it is no such expression. */
function nameOfExpression(text: string): string | undefined {
  if (!/^tools\s*[.[]/.test(text)) return undefined;
  const segments: string[] = [];
  const step =
    /\s*(?:\.\s*([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)|\[\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\])/uy;
  step.lastIndex = "tools".length;
  while (step.lastIndex < text.length) {
    const match = step.exec(text);
    if (!match) return undefined;
    if (match[1] !== undefined) segments.push(match[1]);
    else {
      const quoted = match[2]!;
      const inner = quoted.slice(1, -1);
      try {
        segments.push(
          JSON.parse(
            quoted.startsWith("'") ? `"${inner.replaceAll('"', '\\"').replaceAll("\\'", "'")}"` : quoted,
          ) as string,
        );
      } catch {
        return undefined;
      }
    }
  }
  return segments.join(".");
}

/** A path template without the names of its expressions: `/pets/{id}` and `/pets/{petId}` are the same place. */
const shape = (template: string): string => template.replace(/\{[^{}]*\}/g, "{}");

/** The word as one API knows it: without the API's name in front. */
function within(word: string, { settings }: LoadedApi): string {
  const prefix = `${settings.name}.`;
  return settings.name !== undefined && word.startsWith(prefix) ? word.slice(prefix.length) : word;
}

/** The catalog entry of one tool; no other is planned for it. */
function found({ settings }: LoadedApi, tool: OperationTool): FoundTool {
  const tree = settings.name === undefined ? { [tool.name]: tool } : { [settings.name]: { [tool.name]: tool } };
  return { tool, entry: createCatalog(tree).entries[0]! };
}

/** The same method and the same path but for the names of its expressions. */
function byShape(word: string, api: LoadedApi): OperationTool[] {
  const operation = OPERATION.exec(word);
  if (!operation) return [];
  const [, method = "", template = ""] = operation;
  return api.api.operations.filter(
    ({ facts }) => facts.method === method.toUpperCase() && shape(facts.pathTemplate ?? "") === shape(template),
  );
}

function unknown(word: string, { catalog }: LoadedApis): Found {
  const candidates = OPERATION.test(word)
    ? catalog.entries.map(({ tool }) => `${tool.facts.method} ${tool.facts.pathTemplate}`)
    : catalog.entries.map(({ name }) => name);
  const near = closestNames(word, candidates);
  return {
    message: `There is no tool ${JSON.stringify(word)}.`,
    hint:
      near.length > 0
        ? `Did you mean ${near.join(", ")}?`
        : "codemode-openapi list shows the tools, codemode-openapi search finds them.",
  };
}

/** A skipped operation that was meant: its reason is a better answer than a suggestion. */
function refused({ method, pathTemplate, reason, code, pointer }: Skipped): Found {
  return { message: `${method} ${pathTemplate} is no tool: ${reason}`, hint: `${code} at ${pointer}` };
}

export function findTool(text: string, apis: LoadedApis): Found {
  const word = nameOfExpression(text) ?? text;
  const hits: FoundTool[] = [];
  let skipped: Skipped | undefined;
  for (const api of apis.apis) {
    const hit = api.api.find(within(word, api));
    if (hit instanceof OperationTool) hits.push(found(api, hit));
    else skipped ??= hit;
  }
  if (hits.length === 0 && skipped === undefined) {
    for (const api of apis.apis) hits.push(...byShape(word, api).map((tool) => found(api, tool)));
  }
  if (hits.length === 1) return hits[0]!;
  if (hits.length > 1) {
    return {
      message: `${JSON.stringify(text)} may mean several tools.`,
      hint: `Write one of their names: ${hits.map(({ entry }) => entry.name).join(", ")}.`,
    };
  }
  return skipped === undefined ? unknown(text, apis) : refused(skipped);
}
