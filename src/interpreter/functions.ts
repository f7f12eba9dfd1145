/** Functions (ECMA-262 §15): from a node to the code that all its function objects share. */
import { expression } from "./compiler.js";
import type { Source } from "./errors.js";
import { prologue } from "./frames.js";
import { instantiate } from "./function-objects.js";
import { type Frame, machine, RETURN, type Run, type Suspending } from "./machine.js";
import { type Bind, bindPattern } from "./patterns.js";
import type { Layout, Scope } from "./scope.js";
import { sequence } from "./statements.js";
import { suspendingBody } from "./suspend-statements.js";
import { isAnonymousFunction, type Node } from "./syntax.js";
import { unit } from "./unit.js";

/** What a function object needs to run. */
export interface Code {
  readonly name: string;
  /** `length`: parameters before the first with a default or the rest. */
  readonly length: number;
  /** Arguments that a call puts into slots 1…count. */
  readonly count: number;
  /** The slot of the array of further arguments; 0 without a rest parameter. */
  readonly restSlot: number;
  readonly layout: Layout;
  readonly thisSlot: number;
  readonly argumentsSlot: number;
  readonly newTargetSlot: number;
  /** The slot of the function's own name inside it. */
  readonly selfSlot: number;
  /** Nothing can hold on to a frame of it when the call has ended. */
  readonly leaf: boolean;
  readonly kind: "arrow" | "method" | "function";
  readonly async: boolean;
  readonly generator: boolean;
  readonly offset: number;
  /** Runs a call and gives its result. */
  readonly body: Run;
  /** Initializes parameters and declarations, for functions that suspend in their body. */
  readonly prepare: ((frame: Frame) => void) | undefined;
  /** The body of a function that suspends. */
  readonly suspend: Suspending | undefined;
  /** Its source text. */
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** Compiles a function. `origin` is the node whose source text it shows, where that is more than the function (a method). */
export function functionCode(node: Node, name: string, origin: Node = node): Code {
  node["inferredName"] = name;
  const scope = node.scope!;
  const { layout } = scope;
  const params: Node[] = node["params"];
  const rest = params[params.length - 1]?.type === "RestElement" ? params[params.length - 1]! : undefined;
  const positional = rest === undefined ? params : params.slice(0, -1);
  for (let i = 0; i < positional.length; i++) layout.allocate();
  const restSlot = rest === undefined ? 0 : layout.allocate();
  const binds = parameters(positional, rest, restSlot, scope);
  const slotOf = (binding: string) => scope.bindings.get(binding)?.slot ?? 0;
  const arrow = node.type === "ArrowFunctionExpression";
  const self = node.type === "FunctionExpression" && node["id"] ? scope.bindings.get(node["id"]["name"]) : undefined;
  const suspends = node["generator"] || (node["async"] && bodySuspends(node));
  const before = prepareCall(node, scope, binds);
  const slots = {
    thisSlot: arrow ? 0 : slotOf("%this"),
    argumentsSlot: arrow ? 0 : slotOf("arguments"),
    newTargetSlot: arrow ? 0 : slotOf("%newtarget"),
    selfSlot: self?.kind === "self" ? self.slot : 0,
  };
  return {
    name,
    length:
      positional.findIndex((param) => param.type === "AssignmentPattern") >= 0
        ? positional.findIndex((param) => param.type === "AssignmentPattern")
        : positional.length,
    count: positional.length,
    restSlot,
    layout,
    ...slots,
    leaf: !scope.function.encloses && !suspends,
    kind: arrow ? "arrow" : node["method"] ? "method" : "function",
    async: node["async"] === true,
    generator: node["generator"] === true,
    offset: unit.base + node.start,
    body: suspends ? missingBody : plainBody(node, before),
    prepare: suspends ? before : undefined,
    suspend: suspends ? suspendingBody(node) : undefined,
    source: unit.source!,
    start: origin.start,
    end: origin.end,
  };
}

const missingBody: Run = () => undefined;

function bodySuspends(node: Node): boolean {
  const body: Node = node["body"];
  return body.type === "BlockStatement" ? body["body"].some((item: Node) => item.suspends) : body.suspends === true;
}

/** Places parameters in the slots where calls put arguments, and gives what remains to be done for the others. */
function parameters(positional: readonly Node[], rest: Node | undefined, restSlot: number, scope: Scope): Bind[] {
  const binds: Bind[] = [];
  positional.forEach((param, index) => {
    const slot = index + 1;
    if (param.type === "Identifier" && !param.binding!.checked) return param.binding!.place(slot);
    if (param.type === "AssignmentPattern") {
      const { left } = param as unknown as { left: Node };
      if (left.type === "Identifier" && !left.binding!.checked) left.binding!.place(slot);
    }
    return undefined;
  });
  positional.forEach((param, index) => {
    const slot = index + 1;
    if (param.type === "Identifier") {
      if (!param.binding!.checked) return;
      const bind = bindPattern(param, scope);
      binds.push((frame) => bind(frame, frame[slot]));
      return;
    }
    if (param.type === "AssignmentPattern") {
      const { left, right } = param as unknown as { left: Node; right: Node };
      const initial = expression(
        right,
        scope,
        left.type === "Identifier" && isAnonymousFunction(right) ? left["name"] : undefined,
      );
      if (left.type === "Identifier" && !left.binding!.checked) {
        binds.push((frame) => {
          if (frame[slot] === undefined) frame[slot] = initial(frame);
        });
        return;
      }
      const bind = bindPattern(left, scope);
      binds.push((frame) => bind(frame, frame[slot] === undefined ? initial(frame) : frame[slot]));
      return;
    }
    const bind = bindPattern(param, scope);
    binds.push((frame) => bind(frame, frame[slot]));
  });
  if (rest !== undefined) {
    const { argument } = rest as unknown as { argument: Node };
    if (argument.type === "Identifier" && !argument.binding!.checked) argument.binding!.place(restSlot);
    else {
      const bind = bindPattern(argument, scope);
      binds.push((frame) => bind(frame, frame[restSlot]));
    }
  }
  return binds;
}

/** FunctionDeclarationInstantiation (§10.2.11): everything between the call and the first statement. */
function prepareCall(node: Node, scope: Scope, binds: readonly Bind[]): ((frame: Frame) => void) | undefined {
  const body: Scope = node["bodyScope"];
  const steps: ((frame: Frame) => void)[] = [];
  if (body === scope) {
    const only = prologue(scope);
    if (only !== undefined) steps.push(only);
    for (const bind of binds) steps.push((frame) => bind(frame, undefined));
  } else {
    const before = prologue(scope);
    if (before !== undefined) steps.push(before);
    for (const bind of binds) steps.push(bind as (frame: Frame) => void);
    for (const binding of body.bindings.values()) {
      // `var x` of the body starts with the value of the parameter `x`.
      const parameter = scope.bindings.get(binding.name);
      if (binding.kind !== "var" || parameter === undefined) continue;
      const from = parameter.slot;
      const to = binding.slot;
      steps.push((frame) => {
        frame[to] = frame[from];
      });
    }
    const inner = prologue(body);
    if (inner !== undefined) steps.push(inner);
  }
  const [a, b] = steps as [(frame: Frame) => void, (frame: Frame) => void];
  switch (steps.length) {
    case 0:
      return undefined;
    case 1:
      return a;
    case 2:
      return (frame) => {
        a(frame);
        b(frame);
      };
    default:
      return (frame) => {
        for (let i = 0; i < steps.length; i++) steps[i]!(frame);
      };
  }
}

/** A body without `await` or `yield`. */
function plainBody(node: Node, before: ((frame: Frame) => void) | undefined): Run {
  const result = bodyResult(node);
  if (before === undefined) return result;
  return (frame) => {
    before(frame);
    return result(frame);
  };
}

function bodyResult(node: Node): Run {
  const scope: Scope = node["bodyScope"];
  const body: Node = node["body"];
  if (body.type !== "BlockStatement") return expression(body, scope);
  return statementsResult(body["body"], scope);
}

/** The value that a list of statements returns. */
export function statementsResult(statements: readonly Node[], scope: Scope): Run {
  const last = statements[statements.length - 1];
  const start = statements.slice(0, -1);
  if (last?.type === "ReturnStatement" && last["argument"] && !statements.some(isUsing)) {
    const value = expression(last["argument"], scope);
    if (start.length === 0) return value;
    const run = sequence(start, scope);
    if (!start.some((item) => item.abrupt))
      return (frame) => {
        run(frame);
        return value(frame);
      };
    return (frame) => (run(frame) === RETURN ? takeReturned() : value(frame));
  }
  const run = sequence(statements, scope);
  if (!statements.some((item) => item.abrupt))
    return (frame) => {
      run(frame);
    };
  return (frame) => (run(frame) === RETURN ? takeReturned() : undefined);
}

function isUsing(node: Node): boolean {
  return node.type === "VariableDeclaration" && (node["kind"] === "using" || node["kind"] === "await using");
}

export function takeReturned(): unknown {
  const value = machine.returned;
  machine.returned = undefined;
  return value;
}

export function compileFunctionExpression(node: Node, _scope: Scope, name?: string): Run {
  const own: string | undefined = node["id"]?.["name"];
  const code = functionCode(node, own ?? name ?? "");
  return (frame) => instantiate(code, frame);
}
