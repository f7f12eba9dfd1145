/**
 * The tree of tools: how a nested object of tools becomes dotted names, and how a name is written in a program.
 *
 * Names may be anything (`constructor`, `__proto__`, `odd name`): nothing here ever looks a name up on an ordinary object.
 */
import type { Tool, ToolTree } from "./tool.js";

/** A tool and its place in the tree. */
export interface NamedTool<R = never> {
  /** The segments of the name. */
  readonly segments: readonly string[];
  /** The dotted name, e.g. `pets.list`. */
  readonly name: string;
  readonly tool: Tool<R>;
}

/** A tool has a `call`; everything else in a tree is a namespace. */
export function isTool<R>(value: Tool<R> | ToolTree<R>): value is Tool<R> {
  return typeof (value as Tool<R>).call === "function";
}

/**
 * The tools of a tree by dotted name, in the order in which the names first appear. A dotted key is a path; the last
 * definition of a path wins; a tool and a namespace of the same path exist side by side.
 */
export function flattenTools<R>(tree: ToolTree<R>): Map<string, NamedTool<R>> {
  const tools = new Map<string, NamedTool<R>>();
  const visit = (namespace: ToolTree<R>, prefix: readonly string[]): void => {
    for (const [key, value] of Object.entries(namespace)) {
      const segments = [...prefix, ...key.split(".")];
      if (isTool(value)) {
        const name = segments.join(".");
        tools.set(name, { segments, name, tool: value });
      } else {
        visit(value, segments);
      }
    }
  };
  visit(tree, []);
  return tools;
}

const IDENTIFIER_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Whether `name` can follow a dot or stand unquoted as a property name (ECMAScript `IdentifierName`). */
export function isIdentifierName(name: string): boolean {
  return IDENTIFIER_NAME.test(name);
}

/** A property name as it is written in a literal or a type: quoted where it must be. */
export function propertyName(name: string): string {
  return isIdentifierName(name) ? name : JSON.stringify(name);
}

/** The JavaScript expression of a tool, e.g. `tools.pets.list` or `tools["odd name"].get`. */
export function toolExpression(segments: readonly string[]): string {
  return segments.reduce(
    (path, segment) => path + (isIdentifierName(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`),
    "tools",
  );
}
