/** Blocks, declarations, `if`, labels and jumps (ECMA-262 §14.2, §14.3, §14.6, §14.8–§14.10, §14.13). */
import { completing, expression, nothing, statement } from "./compiler.js";
import { enterScope } from "./frames.js";
import { initializeBinding } from "./identifiers.js";
import { BREAK, CONTINUE, Completion, machine, RETURN, type Run } from "./machine.js";
import { bindPattern } from "./patterns.js";
import type { Scope } from "./scope.js";
import { isAnonymousFunction, type Node } from "./syntax.js";
import { disposing, hasUsing, registerResource } from "./using.js";

/** Statements one after the other. Gives completions only where one of them may be abrupt. */
export function sequence(nodes: readonly Node[], scope: Scope): Run {
  if (hasUsing(nodes)) return disposing(nodes, scope, rest);
  return rest(nodes, scope);
}

function rest(nodes: readonly Node[], scope: Scope): Run {
  const useful = nodes.filter(
    (node) => node.type !== "EmptyStatement" && (node.type !== "FunctionDeclaration" || node["hoistedTo"]),
  );
  if (useful.some((node) => node.abrupt)) return abruptSequence(useful, scope);
  const runs = useful.map((node) => statement(node, scope));
  const [a, b, c, d] = runs as [Run, Run, Run, Run];
  switch (runs.length) {
    case 0:
      return nothing;
    case 1:
      return a;
    case 2:
      return (frame) => {
        a(frame);
        b(frame);
      };
    case 3:
      return (frame) => {
        a(frame);
        b(frame);
        c(frame);
      };
    case 4:
      return (frame) => {
        a(frame);
        b(frame);
        c(frame);
        d(frame);
      };
    default:
      return (frame) => {
        for (let i = 0; i < runs.length; i++) runs[i]!(frame);
      };
  }
}

function abruptSequence(nodes: readonly Node[], scope: Scope): Run {
  const runs = nodes.map((node) => completing(node, scope));
  const [a, b, c] = runs as [Run, Run, Run];
  switch (runs.length) {
    case 1:
      return a;
    case 2:
      return (frame) => {
        const completion = a(frame);
        return completion === undefined ? b(frame) : completion;
      };
    case 3:
      return (frame) => {
        let completion = a(frame);
        if (completion === undefined) completion = b(frame);
        return completion === undefined ? c(frame) : completion;
      };
    default:
      return (frame) => {
        for (let i = 0; i < runs.length; i++) {
          const completion = runs[i]!(frame);
          if (completion !== undefined) return completion;
        }
        return undefined;
      };
  }
}

export function compileBlock(node: Node, outer: Scope): Run {
  const scope = node.scope ?? outer;
  const run = sequence(node["body"], scope);
  const enter = node.scope === undefined ? undefined : enterScope(scope);
  return enter === undefined ? run : (frame) => run(enter(frame));
}

export function compileIf(node: Node, scope: Scope): Run {
  const compile = node.abrupt ? completing : statement;
  // A chain of `else if` is compiled as a list: it may be as long as the source.
  const tests: Run[] = [];
  const bodies: Run[] = [];
  let link: Node | null | undefined = node;
  for (; link?.type === "IfStatement"; link = link["alternate"]) {
    tests.push(expression(link["test"], scope));
    bodies.push(compile(link["consequent"], scope));
  }
  const last = link === null || link === undefined ? undefined : compile(link, scope);
  const [test] = tests as [Run];
  const [body] = bodies as [Run];
  if (tests.length === 1) {
    if (last === undefined) return (frame) => (test(frame) ? body(frame) : undefined);
    return (frame) => (test(frame) ? body(frame) : last(frame));
  }
  return (frame) => {
    for (let i = 0; i < tests.length; i++) if (tests[i]!(frame)) return bodies[i]!(frame);
    return last === undefined ? undefined : last(frame);
  };
}

/** One completion object per label and kind: completions are compared by identity. */
const labelled = new Map<string, Completion>();

export function completionFor(kind: "break" | "continue", label: string | undefined): Completion {
  if (label === undefined) return kind === "break" ? BREAK : CONTINUE;
  const key = `${kind} ${label}`;
  let completion = labelled.get(key);
  if (completion === undefined) labelled.set(key, (completion = new Completion(kind, label)));
  return completion;
}

/** `break` and `continue`. */
export function jump(node: Node): Run {
  const completion = completionFor(node.type === "BreakStatement" ? "break" : "continue", node["label"]?.["name"]);
  return () => completion;
}

/** The place of a function declaration in a block: makes the function visible outside. */
export function compileFunctionDeclaration(node: Node, scope: Scope): Run {
  const target = node["hoistedTo"];
  if (target === undefined) return nothing;
  const { slot } = node["id"].binding!;
  const initialize = initializeBinding(target, scope);
  return (frame) => initialize(frame, frame[slot]);
}

/** The labels directly before a statement, to be asked by loops for their `continue`. */
export function labelsOf(node: Node): readonly string[] {
  return node["labels"] ?? [];
}

export function compileLabeled(node: Node, scope: Scope): Run {
  const label: string = node["label"]["name"];
  const body: Node = node["body"];
  body["labels"] = [...labelsOf(node), label];
  if (body.type === "FunctionDeclaration") return nothing;
  if (!node.abrupt) return statement(body, scope);
  const run = completing(body, scope);
  const own = completionFor("break", label);
  return (frame) => {
    const completion = run(frame);
    return completion === own ? undefined : completion;
  };
}

export function compileReturn(node: Node, scope: Scope): Run {
  if (node["argument"] === null)
    return () => {
      machine.returned = undefined;
      return RETURN;
    };
  const run = expression(node["argument"], scope);
  return (frame) => {
    machine.returned = run(frame);
    return RETURN;
  };
}

export function compileVariables(node: Node, scope: Scope): Run {
  const runs: Run[] = [];
  for (const declarator of node["declarations"]) {
    const run = compileDeclarator(declarator, node["kind"], scope);
    if (run !== undefined) runs.push(run);
  }
  const [a, b] = runs as [Run, Run];
  switch (runs.length) {
    case 0:
      return nothing;
    case 1:
      return a;
    case 2:
      return (frame) => {
        a(frame);
        b(frame);
      };
    default:
      return (frame) => {
        for (let i = 0; i < runs.length; i++) runs[i]!(frame);
      };
  }
}

function compileDeclarator(declarator: Node, kind: string, scope: Scope): Run | undefined {
  const { id, init } = declarator as unknown as { id: Node; init: Node | null };
  if (init === null || init === undefined) {
    if (kind === "var") return undefined;
    const initialize = bindPattern(id, scope);
    return (frame) => initialize(frame, undefined);
  }
  const run = expression(init, scope, id.type === "Identifier" && isAnonymousFunction(init) ? id["name"] : undefined);
  if (kind === "using") {
    const register = registerResource(declarator, scope, kind);
    const initialize = bindPattern(id, scope);
    return (frame) => {
      const value = run(frame);
      register(frame, value);
      initialize(frame, value);
    };
  }
  if (id.type === "Identifier" && scope.depthOf(id.binding!) === 0) {
    const { slot } = id.binding!;
    return (frame) => {
      frame[slot] = run(frame);
    };
  }
  const bind = bindPattern(id, scope);
  return (frame) => bind(frame, run(frame));
}
