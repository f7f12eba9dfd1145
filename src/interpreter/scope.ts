/**
 * Scopes and bindings: every variable is resolved to a slot of a frame once, before the program runs.
 *
 * A frame is an array: slot 0 is the enclosing frame, the others are variables. Each function has one frame per call. A block
 * gets a frame of its own only where that can be noticed: when a closure captures one of its variables and the block may run
 * more than once per call. All other variables live in the frame of the function.
 */
import type { FunctionNode, Node } from "./syntax.js";

export type BindingKind =
  | "var"
  | "let"
  | "const"
  | "class"
  | "function"
  | "parameter"
  /** The name of a function expression inside itself. */
  | "self"
  | "this"
  | "other";

/** Slots of one kind of frame. Grows while compiling (temporaries), fixed before the first call. */
export class Layout {
  size = 1;
  allocate(): number {
    return this.size++;
  }
}

export class Binding {
  readonly name: string;
  kind: BindingKind;
  readonly scope: Scope;
  /** Offset in the source after which the binding is initialized; -1 for those that always are. */
  initializedAt: number;
  /** Used by a function inside the one it belongs to. */
  captured = false;
  /** Some use may come before the initialization, so the slot starts as UNINITIALIZED. */
  checked = false;
  private slotNumber = 0;

  constructor(name: string, kind: BindingKind, scope: Scope, initializedAt: number) {
    this.name = name;
    this.kind = kind;
    this.scope = scope;
    this.initializedAt = initializedAt;
  }

  get constant(): boolean {
    return this.kind === "const" || this.kind === "self";
  }

  get slot(): number {
    if (this.slotNumber === 0) this.slotNumber = this.scope.frameScope.layout.allocate();
    return this.slotNumber;
  }

  /** Fixes the slot (parameters sit where the call puts them). */
  place(slot: number): void {
    this.slotNumber = slot;
  }
}

/** What the analysis notes of a function. */
export class FunctionInfo {
  readonly node: FunctionNode;
  readonly arrow: boolean;
  readonly parent: FunctionInfo | undefined;
  /** Where the function comes into being: its own start, or that of the block to which its declaration is hoisted. */
  readonly createdAt: number;
  /** Contains another function, or a class, which always has some: something may hold on to its frames. */
  encloses = false;
  /** Its `this` starts uninitialized, until `super()`. */
  derived = false;
  /** For `super`: members of the constructor rather than of the prototype. */
  static = false;
  constructor(node: FunctionNode, arrow: boolean, parent: FunctionInfo | undefined, createdAt: number) {
    this.node = node;
    this.arrow = arrow;
    this.parent = parent;
    this.createdAt = createdAt;
    if (parent !== undefined) parent.encloses = true;
  }
}

export class Scope {
  readonly parent: Scope | undefined;
  readonly function: FunctionInfo;
  /** The first scope of its function (parameters, `this`, `arguments`). */
  readonly root: boolean;
  /** May be entered more than once during one call of its function. */
  readonly repeated: boolean;
  readonly start: number;
  /** Statements after a declaration may run without it: the cases of a `switch`. */
  unordered = false;
  readonly bindings = new Map<string, Binding>();
  /** Functions declared in it, to be created on entry. */
  readonly functions: FunctionNode[] = [];
  readonly layout = new Layout();
  private ownFrame: boolean | undefined;

  constructor(parent: Scope | undefined, fn: FunctionInfo, root: boolean, repeated: boolean, start: number) {
    this.parent = parent;
    this.function = fn;
    this.root = root;
    this.repeated = repeated;
    this.start = start;
  }

  declare(name: string, kind: BindingKind, initializedAt = -1): Binding {
    const known = this.bindings.get(name);
    if (known !== undefined) {
      // `var x` beside a parameter or function `x` is the same variable; a function replaces a var.
      if (kind === "function" && known.kind === "var") known.kind = "function";
      return known;
    }
    const binding = new Binding(name, kind, this, initializedAt);
    this.bindings.set(name, binding);
    return binding;
  }

  /** True when entering the scope makes a new frame. Asked only after the analysis. */
  get materialized(): boolean {
    if (this.ownFrame === undefined) {
      this.ownFrame = this.root;
      if (!this.root && this.repeated)
        for (const binding of this.bindings.values()) if (binding.captured) this.ownFrame = true;
    }
    return this.ownFrame;
  }

  /** The scope whose frame holds the variables of this one. */
  get frameScope(): Scope {
    let scope: Scope = this;
    while (!scope.materialized) scope = scope.parent!;
    return scope;
  }

  /** How many frames lie between code in this scope and a binding. */
  depthOf(binding: Binding): number {
    const target = binding.scope.frameScope;
    let depth = 0;
    for (let scope = this.frameScope; scope !== target; scope = scope.parent!.frameScope) depth++;
    return depth;
  }

  /** A variable of the compiler's own, for a value that must outlive an `await`. */
  temporary(): Binding {
    return new Binding("%temporary", "other", this, -1);
  }
}

/** A use of a name, waiting for all declarations to be known. */
export interface Reference {
  readonly node: Node;
  readonly name: string;
  readonly scope: Scope;
}

/** The scope in which a `var` that stands in `scope` declares. */
export function varScope(scope: Scope): Scope {
  const { node } = scope.function;
  return node["bodyScope"] ?? node.scope!;
}
