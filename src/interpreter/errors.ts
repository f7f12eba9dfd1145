/**
 * Errors and where they come from.
 *
 * Every operation that can fail notes its offset in `machine.position` before it does. An error gets the position of the
 * moment it was made (`new Error`), thrown, or first seen by interpreted code (errors of native functions); the first one
 * stays. `stack` then reads `Name: message\n    at function (program:line:column)`.
 *
 * The realm deletes `Error.stackTraceLimit`, so that the engine takes no stack and never formats one (see its `main.ts`). Error
 * constructors stay the native ones.
 */
import type { Position } from "./index.js";
import { machine, Probed } from "./machine.js";
import {
  NativeError,
  NativeRangeError,
  NativeReferenceError,
  NativeSet,
  NativeString,
  NativeTypeError,
  NativeWeakMap,
  ObjectGetOwnPropertyDescriptor,
  ReflectDefineProperty,
  ReflectGetPrototypeOf,
  setHas,
  stringIndexOf,
  stringSlice,
  uncurryThis,
  weakMapGet,
  weakMapHas,
  weakMapSet,
} from "./primordials.js";
import { lineStarts, positionIn } from "./source-lines.js";
import type { Node } from "./syntax.js";

/** A source text of the realm. Offsets of all sources are numbered one after the other, so that one integer says both. */
export class Source {
  readonly text: string;
  readonly base: number;
  readonly name = "program";
  /** Functions, outer ones first, for the names in `stack`. */
  functions: readonly Node[] = [];
  private lines: number[] | undefined;

  constructor(text: string) {
    this.text = text;
    const last = sources[sources.length - 1];
    this.base = last === undefined ? 0 : last.base + last.text.length + 1;
    sources[sources.length] = this;
  }

  position(offset: number): Position {
    this.lines ??= lineStarts(this.text);
    return positionIn(this.lines, offset);
  }

  /** The name of the innermost function around an offset. */
  functionAt(offset: number): string | undefined {
    for (let i = this.functions.length - 1; i >= 0; i--) {
      const fn = this.functions[i]!;
      if (fn.start <= offset && offset < fn.end && !fn.type.startsWith("Class")) return fn["inferredName"] || undefined;
    }
    return undefined;
  }
}

const sources: Source[] = [];

/** Forgets the source texts of programs that have ended: the numbering starts again. */
export function forgetSources(): void {
  sources.length = 0;
  primitive = undefined;
  lastLine = undefined;
}

function sourceAt(offset: number): Source | undefined {
  for (let i = sources.length - 1; i >= 0; i--) if (sources[i]!.base <= offset) return sources[i];
  return undefined;
}

machine.positionOfOffset = (offset) => {
  const source = sourceAt(offset);
  return source?.position(offset - source.base);
};

/** Where each error came from: its offset. */
const origins = new NativeWeakMap<object, number>();
let primitive: { value: unknown; offset: number } | undefined;

/** The position at which a value was made (errors) or thrown. */
export function positionOf(error: unknown): Position | undefined {
  const offset = isObject(error)
    ? (weakMapGet(origins, error) as number | undefined)
    : primitive !== undefined && Object.is(primitive.value, error)
      ? primitive.offset
      : undefined;
  return offset === undefined ? undefined : machine.positionOfOffset(offset);
}

/** The offset of what the program is doing now, in its own source text. */
export function currentOffset(): number {
  const source = sourceAt(machine.position);
  return source === undefined ? 0 : machine.position - source.base;
}

/** The position of what the program is doing now: for errors that the realm makes on its behalf. */
export function currentPosition(): Position | undefined {
  return machine.positionOfOffset(machine.position);
}

/**
 * Notes where an error comes from, once, and completes its `stack`. Gives the error back. `made`: by the program's own `new`, so
 * that its message is the program's.
 */
export function annotate<T>(error: T, made = false): T {
  if (!isObject(error)) {
    if (primitive === undefined || !Object.is(primitive.value, error))
      primitive = { value: error, offset: machine.position };
    return error;
  }
  if (Probed.is(error) || weakMapHas(origins, error)) return error;
  weakMapSet(origins, error, machine.position);
  if (machine.isLimit(error) || machine.isProxy(error)) return error;
  if (!made) hideSource(error);
  completeStack(error, machine.position);
  return error;
}

/** Where V8 puts a value's text into a message, and that text. */
const VALUE_TEXTS = [
  /^[\s\S]+(?= is not a (?:constructor|function))/,
  /(?<=incompatible receiver )[\s\S]+$/,
  /(?<=to search for ')[\s\S]+(?=' in )/,
];
const replaceText = uncurryThis(String.prototype.replace) as unknown as (
  text: string,
  pattern: RegExp,
  by: (found: string) => string,
) => string;
/** The text of a function object of the interpreter, wherever V8 puts it. */
const INTERPRETER_TEXT =
  /(?:async )?(?:function\*? ?)?[\w*]*\([^()]*\)(?: =>)? \{\s+[\s\S]*?\b(?:refuel|enter|start)\d*\([\s\S]*\}/;
const withoutSource = (text: string): string =>
  stringIndexOf(text, "{") < 0 && stringIndexOf(text, "=>") < 0 ? text : "the function";

/**
 * V8 names a function in some messages ("… is not a constructor") by its source text, and that of a program's function is the
 * interpreter's.
 */
function hideSource(error: object): void {
  const own = ObjectGetOwnPropertyDescriptor(error, "message");
  if (own === undefined || typeof own.value !== "string" || own.configurable !== true) return;
  let text: string = own.value;
  if (withoutSource(text) === text) return;
  for (let i = 0; i < VALUE_TEXTS.length; i++) text = replaceText(text, VALUE_TEXTS[i]!, withoutSource);
  ReflectDefineProperty(error, "message", hidden(replaceText(text, INTERPRETER_TEXT, () => "the function")));
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/**
 * The realm has no `Error.stackTraceLimit`: V8 then takes no stack, and `stack` is an own property without a value (or an
 * accessor that gives none). Its text is made here, from data properties only.
 */
function completeStack(error: object, offset: number): void {
  const own = ObjectGetOwnPropertyDescriptor(error, "stack");
  if (own === undefined || own.configurable !== true) return;
  if ("value" in own && own.value !== undefined && typeof own.value !== "string") return;
  const text = typeof own.value === "string" ? own.value : errorHeader(error);
  const cut = stringIndexOf(text, "\n    at ");
  const complete = (cut < 0 ? text : stringSlice(text, 0, cut)) + stackLine(offset);
  // Its attributes are what they should be, unless it is an accessor; to define it takes several times as long.
  if ("value" in own && own.writable) (error as { stack: unknown }).stack = complete;
  else ReflectDefineProperty(error, "stack", hidden(complete));
}

/** The inherited `name` and `message` of errors, by the prototypes of the built-in constructors. */
const texts = new NativeWeakMap<object, Record<string, string>>();
for (const { prototype, name } of [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError])
  weakMapSet(texts, prototype, { name, message: "" });

/** `Name: message`, as `Error.prototype.toString` gives it, without running a getter. */
function errorHeader(error: object): string {
  const name = dataOf(error, "name");
  const message = dataOf(error, "message");
  return message === "" ? name : name === "" ? message : `${name}: ${message}`;
}

function dataOf(error: object, key: string): string {
  const own = ObjectGetOwnPropertyDescriptor(error, key);
  if (own !== undefined) return typeof own.value === "string" ? own.value : "";
  const prototype = ReflectGetPrototypeOf(error);
  // The built-in prototypes of a sealed realm stay what they are.
  const known = machine.sealed && prototype !== null ? weakMapGet(texts, prototype) : undefined;
  if (known !== undefined) return (known as Record<string, string>)[key]!;
  for (let object = prototype; object !== null; object = ReflectGetPrototypeOf(object)) {
    const property = ObjectGetOwnPropertyDescriptor(object, key);
    if (property !== undefined) return typeof property.value === "string" ? property.value : "";
  }
  return "";
}

/** The last line made: a program that throws in a loop throws at one place. */
let lastLine: { offset: number; text: string } | undefined;

/** One line of a stack, or nothing where the position is not known. */
function stackLine(offset: number): string {
  if (lastLine?.offset !== offset) lastLine = { offset, text: makeStackLine(offset) };
  return lastLine.text;
}

function makeStackLine(offset: number): string {
  const source = sourceAt(offset);
  if (source === undefined) return "";
  const { line, column } = source.position(offset - source.base);
  const place = `${source.name}:${line}:${column}`;
  const name = source.functionAt(offset - source.base);
  return name === undefined ? `\n    at ${place}` : `\n    at ${name} (${place})`;
}

/** The descriptor of a property as errors have them, which a patched `Object.prototype` cannot complete. */
function hidden(value: string): PropertyDescriptor {
  return {
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor;
}

const errorConstructors = new NativeSet<unknown>([
  Error,
  TypeError,
  RangeError,
  SyntaxError,
  ReferenceError,
  EvalError,
  URIError,
  AggregateError,
]);

/** True for the native constructors whose results are annotated as soon as they are made. */
export function isErrorConstructor(fn: unknown): boolean {
  return setHas(errorConstructors, fn);
}

/** Registers an error constructor that the realm adds (`DOMException`, `SuppressedError`). */
export function addErrorConstructor(fn: unknown): void {
  errorConstructors.add(fn);
}

export function throwTypeError(message: string, offset: number): never {
  machine.position = offset;
  throw annotate(new NativeTypeError(message), true);
}
export function throwReferenceError(message: string, offset: number): never {
  machine.position = offset;
  throw annotate(new NativeReferenceError(message), true);
}
export function throwRangeError(message: string, offset: number): never {
  machine.position = offset;
  throw annotate(new NativeRangeError(message), true);
}
export function throwUninitialized(name: string, offset: number): never {
  throwReferenceError(
    name === "%this"
      ? "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"
      : `Cannot access '${name}' before initialization`,
    offset,
  );
}
export function throwConstant(offset: number): never {
  throwTypeError("Assignment to constant variable.", offset);
}

/** A property key as messages show it. */
export function showKey(key: unknown): string {
  if (typeof key === "object" || typeof key === "function") return "#<Object>";
  return NativeString(key);
}

export { NativeError };
