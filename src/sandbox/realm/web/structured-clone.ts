/** `structuredClone` (HTML §2.7): a deep copy of data; functions, symbols and objects with private state are refused. */
import { type Brand, brandOf, regExpParts } from "../intrinsics/brand.js";
import type { Limits } from "../limits.js";
import { bufferByteLength, typedArrayKind, viewExtent } from "./bytes.js";
import { DOMException } from "./dom-exception.js";

const { apply, ownKeys } = Reflect;
const { defineProperty, getOwnPropertyDescriptor } = Object;

const { getTime } = Date.prototype;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;
const { slice } = ArrayBuffer.prototype;
/** Absent before Node 22: then a transferred buffer is copied. */
const { transfer } = ArrayBuffer.prototype as ArrayBuffer & { transfer?: () => ArrayBuffer };

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
  const View = (globalThis as Record<string, unknown>)[name];
  if (View !== undefined) (VIEWS as Record<string, unknown>)[name] = View;
}

/** Primitive values of wrapper objects. */
const UNBOX: Readonly<Partial<Record<Brand, (this: any) => unknown>>> = {
  BigInt: BigInt.prototype.valueOf,
  Boolean: Boolean.prototype.valueOf,
  Number: Number.prototype.valueOf,
  String: String.prototype.valueOf,
};

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
      if (!this.#seen.has(buffer) && transfer !== undefined) apply(transfer, buffer, []);
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
    return this.#copyOf(value, brandOf(value, this.#context.isProxy));
  }

  #keep<T extends object>(source: object, copy: T): T {
    this.#seen.set(source, copy);
    return copy;
  }

  #copyOf(value: object, brand: Brand | undefined): object {
    switch (brand) {
      case undefined:
        if (this.#context.isPlatformObject(value)) refuse("an object with private state");
        return this.#copyObject(value, false);
      case "Array":
        return this.#copyObject(value, true);
      case "Date":
        return this.#keep(value, new Date(apply(getTime, value, [])));
      case "RegExp": {
        const { source, flags } = regExpParts(value);
        return this.#keep(value, new RegExp(source, flags));
      }
      case "ArrayBuffer":
        return this.#copyBuffer(value as ArrayBuffer);
      case "TypedArray":
      case "DataView":
        return this.#copyView(value);
      case "Map":
        return this.#copyMap(value);
      case "Set":
        return this.#copySet(value);
      case "Error":
        return this.#copyError(value);
      case "BigInt":
      case "Boolean":
      case "Number":
      case "String":
        return this.#keep(value, Object(apply(UNBOX[brand]!, value, [])));
      default:
        return refuse(`a ${brand}`);
    }
  }

  #copyBuffer(buffer: ArrayBuffer): ArrayBuffer {
    if (this.#transfer.includes(buffer) && transfer !== undefined) {
      return this.#keep(buffer, apply(transfer, buffer, []));
    }
    this.#context.limits.chargeBytes(bufferByteLength(buffer)!, "structuredClone");
    return this.#keep(buffer, new Uint8Array(apply(slice, buffer, [0]) as ArrayBuffer).buffer);
  }

  #copyView(value: object): object {
    const extent = viewExtent(value);
    if (extent === undefined) refuse("a view out of its buffer's bounds");
    const kind = typedArrayKind(value);
    const buffer = this.#copy(extent.buffer) as ArrayBuffer;
    const View = kind === undefined ? DataView : VIEWS[kind]!;
    return this.#keep(value, new View(buffer, extent.byteOffset, extent.length));
  }

  #copyMap(value: object): object {
    const map = this.#keep(value, new Map());
    this.#open.push(() => {
      const pairs: [unknown, unknown][] = [];
      apply(mapForEach, value, [(item: unknown, key: unknown) => pairs.push([key, item])]);
      for (const [key, item] of pairs) map.set(this.#copy(key), this.#copy(item));
    });
    return map;
  }

  #copySet(value: object): object {
    const set = this.#keep(value, new Set());
    this.#open.push(() => {
      const items: unknown[] = [];
      apply(setForEach, value, [(item: unknown) => items.push(item)]);
      for (const item of items) set.add(this.#copy(item));
    });
    return set;
  }

  #copyError(value: object): Error {
    const name = String((value as Error).name);
    const message = getOwnPropertyDescriptor(value, "message");
    const Constructor = Object.hasOwn(ERRORS, name) ? ERRORS[name]! : Error;
    const copy = this.#keep(value, new Constructor());
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

  #copyObject(value: object, list: boolean): object {
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
