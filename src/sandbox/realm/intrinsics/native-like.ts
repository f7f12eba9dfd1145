/** Makes functions of the realm look like built-in ones. */

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, freeze } = Object;
const { apply, ownKeys } = Reflect;

type Method = (...parameters: any[]) => unknown;

/** Gives `method` the `name` and `length` of `native`. */
export function copySignature<F extends object>(method: F, native: object): F {
  for (const key of ["length", "name"]) defineProperty(method, key, getOwnPropertyDescriptor(native, key)!);
  return method;
}

/** Replaces a method in place, keeping its attributes, name and length. */
export function replaceMethod(holder: object, key: PropertyKey, make: (native: Method) => Method): void {
  const property = getOwnPropertyDescriptor(holder, key);
  if (typeof property?.value !== "function") return;
  property.value = copySignature(make(property.value), property.value);
  defineProperty(holder, key, property);
}

/**
 * Methods filled in by core-js are ordinary functions whose `prototype` is `undefined`. This turns those of `holder` into
 * methods, which cannot be constructed.
 */
export function tidyPolyfills(holder: object): void {
  for (const key of ownKeys(holder)) {
    const property = getOwnPropertyDescriptor(holder, key)!;
    const { value, get, set } = property;
    if (isPolyfill(value)) property.value = copySignature(asMethod(value), value);
    if (isPolyfill(get)) property.get = copySignature(asMethod(get), get) as () => unknown;
    if (isPolyfill(set)) property.set = copySignature(asMethod(set), set);
    if (value !== property.value || get !== property.get || set !== property.set) defineProperty(holder, key, property);
  }
}

function isPolyfill(value: unknown): value is Method {
  if (typeof value !== "function") return false;
  const own = getOwnPropertyDescriptor(value, "prototype");
  return own !== undefined && own.value === undefined;
}

function asMethod(polyfill: Method): Method {
  return {
    method(this: unknown) {
      return apply(polyfill, this, arguments);
    },
  }.method;
}

/** Freezes an object of the realm and everything reached from it by properties and prototypes, up to what `shared` holds. */
export function freezeDeeply(root: unknown, shared: WeakSet<object>): void {
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if ((typeof value !== "object" && typeof value !== "function") || value === null || shared.has(value)) continue;
    shared.add(value);
    for (const key of ownKeys(value)) {
      const { value: item, get, set } = getOwnPropertyDescriptor(value, key)!;
      open.push(item, get, set);
    }
    open.push(getPrototypeOf(value));
    freeze(value);
  }
}
