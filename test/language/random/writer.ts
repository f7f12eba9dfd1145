/** The state of a program being written: its choices, what is in scope, and what may be written at this place. */
import type { Choices } from "./choices.js";

export type Kind =
  | "num"
  | "str"
  | "bool"
  | "big"
  | "arr"
  | "obj"
  | "fn"
  | "gen"
  | "agen"
  | "afn"
  | "cls"
  | "map"
  | "set"
  | "date"
  | "re"
  | "sym"
  | "prom"
  | "nil";

export const KINDS: readonly Kind[] = [
  "num",
  "str",
  "arr",
  "obj",
  "bool",
  "fn",
  "big",
  "nil",
  "map",
  "set",
  "date",
  "re",
  "sym",
  "gen",
  "cls",
  "prom",
  "afn",
  "agen",
];

export interface Variable {
  readonly name: string;
  readonly kind: Kind;
  readonly constant: boolean;
}

export interface PrivateName {
  readonly name: string;
  readonly sort: "field" | "method" | "getter" | "accessor";
  readonly isStatic: boolean;
}

/** What may be written here. */
export interface Place {
  readonly awaits: boolean;
  readonly yields: boolean;
  /** Labels of the loops around, innermost last; an empty text is a loop without a label. */
  readonly loops: readonly string[];
  /** Labels of the blocks around. */
  readonly blocks: readonly string[];
  /** `arguments` and `new.target` mean something. */
  readonly inFunction: boolean;
  /** `super.x` means something. */
  readonly inMethod: boolean;
  readonly privates: readonly PrivateName[];
  /** In a static initializer neither `await` nor `arguments` may be written, in any way. */
  readonly isStaticBlock: boolean;
  /** In a parameter list no `yield` or `await` may be written. */
  readonly returns: boolean;
}

export const PROGRAM: Place = {
  awaits: true,
  yields: false,
  loops: [],
  blocks: [],
  inFunction: false,
  inMethod: false,
  privates: [],
  isStaticBlock: false,
  returns: true,
};

export class Writer {
  readonly c: Choices;
  place: Place = PROGRAM;
  variables: Variable[] = [];
  /** The names of the innermost block, which may not be declared again. */
  block = new Set<string>();
  readonly using: boolean;
  #names = 0;

  constructor(choices: Choices, using: boolean) {
    this.c = choices;
    this.using = using;
  }

  get tired(): boolean {
    return this.c.left <= 0;
  }

  fresh(prefix = "v"): string {
    return `${prefix}${++this.#names}`;
  }

  /** A name for a declaration: new, or one that hides an outer one. */
  newName(): string {
    if (this.c.chance(15) && this.variables.length > 0) {
      const { name } = this.c.pick(this.variables);
      if (!this.block.has(name)) {
        this.block.add(name);
        return name;
      }
    }
    const name = this.fresh();
    this.block.add(name);
    return name;
  }

  declare(name: string, kind: Kind, constant: boolean): void {
    this.variables.push({ name, kind, constant });
  }

  /** Variables of a kind that a name still means. */
  visible(kind: Kind | undefined, changeable = false): Variable[] {
    const seen = new Set<string>();
    const found: Variable[] = [];
    for (let i = this.variables.length - 1; i >= 0; i--) {
      const variable = this.variables[i]!;
      if (seen.has(variable.name)) continue;
      seen.add(variable.name);
      if ((kind === undefined || variable.kind === kind) && !(changeable && variable.constant)) found.push(variable);
    }
    return found;
  }

  /** Writes something inside a block of its own. */
  scoped<T>(write: () => T): T {
    const { block } = this;
    const count = this.variables.length;
    this.block = new Set();
    const result = write();
    this.block = block;
    this.variables.length = count;
    return result;
  }

  /** Writes something at another place. */
  at<T>(place: Partial<Place>, write: () => T): T {
    const outer = this.place;
    this.place = { ...outer, ...place };
    const result = write();
    this.place = outer;
    return result;
  }

  list(most: number, write: () => string, least = 0): string[] {
    const count = least + (most > least ? this.c.below(most - least + 1) : 0);
    return Array.from({ length: count }, write);
  }
}
