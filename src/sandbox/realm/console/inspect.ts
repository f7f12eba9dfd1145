/**
 * A value as readable text, in the manner of Node's `util.inspect`.
 *
 * Runs no program code: no getter, no proxy trap, no `toString`; everything is read from property descriptors and internal
 * slots. Bounded in depth, breadth and total length, so that any graph of objects takes a short time.
 */
import { type Brand, brandOf, regExpParts } from "../intrinsics/brand.js";
import { typedArrayKind, viewExtent } from "../web/bytes.js";
import { layOut } from "./layout.js";
import { keyText, quote, symbolText } from "./quote.js";

export interface InspectContext {
  isProxy(value: unknown): boolean;
  /** What a proxy stands for; `undefined` when revoked. */
  proxyTarget(value: object): object | undefined;
  /** The source text of a program's function; `undefined` for a built-in. */
  sourceOf(value: object): string | undefined;
  /** Properties to show for an object whose state is private (`URL`); `undefined` for others. */
  describe(value: object): { name: string; properties: Record<string, unknown> } | string | undefined;
}

export interface InspectOptions {
  /** Levels of nested objects shown. Default 4. */
  readonly depth?: number;
  /** Characters in all. Default 20,000. */
  readonly length?: number;
}

const MAX_ELEMENTS = 100;
const MAX_STRING = 10_000;
const HEX_BYTES = 50;

const { apply, ownKeys } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { toISOString, getTime } = Date.prototype;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;
const UNBOX: Readonly<Partial<Record<Brand, (this: any) => unknown>>> = {
  BigInt: BigInt.prototype.valueOf,
  Boolean: Boolean.prototype.valueOf,
  Number: Number.prototype.valueOf,
  String: String.prototype.valueOf,
  Symbol: Symbol.prototype.valueOf,
};

export class Inspector {
  readonly #context: InspectContext;
  readonly #depth: number;
  #left: number;
  readonly #path: object[] = [];
  /** Objects met again inside themselves, in the order met: `<ref *1>`. */
  readonly #circular = new Map<object, number>();
  #height = 0;

  constructor(context: InspectContext, options: InspectOptions = {}) {
    this.#context = context;
    this.#depth = options.depth ?? 4;
    this.#left = options.length ?? 20_000;
  }

  /** `value` as text; its lines after the first are indented by `indent` columns. */
  inspect(value: unknown, indent = 0): string {
    if ((typeof value === "object" && value !== null) || typeof value === "function")
      return this.#object(value, indent);
    const text = this.#primitive(value);
    this.#left -= text.length;
    return text;
  }

  #primitive(value: unknown): string {
    switch (typeof value) {
      case "string": {
        const limit = Math.max(0, Math.min(MAX_STRING, this.#left));
        if (value.length <= limit) return quote(value);
        return `${quote(value.slice(0, limit))}... ${value.length - limit} more characters`;
      }
      case "number":
        return Object.is(value, -0) ? "-0" : `${value}`;
      case "bigint": {
        // Writing out a big integer takes quadratic time.
        return value > -(2n ** 4096n) && value < 2n ** 4096n ? `${value}n` : "[BigInt]";
      }
      case "symbol":
        return symbolText(value);
      default:
        return `${value}`;
    }
  }

  #object(value: object, indent: number): string {
    const { isProxy, proxyTarget } = this.#context;
    if (isProxy(value)) {
      const target = proxyTarget(value);
      return target === undefined ? "<Revoked Proxy>" : this.#object(target, indent);
    }
    if (this.#path.includes(value)) {
      const known = this.#circular.get(value);
      const number = known ?? this.#circular.size + 1;
      if (known === undefined) this.#circular.set(value, number);
      return `[Circular *${number}]`;
    }
    const brand = brandOf(value, isProxy);
    if (this.#left <= 0) return "...";
    if (this.#path.length > this.#depth) return `[${this.#className(value) ?? "Object: null prototype"}]`;
    this.#path.push(value);
    const outer = this.#height;
    this.#height = 0;
    const text = this.#body(value, brand, indent);
    this.#height = Math.max(outer, this.#height + 1);
    this.#path.pop();
    this.#left -= 4;
    const number = this.#circular.get(value);
    return number === undefined ? text : `<ref *${number}> ${text}`;
  }

  #body(value: object, brand: Brand | undefined, indent: number): string {
    const described = this.#context.describe(value);
    if (typeof described === "string") return described;
    if (described !== undefined) return this.#record(described.name, described.properties, indent);
    const name = this.#className(value);
    switch (brand) {
      case "Array":
        return this.#list(
          value,
          (value as unknown[]).length,
          name === "Array" ? "" : `${name ?? "[Array: null prototype]"}(${(value as unknown[]).length})`,
          indent,
        );
      case "TypedArray": {
        const { length } = viewExtent(value) ?? { length: 0 };
        return this.#list(value, length, `${name ?? typedArrayKind(value)}(${length})`, indent);
      }
      case "Map":
      case "Set":
        return this.#collection(value, brand, name ?? brand, indent);
      case "Error":
        return this.#error(value, indent);
      case "Date": {
        const invalid = Number.isNaN(apply(getTime, value, []));
        return this.#withProperties(
          value,
          invalid ? "Invalid Date" : (apply(toISOString, value, []) as string),
          indent,
        );
      }
      case "RegExp": {
        const { source, flags } = regExpParts(value);
        return this.#withProperties(value, `/${source}/${flags}`, indent, ["lastIndex"]);
      }
      case "ArrayBuffer":
        return this.#buffer(value as ArrayBuffer, name ?? brand, indent);
      case "BigInt":
      case "Boolean":
      case "Number":
      case "String":
      case "Symbol": {
        const text = this.#primitive(apply(UNBOX[brand]!, value, []));
        return brand === "String" ? `[String: ${text}]` : this.#withProperties(value, `[${brand}: ${text}]`, indent);
      }
      case "WeakMap":
      case "WeakSet":
        return `${name ?? brand} { <items unknown> }`;
      case "Promise":
      case "WeakRef":
      case "DataView":
        return this.#withProperties(value, `${name ?? brand} {}`, indent);
      default:
        if (typeof value === "function")
          return this.#withProperties(value, this.#function(value), indent, ["length", "name", "prototype"]);
        return this.#braces(
          name === "Object" ? "" : (name ?? "[Object: null prototype]"),
          value,
          [],
          indent,
          this.#enumerableKeys(value),
        );
    }
  }

  #function(value: object): string {
    const own = getOwnPropertyDescriptor(value, "name")?.value;
    const name = typeof own === "string" && own !== "" ? own : undefined;
    const source = this.#context.sourceOf(value);
    if (source?.startsWith("class")) {
      const parent = getPrototypeOf(value);
      const parentName =
        parent === null || this.#context.isProxy(parent) ? undefined : getOwnPropertyDescriptor(parent, "name")?.value;
      return `[class ${name ?? "(anonymous)"}${typeof parentName === "string" && parentName !== "" ? ` extends ${parentName}` : ""}]`;
    }
    const kind = this.#className(value);
    const label =
      kind === "AsyncFunction" || kind === "GeneratorFunction" || kind === "AsyncGeneratorFunction" ? kind : "Function";
    return name === undefined ? `[${label} (anonymous)]` : `[${label}: ${name}]`;
  }

  /** The name of the nearest constructor in the prototype chain; `undefined` for a null prototype. */
  #className(value: object): string | undefined {
    for (let object: object | null = value; object !== null; object = getPrototypeOf(object)) {
      if (this.#context.isProxy(object)) return "Object";
      const maker = getOwnPropertyDescriptor(object, "constructor")?.value;
      if (typeof maker !== "function" || this.#context.isProxy(maker)) continue;
      const name = getOwnPropertyDescriptor(maker, "name")?.value;
      if (typeof name === "string" && name !== "") return name;
    }
    return undefined;
  }

  #list(value: object, length: number, prefix: string, indent: number): string {
    const entries: string[] = [];
    let index = 0;
    for (; index < length && entries.length < MAX_ELEMENTS && this.#left > 0; index++) {
      const property = getOwnPropertyDescriptor(value, index);
      if (property !== undefined) {
        entries.push(this.#property(property, indent + 2));
        continue;
      }
      const start = index;
      // Holes are counted only so far: an array may have four thousand million of them.
      while (index + 1 < length && index - start < 100_000 && getOwnPropertyDescriptor(value, index + 1) === undefined)
        index++;
      const count = index - start + 1;
      entries.push(`<${count} empty item${count > 1 ? "s" : ""}>`);
    }
    if (index < length) entries.push(`... ${length - index} more item${length - index > 1 ? "s" : ""}`);
    // The keys of a long list are its indices: looking for others would cost more than they are worth.
    const named =
      length > 1000 ? [] : ownKeys(value).filter((key) => !(typeof key === "string" && /^(\d+|length)$/.test(key)));
    const keys = named.filter((key) => getOwnPropertyDescriptor(value, key)?.enumerable);
    return this.#braces(prefix, value, entries, indent, keys, true);
  }

  #collection(value: object, brand: "Map" | "Set", name: string, indent: number): string {
    const entries: string[] = [];
    let size = 0;
    const add = (item: unknown, key: unknown): void => {
      size++;
      if (size > MAX_ELEMENTS || this.#left <= 0) return;
      const text = this.inspect(item, indent + 2);
      entries.push(brand === "Map" ? `${this.inspect(key, indent + 2)} => ${text}` : text);
    };
    apply(brand === "Map" ? mapForEach : setForEach, value, [add]);
    if (size > entries.length)
      entries.push(`... ${size - entries.length} more item${size - entries.length > 1 ? "s" : ""}`);
    return this.#braces(`${name}(${size})`, value, entries, indent, this.#enumerableKeys(value));
  }

  #buffer(value: ArrayBuffer, name: string, indent: number): string {
    const bytes = new Uint8Array(value);
    let hex = "";
    for (let i = 0; i < Math.min(bytes.length, HEX_BYTES); i++)
      hex += `${i > 0 ? " " : ""}${bytes[i]!.toString(16).padStart(2, "0")}`;
    if (bytes.length > HEX_BYTES) hex += ` ... ${bytes.length - HEX_BYTES} more bytes`;
    return this.#braces(
      name,
      value,
      [`[Uint8Contents]: <${hex}>`, `byteLength: ${bytes.length}`],
      indent,
      this.#enumerableKeys(value),
    );
  }

  #error(value: object, indent: number): string {
    const own = (key: string): unknown => getOwnPropertyDescriptor(value, key)?.value;
    const stack = own("stack");
    let text = typeof stack === "string" && stack !== "" ? stack : this.#errorHeader(value);
    if (text.length > MAX_STRING) text = `${text.slice(0, MAX_STRING)}...`;
    this.#left -= text.length;
    if (indent > 0) text = text.replaceAll("\n", `\n${" ".repeat(indent)}`);
    if (!text.includes("\n    at ")) text = `[${text}]`;
    return this.#withProperties(value, text, indent, ["stack", "message"], ["cause", "errors"]);
  }

  #errorHeader(value: object): string {
    const find = (key: string): string => {
      for (
        let object: object | null = value;
        object !== null && !this.#context.isProxy(object);
        object = getPrototypeOf(object)
      ) {
        const found = getOwnPropertyDescriptor(object, key);
        if (found !== undefined) return typeof found.value === "string" ? found.value : "";
      }
      return "";
    };
    const name = find("name") || this.#className(value) || "Error";
    const message = find("message");
    return message === "" ? name : `${name}: ${message}`;
  }

  /** `text`, followed by braces only when the object has properties of its own to show. */
  #withProperties(
    value: object,
    text: string,
    indent: number,
    hidden: readonly string[] = [],
    extra: readonly string[] = [],
  ): string {
    const keys = ownKeys(value).filter((key) => {
      if (typeof key === "string" && hidden.includes(key)) return false;
      const property = getOwnPropertyDescriptor(value, key);
      return (
        property?.enumerable === true || (property !== undefined && typeof key === "string" && extra.includes(key))
      );
    });
    return keys.length === 0 ? text : this.#braces(text, value, [], indent, keys);
  }

  #record(name: string, properties: Record<string, unknown>, indent: number): string {
    const entries = Object.keys(properties).map(
      (key) => `${keyText(key)}: ${this.inspect(properties[key], indent + 2)}`,
    );
    return layOut({ prefix: name, open: "{", close: "}", entries, indent, height: this.#height, fill: false });
  }

  /** Own enumerable keys, no more than can be shown and one. */
  #enumerableKeys(value: object): PropertyKey[] {
    const keys: PropertyKey[] = [];
    for (const key of ownKeys(value)) {
      if (keys.length > MAX_ELEMENTS) break;
      if (getOwnPropertyDescriptor(value, key)?.enumerable) keys.push(key);
    }
    return keys;
  }

  /** `entries` followed by the properties `keys` of `value`. */
  #braces(
    prefix: string,
    value: object,
    entries: string[],
    indent: number,
    keys: readonly PropertyKey[],
    list = false,
  ): string {
    let shown = 0;
    for (const key of keys) {
      const property = getOwnPropertyDescriptor(value, key);
      if (property === undefined) continue;
      if (++shown > MAX_ELEMENTS || this.#left <= 0) {
        entries.push("... more properties");
        break;
      }
      const text = keyText(key);
      this.#left -= text.length;
      const label = property.enumerable ? text : `[${text}]`;
      entries.push(`${label}: ${this.#property(property, indent + 2)}`);
    }
    const [open, close] = list ? ["[", "]"] : ["{", "}"];
    return layOut({ prefix, open, close, entries, indent, height: this.#height, fill: list && keys.length === 0 });
  }

  #property(property: PropertyDescriptor, indent: number): string {
    if (property.get !== undefined) return property.set === undefined ? "[Getter]" : "[Getter/Setter]";
    if (property.set !== undefined) return "[Setter]";
    return this.inspect(property.value, indent);
  }
}
