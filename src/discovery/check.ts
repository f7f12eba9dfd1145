/** Checking a program without sending anything: its syntax, the tools it names, how it waits for them, its types. */
import type { Diagnostic, DiagnosticKind, Location } from "../codemode/diagnostic.js";
import type { Catalog } from "./catalog.js";
import { closestNames } from "./closest-names.js";
import { declarations } from "./declarations.js";
import { parseProgram } from "./parse-program.js";
import { search } from "./search.js";
import { type ToolReference, toolReferences } from "./tool-references.js";
import { type TypeFault, typeCheck } from "./type-check.js";
import { splitWords } from "./words.js";

export interface CheckOptions {
  /** Default: JavaScript, or TypeScript where the source is no JavaScript. */
  readonly language?: "javascript" | "typescript";
  /** The folder in or above which TypeScript is looked for. Default: the working directory. */
  readonly folder?: string;
  /** Whether types are checked where there is a TypeScript. Default true. */
  readonly types?: boolean;
}

export interface CheckResult {
  readonly ok: boolean;
  /** In the order of the program. */
  readonly diagnostics: readonly Diagnostic[];
  /** The version of TypeScript that checked the types; `null` when none did. */
  readonly typescript: string | null;
}

/** `unknown` results are used as what they turn out to be; the document says no more, so neither does the check. */
const isUseOfUnknown = ({ code, message }: TypeFault): boolean =>
  code === 2571 || code === 18046 || (code === 2339 && message.endsWith("on type 'unknown'."));

/** Numbers of TypeScript's faults of syntax. What a program may be written in is the interpreter's to say, and it has. */
const isSyntax = (code: number): boolean => code < 2000;

/**
 * Checks a program. Syntax faults stand alone; otherwise unknown tools (with what may have been meant), calls that nobody
 * waits for, and type errors. Only the tools that the program names are declared, so that a large API costs little.
 */
export async function check(catalog: Catalog, source: string, options: CheckOptions = {}): Promise<CheckResult> {
  const { folder = process.cwd(), types = true } = options;
  const parsed = parseProgram(source, options.language ?? "typescript");
  if ("fault" in parsed) return { ok: false, diagnostics: [parsed.fault], typescript: null };
  const starts = lineStarts(source);
  const locate = locator(starts);
  const references = toolReferences(parsed.tree, catalog);
  const diagnostics = references.flatMap((reference) => referenceFault(reference, catalog, locate));
  const faults: Diagnostic[] = [...diagnostics];
  let typescript: string | null = null;
  if (types) {
    try {
      const language = options.language ?? (parsed.typescript ? "typescript" : "javascript");
      const result = await typeCheck(source, language, declarationsFor(catalog, references), folder);
      typescript = result?.version ?? null;
      for (const fault of result?.faults ?? []) {
        const offset = (starts[fault.line - 1] ?? source.length) + fault.column - 1;
        if (isUseOfUnknown(fault) || isSyntax(fault.code) || isReported(fault, offset, diagnostics, references))
          continue;
        faults.push(typeFault(fault, offset, references));
      }
    } catch (error) {
      faults.push({
        kind: "ExecutionFailure",
        message: (error as Error).message,
        hint: "Check without types, or install another TypeScript.",
      });
    }
  }
  faults.sort((a, b) => order(a.location) - order(b.location));
  return { ok: faults.length === 0, diagnostics: faults, typescript };
}

const order = (location: Location | undefined): number =>
  location ? location.line * 1e6 + location.column : Number.POSITIVE_INFINITY;

/**
 * Whether a type fault is the shadow of one that is reported already: on its place, within the name of an unknown tool (only
 * tools that are named rightly are declared), or of the same promise.
 */
function isReported(
  { line, column, message }: TypeFault,
  offset: number,
  diagnostics: readonly Diagnostic[],
  references: readonly ToolReference[],
): boolean {
  if (references.some(({ kind, start, end }) => kind === "unknown" && offset >= start && offset < end)) return true;
  return diagnostics.some(({ kind, location }) => {
    if (location?.line !== line) return false;
    return location.column === column || (kind === "ExecutionFailure" && message.includes("'Promise<"));
  });
}

/** The tools that a program can reach: by name, or through a namespace that it passes around. */
function declarationsFor(catalog: Catalog, references: readonly ToolReference[]): string {
  const named = new Set(references.filter((one) => one.kind === "tool").map((one) => one.name));
  const namespaces = references.filter((one) => one.kind === "namespace").map((one) => one.name);
  return declarations(catalog, {
    only: ({ name }) =>
      named.has(name) || namespaces.some((namespace) => namespace === "" || name.startsWith(`${namespace}.`)),
  });
}

type Locate = (offset: number) => Location;

/** Where the lines of a source begin. */
function lineStarts(source: string): readonly number[] {
  const starts = [0];
  for (const { index, 0: end } of source.matchAll(/\r\n?|[\n\u2028\u2029]/g)) starts.push(index + end.length);
  return starts;
}

/** Offsets → positions that count from 1. */
function locator(starts: readonly number[]): Locate {
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

function referenceFault(reference: ToolReference, catalog: Catalog, locate: Locate): Diagnostic[] {
  const { kind, name, at, misuse, call } = reference;
  if (kind === "unknown" || (kind === "namespace" && call && name !== "")) {
    const message = kind === "unknown" ? `There is no tool "${name}".` : `"${name}" is a namespace, not a tool.`;
    return [{ kind: "UnknownTool", message, location: locate(at), tool: name, hint: suggestion(catalog, name) }];
  }
  if (!misuse) return [];
  const message =
    misuse === "floating"
      ? `Nobody waits for this call of ${name}: it is interrupted when the program ends, and its failure is lost.`
      : `This call of ${name} gives a promise; its value is read before it is there.`;
  return [
    {
      kind: "ExecutionFailure",
      message,
      location: locate(reference.start),
      tool: name,
      hint: "Put `await` before it.",
    },
  ];
}

/** What may have been meant: names a slip away, else what search finds for the words of the name. */
function suggestion(catalog: Catalog, name: string): string {
  const close = closestNames(
    name,
    catalog.entries.map((entry) => entry.name),
  );
  const names =
    close.length > 0
      ? close
      : search(catalog, name.split(".").reverse().flatMap(splitWords).join(" "), { limit: 3 }).items.map(
          (item) => item.name,
        );
  const paths = names.flatMap((one) => catalog.get(one)?.path ?? []);
  return paths.length === 0 ? "Find tools with `search`." : `Did you mean ${paths.join(" or ")}?`;
}

/** The last line of a message is its most precise one; types written out in it are cut short. */
function shortMessage(message: string): string {
  const line = message.slice(message.lastIndexOf("\n") + 1).trim();
  return line.replace(/'([^']{80,})'/g, (_, type: string) => `'${type.slice(0, 60).trimEnd()} …'`);
}

function typeFault(fault: TypeFault, offset: number, references: readonly ToolReference[]): Diagnostic {
  const { line, column, code, message } = fault;
  // The innermost call around the place: that is what the fault is about.
  const around = references
    .filter((one) => one.call && offset >= one.start && offset < one.call.end)
    .sort((a, b) => a.call!.end - a.start - (b.call!.end - b.start))[0];
  const inArguments = around?.entry !== undefined && offset >= around.end;
  const missing = around?.entry !== undefined && (code === 2554 || code === 2555 || code === 2345);
  const kind: DiagnosticKind = inArguments || missing ? "InvalidToolInput" : "ExecutionFailure";
  const tool = kind === "InvalidToolInput" ? { tool: around!.name, hint: around!.entry!.signature } : {};
  return { kind, message: `${shortMessage(message)} (TS${code})`, location: { line, column }, ...tool };
}
