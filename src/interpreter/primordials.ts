/**
 * The intrinsics that the interpreter itself uses, captured when the realm starts.
 *
 * A program may never influence the interpreter through a patched prototype, nor notice it. So nothing in this folder calls
 * a method of a program's value by name, and everything it needs of the standard library is taken from here.
 */
import { machine } from "./machine.js";

const { bind, call } = Function.prototype;

/** `uncurryThis(method)(self, ...args)` is `self.method(...args)` without a look-up that a program could see. */
export const uncurryThis = bind.bind(call) as unknown as <F extends (...args: any[]) => any>(
  method: F,
) => (self: any, ...args: any[]) => ReturnType<F>;

export const {
  apply: ReflectApply,
  construct: ReflectConstruct,
  defineProperty: ReflectDefineProperty,
  deleteProperty: ReflectDeleteProperty,
  get: ReflectGet,
  getOwnPropertyDescriptor: ReflectGetOwnPropertyDescriptor,
  getPrototypeOf: ReflectGetPrototypeOf,
  has: ReflectHas,
  ownKeys: ReflectOwnKeys,
  set: ReflectSet,
  setPrototypeOf: ReflectSetPrototypeOf,
} = Reflect;

export const {
  create: ObjectCreate,
  defineProperty: ObjectDefineProperty,
  freeze: ObjectFreeze,
  getOwnPropertyDescriptor: ObjectGetOwnPropertyDescriptor,
  getOwnPropertySymbols: ObjectGetOwnPropertySymbols,
  getPrototypeOf: ObjectGetPrototypeOf,
  isExtensible: ObjectIsExtensible,
  keys: ObjectKeys,
  setPrototypeOf: ObjectSetPrototypeOf,
  hasOwn: ObjectHasOwn,
} = Object;

export const ObjectPrototype = Object.prototype;
export const FunctionPrototype = Function.prototype;
export const ArrayPrototype = Array.prototype;

export const ArrayIsArray = Array.isArray;
export const arraySlice = uncurryThis(Array.prototype.slice);
export const arrayJoin = uncurryThis(Array.prototype.join);
export const stringSlice = uncurryThis(String.prototype.slice);
export const stringCharCodeAt = uncurryThis(String.prototype.charCodeAt);
export const stringIndexOf = uncurryThis(String.prototype.indexOf);
export const stringStartsWith = uncurryThis(String.prototype.startsWith);

export const NativeString = String;
export const NativeMap = Map;
export const NativeSet = Set;
export const NativeWeakMap = WeakMap;
export const NativeRegExp = RegExp;
export const NativePromise = Promise;
export const NativeProxy = Proxy;
export const NativeBigInt = BigInt;
export const weakMapGet = uncurryThis(WeakMap.prototype.get);
export const weakMapSet = uncurryThis(WeakMap.prototype.set);
export const weakMapHas = uncurryThis(WeakMap.prototype.has);
export const regExpTest = uncurryThis(RegExp.prototype.test);
export const setHas = uncurryThis(Set.prototype.has);

export const NativeError = Error;
export const NativeTypeError = TypeError;
export const NativeReferenceError = ReferenceError;
export const NativeRangeError = RangeError;
export const NativeSyntaxError = SyntaxError;

export const SymbolIterator: typeof Symbol.iterator = Symbol.iterator;
export const SymbolAsyncIterator: typeof Symbol.asyncIterator = Symbol.asyncIterator;
export const SymbolHasInstance: typeof Symbol.hasInstance = Symbol.hasInstance;
export const SymbolToPrimitive: typeof Symbol.toPrimitive = Symbol.toPrimitive;
const symbolDescription = Object.getOwnPropertyDescriptor(Symbol.prototype, "description")!.get!;
/** The description of a symbol, for function names. */
export const symbolDescriptionOf = uncurryThis(symbolDescription) as (symbol: symbol) => string | undefined;

export const ArrayPrototypeValues = Array.prototype.values;
export const ArrayIteratorPrototype = Object.getPrototypeOf([][Symbol.iterator]()) as { next: unknown };
const ArrayIteratorPrototypeNext = ArrayIteratorPrototype.next;

/** True while iterating an array by index cannot be told from iterating it with its iterator. */
export function arrayIterationIsPristine(): boolean {
  return ArrayIteratorPrototype.next === ArrayIteratorPrototypeNext && !("return" in ArrayIteratorPrototype);
}

/** Appends as a data property, whatever setters `Array.prototype` may have. */
export function append<T>(list: T[], value: T): void {
  if (machine.sealed) list[list.length] = value;
  else
    ReflectDefineProperty(list, list.length, {
      __proto__: null,
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    } as PropertyDescriptor);
}
