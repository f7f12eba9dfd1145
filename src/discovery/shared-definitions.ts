/**
 * Definitions shared by name across tools. Every tool brings its own copy of the schemas it refers to; here equal ones become
 * one named type, different ones of one name become several.
 *
 * Two copies are equal when they read the same and everything they refer to is equal: recursion makes that a question about
 * all definitions of a tool at once, answered by assuming them equal and taking back what does not hold.
 */
import type { JsonSchema } from "../codemode/tool.js";
import { pointerName, resolveLocal, SchemaTypes } from "./schema-type.js";
import type { TypeNode } from "./type-node.js";

export type Direction = "input" | "output";

/** One copy of a definition. */
interface Copy {
  readonly schema: unknown;
  readonly text: string;
  /** Whether its type depends on the direction, see `SchemaTypes.direction`. */
  readonly directed: boolean;
  /** The pointers that it refers to. */
  readonly references: readonly string[];
  /** Whether a writer of schemas stopped within it for size. */
  readonly cut: boolean;
}

interface Definition {
  readonly name: string;
  readonly direction: Direction;
  copy: Copy;
  /** The schema that the copy's references resolve in. */
  root: object;
  pointer: string;
  references: ReadonlyMap<string, Definition>;
}

/** What the definitions of one tool's schema are, by pointer. */
type Choice = Map<string, Definition | undefined>;

export class SharedDefinitions {
  readonly #byBase = new Map<string, Definition[]>();
  readonly #all: Definition[] = [];
  readonly #taken: Set<string>;
  readonly #types = new WeakMap<object, SchemaTypes>();

  /** @param reserved names that no definition may bear. */
  constructor(reserved: Iterable<string>) {
    this.#taken = new Set(reserved);
  }

  /** The types of one tool's input or output; names in them are shared names. */
  typesOf(root: JsonSchema, direction: Direction): SchemaTypes {
    if (typeof root === "boolean") return new SchemaTypes(root);
    let types = this.#types.get(root);
    if (!types) {
      const choice = this.#share(root, direction);
      types = new SchemaTypes(root, (pointer) => choice.get(pointer)?.name ?? "unknown", direction);
      this.#types.set(root, types);
    }
    return types;
  }

  /** Every definition met so far with its type and schema. */
  *[Symbol.iterator](): Generator<{ readonly name: string; readonly schema: unknown; readonly type: TypeNode }> {
    for (const { name, root, copy, pointer } of this.#all) {
      yield { name, schema: copy.schema, type: this.#types.get(root)!.definition(pointer) };
    }
  }

  #share(root: object, direction: Direction): Choice {
    const copies = reachable(root);
    const choice: Choice = new Map();
    for (const [pointer, copy] of copies) choice.set(pointer, this.#candidates(pointer, copy, direction)[0]);
    for (let changed = true; changed; ) {
      changed = false;
      for (const [pointer, copy] of copies) {
        const chosen = choice.get(pointer);
        if (!chosen || agrees(copy, chosen, choice)) continue;
        const candidates = this.#candidates(pointer, copy, direction);
        choice.set(pointer, candidates[candidates.indexOf(chosen) + 1]);
        changed = true;
      }
    }
    const made: [Definition, Copy][] = [];
    for (const [pointer, copy] of copies) {
      const chosen = choice.get(pointer);
      // Of two copies, one of which was cut, the whole one is kept.
      if (chosen && !(chosen.copy.cut && !copy.cut)) continue;
      const definition = chosen ?? this.#create(pointer, copy, root, direction);
      Object.assign(definition, { copy, root, pointer });
      choice.set(pointer, definition);
      made.push([definition, copy]);
    }
    for (const [definition, copy] of made) {
      definition.references = new Map(copy.references.map((pointer) => [pointer, choice.get(pointer)!]));
    }
    return choice;
  }

  #candidates(pointer: string, copy: Copy, direction: Direction): Definition[] {
    return (this.#byBase.get(pointerName(pointer)) ?? []).filter(
      (one) =>
        (!copy.directed || one.direction === direction) &&
        (one.copy.text === copy.text || ((one.copy.cut || copy.cut) && sameButForCuts(one.copy.schema, copy.schema))),
    );
  }

  #create(pointer: string, copy: Copy, root: object, direction: Direction): Definition {
    const base = pointerName(pointer);
    const name = this.#freeName(base, direction);
    const definition: Definition = { name, direction, copy, root, pointer, references: new Map() };
    const alike = this.#byBase.get(base);
    if (alike) alike.push(definition);
    else this.#byBase.set(base, [definition]);
    this.#all.push(definition);
    return definition;
  }

  #freeName(base: string, direction: Direction): string {
    const candidates = direction === "input" ? [base, `${base}Input`] : [base];
    let name = candidates.find((one) => !this.#taken.has(one));
    for (let n = 2; name === undefined; n++) if (!this.#taken.has(`${base}_${n}`)) name = `${base}_${n}`;
    this.#taken.add(name);
    return name;
  }
}

/** Whether a copy refers to the same definitions as the one it is taken for. */
function agrees(copy: Copy, chosen: Definition, choice: Choice): boolean {
  return copy.references.every((pointer) => {
    const theirs = chosen.references.get(pointer);
    return theirs === undefined || theirs === choice.get(pointer);
  });
}

/** The definitions that a schema refers to, directly or through others. */
function reachable(root: object): Map<string, Copy> {
  const found = new Map<string, Copy>();
  const { $defs: _, ...own } = root as Record<string, unknown>;
  const waiting = [...copyOf(own).references];
  for (let pointer = waiting.pop(); pointer !== undefined; pointer = waiting.pop()) {
    if (found.has(pointer)) continue;
    const schema = resolveLocal(root, pointer);
    if (schema === undefined) continue;
    const copy = copyOf(schema);
    found.set(pointer, copy);
    waiting.push(...copy.references);
  }
  return found;
}

const copies = new WeakMap<object, Copy>();

function copyOf(schema: unknown): Copy {
  const known = typeof schema === "object" && schema !== null ? copies.get(schema) : undefined;
  if (known) return known;
  const references = new Set<string>();
  let cut = false;
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === "$ref" && typeof value === "string") references.add(value);
    else if (isCut(value)) cut = true;
    return typeof value === "bigint" ? `${value}n` : value;
  });
  const directed = /"(?:date-time|int64|file)"/.test(text);
  const copy = { schema, text, directed, references: [...references], cut };
  if (typeof schema === "object" && schema !== null) copies.set(schema, copy);
  return copy;
}

/** A place where a writer of schemas stopped for size: only a comment stands there. */
function isCut(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const keys = Object.keys(schema);
  return keys.length === 1 && keys[0] === "$comment";
}

function sameButForCuts(a: unknown, b: unknown): boolean {
  if (isCut(a) || isCut(b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, i) => sameButForCuts(one, b[i]))
    );
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameButForCuts((a as Keyed)[key], (b as Keyed)[key]))
  );
}

type Keyed = Record<string, unknown>;
