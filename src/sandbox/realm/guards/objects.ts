/**
 * `Object.assign` and `Reflect.set` on a frozen standard library.
 *
 * An ordinary assignment to an inherited read-only property fails, so `Object.assign({}, { toString })` would throw once
 * `Object.prototype` is frozen. Programs may not change built-ins, but an object that merely inherits from one must behave as
 * if its prototype were writable.
 */
import { replaceMethod } from "../intrinsics/native-like.js";

const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, set } = Reflect;

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

/**
 * OrdinarySet (ECMA-262 §10.1.9), except that a read-only data property of a shared built-in does not stop an object that
 * inherits it from getting its own.
 */
export function assignProperty(
  target: object,
  key: PropertyKey,
  value: unknown,
  receiver: unknown,
  isShared: (object: object) => boolean,
  isProxy: (value: unknown) => boolean,
): boolean {
  if (set(target, key, value, receiver)) return true;
  if (!isObject(receiver) || isProxy(receiver) || isShared(receiver)) return false;
  for (let holder: object | null = target; holder !== null; holder = getPrototypeOf(holder)) {
    if (isProxy(holder)) return false;
    const property = getOwnPropertyDescriptor(holder, key);
    if (property === undefined) continue;
    if (!("value" in property) || !isShared(holder)) return false;
    const own = getOwnPropertyDescriptor(receiver, key);
    if (own !== undefined) return "value" in own && own.writable === true && defineProperty(receiver, key, { value });
    return defineProperty(receiver, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return false;
}

export function guardAssignment(isShared: (object: object) => boolean, isProxy: (value: unknown) => boolean): void {
  replaceMethod(Object, "assign", () => {
    return {
      assign(target: unknown): object {
        if (target === undefined || target === null) throw new TypeError("Cannot convert undefined or null to object");
        const to = Object(target);
        for (let i = 1; i < arguments.length; i++) {
          const source: unknown = arguments[i];
          if (source === undefined || source === null) continue;
          const from = Object(source);
          for (const key of ownKeys(from)) {
            if (!getOwnPropertyDescriptor(from, key)?.enumerable) continue;
            if (!assignProperty(to, key, from[key], to, isShared, isProxy)) {
              throw new TypeError(`Cannot assign to read only property '${String(key)}' of object`);
            }
          }
        }
        return to;
      },
    }.assign;
  });
  replaceMethod(Reflect, "set", (native) => {
    return {
      set(target: unknown, key: unknown, value: unknown): unknown {
        // Not an object: the native throws what it should.
        if (!isObject(target)) return apply(native, undefined, arguments);
        const name = typeof key === "symbol" ? key : `${key}`;
        const receiver = arguments.length > 3 ? arguments[3] : target;
        return assignProperty(target, name, value, receiver, isShared, isProxy);
      },
    }.set;
  });
}
