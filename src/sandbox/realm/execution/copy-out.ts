/**
 * Program values to JSON text, as `JSON.stringify` sees them (ECMA-262, SerializeJSONProperty) except that nothing is
 * lost without a word: what JSON has no form for is refused, with the path of the value.
 *
 * Properties with the value `undefined` are left out; `undefined` elements and non-finite numbers are `null`; `toJSON` and
 * getters are honoured. So program code may run here: the caller copies out while the limits are still in force.
 *
 * The value is first copied into plain data, each property read once; the engine's own writer does the rest.
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
/** Levels of nesting at which a look into a set is cheaper than through a list. */
const FEW = 16;

// The built-ins as the engine made them: those of a program are charged for what they make.
const { stringify } = JSON;
const { keys: keysOf, getPrototypeOf, prototype: ObjectPrototype } = Object;
const { isArray, prototype: ArrayPrototype } = Array;
const { isFinite: isFiniteNumber } = Number;

/**
 * JSON text of a value; `undefined` for `undefined`.
 *
 * @throws Uncopyable for functions, symbols, promises, cycles, values too deep or too large, and BigInts unless allowed.
 */
export function copyOut(value: unknown, options: CopyOptions): string | undefined {
  if (value === undefined) return undefined;
  const copy = new Copy(options);
  const data = copy.data(value, "");
  if (data === undefined) return undefined;
  const text = copy.hasBigInts ? textWithBigInts(data) : stringify(data);
  if (text.length > options.maxLength) copy.tooLarge();
  return text;
}

/** Plain data as `JSON.stringify` takes it: nothing of the program's is left in it. */
type Data = null | boolean | number | string | bigint | undefined | Data[] | Members;

/** An object without a prototype of its own names: a member called `__proto__` or `toString` is like any other. */
interface Members {
  [key: string]: Data;
}
const Members = function Members() {} as unknown as new () => Members;
Object.defineProperty(Members, "prototype", { value: Object.freeze(Object.create(null)) });

class Copy {
  hasBigInts = false;
  #options: CopyOptions;
  #keys: (string | number)[] = [];
  /** The objects that the value at hand is inside of, the outermost first; of many there is a set as well. */
  #ancestors: object[] = [];
  #many: Set<object> | undefined;
  #values = 0;
  /** A lower bound of the length of the text. */
  #length = 0;

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  /** The copy of a value that is a member or element called `key`; `undefined` where JSON has nothing. */
  data(value: unknown, key: string | number): Data {
    if (++this.#values % VALUES_PER_CHECKPOINT === 0) this.#check();
    switch (typeof value) {
      case "string":
        this.#length += value.length + 3;
        return value;
      case "number":
        this.#length += 2;
        return isFiniteNumber(value) ? value : null;
      case "boolean":
        this.#length += 5;
        return value;
      case "undefined":
        return undefined;
      case "bigint":
        if (!this.#options.bigInts) {
          this.#refuse("a BigInt cannot be part of a result", "Convert it with String() or Number().");
        }
        this.hasBigInts = true;
        this.#length += 2;
        return value;
      case "symbol":
        this.#refuse("a symbol cannot be data");
        break;
      case "function":
        this.#refuse(
          `${this.#options.describe(value) ?? "a function"} cannot be data`,
          this.#options.describe(value) === undefined ? undefined : "Call it.",
        );
    }
    this.#length += 3;
    return value === null ? null : this.#object(value as object, key);
  }

  #object(value: object, key: string | number): Data {
    // Most are plain: those are nothing of the runtime's, no promises and no wrappers.
    const prototype = getPrototypeOf(value);
    const isPlain = prototype === ObjectPrototype || prototype === ArrayPrototype;
    if (!isPlain) {
      const described = this.#options.describe(value);
      if (described !== undefined) this.#refuse(`${described} cannot be data`);
      if (value instanceof Promise) this.#refuse("a promise cannot be data", "Await it first.");
    }
    this.#enter(value);
    const { toJSON } = value as { toJSON?: unknown };
    let data: Data;
    if (typeof toJSON === "function") data = this.data(Reflect.apply(toJSON, value, [String(key)]), key);
    else if (isArray(value)) data = this.#list(value);
    else if (isPlain) data = this.#members(value as Record<string, unknown>);
    else if (value instanceof Number) data = this.data(Number(value), key);
    else if (value instanceof String) data = String(value);
    else if (value instanceof Boolean) data = Boolean.prototype.valueOf.call(value);
    else data = this.#members(value as Record<string, unknown>);
    this.#ancestors.pop();
    this.#many?.delete(value);
    return data;
  }

  #enter(value: object): void {
    const ancestors = this.#ancestors;
    const depth = ancestors.length;
    let isInside = this.#many?.has(value) === true;
    if (this.#many === undefined) for (let i = 0; i < depth; i++) isInside ||= ancestors[i] === value;
    if (isInside) this.#refuse("the value contains itself");
    if (depth >= MAX_DEPTH) this.#refuse(`the value is nested deeper than ${MAX_DEPTH} levels`);
    ancestors.push(value);
    if (this.#many !== undefined) this.#many.add(value);
    else if (depth >= FEW) this.#many = new Set(ancestors);
  }

  #list(list: readonly unknown[]): Data[] {
    const copy: Data[] = [];
    const { length } = list;
    for (let index = 0; index < length; index++) {
      this.#keys.push(index);
      copy[index] = this.data(list[index], index) ?? null;
      this.#keys.pop();
    }
    return copy;
  }

  #members(record: Record<string, unknown>): Members {
    const copy = new Members();
    const keys = keysOf(record);
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      this.#keys.push(key);
      const data = this.data(record[key], key);
      this.#keys.pop();
      if (data === undefined) continue;
      this.#length += key.length + 4;
      copy[key] = data;
    }
    return copy;
  }

  #check(): void {
    if (this.#length > this.#options.maxLength) this.tooLarge();
    this.#options.checkpoint();
  }

  tooLarge(): never {
    this.#keys.length = 0;
    this.#refuse(`the value is larger than ${this.#options.maxLength} characters of JSON`);
  }

  #refuse(reason: string, hint?: string): never {
    throw new Uncopyable(pathOf(this.#keys), reason, hint);
  }
}

/** `JSON.stringify` for data with BigInts, which are written as their digits. */
function textWithBigInts(data: Data): string {
  if (typeof data === "bigint") return String(data);
  if (typeof data !== "object" || data === null) return stringify(data);
  const parts: string[] = [];
  if (isArray(data)) {
    for (const element of data) parts.push(textWithBigInts(element));
    return `[${parts.join(",")}]`;
  }
  for (const key of keysOf(data)) parts.push(`${stringify(key)}:${textWithBigInts(data[key])}`);
  return `{${parts.join(",")}}`;
}

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

function pathOf(keys: readonly (string | number)[]): string {
  let path = "$";
  for (const key of keys) {
    if (typeof key === "number") path += `[${key}]`;
    else path += NAME.test(key) ? `.${key}` : `[${stringify(key)}]`;
    // A path is for a person: of a deep one the beginning is enough.
    if (path.length > 500) return `${path.slice(0, 500)}…`;
  }
  return path;
}
