/**
 * What kind of built-in object a program's value is, told by its internal slots and without running program code.
 *
 * The prototype chain says which slot to try, so that ordinary objects cost no failed attempt. An object whose prototype was
 * replaced is taken for an ordinary object.
 */
export type Brand =
  | "Array"
  | "ArrayBuffer"
  | "BigInt"
  | "Boolean"
  | "DataView"
  | "Date"
  | "Error"
  | "Map"
  | "Number"
  | "Promise"
  | "Proxy"
  | "RegExp"
  | "Set"
  | "String"
  | "Symbol"
  | "TypedArray"
  | "WeakMap"
  | "WeakRef"
  | "WeakSet";

const { apply } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { isArray } = Array;

/** Throws unless the object has the slot. */
type Probe = (this: unknown, ...parameters: never[]) => unknown;
const getter = (prototype: object, key: string): Probe => getOwnPropertyDescriptor(prototype, key)!.get as Probe;

/** Probes have no effect on an object that has the slot. `undefined`: the prototype is taken at its word. */
const KINDS = new Map<object, readonly [Brand, Probe | undefined]>([
  [ArrayBuffer.prototype, ["ArrayBuffer", getter(ArrayBuffer.prototype, "byteLength")]],
  [BigInt.prototype, ["BigInt", BigInt.prototype.valueOf]],
  [Boolean.prototype, ["Boolean", Boolean.prototype.valueOf]],
  [DataView.prototype, ["DataView", getter(DataView.prototype, "buffer")]],
  [Date.prototype, ["Date", Date.prototype.getTime]],
  [Error.prototype, ["Error", undefined]],
  [Map.prototype, ["Map", getter(Map.prototype, "size")]],
  [Number.prototype, ["Number", Number.prototype.valueOf]],
  [Promise.prototype, ["Promise", undefined]],
  [RegExp.prototype, ["RegExp", getter(RegExp.prototype, "source")]],
  [Set.prototype, ["Set", getter(Set.prototype, "size")]],
  [String.prototype, ["String", String.prototype.valueOf]],
  [Symbol.prototype, ["Symbol", Symbol.prototype.valueOf]],
  [getPrototypeOf(Uint8Array.prototype), ["TypedArray", getter(getPrototypeOf(Uint8Array.prototype), "buffer")]],
  [WeakMap.prototype, ["WeakMap", WeakMap.prototype.has]],
  [WeakRef.prototype, ["WeakRef", WeakRef.prototype.deref]],
  [WeakSet.prototype, ["WeakSet", WeakSet.prototype.has]],
]);

/** Prototypes that most values have and that decide at once. */
const ORDINARY: readonly (object | null)[] = [Object.prototype, null];

/** The kind of `value`; `undefined` for an ordinary object or a function. */
export function brandOf(value: object, isProxy: (value: unknown) => boolean): Brand | undefined {
  if (isProxy(value)) return "Proxy";
  if (isArray(value)) return "Array";
  if (typeof value === "function") return undefined;
  let prototype: object | null = getPrototypeOf(value);
  if (ORDINARY.includes(prototype)) return undefined;
  for (; prototype !== null && !isProxy(prototype); prototype = getPrototypeOf(prototype)) {
    const kind = KINDS.get(prototype);
    if (kind !== undefined) return probe(value, kind[1]) ? kind[0] : undefined;
  }
  return undefined;
}

function probe(value: object, attempt: Probe | undefined): boolean {
  if (attempt === undefined) return true;
  // The getters of RegExp.prototype answer on that object itself, which has no slot.
  if (value === RegExp.prototype) return false;
  try {
    apply(attempt, value, []);
    return true;
  } catch {
    return false;
  }
}

const FLAGS = [
  ["hasIndices", "d"],
  ["global", "g"],
  ["ignoreCase", "i"],
  ["multiline", "m"],
  ["dotAll", "s"],
  ["unicode", "u"],
  ["unicodeSets", "v"],
  ["sticky", "y"],
].map(([name, flag]) => [getter(RegExp.prototype, name!), flag!] as const);
const source = getter(RegExp.prototype, "source");

/** Pattern and flags of a regular expression, read from its slots: `RegExp.prototype.flags` reads program properties. */
export function regExpParts(value: object): { source: string; flags: string } {
  let flags = "";
  for (const [read, flag] of FLAGS) if (apply(read, value, []) === true) flags += flag;
  return { source: apply(source, value, []) as string, flags };
}
