/** Source text → syntax tree, or a fault with a position. */
import * as acorn from "acorn";
import type { Language } from "./index.js";
import { type Node, SourceError } from "./syntax.js";

type Plugin = (base: any) => any;

let TypeScript: typeof acorn.Parser | undefined;

/**
 * Gives the interpreter the acorn plugin that parses TypeScript: `useTypeScript(tsPlugin())` with `tsPlugin` of
 * `@sveltejs/acorn-typescript`. A realm that runs a TypeScript program calls it before `compile`.
 */
export function useTypeScript(plugin: Plugin): void {
  TypeScript = acorn.Parser.extend(plugin as never, asFunctionBody as never);
}

/** The precedence of `&&`, which `??` shares when operands are collected. */
const LOGICAL_AND = (acorn.tokTypes.logicalAND as unknown as { binop: number }).binop;

const SCOPE_TOP = 1;
const SCOPE_FUNCTION = 2;

/** A program is parsed as the body of a strict async function. */
const asFunctionBody: Plugin = (Base) =>
  class extends Base {
    /** At the top of a function body, functions are like `var`: they may be declared twice. */
    treatFunctionsAsVarInScope(scope: { flags: number }): boolean {
      return (scope.flags & (SCOPE_FUNCTION | SCOPE_TOP)) !== 0;
    }

    /**
     * Acorn notes that an `async function` is an expression when it has read the token after it: where that is a parenthesis, the
     * note is for what stands before it. Else parameters that are patterns end a template too early.
     */
    overrideContext(context: { token: string }): void {
      const stack = (this as any).context as { token: string }[];
      const top = stack.length - 1;
      if (context.token === "function" && stack[top]!.token === "(") stack[top - 1] = context;
      else super.overrideContext(context);
    }

    /** What follows `yield` is an operand: acorn reads a regular expression there as a division in methods and async functions. */
    parseYield(forInit: unknown): unknown {
      (this as any).exprAllowed = true;
      return super.parseYield(forInit);
    }
  };

const iterativeOperators: Plugin = (Base) =>
  class extends Base {
    /** Left-associative operators in a loop: acorn's own recursion limits `a + b + …` to some thousand operands. */
    parseExprOp(left: any, leftStart: number, leftLocation: any, minimum: number, forInit: any): any {
      const self = this as any;
      for (;;) {
        const type = self.type;
        let precedence = type.binop;
        if (
          precedence === null ||
          precedence === undefined ||
          (forInit && type.keyword === "in") ||
          precedence <= minimum
        )
          return super.parseExprOp(left, leftStart, leftLocation, minimum, forInit);
        const logical = type === acorn.tokTypes.logicalOR || type === acorn.tokTypes.logicalAND;
        const coalesce = type === acorn.tokTypes.coalesce;
        if (coalesce) precedence = LOGICAL_AND;
        const operator = self.value;
        // Operators with a grammar of their own (`**`, TypeScript's `as`) stay with the base parser.
        if (typeof operator !== "string" || type === acorn.tokTypes.starstar)
          return super.parseExprOp(left, leftStart, leftLocation, minimum, forInit);
        self.next();
        const start = self.start;
        const location = self.startLoc;
        const operand = self.parseMaybeUnary(null, false, false, forInit);
        const right = self.parseExprOp(operand, start, location, precedence, forInit);
        left = self.buildBinary(leftStart, leftLocation, left, right, operator, logical || coalesce);
        if (
          (logical && self.type === acorn.tokTypes.coalesce) ||
          (coalesce && (self.type === acorn.tokTypes.logicalOR || self.type === acorn.tokTypes.logicalAND))
        )
          self.raiseRecoverable(
            self.start,
            "Logical expressions and coalesce expressions cannot be mixed. Wrap either by parentheses",
          );
      }
    }
  };

const OPTIONS: acorn.Options = {
  ecmaVersion: "latest",
  sourceType: "module",
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowHashBang: true,
};

const JavaScript = acorn.Parser.extend(asFunctionBody as never, iterativeOperators as never);

/** How a source is read. `script` is for conformance tests: a strict script, where `await` is a name. */
export interface ParseMode {
  readonly script?: boolean;
}

export function parse(source: string, language: Language, mode: ParseMode = {}): Parsed {
  const options: acorn.Options = mode.script
    ? { ...OPTIONS, sourceType: "script", allowAwaitOutsideFunction: false, allowReturnOutsideFunction: false }
    : OPTIONS;
  const javascript = (): Parsed => ({ tree: JavaScript.parse(source, options) as unknown as Node, typescript: false });
  const typescript = (): Parsed => {
    const parser = TypeScript;
    if (parser === undefined) throw new SourceError("ParseError", "The TypeScript parser is not loaded.", 0);
    return { tree: parser.parse(source, { ...options, locations: true }) as unknown as Node, typescript: true };
  };
  if (language === "javascript") return attempt(javascript);
  // The parser of TypeScript refuses a few forms of plain JavaScript, so each gets its say.
  const [first, second] = hasTypeArguments(source) ? [typescript, javascript] : [javascript, typescript];
  try {
    return attempt(first);
  } catch (error) {
    try {
      return attempt(second);
    } catch (other) {
      throw furthest(error, other);
    }
  }
}

interface Parsed {
  readonly tree: Node;
  /** The tree has nodes of TypeScript. */
  readonly typescript: boolean;
}

function attempt(read: () => Parsed): Parsed {
  try {
    return read();
  } catch (error) {
    throw sourceError(error);
  }
}

/** Of two faults, the one further into the source belongs to the parser that understood more. */
function furthest(one: unknown, other: unknown): unknown {
  if (!(one instanceof SourceError)) return one;
  return other instanceof SourceError && other.offset > one.offset ? other : one;
}

/**
 * Whether a source seems to call something with type arguments, `decode<Order[]>(text)`: as JavaScript those are two
 * comparisons in a row, which nobody means, so JavaScript's parser must not be asked.
 */
export function hasTypeArguments(source: string): boolean {
  return /[\w$]<[\w$\s.,|&[\]{}:;"'<>]{1,200}>\(/.test(source);
}

function sourceError(error: unknown): unknown {
  if (error instanceof SyntaxError) {
    const { pos } = error as SyntaxError & { pos?: number };
    // acorn puts the position in the message; it is a field of its own here.
    return new SourceError("ParseError", error.message.replace(/ \(\d+:\d+\)$/, ""), pos ?? 0);
  }
  if (error instanceof RangeError)
    return new SourceError(
      "ParseError",
      "The program is nested too deeply.",
      0,
      "Split the deepest expression or block into variables or functions.",
    );
  return error;
}
