/**
 * Binary operators (ECMA-262 §13.5–§13.12).
 *
 * The frequent ones have forms for the operands that programs write: a variable of the current frame (L), a number (K), or
 * any expression (X). Numbers are asked for first, so that V8 sees number arithmetic there and nothing else; all other
 * operands take the general path, which also notes the position because it can fail.
 */
import { charges } from "./charges.js";
import { expression } from "./compiler.js";
import { throwTypeError } from "./errors.js";
import { plainLocal } from "./identifiers.js";
import { numberLiteral } from "./literals.js";
import { machine, type Run } from "./machine.js";
import { has } from "./private-names.js";
import type { Scope } from "./scope.js";
import type { Node } from "./syntax.js";
import { unit } from "./unit.js";

/** Strings shorter than this are not charged. */
const LONG = 1 << 16;

type Operate = (left: any, right: any) => any;

const OPERATORS: Record<string, Operate> = {
  __proto__: null as never,
  "+": (a, b) => {
    if (typeof a === "string" && typeof b === "string" && a.length + b.length > LONG)
      charges.stringLength(a.length + b.length);
    return a + b;
  },
  "-": (a, b) => a - b,
  "*": (a, b) => {
    if (typeof a === "bigint" && typeof b === "bigint") charges.multiply(a, b);
    return a * b;
  },
  "/": (a, b) => {
    if (typeof a === "bigint" && typeof b === "bigint") charges.divide(a, b);
    return a / b;
  },
  "%": (a, b) => {
    if (typeof a === "bigint" && typeof b === "bigint") charges.divide(a, b);
    return a % b;
  },
  "**": (a, b) => {
    if (typeof a === "bigint" && typeof b === "bigint") charges.power(a, b);
    return a ** b;
  },
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "<<": (a, b) => {
    if (typeof a === "bigint" && typeof b === "bigint") charges.shiftLeft(a, b);
    return a << b;
  },
  ">>": (a, b) => a >> b,
  ">>>": (a, b) => a >>> b,
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
  // biome-ignore lint/suspicious/noDoubleEquals: this is that operator
  "==": (a, b) => a == b,
  // biome-ignore lint/suspicious/noDoubleEquals: this is that operator
  "!=": (a, b) => a != b,
  "===": (a, b) => a === b,
  "!==": (a, b) => a !== b,
  in: (a, b) => a in b,
  instanceof: (a, b) => a instanceof b,
};

/** The operation of an operator that may fail, positioned. */
export function operation(operator: string, offset: number): Operate {
  const operate = OPERATORS[operator]!;
  switch (operator) {
    case "===":
    case "!==":
      return operate;
    case "+":
      return (a, b) => {
        // Texts of moderate length cannot fail.
        if (typeof a === "string" && (typeof b === "string" || typeof b === "number") && a.length < LONG)
          if (typeof b === "number" || b.length < LONG) return a + b;
        machine.position = offset;
        return operate(a, b);
      };
    default:
      return (a, b) => {
        machine.position = offset;
        return operate(a, b);
      };
  }
}

export function compileBinary(node: Node, scope: Scope): Run {
  const chain = leftChain(node);
  if (chain.length > 24) return compileChainOfOperators(chain, scope);
  const operator: string = node["operator"];
  const { left, right } = node as unknown as { left: Node; right: Node };
  const offset = unit.base + node.start;
  if (left.type === "PrivateIdentifier") {
    const name = expression({ ...left, type: "Identifier" }, scope);
    const object = expression(right, scope);
    return (frame) => {
      const value = object(frame);
      if ((typeof value !== "object" || value === null) && typeof value !== "function")
        throwTypeError(
          `Cannot use 'in' operator to search for '#${left["name"]}' in ${typeof value === "symbol" ? "Symbol()" : String(value)}`,
          offset,
        );
      return has(name(frame), value);
    };
  }
  const constant = numberLiteral(right);
  const i = plainLocal(left, scope);
  const j = plainLocal(right, scope);
  const l = expression(left, scope);
  const r = expression(right, scope);
  const slow = operation(operator, offset);
  if (constant !== undefined)
    return withConstant(operator, constant, i, l, slow) ?? ((frame) => slow(l(frame), constant));
  if (i > 0 && j > 0) return withLocals(operator, i, j, slow) ?? ((frame) => slow(frame[i], frame[j]));
  if (i > 0) {
    const special = withLocalOnTheLeft(operator, i, r, slow);
    if (special !== undefined) return special;
  }
  return withOperands(operator, l, r, slow) ?? ((frame) => slow(l(frame), r(frame)));
}

function withConstant(operator: string, k: number, i: number, l: Run, slow: Operate): Run | undefined {
  switch (operator) {
    case "+":
      if (i > 0)
        return (f) => {
          const a = f[i];
          return typeof a === "number" ? a + k : slow(a, k);
        };
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a + k : slow(a, k);
      };
    case "-":
      if (i > 0)
        return (f) => {
          const a = f[i];
          return typeof a === "number" ? a - k : slow(a, k);
        };
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a - k : slow(a, k);
      };
    case "*":
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a * k : slow(a, k);
      };
    case "/":
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a / k : slow(a, k);
      };
    case "%":
      if (i > 0)
        return (f) => {
          const a = f[i];
          return typeof a === "number" ? a % k : slow(a, k);
        };
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a % k : slow(a, k);
      };
    case "<":
      if (i > 0)
        return (f) => {
          const a = f[i];
          return typeof a === "number" ? a < k : slow(a, k);
        };
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a < k : slow(a, k);
      };
    case ">":
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a > k : slow(a, k);
      };
    case "<=":
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a <= k : slow(a, k);
      };
    case ">=":
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a >= k : slow(a, k);
      };
    case "===":
      if (i > 0) return (f) => f[i] === k;
      return (f) => l(f) === k;
    case "!==":
      if (i > 0) return (f) => f[i] !== k;
      return (f) => l(f) !== k;
    case "&":
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a & k : slow(a, k);
      };
    case "|":
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a | k : slow(a, k);
      };
    case ">>":
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a >> k : slow(a, k);
      };
    case ">>>":
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a >>> k : slow(a, k);
      };
    case "<<":
      return (f) => {
        const a = l(f);
        return typeof a === "number" ? a << k : slow(a, k);
      };
    default:
      return undefined;
  }
}

function withLocals(operator: string, i: number, j: number, slow: Operate): Run | undefined {
  switch (operator) {
    case "+":
      return (f) => {
        const a = f[i];
        const b = f[j];
        return typeof a === "number" && typeof b === "number" ? a + b : slow(a, b);
      };
    case "-":
      return (f) => {
        const a = f[i];
        const b = f[j];
        return typeof a === "number" && typeof b === "number" ? a - b : slow(a, b);
      };
    case "*":
      return (f) => {
        const a = f[i];
        const b = f[j];
        return typeof a === "number" && typeof b === "number" ? a * b : slow(a, b);
      };
    case "<":
      return (f) => {
        const a = f[i];
        const b = f[j];
        return typeof a === "number" && typeof b === "number" ? a < b : slow(a, b);
      };
    case ">":
      return (f) => {
        const a = f[i];
        const b = f[j];
        return typeof a === "number" && typeof b === "number" ? a > b : slow(a, b);
      };
    case "<=":
      return (f) => {
        const a = f[i];
        const b = f[j];
        return typeof a === "number" && typeof b === "number" ? a <= b : slow(a, b);
      };
    case ">=":
      return (f) => {
        const a = f[i];
        const b = f[j];
        return typeof a === "number" && typeof b === "number" ? a >= b : slow(a, b);
      };
    case "===":
      return (f) => f[i] === f[j];
    case "!==":
      return (f) => f[i] !== f[j];
    default:
      return undefined;
  }
}

/** The left operand is read first, as it must be: the right one may change it. */
function withLocalOnTheLeft(operator: string, i: number, r: Run, slow: Operate): Run | undefined {
  switch (operator) {
    case "+":
      return (f) => {
        const a = f[i];
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a + b : slow(a, b);
      };
    case "-":
      return (f) => {
        const a = f[i];
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a - b : slow(a, b);
      };
    case "*":
      return (f) => {
        const a = f[i];
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a * b : slow(a, b);
      };
    case "<":
      return (f) => {
        const a = f[i];
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a < b : slow(a, b);
      };
    case ">":
      return (f) => {
        const a = f[i];
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a > b : slow(a, b);
      };
    case "===":
      return (f) => f[i] === r(f);
    case "!==":
      return (f) => f[i] !== r(f);
    default:
      return undefined;
  }
}

function withOperands(operator: string, l: Run, r: Run, slow: Operate): Run | undefined {
  switch (operator) {
    case "+":
      return (f) => {
        const a = l(f);
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a + b : slow(a, b);
      };
    case "-":
      return (f) => {
        const a = l(f);
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a - b : slow(a, b);
      };
    case "*":
      return (f) => {
        const a = l(f);
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a * b : slow(a, b);
      };
    case "/":
      return (f) => {
        const a = l(f);
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a / b : slow(a, b);
      };
    case "%":
      return (f) => {
        const a = l(f);
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a % b : slow(a, b);
      };
    case "<":
      return (f) => {
        const a = l(f);
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a < b : slow(a, b);
      };
    case ">":
      return (f) => {
        const a = l(f);
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a > b : slow(a, b);
      };
    case "<=":
      return (f) => {
        const a = l(f);
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a <= b : slow(a, b);
      };
    case ">=":
      return (f) => {
        const a = l(f);
        const b = r(f);
        return typeof a === "number" && typeof b === "number" ? a >= b : slow(a, b);
      };
    case "===":
      return (f) => l(f) === r(f);
    case "!==":
      return (f) => l(f) !== r(f);
    default:
      return undefined;
  }
}

/** The binary expressions down the left side, the outermost first. */
function leftChain(node: Node): Node[] {
  const chain: Node[] = [];
  for (let link = node; link.type === "BinaryExpression"; link = link["left"]) chain.push(link);
  return chain;
}

/** A long `a + b + c + …`: evaluated in a loop, because as nested closures it would exhaust the stack. */
function compileChainOfOperators(chain: Node[], scope: Scope): Run {
  const links = chain.reverse();
  let start = 0;
  if (links[0]!["left"].type === "PrivateIdentifier") start = 1;
  const first = start === 1 ? compileBinary(links[0]!, scope) : expression(links[0]!["left"], scope);
  const runs: Run[] = [];
  const operators: Operate[] = [];
  for (const link of links.slice(start)) {
    runs.push(expression(link["right"], scope));
    operators.push(operation(link["operator"], unit.base + link["right"].start));
  }
  return (frame) => {
    let value = first(frame);
    for (let i = 0; i < runs.length; i++) value = operators[i]!(value, runs[i]!(frame));
    return value;
  };
}
