/**
 * Scope analysis: one walk that opens scopes, declares names and collects uses, then resolves every use to a binding.
 *
 * Beside user names there are bindings with names no identifier can have: `%this`, `%newtarget`, `%record` (home objects of
 * methods, see `classes.ts`) and `#x` (private names). They obey the same rules of scope, so closures capture them alike.
 */
import { refuse } from "./refused-syntax.js";
import { type BlockFunction, hoistBlockFunctions, resolveReferences } from "./resolve-references.js";
import { FunctionInfo, type Reference, Scope, varScope } from "./scope.js";
import { type Node, unsupported } from "./syntax.js";

export interface Analysis {
  readonly scope: Scope;
  /** All functions of the source, outer ones first. */
  readonly functions: readonly Node[];
}

export function analyze(program: Node): Analysis {
  const analyzer = new Analyzer();
  const scope = analyzer.program(program);
  if (!isStrict(program)) hoistBlockFunctions(analyzer.blockFunctions);
  resolveReferences(analyzer.references);
  return { scope, functions: analyzer.functions };
}

/** A program that begins with "use strict" is strict in every respect; see `hoistBlockFunctions` and `assignMember`. */
export function isStrict(program: Node): boolean {
  return program["body"][0]?.["directive"] === "use strict";
}

/** Operators and members whose left operand may be nested as deep as the source is long. */
const LEFT_OPERAND: Record<string, string> = {
  __proto__: null as never,
  BinaryExpression: "left",
  LogicalExpression: "left",
  MemberExpression: "object",
  CallExpression: "callee",
  ChainExpression: "expression",
};

class Analyzer {
  readonly functions: Node[] = [];
  readonly references: Reference[] = [];
  readonly blockFunctions: BlockFunction[] = [];
  private suspensions = 0;
  private abrupt = 0;
  private loops = 0;
  private loopsSeen = 0;

  program(node: Node): Scope {
    const info = new FunctionInfo(node, false, undefined, 0);
    const scope = new Scope(undefined, info, true, false, 0);
    node.scope = scope;
    this.statements(node["body"], scope);
    return scope;
  }

  private refer(node: Node, name: string, scope: Scope): void {
    this.references.push({ node, name, scope });
  }

  private block(node: Node, body: readonly Node[], scope: Scope): Scope {
    const inner = this.open(scope, node);
    node.scope = inner;
    this.statements(body, inner);
    return inner;
  }

  private open(scope: Scope, node: Node): Scope {
    return new Scope(scope, scope.function, false, this.loops > 0, node.start);
  }

  private statements(body: readonly Node[], scope: Scope): void {
    for (const statement of body) {
      if (statement.type === "FunctionDeclaration") {
        const id: Node = statement["id"];
        id.binding = scope.declare(id["name"], "function");
        const at = scope.functions.findIndex((fn) => fn["id"]["name"] === id["name"]);
        if (at >= 0) scope.functions.splice(at, 1);
        scope.functions.push(statement);
        if (!scope.root && scope !== scope.function.node["bodyScope"] && !statement["async"] && !statement["generator"])
          this.blockFunctions.push({ node: statement, scope });
      }
    }
    for (const statement of body) this.visit(statement, scope);
  }

  /** Visits a node and notes whether it suspends and whether it may complete abruptly. */
  visit(node: Node | null | undefined, scope: Scope): void {
    if (node === null || node === undefined) return;
    const suspensions = this.suspensions;
    const abrupt = this.abrupt;
    const left = LEFT_OPERAND[node.type];
    if (left !== undefined) {
      this.chain(node, scope);
      return;
    }
    this.node(node, scope);
    if (this.suspensions !== suspensions) node.suspends = true;
    if (this.abrupt !== abrupt) node.abrupt = true;
  }

  /** A chain of left operands, without recursion: `1 + 1 + …` may be as long as the source. */
  private chain(node: Node, scope: Scope): void {
    const suspensions = this.suspensions;
    const chain: Node[] = [];
    let inner = node;
    for (let left = LEFT_OPERAND[inner.type]; left !== undefined; left = LEFT_OPERAND[inner.type]) {
      chain.push(inner);
      inner = inner[left];
    }
    this.visit(inner, scope);
    while (chain.length > 0) {
      const link = chain.pop()!;
      switch (link.type) {
        case "BinaryExpression":
        case "LogicalExpression":
          this.visit(link["right"], scope);
          break;
        case "MemberExpression":
          if (link["property"].type === "PrivateIdentifier") this.privateName(link["property"], scope);
          else if (link["computed"]) this.visit(link["property"], scope);
          break;
        case "CallExpression":
          for (const argument of link["arguments"]) this.visit(argument, scope);
          if (link["callee"].type === "Super") this.superCall(link["callee"], scope);
          break;
      }
      if (this.suspensions !== suspensions) link.suspends = true;
    }
  }

  private privateName(node: Node, scope: Scope): void {
    this.refer(node, `#${node["name"]}`, scope);
  }

  private superCall(node: Node, scope: Scope): void {
    node["newTarget"] = { type: "MetaProperty", start: node.start, end: node.end };
    this.refer(node["newTarget"], "%newtarget", scope);
  }

  private node(node: Node, scope: Scope): void {
    switch (node.type) {
      case "Identifier":
        this.refer(node, node["name"], scope);
        return;
      case "PrivateIdentifier":
        this.privateName(node, scope);
        return;
      case "ThisExpression":
        this.refer(node, "%this", scope);
        return;
      case "Super": {
        let fn = scope.function;
        while (fn.arrow) fn = fn.parent!;
        node["static"] = fn.static;
        this.refer(node, "%record", scope);
        node["this"] = { type: "ThisExpression", start: node.start, end: node.end };
        this.refer(node["this"], "%this", scope);
        return;
      }
      case "MetaProperty":
        if (node["meta"]["name"] === "import")
          unsupported(node, "`import.meta` is", "Programs are not modules: use the globals.");
        this.refer(node, "%newtarget", scope);
        return;
      case "AwaitExpression":
      case "YieldExpression":
        this.visit(node["argument"], scope);
        this.suspensions++;
        return;
      case "FunctionDeclaration":
        this.function(node, scope, new FunctionInfo(node, false, scope.function, scope.start));
        return;
      case "FunctionExpression":
        this.function(node, scope, new FunctionInfo(node, false, scope.function, node.start));
        return;
      case "ArrowFunctionExpression":
        this.function(node, scope, new FunctionInfo(node, true, scope.function, node.start));
        return;
      case "ClassDeclaration":
      case "ClassExpression":
        this.class(node, scope);
        return;
      case "ObjectExpression":
        this.object(node, scope);
        return;
      case "VariableDeclaration":
        this.variables(node, scope, node.end);
        return;
      case "TSEnumDeclaration":
        node["id"].binding =
          varScope(scope) === scope
            ? scope.declare(node["id"]["name"], "var")
            : scope.declare(node["id"]["name"], "let", node.end);
        {
          const inner = this.open(scope, node);
          node.scope = inner;
          for (const member of node["members"]) {
            const name = member["id"].type === "Literal" ? String(member["id"]["value"]) : member["id"]["name"];
            member["name"] = name;
            member.binding = inner.declare(name, "let", -1);
            this.visit(member["initializer"], inner);
          }
        }
        return;
      case "BlockStatement":
        this.block(node, node["body"], scope);
        return;
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
        this.for(node, scope);
        return;
      case "WhileStatement":
      case "DoWhileStatement":
        this.loops++;
        this.visit(node["test"], scope);
        this.visit(node["body"], scope);
        this.loops--;
        this.loopsSeen++;
        return;
      case "SwitchStatement": {
        this.visit(node["discriminant"], scope);
        const inner = this.open(scope, node);
        inner.unordered = true;
        node.scope = inner;
        this.statements(
          node["cases"].flatMap((item: Node) => item["consequent"]),
          inner,
        );
        for (const item of node["cases"]) this.visit(item["test"], inner);
        return;
      }
      case "TryStatement":
        this.visit(node["block"], scope);
        if (node["handler"]) this.catch(node["handler"], scope);
        this.visit(node["finalizer"], scope);
        return;
      case "IfStatement":
        this.if(node, scope);
        return;
      case "BreakStatement":
      case "ContinueStatement":
        this.abrupt++;
        return;
      case "ReturnStatement":
        this.visit(node["argument"], scope);
        if (node["argument"] && scope.function.node["async"] && scope.function.node["generator"]) this.suspensions++;
        this.abrupt++;
        return;
      case "LabeledStatement":
        this.visit(node["body"], scope);
        return;
      case "Property":
        if (node["computed"]) this.visit(node["key"], scope);
        this.visit(node["value"], scope);
        return;
      default:
        refuse(node);
        this.children(node, scope);
    }
  }

  /** Nodes without rules of their own: their children in source order. */
  private children(node: Node, scope: Scope): void {
    for (const key in node) {
      const value = node[key];
      if (key === "scope" || key === "binding" || value === null || typeof value !== "object") continue;
      if (Array.isArray(value)) for (const item of value) item?.type !== undefined && this.visit(item, scope);
      else if (typeof value.type === "string" && typeof value.start === "number") this.visit(value, scope);
    }
  }

  private if(node: Node, scope: Scope): void {
    // `else if` chains are a list in the mind of who writes them, so they may be long.
    const suspensions = this.suspensions;
    const abrupt = this.abrupt;
    const chain: Node[] = [];
    let link = node;
    for (;;) {
      chain.push(link);
      this.visit(link["test"], scope);
      this.visit(link["consequent"], scope);
      if (link["alternate"]?.type !== "IfStatement") break;
      link = link["alternate"];
    }
    this.visit(link["alternate"], scope);
    for (const item of chain) {
      if (this.suspensions !== suspensions) item.suspends = true;
      if (this.abrupt !== abrupt) item.abrupt = true;
    }
  }

  private variables(node: Node, scope: Scope, initializedAt: number): void {
    const kind: string = node["kind"];
    if (kind === "await using") this.suspensions++;
    if (node["head"] && kind.endsWith("using"))
      unsupported(node, "`using` in the head of a loop is", "Declare it in the body of the loop.");
    for (const declarator of node["declarations"]) {
      if (kind === "var") this.declarePattern(declarator["id"], scope, varScope(scope), "var", -1);
      else
        this.declarePattern(
          declarator["id"],
          scope,
          scope,
          kind === "let" ? "let" : "const",
          Math.max(declarator.end, node["head"] ? initializedAt : 0),
        );
      const suspensions = this.suspensions;
      this.visit(declarator["init"], scope);
      if (this.suspensions !== suspensions) declarator.suspends = true;
    }
  }

  /** Declares the names of a binding pattern and visits its expressions. */
  private declarePattern(
    node: Node | null,
    scope: Scope,
    target: Scope,
    kind: "var" | "let" | "const" | "parameter",
    initializedAt: number,
  ): void {
    if (node === null) return;
    const suspensions = this.suspensions;
    switch (node.type) {
      case "Identifier":
        node.binding = target.declare(node["name"], kind, initializedAt);
        break;
      case "ObjectPattern":
        for (const property of node["properties"]) {
          const before = this.suspensions;
          if (property.type === "RestElement")
            this.declarePattern(property["argument"], scope, target, kind, initializedAt);
          else {
            if (property["computed"]) this.visit(property["key"], scope);
            this.declarePattern(property["value"], scope, target, kind, initializedAt);
          }
          if (this.suspensions !== before) property.suspends = true;
        }
        break;
      case "ArrayPattern":
        for (const element of node["elements"]) this.declarePattern(element, scope, target, kind, initializedAt);
        break;
      case "AssignmentPattern":
        this.declarePattern(node["left"], scope, target, kind, initializedAt);
        this.visit(node["right"], scope);
        break;
      case "RestElement":
        this.declarePattern(node["argument"], scope, target, kind, initializedAt);
        break;
      default:
        unsupported(node, `${node.type} is`, "Use a plain variable.");
    }
    if (this.suspensions !== suspensions) node.suspends = true;
  }

  private for(node: Node, scope: Scope): void {
    const inner = new Scope(scope, scope.function, false, true, node.start);
    node.scope = inner;
    const iterates = node.type !== "ForStatement";
    const head: Node | null = iterates ? node["left"] : node["init"];
    if (head?.type === "VariableDeclaration") {
      head["head"] = true;
      const suspensions = this.suspensions;
      this.variables(head, inner, iterates ? node["right"].end : head.end);
      if (this.suspensions !== suspensions) head.suspends = true;
    } else this.visit(head, inner);
    if (iterates) this.visit(node["right"], inner);
    if (node["await"]) this.suspensions++;
    this.loops++;
    if (!iterates) {
      this.visit(node["test"], inner);
      this.visit(node["update"], inner);
    }
    const seen = this.loopsSeen;
    this.visit(node["body"], inner);
    node["innermost"] = this.loopsSeen === seen;
    this.loops--;
    this.loopsSeen++;
  }

  private catch(node: Node, scope: Scope): void {
    const suspensions = this.suspensions;
    const abrupt = this.abrupt;
    const inner = this.open(scope, node);
    node.scope = inner;
    this.declarePattern(
      node["param"],
      inner,
      inner,
      "let",
      node["param"]?.type === "Identifier" ? -1 : (node["param"]?.end ?? -1),
    );
    this.visit(node["body"], inner);
    if (this.suspensions !== suspensions) node.suspends = true;
    if (this.abrupt !== abrupt) node.abrupt = true;
  }

  private function(node: Node, scope: Scope, info: FunctionInfo): void {
    const { suspensions, abrupt, loops } = this;
    this.loops = 0;
    this.functions.push(node);
    const root = new Scope(scope, info, true, false, node.start);
    node.scope = root;
    node["info"] = info;
    const simple = node["params"].every((param: Node) => param.type === "Identifier");
    for (const param of node["params"]) this.declarePattern(param, root, root, "parameter", simple ? -1 : param.end);
    const body: Node = node["body"];
    // Expressions in parameters must not see the variables of the body.
    const inner = simple ? root : new Scope(root, info, false, false, body.start);
    node["bodyScope"] = inner;
    if (body.type === "BlockStatement") this.statements(body["body"], inner);
    else this.visit(body, inner);
    this.suspensions = suspensions;
    this.abrupt = abrupt;
    this.loops = loops;
  }

  private object(node: Node, scope: Scope): void {
    let inner = scope;
    for (const property of node["properties"])
      if (property["method"] || property["kind"] === "get" || property["kind"] === "set") {
        if (inner === scope) {
          inner = this.open(scope, node);
          inner.declare("%record", "other");
          node.scope = inner;
        }
        property["value"]["method"] = true;
      }
    for (const property of node["properties"]) this.visit(property, inner);
  }

  private class(node: Node, scope: Scope): void {
    if (node.type === "ClassDeclaration" && node["id"])
      node["id"].binding = scope.declare(node["id"]["name"], "class", node.end);
    for (const decorator of node["decorators"] ?? []) this.visit(decorator, scope);
    this.functions.push(node);
    const inner = this.open(scope, node);
    node.scope = inner;
    inner.declare("%record", "other");
    if (node["id"]) node["innerBinding"] = inner.declare(node["id"]["name"], "const", node.end);
    this.visit(node["superClass"], inner);
    const elements: Node[] = node["body"]["body"];
    for (const element of elements) {
      for (const decorator of element["decorators"] ?? []) this.visit(decorator, scope);
      if (element["key"]?.type === "PrivateIdentifier")
        element["key"].binding = inner.declare(`#${element["key"]["name"]}`, "other");
    }
    const fields = this.initializers(node, inner, false);
    const statics = this.initializers(node, inner, true);
    node["fieldsScope"] = fields;
    node["staticScope"] = statics;
    for (const element of elements) {
      if (element["computed"]) this.visit(element["key"], inner);
      if (element.type === "MethodDefinition") this.method(node, element, inner);
      else if (element.type === "StaticBlock") this.staticBlock(element, inner);
      else if (element["value"]) {
        const { suspensions, abrupt, loops } = this;
        this.loops = 0;
        this.visit(element["value"], element["static"] ? statics : fields);
        Object.assign(this, { suspensions, abrupt, loops });
      }
    }
  }

  /** The function-like scope in which fields are initialized. */
  private initializers(node: Node, scope: Scope, isStatic: boolean): Scope {
    const info = new FunctionInfo(
      { type: "FieldInitializers", start: node.start, end: node.end, params: [] },
      false,
      scope.function,
      node.start,
    );
    info.static = isStatic;
    const root = new Scope(scope, info, true, false, node.start);
    info.node.scope = root;
    root.declare("%this", "this").place(root.layout.allocate());
    return root;
  }

  private method(node: Node, element: Node, scope: Scope): void {
    const value: Node = element["value"];
    value["method"] = true;
    const info = new FunctionInfo(value, false, scope.function, value.start);
    info.static = element["static"];
    info.derived = element["kind"] === "constructor" && node["superClass"] !== null && node["superClass"] !== undefined;
    this.function(value, scope, info);
  }

  private staticBlock(element: Node, scope: Scope): void {
    const { suspensions, abrupt, loops } = this;
    this.loops = 0;
    const root = this.initializers(element, scope, true);
    element.scope = root;
    this.statements(element["body"], root);
    Object.assign(this, { suspensions, abrupt, loops });
  }
}
