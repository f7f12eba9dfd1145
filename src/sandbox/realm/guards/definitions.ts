/**
 * Notes when a program may have made an object with an accessor of its own, other than by a literal (the interpreter notes those).
 * While it has not, properties of its objects can be read without running its code.
 */
import { noteAccessors } from "../../../interpreter/index.js";
import { replaceMethod } from "../intrinsics/native-like.js";

const { apply } = Reflect;

/** The functions that take property descriptors, or getters and setters themselves. */
const DEFINING: readonly (readonly [object, string])[] = [
  [Object, "create"],
  [Object, "defineProperties"],
  [Object, "defineProperty"],
  [Object.prototype, "__defineGetter__"],
  [Object.prototype, "__defineSetter__"],
  [Reflect, "defineProperty"],
];

export function guardDefinitions(): void {
  for (const [holder, key] of DEFINING) {
    replaceMethod(holder, key, (native) => {
      return {
        method(this: unknown) {
          // `Object.create(prototype)` defines nothing.
          if (key !== "create" || arguments.length > 1) noteAccessors();
          return apply(native, this, arguments);
        },
      }.method;
    });
  }
}
