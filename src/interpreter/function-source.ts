/**
 * The source text of interpreted functions, for `Function.prototype.toString`.
 *
 * Closures are made by the hundred thousand, so none is registered anywhere. A function object of the interpreter is known by
 * its native text, which is ours; called while `machine.probing`, it tells which code it has instead of starting. Classes
 * cannot be called and are few: those carry a mark.
 */
import type { Code } from "./functions.js";
import { machine, Probed } from "./machine.js";
import { NativePromise, ReflectApply, regExpTest, stringSlice, uncurryThis } from "./primordials.js";
import { Identity } from "./private-names.js";

export type SourceRange = Pick<Code, "source" | "start" | "end">;

class Mark extends Identity {
  #range: SourceRange;
  constructor(fn: object, range: SourceRange) {
    super(fn);
    this.#range = range;
  }
  static read(fn: any): SourceRange | undefined {
    return #range in fn ? fn.#range : undefined;
  }
}

/** Makes the source text of a class known. */
export function markClass<F extends object>(made: F, range: SourceRange): F {
  new Mark(made, range);
  return made;
}

const nativeText = uncurryThis(Function.prototype.toString);
const promiseThen = uncurryThis(NativePromise.prototype.then);
/** How every function object of the interpreter begins: with the check that a probe answers. */
const OURS = /\b(?:refuel|enter|start)\d*\((?:code|this)\d*\b/;

/** The source text of an interpreted function or class; `undefined` for every other value. */
export function sourceOf(fn: unknown): string | undefined {
  if (typeof fn !== "function") return undefined;
  const range = Mark.read(fn) ?? probe(fn);
  return range === undefined ? undefined : stringSlice(range.source.text, range.start, range.end);
}

function probe(fn: object): SourceRange | undefined {
  if (!regExpTest(OURS, nativeText(fn))) return undefined;
  const { fuel, position } = machine;
  machine.probing = true;
  machine.fuel = 0;
  let found: unknown;
  try {
    const result = ReflectApply(fn as never, undefined, []);
    // An async function answers with a rejected promise; the answer itself was already noted.
    if (result instanceof NativePromise) promiseThen(result, undefined, () => {});
    found = machine.probed;
  } catch (error) {
    found = error;
  } finally {
    machine.probing = false;
    machine.fuel = fuel;
    machine.position = position;
    machine.probed = undefined;
  }
  return Probed.is(found) ? (found.code as SourceRange | undefined) : undefined;
}
