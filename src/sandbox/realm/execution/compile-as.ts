/** Which parser a program is given to. The one for TypeScript is loaded for programs that need it only. */
import type { Compiled, Environment } from "../../../interpreter/index.js";
import type { Language } from "../../protocol.js";
import type { Realm } from "../realm.js";

/**
 * A call with type arguments, `decode<Order[]>(text)`. As JavaScript it is two comparisons, which nobody writes in a row,
 * so JavaScript's parser must not be asked first.
 */
const TYPE_ARGUMENTS = /[\w$]<[\w$\s.,|&[\]{}:;"'<>]+>\(/;

/**
 * Compiles a program. `auto` is JavaScript unless only TypeScript's parser takes the source. TypeScript's parser in turn
 * refuses a few forms of plain JavaScript, so that JavaScript's gets a second say. Of two faults, the one further into the
 * source belongs to the parser that understood more.
 */
export function compileAs(realm: Realm, source: string, language: Language, environment: Environment): Compiled {
  const javascript = () => realm.compile(source, "javascript", environment);
  const typescript = () => {
    if (realm.bridge.loadTypeScript()) return realm.compile(source, "typescript", environment);
    return fault("The TypeScript parser could not be loaded.");
  };
  if (language === "javascript") return javascript();
  const [first, second] =
    language === "typescript" || TYPE_ARGUMENTS.test(source) ? [typescript, javascript] : [javascript, typescript];
  const one = first();
  if (!("fault" in one) || one.fault.kind !== "ParseError") return one;
  const other = second();
  if (!("fault" in other)) return other;
  return isFurther(other.fault.position, one.fault.position) ? other : one;
}

function isFurther(a: { line: number; column: number }, b: { line: number; column: number }): boolean {
  return a.line > b.line || (a.line === b.line && a.column > b.column);
}

function fault(message: string): Compiled {
  return { fault: { kind: "ParseError", message, position: { line: 1, column: 1 } } };
}
