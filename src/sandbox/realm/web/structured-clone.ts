/** `structuredClone` (HTML §2.7): a deep copy of data; functions, symbols and objects with private state are refused. */
import type { Limits } from "../limits.js";
import { bufferByteLength, typedArrayKind, viewExtent } from "./bytes.js";
import { DOMException } from "./dom-exception.js";

const { apply, ownKeys } = Reflect;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { isArray } = Array;

const getTime = Date.prototype.getTime;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;
const { slice } = ArrayBuffer.prototype;
const flagGetters = (
  [
    ["hasIndices", "d"],
    ["global", "g"],
    ["ignoreCase", "i"],
    ["multiline", "m"],
    ["dotAll", "s"],
    ["unicode", "u"],
    ["unicodeSets", "v"],
    ["sticky", "y"],
  ] as const
).map(([name, flag]) => [getOwnPropertyDescriptor(RegExp.prototype, name)!.get!, flag] as const);
const sourceGetter = getOwnPropertyDescriptor(RegExp.prototype, "source")!.get!;

const ERRORS: Readonly<Record<string, ErrorConstructor>> = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};
const VIEWS: Readonly<Record<string, new (buffer: ArrayBuffer, offset: number, length: number) => object>> =
  Object.create(null);
for (const name of [
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "BigInt64Array",
  "BigUint64Array",
  "Float16Array",
  "Float32Array",
  "Float64Array",
]) {
  const constructor = (globalThis as Record<string, unknown>)[name];
  if (constructor !== undefined) (VIEWS as Record<string, unknown>)[name] = constructor;
}

const bigIntValue = BigInt.prototype.valueOf;
const symbolValue = Symbol.prototype.valueOf;
const boxed: readonly ((this: unknown) => unknown)[] = [
  Boolean.prototype.valueOf,
  Number.prototype.valueOf,
  String.prototype.valueOf,
  bigIntValue,
];

/** The internal slot that `read` answers from; `NONE` when `value` has no such slot. */
const NONE: unique symbol = Symbol("none");
function slot(read: (this: unknown) => unknown, value: object): unknown {
  try {
    return apply(read, value, []);
  } catch {
    return NONE;
  }
}

/** Every so many copied values the limits are looked at: getters aside, nothing else interrupts a copy. */
const BATCH = 1024;
const BYTES_PER_VALUE = 32;

export interface CloneContext {
  readonly limits: Limits;
  isProxy(value: unknown): boolean;
  /** True for objects whose state is private to the realm or the host (`URL`, tools, …): they cannot be cloned. */
  isPlatformObject(value: object): boolean;
}

export function createStructuredClone(context: CloneContext): (value: unknown, options?: unknown) => unknown {
  return {
    structuredClone(value: unknown, options: unknown = undefined): unknown {
      if (arguments.length === 0) throw new TypeError("structuredClone: 1 argument required, but only 0 present.");
      return new Cloner(context, transferList(options)).run(value);
    },
  }.structuredClone;
}

function transferList(options: unknown): ArrayBuffer[] {
  if (options === undefined || options === null) return [];
  const transfer = (options as { transfer?: Iterable<unknown> }).transfer;
  if (transfer === undefined) return [];
  const list: ArrayBuffer[] = [];
  for (const item of transfer) {
    if (bufferByteLength(item) === undefined || list.includes(item as ArrayBuffer))
      refuse("a value of the transfer list");
    list.push(item as ArrayBuffer);
  }
  return list;
}

function refuse(what: string): never {
  throw new DOMException(`structuredClone: ${what} could not be cloned.`, "DataCloneError");
}

class Cloner {
  readonly #context: CloneContext;
  readonly #transfer: readonly ArrayBuffer[];
  readonly #seen = new Map<object, object>();
  /** Copies whose properties are still to be filled: a list instead of recursion, so depth costs no stack. */
  readonly #open: (() => void)[] = [];
  #count = 0;

  constructor(context: CloneContext, transfer: readonly ArrayBuffer[]) {
    this.#context = context;
    this.#transfer = transfer;
  }

  run(value: unknown): unknown {
    const result = this.#copy(value);
    for (let fill = this.#open.pop(); fill !== undefined; fill = this.#open.pop()) fill();
    for (const buffer of this.#transfer) {
      const moved = (buffer as ArrayBuffer & { transfer(): ArrayBuffer }).transfer;
      if (!this.#seen.has(buffer) && typeof moved === "function") apply(moved, buffer, []);
    }
    return result;
  }

  #charge(): void {
    if (++this.#count % BATCH === 0) {
      this.#context.limits.check();
      this.#context.limits.chargeBytes(BATCH * BYTES_PER_VALUE, "structuredClone");
    }
  }

  #copy(value: unknown): unknown {
    this.#charge();
    if (typeof value === "symbol") refuse(apply(Symbol.prototype.toString, value, []));
    if (typeof value === "function") refuse("a function");
    if (typeof value !== "object" || value === null) return value;
    const known = this.#seen.get(value);
    if (known !== undefined) return known;
    if (this.#context.isProxy(value)) refuse("a proxy");
    if (this.#context.isPlatformObject(value)) refuse("an object with private state");
    return this.#copyBuiltIn(value) ?? this.#copyObject(value);
  }

  #keep<T extends object>(source: object, copy: T): T {
    this.#seen.set(source, copy);
    return copy;
  }

  #copyBuiltIn(value: object): object | undefined {
    const time = slot(getTime, value);
    if (time !== NONE) return this.#keep(value, new Date(time as number));
    const source = slot(sourceGetter, value);
    // `RegExp.prototype` itself answers "(?:)" but is an ordinary object.
    if (source !== NONE && value !== RegExp.prototype) {
      let flags = "";
      for (const [read, flag] of flagGetters) if (slot(read, value) === true) flags += flag;
      return this.#keep(value, new RegExp(source as string, flags));
    }
    const size = bufferByteLength(value);
    if (size !== undefined) return this.#copyBuffer(value as ArrayBuffer, size);
    const view = this.#copyView(value);
    if (view !== undefined) return view;
    const collection = this.#copyCollection(value);
    if (collection !== undefined) return collection;
    if (isError(value)) return this.#copyError(value);
    for (const read of boxed) {
      const primitive = slot(read, value);
      if (primitive !== NONE) return this.#keep(value, Object(primitive));
    }
    if (slot(symbolValue, value) !== NONE) refuse("a symbol");
    for (const prototype of [Promise.prototype, WeakMap.prototype, WeakSet.prototype, WeakRef.prototype]) {
      if (apply(Object.prototype.isPrototypeOf, prototype, [value]))
        refuse(`a ${(prototype as object).constructor.name}`);
    }
    return undefined;
  }

  #copyBuffer(buffer: ArrayBuffer, size: number): ArrayBuffer {
    if (this.#transfer.includes(buffer)) {
      const { transfer } = buffer as ArrayBuffer & { transfer?: () => ArrayBuffer };
      if (typeof transfer === "function") return this.#keep(buffer, apply(transfer, buffer, []) as ArrayBuffer);
    }
    this.#context.limits.chargeBytes(size, "structuredClone");
    return this.#keep(buffer, new Uint8Array(apply(slice, buffer, [0]) as ArrayBuffer).buffer);
  }

  #copyView(value: object): object | undefined {
    const extent = viewExtent(value);
    if (extent === undefined) return undefined;
    const kind = typedArrayKind(value);
    const buffer = this.#copy(extent.buffer) as ArrayBuffer;
    const constructor = kind === undefined ? DataView : VIEWS[kind]!;
    return this.#keep(value, new constructor(buffer, extent.byteOffset, extent.length));
  }

  #copyCollection(value: object): object | undefined {
    const pairs: [unknown, unknown][] = [];
    const gather = (second: unknown, first: unknown): void => {
      this.#charge();
      pairs.push([first, second]);
    };
    try {
      apply(mapForEach, value, [gather]);
      const map = this.#keep(value, new Map());
      this.#open.push(() => {
        for (const [key, item] of pairs) map.set(this.#copy(key), this.#copy(item));
      });
      return map;
    } catch (error) {
      if (this.#context.limits.isLimit(error)) throw error;
    }
    try {
      apply(setForEach, value, [gather]);
      const set = this.#keep(value, new Set());
      this.#open.push(() => {
        for (const [item] of pairs) set.add(this.#copy(item));
      });
      return set;
    } catch (error) {
      if (this.#context.limits.isLimit(error)) throw error;
    }
    return undefined;
  }

  #copyError(value: object): Error {
    const name = String((value as Error).name);
    const message = getOwnPropertyDescriptor(value, "message");
    const constructor = Object.hasOwn(ERRORS, name) ? ERRORS[name]! : Error;
    const copy = this.#keep(value, new constructor());
    const define = (key: string, item: unknown): void => {
      defineProperty(copy, key, { value: item, writable: true, enumerable: false, configurable: true });
    };
    if (message !== undefined && "value" in message) define("message", String(message.value));
    const stack = getOwnPropertyDescriptor(value, "stack");
    if (typeof stack?.value === "string") define("stack", stack.value);
    const cause = getOwnPropertyDescriptor(value, "cause");
    if (cause !== undefined && "value" in cause) define("cause", this.#copy(cause.value));
    return copy;
  }

  #copyObject(value: object): object {
    const list = isArray(value);
    const copy: object = this.#keep(value, list ? [] : {});
    if (list) (copy as unknown[]).length = (value as unknown[]).length;
    this.#open.push(() => {
      for (const key of ownKeys(value)) {
        if (typeof key === "symbol" || !getOwnPropertyDescriptor(value, key)?.enumerable) continue;
        const item = this.#copy((value as Record<string, unknown>)[key]);
        defineProperty(copy, key, { value: item, writable: true, enumerable: true, configurable: true });
      }
    });
    return copy;
  }
}

/** Has [[ErrorData]]: only such objects get an own `stack` from the engine, wherever their prototype leads now. */
function isError(value: object): boolean {
  const test = (Error as ErrorConstructor & { isError?: (value: unknown) => boolean }).isError;
  if (test !== undefined) return test(value);
  for (let object: object | null = value; object !== null; object = getPrototypeOf(object)) {
    if (object === Error.prototype) return true;
  }
  return false;
}
