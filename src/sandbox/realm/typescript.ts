/**
 * The TypeScript parser, a bundle of its own: evaluated in the realm only for a TypeScript program. The interpreter finds
 * it as the export of this script, `__codemode.TypeScriptParser`.
 */
import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser } from "acorn";

export const TypeScriptParser = Parser.extend(tsPlugin() as never);
