/**
 * Program values to JSON text, as `JSON.stringify` sees them (ECMA-262, SerializeJSONProperty) except that nothing is
 * lost without a word: what JSON has no form for is refused, with the path of the value.
 *
 * Properties with the value `undefined` are left out; `undefined` elements and non-finite numbers are `null`; `toJSON` and
 * getters are honoured. So program code may run here: the caller copies out while the limits are still in force.
 */
import { MAX_DEPTH } from "../../depth.js";

/** A value that cannot cross. `path` is a JavaScript expression on `$`, e.g. `$.items[3].callback`. */
export class Uncopyable {
  constructor(
    readonly path: string,
    readonly reason: string,
    readonly hint: string | undefined,
  ) {}
}

export interface CopyOptions {
  /** Most characters of JSON text. */
  readonly maxLength: number;
  /** A BigInt is written as its digits; otherwise it is refused. */
  readonly bigInts: boolean;
  /** What a value of the runtime itself is called (a tool, a namespace, a stream), when it is one: those never cross. */
  describe(value: object): string | undefined;
  /** Called every few thousand values. */
  checkpoint(): void;
}

const VALUES_PER_CHECKPOINT = 2_000;

/**
 * JSON text of a value; `undefined` for `undefined`.
 *
 * @throws Uncopyable for functions, symbols, promises, cycles, values too deep or too large, and BigInts unless allowed.
 */
export function copyOut(value: unknown, options: CopyOptions): string | undefined {
  return new Copy(options).text(value);
}

class Copy {
  #out = "";
  #keys: (string | number)[] = [];
  #ancestors = new Set<object>();
  #count = 0;

  constructor(readonly options: CopyOptions) {}

  text(value: unknown): string | undefined {
    const prepared = this.#prepare(value, "");
    if (prepared === undefined) return undefined;
    this.#write(prepared);
    return this.#out;
  }

  /** `toJSON` and the wrapper objects, as `JSON.stringify` treats them. */
  #prepare(value: unknown, key: string | number): unknown {
    if (typeof value !== "object" || value === null) return value;
    const described = this.options.describe(value);
    if (described !== undefined) this.#refuse(`${described} cannot be data`);
    const { toJSON } = value as { toJSON?: unknown };
    const data: unknown = typeof toJSON === "function" ? Reflect.apply(toJSON, value, [String(key)]) : value;
    if (data instanceof Number) return Number(data);
    if (data instanceof String) return String(data);
    if (data instanceof Boolean) return Boolean.prototype.valueOf.call(data);
    return data;
  }

  #write(value: unknown): void {
    if (++this.#count % VALUES_PER_CHECKPOINT === 0) this.options.checkpoint();
    switch (typeof value) {
      case "string":
        if (value.length > this.options.maxLength) this.#tooLarge();
        this.#append(JSON.stringify(value));
        return;
      case "number":
        this.#append(Number.isFinite(value) ? String(value === 0 ? 0 : value) : "null");
        return;
      case "boolean":
        this.#append(value ? "true" : "false");
        return;
      case "undefined":
        this.#append("null");
        return;
      case "bigint":
        if (!this.options.bigInts)
          this.#refuse("a BigInt cannot be part of a result", "Convert it with String() or Number().");
        this.#append(String(value));
        return;
      case "symbol":
        this.#refuse("a symbol cannot be data");
        break;
      case "function":
        this.#refuse(`${this.options.describe(value) ?? "a function"} cannot be data`, "Call it, or leave it out.");
        break;
    }
    if (value === null) {
      this.#append("null");
      return;
    }
    this.#writeObject(value as object);
  }

  #writeObject(value: object): void {
    if (value instanceof Promise) this.#refuse("a promise cannot be data", "Await it first.");
    if (this.#ancestors.has(value)) this.#refuse("the value contains itself");
    if (this.#ancestors.size >= MAX_DEPTH) this.#refuse(`the value is nested deeper than ${MAX_DEPTH} levels`);
    this.#ancestors.add(value);
    if (Array.isArray(value)) this.#writeArray(value);
    else this.#writeMembers(value as Record<string, unknown>);
    this.#ancestors.delete(value);
  }

  #writeArray(list: readonly unknown[]): void {
    this.#append("[");
    const length = list.length;
    for (let index = 0; index < length; index++) {
      if (index > 0) this.#append(",");
      this.#keys.push(index);
      this.#write(this.#prepare(list[index], index));
      this.#keys.pop();
    }
    this.#append("]");
  }

  #writeMembers(record: Record<string, unknown>): void {
    this.#append("{");
    let first = true;
    for (const key of Object.keys(record)) {
      this.#keys.push(key);
      const value = this.#prepare(record[key], key);
      if (value !== undefined) {
        this.#append(`${first ? "" : ","}${JSON.stringify(key)}:`);
        first = false;
        this.#write(value);
      }
      this.#keys.pop();
    }
    this.#append("}");
  }

  #append(piece: string): void {
    this.#out += piece;
    if (this.#out.length > this.options.maxLength) this.#tooLarge();
  }

  #tooLarge(): never {
    this.#keys.length = 0;
    this.#refuse(`the value is larger than ${this.options.maxLength} characters of JSON`);
  }

  #refuse(reason: string, hint?: string): never {
    throw new Uncopyable(pathOf(this.#keys), reason, hint);
  }
}

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

function pathOf(keys: readonly (string | number)[]): string {
  let path = "$";
  for (const key of keys) {
    if (typeof key === "number") path += `[${key}]`;
    else path += NAME.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    // A path is for a person: of a deep one the beginning is enough.
    if (path.length > 500) return `${path.slice(0, 500)}…`;
  }
  return path;
}
