/**
 * Reduces the realm to the allow-list and freezes what is left: after this no program can change a built-in, and nothing
 * that the allow-list does not name is reachable.
 */
import { ALLOWED, ALLOWED_GLOBALS } from "./allow-list.js";
import { collectIntrinsics, hiddenFunctions } from "./intrinsics.js";

const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { deleteProperty, ownKeys } = Reflect;
const ArrayPrototype = Array.prototype;
const ObjectPrototype = Object.prototype;

/** Objects that `harden` froze: shared by the whole realm, so that an assignment must not treat them as read-only. */
export type Shared = WeakSet<object>;

function allowedKeys(names: string): Set<PropertyKey> {
  const keys = new Set<PropertyKey>();
  for (const name of names.split(" ")) {
    keys.add(name.startsWith("@@") ? (Symbol[name.slice(2) as "iterator"] as symbol) : name);
  }
  return keys;
}

/** Deletes an own property, or fails the boot: a realm that cannot be reduced must not run programs. */
function remove(object: object, key: PropertyKey, path: string): void {
  if (!deleteProperty(object, key)) throw new Error(`${path}: cannot remove ${String(key)}.`);
}

export function harden(): Shared {
  const shared: Shared = new WeakSet();
  const intrinsics = collectIntrinsics();
  const known = new Set(intrinsics.values());
  const leaves = new Set<object>(hiddenFunctions());

  /** True for a value that a listed property may hold: a primitive, a listed intrinsic, or a plain built-in function. */
  const admit = (value: unknown): boolean => {
    if (typeof value === "function") {
      if (!known.has(value)) leaves.add(value);
      return true;
    }
    return typeof value !== "object" || value === null || known.has(value);
  };

  for (const [path, object] of intrinsics) {
    const allowed = allowedKeys(ALLOWED[path]!);
    for (const key of ownKeys(object)) {
      if (typeof object === "function" && (key === "length" || key === "name")) continue;
      const property = getOwnPropertyDescriptor(object, key)!;
      if (!allowed.has(key)) remove(object, key, path);
      else if (!(admit(property.value) && admit(property.get) && admit(property.set))) remove(object, key, path);
    }
    const prototype = getPrototypeOf(object);
    if (prototype !== null && !known.has(prototype)) throw new Error(`${path}: its prototype is not listed.`);
  }
  reduceGlobal(intrinsics, leaves);
  for (const leaf of leaves) {
    const { name } = leaf as { name?: string };
    for (const key of ownKeys(leaf)) if (key !== "length" && key !== "name") remove(leaf, key, `${name}`);
    if (!known.has(getPrototypeOf(leaf)!)) throw new Error(`${name}: its prototype is not listed.`);
    freeze(leaf);
    shared.add(leaf);
  }
  toDictionaryMode(ArrayPrototype, "at");
  toDictionaryMode(ObjectPrototype, "toString");
  for (const object of known) {
    freeze(object);
    shared.add(object);
  }
  return shared;
}

/**
 * Changes the attributes of one property, upon which V8 keeps the object's properties in a dictionary; to be called right before
 * the object is frozen. An object that is frozen out of the other mode counts as one with read-only elements, and where the
 * prototype of arrays is such a one, V8 has no fast way left to store an element into any array (1.5 to 4 times the time).
 */
function toDictionaryMode(object: object, key: PropertyKey): void {
  defineProperty(object, key, { writable: false, configurable: false });
}

/** The real global object: no program reaches it, and all the same it holds nothing that a program must not have. */
function reduceGlobal(intrinsics: Map<string, object>, leaves: Set<object>): void {
  const allowed = allowedKeys(ALLOWED_GLOBALS);
  const real = globalThis as Record<PropertyKey, unknown>;
  for (const key of ownKeys(real)) {
    const value = real[key];
    if (allowed.has(key)) {
      if (typeof value === "function") leaves.add(value);
    } else if (value !== undefined && (typeof key === "symbol" || intrinsics.get(key) !== value)) {
      // `var` bindings of scripts (this bundle's export among them) cannot be deleted, only emptied.
      if (!deleteProperty(real, key)) real[key] = undefined;
    }
  }
}
