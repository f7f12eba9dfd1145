/**
 * The TypeScript parser, a bundle of its own: evaluated in the realm only for a TypeScript program. The sandbox process
 * hands this script's export to the interpreter's `useTypeScript`.
 */
import { tsPlugin } from "@sveltejs/acorn-typescript";

export const typescriptPlugin = tsPlugin();
