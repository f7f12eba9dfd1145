/** A program's syntax tree as the interpreter reads it, in the host's process and without running anything. */
import { tsPlugin } from "@sveltejs/acorn-typescript";
import type { Diagnostic } from "../codemode/diagnostic.js";
import { compile, type Environment, useTypeScript } from "../interpreter/index.js";
import { parse } from "../interpreter/parse.js";
import type { Node } from "./tool-references.js";

export interface ParsedProgram {
  readonly tree: Node;
  /** Whether it needed the TypeScript parser. */
  readonly typescript: boolean;
}

/** Nothing of it is ever used: a program that is only compiled asks for nothing. */
const NOWHERE: Environment = {
  globals: Object.create(null) as Record<string, unknown>,
  checkpoint: () => undefined,
  isLimit: () => false,
  missingMember: () => undefined,
};

/** Parses a program, or says what is wrong with its text: what the interpreter cannot compile cannot run. */
export function parseProgram(
  source: string,
  language: "javascript" | "typescript",
): ParsedProgram | { readonly fault: Diagnostic } {
  if (language === "typescript") useTypeScript(tsPlugin());
  const compiled = compile(source, language, NOWHERE);
  if ("fault" in compiled) {
    const { position, ...fault } = compiled.fault;
    return { fault: { ...fault, location: position } };
  }
  // Compiling rewrites its tree; this one is as it was written.
  return parse(source, language) as unknown as ParsedProgram;
}
