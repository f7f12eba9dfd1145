/**
 * Erases TypeScript from a syntax tree: what has no meaning at run time goes, nodes that only add a type become what they
 * wrap. Positions stay those of the file, because nothing is printed and parsed again.
 */
import { type Node, unsupported } from "./syntax.js";

/** Wrappers around an expression. */
const WRAPPERS = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "ParenthesizedExpression",
]);

/** Statements and class members that are types only. */
const TYPES_ONLY = new Set([
  "TSTypeAliasDeclaration",
  "TSInterfaceDeclaration",
  "TSDeclareFunction",
  "TSDeclareMethod",
  "TSAbstractMethodDefinition",
  "TSAbstractPropertyDefinition",
  "TSAbstractClassProperty",
  "TSIndexSignature",
]);

/** Properties of nodes that hold types. */
const TYPE_PROPERTIES = [
  "typeAnnotation",
  "returnType",
  "typeParameters",
  "typeArguments",
  "superTypeParameters",
  "superTypeArguments",
  "implements",
  "typeArgs",
];

export function erase(tree: Node): void {
  eraseChildren(tree);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function eraseChildren(node: Node): void {
  for (const property of TYPE_PROPERTIES) if (property in node) delete node[property];
  check(node);
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (Array.isArray(value)) {
      node[key] = eraseList(value, key);
    } else if (isNode(value)) {
      if (TYPES_ONLY.has(value.type) && key === "declaration") continue;
      node[key] = eraseNode(value);
    }
  }
  if (node.type === "ClassDeclaration" || node.type === "ClassExpression") parameterProperties(node);
}

function eraseList(list: unknown[], key: string): unknown[] {
  const kept: unknown[] = [];
  for (const item of list) {
    if (!isNode(item)) kept.push(item);
    else if (
      TYPES_ONLY.has(item.type) ||
      item["declare"] === true ||
      (item["abstract"] === true && item.type !== "ClassDeclaration")
    )
      continue;
    else if (key === "params" && item.type === "Identifier" && item["name"] === "this") continue;
    else if (isOverload(item)) continue;
    else kept.push(eraseNode(item));
  }
  return kept;
}

/** A function or method without a body only describes one that follows. */
function isOverload(node: Node): boolean {
  if (node.type === "FunctionDeclaration") return !node["body"];
  return node.type === "MethodDefinition" && !node["value"]?.["body"];
}

function eraseNode(node: Node): Node {
  let inner = node;
  while (WRAPPERS.has(inner.type)) inner = inner["expression"];
  eraseChildren(inner);
  return inner;
}

function check(node: Node): void {
  switch (node.type) {
    case "TSModuleDeclaration":
      unsupported(node, "Namespaces are", "Use an object.");
      break;
    case "TSImportEqualsDeclaration":
    case "TSExportAssignment":
    case "TSNamespaceExportDeclaration":
    case "TSExternalModuleReference":
      unsupported(node, "`import` and `export` are", "Everything a program may use is a global.");
      break;
  }
  if (node["decorators"]?.length > 0)
    unsupported(node["decorators"][0], "Decorators are", "Call the function instead.");
}

/** `constructor(private x: T)` is a parameter and `this.x = x` after `super()`. */
function parameterProperties(node: Node): void {
  for (const element of node["body"]["body"] as Node[]) {
    if (element.type !== "MethodDefinition" || element["kind"] !== "constructor") continue;
    const fn: Node = element["value"];
    const assigned: Node[] = [];
    fn["params"] = fn["params"].map((param: Node) => {
      if (param.type !== "TSParameterProperty") return param;
      const inner: Node = param["parameter"];
      const id = inner.type === "AssignmentPattern" ? inner["left"] : inner;
      assigned.push(assignToThis(id));
      return inner;
    });
    if (assigned.length === 0) continue;
    const body: Node[] = fn["body"]["body"];
    const after = body.findIndex(
      (item) =>
        item.type === "ExpressionStatement" &&
        item["expression"].type === "CallExpression" &&
        item["expression"]["callee"].type === "Super",
    );
    body.splice(after + 1, 0, ...assigned);
  }
}

function assignToThis(id: Node): Node {
  const at = { start: id.start, end: id.end };
  return {
    ...at,
    type: "ExpressionStatement",
    expression: {
      ...at,
      type: "AssignmentExpression",
      operator: "=",
      left: {
        ...at,
        type: "MemberExpression",
        computed: false,
        optional: false,
        object: { ...at, type: "ThisExpression" },
        property: { ...at, type: "Identifier", name: id["name"] },
      },
      right: { ...at, type: "Identifier", name: id["name"] },
    },
  };
}
