/** The syntax tree: ESTree as acorn gives it, with what the analysis adds. */
import type { Binding, Scope } from "./scope.js";

export interface Node {
  type: string;
  start: number;
  end: number;
  /** The scope that this node opens. */
  scope?: Scope;
  /** What an identifier, `this`, `super` or private name means; `undefined` for a global. */
  binding?: Binding | undefined;
  /** True when reading or writing the binding must check that it is initialized. */
  checked?: boolean;
  /** Contains `await` or `yield` of the function it is in. */
  suspends?: boolean;
  /** A statement that may end with `break`, `continue` or `return`. */
  abrupt?: boolean;
  [key: string]: any;
}

export type FunctionNode = Node;

/** The source is not a program of this language: reported, never thrown to a program. */
export class SourceError extends Error {
  readonly kind: "ParseError" | "UnsupportedSyntax";
  readonly offset: number;
  readonly hint: string | undefined;
  constructor(kind: SourceError["kind"], message: string, offset: number, hint?: string) {
    super(message);
    this.kind = kind;
    this.offset = offset;
    this.hint = hint;
  }
}

export function unsupported(node: { start: number }, what: string, hint: string): never {
  throw new SourceError("UnsupportedSyntax", `${what} not available in programs.`, node.start, hint);
}

/**
 * The same text as V8 stores property names. Pieces cut from a source are other strings until V8 has looked them up, which
 * costs at every use as a key; and some natives take only a stored `length` for the real one.
 */
export function intern(text: string): string {
  return text.length > 256 ? text : (Object.keys({ [text]: 0 })[0] as string);
}

/** True for an anonymous function, class or arrow: it takes its name from where it is assigned (`IsAnonymousFunctionDefinition`). */
export function isAnonymousFunction(node: Node): boolean {
  switch (node.type) {
    case "ArrowFunctionExpression":
      return true;
    case "FunctionExpression":
    case "ClassExpression":
      return node["id"] === null || node["id"] === undefined;
    default:
      return false;
  }
}

/** A node that does not occur in source text: reads a value that was computed before (see `suspending.ts`). */
export function temporary(binding: Binding, origin: Node): Node {
  return { type: "Temporary", start: origin.start, end: origin.end, binding, origin };
}

/** How V8 names an expression in "… is not a function". */
export function render(node: Node): string {
  switch (node.type) {
    case "Identifier":
      return node["name"];
    case "ThisExpression":
      return "this";
    case "Temporary":
      return render(node["origin"]);
    case "ChainExpression":
    case "ParenthesizedExpression":
      return render(node["expression"]);
    case "Literal":
      return typeof node["value"] === "string" ? JSON.stringify(node["value"]) : String(node["raw"]);
    case "CallExpression":
      return `${render(node["callee"])}(...)`;
    case "MemberExpression": {
      const object = render(node["object"]);
      const property: Node = node["property"];
      if (!node["computed"]) return `${object}.${property.type === "PrivateIdentifier" ? "#" : ""}${property["name"]}`;
      if (property.type === "Literal" && typeof property["value"] === "string") return `${object}.${property["value"]}`;
      return `${object}[${property.type === "Identifier" || property.type === "Literal" ? render(property) : "..."}]`;
    }
    default:
      return "(intermediate value)";
  }
}
