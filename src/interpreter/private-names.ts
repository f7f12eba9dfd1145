/**
 * Private names (ECMA-262 §6.2.10): each evaluation of a class makes new ones.
 *
 * A native class of our own carries each name, so a private member is a real one: it works on frozen objects, costs what a
 * private member costs, and is invisible to proxies.
 */
import { throwTypeError } from "./errors.js";
import { NativeRangeError } from "./primordials.js";

/** A base constructor that gives its argument as `this`, so that the derived class stamps its field on any object. */
export const Identity = class {
  constructor(object: object) {
    return object;
  }
} as unknown as new (
  object: object,
) => object;

export interface PrivateName {
  readonly description: string;
  readonly kind: "field" | "method" | "accessor";
  add(object: object, value: unknown): void;
  has(object: object): boolean;
  read(object: object): any;
  write(object: object, value: unknown): void;
  /** The function of a method, or `{ get, set }` of an accessor: the same for all instances. */
  member: any;
}

/** A fresh private name. The value of a method is the function, of an accessor `{ get, set }`. */
export function makePrivateName(description: string, kind: PrivateName["kind"]): PrivateName {
  const Carrier = class extends Identity {
    #value: unknown;
    constructor(object: object, value: unknown) {
      super(object);
      this.#value = value;
    }
    static has(object: object): boolean {
      return #value in object;
    }
    static read(object: any): unknown {
      return object.#value;
    }
    static write(object: any, value: unknown): void {
      object.#value = value;
    }
  };
  return {
    description,
    kind,
    add: (object, value) => {
      new Carrier(object, value);
    },
    has: Carrier.has,
    read: Carrier.read,
    write: Carrier.write,
    member: undefined,
  };
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** `#x in object`. */
export function has(name: PrivateName, object: object): boolean {
  return name.has(object);
}

/** Adds a private member; the object must not have it yet (§7.3.28, §7.3.29). */
export function privateAdd(object: object, name: PrivateName, value: unknown, offset: number): void {
  try {
    name.add(object, value);
  } catch (error) {
    if (!name.has(object)) throw error;
    throwTypeError(
      name.kind === "field"
        ? `Cannot initialize #${name.description} twice on the same object`
        : "Cannot initialize private methods of class twice on the same object",
      offset,
    );
  }
}

/** PrivateGet (§7.3.30). */
export function privateGet(object: unknown, name: PrivateName, offset: number): unknown {
  if (name.kind === "field") {
    try {
      return name.read(object as object);
    } catch (error) {
      // The stack may also have been too short for the call.
      if (error instanceof NativeRangeError) throw error;
      failRead(object, name, offset);
    }
  }
  if (!isObject(object) || !name.has(object)) failRead(object, name, offset);
  const member = name.read(object);
  if (name.kind === "method") return member;
  if (member.get === undefined) throwTypeError(`'#${name.description}' was defined without a getter`, offset);
  return member.get(object);
}

function failRead(object: unknown, name: PrivateName, offset: number): never {
  if (object === null || object === undefined)
    throwTypeError(`Cannot read properties of ${String(object)} (reading '#${name.description}')`, offset);
  if (name.kind === "method") throwTypeError(`Receiver must be an instance of class`, offset);
  throwTypeError(
    `Cannot read private member #${name.description} from an object whose class did not declare it`,
    offset,
  );
}

/** PrivateSet (§7.3.31). */
export function privateSet(object: unknown, name: PrivateName, value: unknown, offset: number): void {
  if (object === null || object === undefined)
    throwTypeError(`Cannot set properties of ${String(object)} (setting '#${name.description}')`, offset);
  if (!isObject(object) || !name.has(object))
    throwTypeError(
      `Cannot write private member #${name.description} to an object whose class did not declare it`,
      offset,
    );
  if (name.kind === "field") {
    name.write(object, value);
    return;
  }
  if (name.kind === "method") throwTypeError(`Private method '#${name.description}' is not writable`, offset);
  const { set } = name.read(object);
  if (set === undefined) throwTypeError(`'#${name.description}' was defined without a setter`, offset);
  set(object, value);
}
