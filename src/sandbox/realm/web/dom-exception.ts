/** `DOMException` (Web IDL §2.8.1): what the web built-ins throw where the standards name one. */

/** Legacy codes by name (Web IDL, "DOMException names table"); other names have code 0. */
const CODES: Readonly<Record<string, number>> = { InvalidCharacterError: 5, DataCloneError: 25 };

const names = new WeakMap<object, string>();

export class DOMException extends Error {
  constructor(message: unknown = "", name: unknown = "Error") {
    super(`${message}`);
    names.set(this, `${name}`);
  }

  get code(): number {
    return CODES[this.name] ?? 0;
  }

  get [Symbol.toStringTag](): string {
    return "DOMException";
  }
}

// An accessor of the prototype, as Web IDL has it: instances have no own `name`.
const { get } = Object.getOwnPropertyDescriptor(
  {
    get name(): string {
      return names.get(this) ?? "Error";
    },
  },
  "name",
)!;
Object.defineProperty(DOMException.prototype, "name", { get: get!, configurable: true });
