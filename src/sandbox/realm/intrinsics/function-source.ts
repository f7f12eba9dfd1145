/**
 * `Function.prototype.toString` (ECMA-262 §20.2.3.5): a program's function shows its own source text, everything else the
 * NativeFunction form. No source of the interpreter or the realm is ever shown.
 */
export function patchFunctionToString(
  sourceOf: (fn: object) => string | undefined,
  isProxy: (value: unknown) => boolean,
): void {
  const holder = {
    toString(this: unknown): string {
      if (typeof this !== "function") {
        throw new TypeError("Function.prototype.toString requires that 'this' be a Function");
      }
      // Its name could only be asked for by running its traps.
      if (isProxy(this)) return "function () { [native code] }";
      const source = sourceOf(this);
      if (source !== undefined) return source;
      const name = Object.getOwnPropertyDescriptor(this, "name")?.value;
      return `function ${typeof name === "string" && /^(?!bound )[$\w. []*\]?$/.test(name) ? name : ""}() { [native code] }`;
    },
  };
  Object.defineProperty(Function.prototype, "toString", { value: holder.toString });
}
