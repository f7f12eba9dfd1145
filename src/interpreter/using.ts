/** `using` and `await using` (ECMA-262, explicit resource management): resources are disposed of when their block ends. */
import { annotate, throwTypeError } from "./errors.js";
import { initializeBinding, readBinding } from "./identifiers.js";
import { describe } from "./iterators.js";
import {
  type Completion,
  type Frame,
  machine,
  passesThrough,
  ReturnSignal,
  type Run,
  type Steps,
  type Suspending,
} from "./machine.js";
import { NativeError, ReflectApply, ReflectConstruct, ReflectDefineProperty } from "./primordials.js";
import type { Binding, Scope } from "./scope.js";
import type { Node } from "./syntax.js";
import { unit } from "./unit.js";

interface Resource {
  readonly value: unknown;
  /** Absent for `null` and `undefined`, which only make an `await using` wait. */
  readonly method: ((...args: unknown[]) => unknown) | undefined;
  readonly awaits: boolean;
}

const NativeSymbol = Symbol as { readonly dispose?: symbol; readonly asyncDispose?: symbol };
const realm = globalThis as { readonly SuppressedError?: new (error: unknown, suppressed: unknown) => Error };

/** Where the statements of a scope keep what they have to dispose of. */
const resources = new WeakMap<Scope, Binding>();

export function hasUsing(nodes: readonly Node[]): boolean {
  return nodes.some(
    (node) => node.type === "VariableDeclaration" && (node["kind"] === "using" || node["kind"] === "await using"),
  );
}

function openList(scope: Scope): (frame: Frame) => Resource[] {
  const binding = scope.temporary();
  resources.set(scope, binding);
  const initialize = initializeBinding(binding, scope);
  return (frame) => {
    const list: Resource[] = [];
    initialize(frame, list);
    return list;
  };
}

/** What a `using` declaration does with its value before the variable gets it (AddDisposableResource). */
export function registerResource(node: Node, scope: Scope, kind: string): (frame: Frame, value: any) => void {
  const list = readBinding(resources.get(scope)!, scope, false, 0);
  const offset = unit.base + node.start;
  const awaits = kind === "await using";
  return (frame, value) => {
    const resource = resourceOf(value, awaits, offset);
    if (resource !== undefined) {
      const all: Resource[] = list(frame);
      all[all.length] = resource;
    }
  };
}

function resourceOf(value: any, awaits: boolean, offset: number): Resource | undefined {
  if (value === null || value === undefined) return awaits ? { value, method: undefined, awaits } : undefined;
  if (typeof value !== "object" && typeof value !== "function")
    throwTypeError(`${describe(value)} is not an object`, offset);
  machine.position = offset;
  let method = awaits && NativeSymbol.asyncDispose !== undefined ? value[NativeSymbol.asyncDispose] : undefined;
  if (awaits && (method === undefined || method === null)) {
    const sync = disposeMethod(value, offset);
    // The result of a synchronous method is not waited for.
    method = () => {
      ReflectApply(sync, value, []);
    };
  } else if (!awaits) method = disposeMethod(value, offset);
  if (typeof method !== "function") throwTypeError("Symbol.asyncDispose is not a function", offset);
  return { value, method, awaits };
}

function disposeMethod(value: any, offset: number): (...args: unknown[]) => unknown {
  const method = NativeSymbol.dispose === undefined ? undefined : value[NativeSymbol.dispose];
  if (typeof method !== "function") throwTypeError("The value of `using` has no method Symbol.dispose", offset);
  return method;
}

/** The error that stands for two: the one on its way, and the one that disposing threw. */
function suppress(error: unknown, suppressed: unknown): unknown {
  if (realm.SuppressedError !== undefined)
    return annotate(ReflectConstruct(realm.SuppressedError, [error, suppressed]));
  const both = new NativeError("An error was suppressed during disposal.");
  for (const [key, value] of [
    ["name", "SuppressedError"],
    ["error", error],
    ["suppressed", suppressed],
  ] as const)
    ReflectDefineProperty(both, key, { value, writable: true, enumerable: false, configurable: true });
  return annotate(both);
}

/** The outcome of a block so far: an error, or nothing. */
class Outcome {
  failed = false;
  error: unknown;
  fail(error: unknown): void {
    if (passesThrough(error)) throw error;
    this.error = this.failed && !ReturnSignal.is(this.error) ? suppress(error, this.error) : annotate(error);
    this.failed = true;
  }
}

/** Statements with `using` among them, and the disposal after them (DisposeResources). */
export function disposing(
  nodes: readonly Node[],
  scope: Scope,
  compile: (nodes: readonly Node[], scope: Scope) => Run,
): Run {
  const open = openList(scope);
  const run = compile(nodes, scope);
  return (frame) => {
    const list = open(frame);
    const outcome = new Outcome();
    let completion: Completion | undefined;
    try {
      completion = run(frame);
    } catch (error) {
      if (passesThrough(error)) throw error;
      outcome.fail(error);
    }
    const { returned } = machine;
    for (let i = list.length - 1; i >= 0; i--) {
      const { method, value } = list[i]!;
      try {
        ReflectApply(method!, value, []);
      } catch (error) {
        outcome.fail(error);
      }
    }
    if (outcome.failed) throw outcome.error;
    machine.returned = returned;
    return completion;
  };
}

/** The same where statements or the disposal suspend. */
export function disposingSuspended(
  nodes: readonly Node[],
  scope: Scope,
  compile: (nodes: readonly Node[], scope: Scope) => Suspending,
): Suspending {
  const open = openList(scope);
  const run = compile(nodes, scope);
  return (frame) => runDisposing(frame, open, run);
}

function* runDisposing(frame: Frame, open: ReturnType<typeof openList>, run: Suspending): Steps {
  const list = open(frame);
  const outcome = new Outcome();
  let completion: Completion | undefined;
  try {
    completion = yield* run(frame);
  } catch (error) {
    if (passesThrough(error)) throw error;
    if (ReturnSignal.is(error)) {
      outcome.failed = true;
      outcome.error = error;
    } else outcome.fail(error);
  }
  const { returned } = machine;
  for (let i = list.length - 1; i >= 0; i--) {
    const { method, value, awaits } = list[i]!;
    try {
      const result = method === undefined ? undefined : ReflectApply(method, value, []);
      if (awaits) yield result;
    } catch (error) {
      outcome.fail(error);
    }
  }
  if (outcome.failed) throw outcome.error;
  machine.returned = returned;
  return completion;
}
