/**
 * Where a program speaks of tools: chains of members that begin at the global `tools`, what they name, and whether their
 * calls are awaited.
 */
import type { Catalog, CatalogEntry } from "./catalog.js";

/** A node of the syntax tree (ESTree). */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export interface ToolReference {
  readonly kind: "tool" | "namespace" | "unknown";
  /** The dotted name as far as it is known when the program is read. */
  readonly name: string;
  readonly entry?: CatalogEntry;
  /** Offsets of the whole chain, and of its last named member. */
  readonly start: number;
  readonly end: number;
  readonly at: number;
  /** The call of the chain, where it is called. */
  readonly call?: Node;
  /** What is wrong with how its promise is used: nobody waits for it, or its value is read before it is there. */
  readonly misuse?: "floating" | "unawaited";
}

/** Names and namespaces of a catalog, for walking along a chain. */
class Names {
  readonly #namespaces = new Set<string>([""]);

  constructor(readonly catalog: Catalog) {
    for (const { segments } of catalog.entries) {
      for (let length = 1; length < segments.length; length++)
        this.#namespaces.add(segments.slice(0, length).join("."));
    }
  }

  isNamespace(name: string): boolean {
    return this.#namespaces.has(name);
  }
}

/** Every reference to a tool or namespace in a program, in source order; none where the program has a `tools` of its own. */
export function toolReferences(program: Node, catalog: Catalog): ToolReference[] {
  const references: ToolReference[] = [];
  const names = new Names(catalog);
  if (declaresTools(program)) return references;
  walk(program, [], (node, ancestors) => {
    if (node.type !== "Identifier" || node["name"] !== "tools" || !isReference(node, ancestors.at(-1))) return;
    references.push(follow(node, ancestors, names, program));
  });
  return references.sort((a, b) => a.start - b.start);
}

function follow(root: Node, ancestors: readonly Node[], names: Names, program: Node): ToolReference {
  const { catalog } = names;
  let name = "";
  let node = root;
  let at = root.start;
  let up = ancestors.length - 1;
  const known = (kind: "tool" | "namespace"): ToolReference => {
    const entry = catalog.get(name);
    return { kind, name, start: root.start, end: node.end, at, ...(kind === "tool" && entry ? { entry } : {}) };
  };
  for (; up >= 0; up--) {
    const parent = ancestors[up]!;
    if (isTransparent(parent) && parent["expression"] === node) {
      node = parent;
      continue;
    }
    const segment = parent.type === "MemberExpression" && parent["object"] === node ? memberName(parent) : undefined;
    if (segment === undefined) break;
    const longer = name === "" ? segment : `${name}.${segment}`;
    const isTool = catalog.get(longer) !== undefined;
    if (!isTool && !names.isNamespace(longer)) {
      // Beyond a tool come the members of a function.
      if (catalog.get(name)) return { ...known("tool") };
      const property = parent["property"] as Node;
      const whole = [longer, ...memberNames(parent, ancestors.slice(0, up))].join(".");
      return { kind: "unknown", name: whole, start: root.start, end: parent.end, at: property.start };
    }
    name = longer;
    node = parent;
    at = (parent["property"] as Node).start;
  }
  const entry = catalog.get(name);
  const parent = ancestors[up];
  const call = parent?.type === "CallExpression" && parent["callee"] === node ? parent : undefined;
  if (!entry) return call ? { ...known("namespace"), call } : known("namespace");
  // A tool that is also a namespace and goes on somewhere else stands for both.
  const reference = known("tool");
  if (!call) return reference;
  const misuse = misuseOf(call, ancestors.slice(0, up), program);
  return misuse ? { ...reference, call, misuse } : { ...reference, call };
}

/** The members that are read of a node one after the other. */
function memberNames(node: Node, ancestors: readonly Node[]): string[] {
  const parent = ancestors.at(-1);
  if (parent?.type !== "MemberExpression" || parent["object"] !== node) return [];
  const name = memberName(parent);
  return name === undefined ? [] : [name, ...memberNames(parent, ancestors.slice(0, -1))];
}

/** Nodes that are their expression: parentheses, optional chains, TypeScript's assertions. */
function isTransparent(node: Node): boolean {
  return /^(ChainExpression|ParenthesizedExpression|TS(As|Satisfies|NonNull)Expression|TSTypeAssertion)$/.test(
    node.type,
  );
}

function memberName(member: Node): string | undefined {
  const property = member["property"] as Node;
  if (member["computed"] !== true) return property.type === "Identifier" ? (property["name"] as string) : undefined;
  if (property.type === "Literal" && typeof property["value"] === "string") return property["value"];
  const quasis = property["quasis"] as { value: { cooked: string } }[] | undefined;
  return property.type === "TemplateLiteral" && quasis?.length === 1 ? quasis[0]!.value.cooked : undefined;
}

const PROMISE_MEMBERS = new Set(["then", "catch", "finally"]);

function misuseOf(call: Node, ancestors: readonly Node[], program: Node): "floating" | "unawaited" | undefined {
  let node = call;
  for (let up = ancestors.length - 1; up >= 0; up--) {
    const parent = ancestors[up]!;
    if (isTransparent(parent)) {
      node = parent;
      continue;
    }
    if (parent.type === "MemberExpression" && parent["object"] === node) {
      const name = memberName(parent);
      if (name !== undefined && !PROMISE_MEMBERS.has(name)) return "unawaited";
      // `.then(…)` gives a promise again; `.catch(…)` says that failing is fine.
      const grand = ancestors[up - 1];
      if (name === "catch" || grand?.type !== "CallExpression" || grand["callee"] !== parent) return undefined;
      node = grand;
      up--;
      continue;
    }
    if (parent.type !== "ExpressionStatement") return undefined;
    // The value of the last statement is the program's result.
    const body = program["body"] as readonly Node[];
    return body.at(-1) === parent ? undefined : "floating";
  }
  return undefined;
}

/** Whether an identifier stands for a value: no property name, no key, no label. */
function isReference(node: Node, parent: Node | undefined): boolean {
  switch (parent?.type) {
    case "MemberExpression":
      return parent["object"] === node || parent["computed"] === true;
    case "Property":
    case "PropertyDefinition":
    case "MethodDefinition":
      return parent["value"] === node || parent["computed"] === true;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return false;
    default:
      return true;
  }
}

const BINDING_KEYS: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ["id"],
  FunctionDeclaration: ["id", "params"],
  FunctionExpression: ["id", "params"],
  ArrowFunctionExpression: ["params"],
  ClassDeclaration: ["id"],
  CatchClause: ["param"],
  TSEnumDeclaration: ["id"],
};

/** Whether any scope of the program declares a `tools`; then the analysis leaves the name alone. */
function declaresTools(program: Node): boolean {
  let found = false;
  const bind = (pattern: unknown): void => {
    if (Array.isArray(pattern)) for (const one of pattern) bind(one);
    if (!isNode(pattern)) return;
    if (pattern.type === "Identifier") found ||= pattern["name"] === "tools";
    else if (pattern.type === "Property") bind(pattern["value"]);
    else for (const key of ["properties", "elements", "argument", "left", "parameter"]) bind(pattern[key]);
  };
  walk(program, [], (node) => {
    for (const key of BINDING_KEYS[node.type] ?? []) bind(node[key]);
  });
  return found;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Depth first, in source order. Type annotations hold no values and are passed over. */
function walk(root: Node, path: readonly Node[], visit: (node: Node, ancestors: readonly Node[]) => void): void {
  const ancestors = [...path];
  const enter = (node: Node): void => {
    visit(node, ancestors);
    ancestors.push(node);
    for (const key of Object.keys(node)) {
      if (key === "typeAnnotation" || key === "typeParameters" || key === "typeArguments" || key === "returnType")
        continue;
      const value = node[key];
      if (Array.isArray(value)) for (const one of value) isNode(one) && enter(one);
      else if (isNode(value)) enter(value);
    }
    ancestors.pop();
  };
  enter(root);
}
