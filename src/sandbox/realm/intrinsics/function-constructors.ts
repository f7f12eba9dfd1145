/**
 * `Function` and its relatives without the power to compile text.
 *
 * The realm's context refuses code generation anyway; this is the same refusal with a clear message, and the native
 * constructors are no longer reachable. `instanceof Function` and `Function.prototype` keep working.
 */
const { defineProperty, getPrototypeOf, setPrototypeOf } = Object;

const MESSAGE = "Code generation from strings is not available: a program is made of its source text alone.";

function standIn(name: string, prototype: object): object {
  // A declaration, not an arrow: it must be a constructor, for `new Function` and `class extends Function`.
  function refuse(): never {
    throw new EvalError(MESSAGE);
  }
  defineProperty(refuse, "name", { value: name });
  defineProperty(refuse, "length", { value: 1 });
  defineProperty(refuse, "prototype", { value: prototype, writable: false });
  return refuse;
}

export function disableFunctionConstructors(): void {
  const plain = standIn("Function", Function.prototype);
  defineProperty(Function.prototype, "constructor", { value: plain });
  globalThis.Function = plain as FunctionConstructor;
  for (const [name, example] of [
    ["GeneratorFunction", function* () {}],
    ["AsyncFunction", async () => {}],
    ["AsyncGeneratorFunction", async function* () {}],
  ] as const) {
    const prototype = getPrototypeOf(example);
    const relative = standIn(name, prototype);
    setPrototypeOf(relative, plain);
    defineProperty(prototype, "constructor", { value: relative });
  }
}
