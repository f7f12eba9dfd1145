/** Operations on objects (ECMA-262 §7) that the language performs itself. */
import { annotate, showKey, throwTypeError } from "./errors.js";
import { machine } from "./machine.js";
import {
  NativeTypeError,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertySymbols,
  ObjectHasOwn,
  ObjectIsExtensible,
  ObjectKeys,
  ReflectDefineProperty,
  ReflectGetOwnPropertyDescriptor,
  ReflectGetPrototypeOf,
  ReflectOwnKeys,
  stringStartsWith,
} from "./primordials.js";

/** CreateDataProperty on an object that accepts it (§7.3.5). */
export function defineData(object: object, key: PropertyKey, value: unknown): void {
  const descriptor = {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor;
  if (!ReflectDefineProperty(object, key, descriptor))
    throwTypeError(`Cannot redefine property: ${showKey(key)}`, machine.position);
}

/**
 * The same on an object that a literal or pattern is making: nothing else knows it yet, and its prototype is `Object.prototype`. Where
 * nothing has the name, or it is itself that has a value of that name, an assignment does the same, and much faster.
 */
export function addData(object: any, key: PropertyKey, value: unknown): void {
  if (!(key in object) || (!machine.accessors && ObjectHasOwn(object, key))) object[key] = value;
  else defineData(object, key, value);
}

/** A method of a class: not enumerable. */
export function defineMethod(object: object, key: PropertyKey, value: unknown): void {
  const descriptor = {
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor;
  if (!ReflectDefineProperty(object, key, descriptor))
    throwTypeError(`Cannot redefine property: ${showKey(key)}`, machine.position);
}

/** ToPropertyKey (§7.1.19). */
export function toPropertyKey(value: unknown): string | symbol {
  if (typeof value === "string" || typeof value === "symbol") return value;
  if (typeof value !== "object" && typeof value !== "function") return `${value as string}`;
  if (value === null) return "null";
  // Making a computed property is the one operation that converts a key and nothing else.
  return ReflectOwnKeys({ [value as unknown as string]: 0 })[0]!;
}

/**
 * CopyDataProperties (§7.3.26) without exclusions. `add` puts a property into the target.
 *
 * Not by native spread into the target where that can be helped: to an object that V8 has copied it adds properties very slowly.
 */
export function copyDataProperties(target: object, source: any, add: typeof addData): void {
  if (source === null || source === undefined) return;
  if (canBeRead(source)) {
    const names = enumerableKeys(source);
    for (let i = 0; i < names.length; i++) add(target, names[i]!, source[names[i]!]);
    return;
  }
  // Into an object of our own first: there, no setter of the target can run.
  const copy = { __proto__: null, ...(source as object) } as Record<PropertyKey, unknown>;
  const keys = ReflectOwnKeys(copy);
  for (let i = 0; i < keys.length; i++) add(target, keys[i]!, copy[keys[i]!]);
}

/** Whether all properties of a value can be read without running code of the program. */
export function canBeRead(value: unknown): boolean {
  return machine.sealed && !machine.accessors && !machine.isProxy(value);
}

/** The own enumerable property keys of a value that can be read, in order. */
export function enumerableKeys(value: object): PropertyKey[] {
  const found: PropertyKey[] = ObjectKeys(value);
  const symbols = ObjectGetOwnPropertySymbols(value);
  for (let i = 0; i < symbols.length; i++)
    if (ObjectGetOwnPropertyDescriptor(value, symbols[i]!)?.enumerable) found[found.length] = symbols[i]!;
  return found;
}

/**
 * `object[key] = value` in strict mode.
 *
 * Built-in prototypes are frozen here, and JavaScript then forbids an assignment to any object that inherits the property
 * (`error.name = …`, `point.toString = …`). Programs are written for realms where it works, so it does.
 */
export function assignMember(object: any, key: any, value: unknown, offset: number): void {
  machine.position = offset;
  // The key is converted once, though it may be needed twice; not at all where there is nothing to assign to.
  if ((typeof key === "object" || typeof key === "function") && object !== null && object !== undefined)
    key = toPropertyKey(key);
  try {
    object[key] = value;
  } catch (error) {
    if (isIgnored(object, error)) return;
    if (!overridesFrozenIntrinsic(object, key, error)) throw annotate(error);
    defineData(object, key, value);
  }
}

/** A property on a primitive goes nowhere: only "use strict" makes it an error. */
function isIgnored(object: unknown, error: unknown): boolean {
  return (
    machine.lenient &&
    typeof object !== "object" &&
    typeof object !== "function" &&
    error instanceof NativeTypeError &&
    (stringStartsWith(error.message, "Cannot create property") ||
      stringStartsWith(error.message, "Cannot assign to read only property"))
  );
}

function overridesFrozenIntrinsic(object: any, key: any, error: unknown): boolean {
  if (!machine.sealed || !(error instanceof NativeTypeError)) return false;
  if (!stringStartsWith(error.message, "Cannot assign to read only property")) return false;
  if (typeof object !== "object" && typeof object !== "function") return false;
  if (ReflectGetOwnPropertyDescriptor(object, key) !== undefined || !ObjectIsExtensible(object)) return false;
  for (let holder = ReflectGetPrototypeOf(object); holder !== null; holder = ReflectGetPrototypeOf(holder)) {
    const found = ReflectGetOwnPropertyDescriptor(holder, key);
    if (found !== undefined) return "value" in found && machine.isFrozenIntrinsic(holder);
  }
  return false;
}
