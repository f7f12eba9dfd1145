/**
 * The global `tools`: frozen namespaces and functions, made when they are first looked at, so that 16,000 tools cost
 * nothing to a program that calls one. Names may be anything, `constructor` and `__proto__` included: a namespace has no
 * prototype and only own members.
 */
import { toolExpression } from "../../../codemode/tree.js";
import { closestNames } from "../../../discovery/closest-names.js";

/** A place in the tree: the tools whose dotted names start with its own. */
interface Place {
  readonly segments: readonly string[];
  /** Dotted names below, relative to this place. */
  readonly below: readonly string[];
}

/** What a name in the tree may be called with: the dotted name of the tool and the one argument. */
export type CallTool = (name: string, input: unknown) => unknown;

export class ToolTree {
  readonly root: object;
  #names: readonly string[];
  #call: CallTool;
  /** The dotted names of tools, by their functions. */
  #tools = new WeakMap<object, string>();
  #places = new WeakMap<object, Place>();

  /** `names` are dotted; the members of a namespace keep their order. */
  constructor(names: readonly string[], call: CallTool) {
    this.#names = names;
    this.#call = call;
    this.root = this.#namespace({ segments: [], below: names }, false);
  }

  /** The dotted name of a tool, given its function. */
  nameOf(value: unknown): string | undefined {
    return typeof value === "function" ? this.#tools.get(value) : undefined;
  }

  /** What a diagnostic calls a value of the tree. */
  describe(value: object): string | undefined {
    const place = this.#places.get(value);
    if (place === undefined) return undefined;
    return `${this.#tools.has(value) ? "the tool" : "the namespace"} ${toolExpression(place.segments)}`;
  }

  /** Why `key` of a namespace cannot be called or read further; `undefined` when `object` is no part of the tree. */
  explainMissing(object: unknown, key: PropertyKey): { name: string; message: string } | undefined {
    if (typeof key === "symbol" || (typeof object !== "object" && typeof object !== "function") || object === null)
      return undefined;
    const place = this.#places.get(object);
    if (place === undefined) return undefined;
    const segments = [...place.segments, String(key)];
    const name = segments.join(".");
    const path = toolExpression(segments);
    const below = this.#names.filter((one) => one.startsWith(`${name}.`));
    if (below.length > 0) {
      return { name, message: `${path} is a namespace, not a tool. Did you mean ${expressions(below.slice(0, 3))}?` };
    }
    const siblings = new Set(place.below.filter((one) => one !== "").map((one) => one.split(".", 1)[0]!));
    const nearby = closestNames(String(key), siblings, 1).map((sibling) => [...place.segments, sibling].join("."));
    const closest = [...new Set([...nearby, ...closestNames(name, this.#names)])].slice(0, 3);
    const meant = closest.length > 0 ? ` Did you mean ${expressions(closest)}?` : ' Look for one with search("…").';
    return { name, message: `There is no tool ${path}.${meant}` };
  }

  /** A namespace without a tool of its own. Its members are made at the first look. */
  #namespace(place: Place, awaited: boolean): object {
    const target: object = Object.create(null);
    let filled = false;
    const members = (): object => {
      if (!filled) {
        filled = true;
        this.#fill(target, place, namespace, awaited);
        Object.freeze(target);
      }
      return target;
    };
    const namespace: object = new Proxy(target, {
      get: (_, key) => (members() as Record<PropertyKey, unknown>)[key],
      has: (_, key) => key in members(),
      ownKeys: () => Reflect.ownKeys(members()),
      getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(members(), key),
      isExtensible: () => Reflect.isExtensible(members()),
      preventExtensions: () => Reflect.preventExtensions(members()),
      set: () => false,
      defineProperty: () => false,
      deleteProperty: (_, key) => !(key in members()),
      setPrototypeOf: (_, prototype) => prototype === null,
    });
    this.#places.set(namespace, place);
    return namespace;
  }

  /** Defines the members of a place. An `awaited` place has no `then`: see `#thenable`. */
  #fill(target: object, place: Place, self: object, awaited: boolean): void {
    const groups = new Map<string, string[]>();
    for (const name of place.below) {
      const dot = name.indexOf(".");
      const segment = dot < 0 ? name : name.slice(0, dot);
      let below = groups.get(segment);
      if (below === undefined) groups.set(segment, (below = []));
      // An empty name stands for the tool itself.
      below.push(dot < 0 ? "" : name.slice(dot));
    }
    for (const [segment, found] of groups) {
      if (awaited && segment === "then") continue;
      const segments = [...place.segments, segment];
      const below = found.filter((name) => name !== "").map((name) => name.slice(1));
      const isTool = below.length < found.length;
      const value = isTool
        ? this.#tool({ segments, below }, segment === "then" ? { self, place } : undefined)
        : this.#namespace({ segments, below }, false);
      Object.defineProperty(target, segment, { value, enumerable: true });
    }
  }

  #tool(place: Place, thenOf: { self: object; place: Place } | undefined, awaited = false): object {
    const name = place.segments.join(".");
    const call = this.#call;
    const tool =
      thenOf === undefined
        ? (input?: unknown) => call(name, input)
        : (input?: unknown, second?: unknown) =>
            typeof input === "function" && typeof second === "function"
              ? input(this.#withoutThen(thenOf.self, thenOf.place))
              : call(name, input);
    Object.defineProperty(tool, "name", { value: place.segments.at(-1) });
    this.#tools.set(tool, name);
    this.#places.set(tool, place);
    this.#fill(tool, place, tool, awaited);
    return Object.freeze(tool);
  }

  /**
   * A tool called `then` makes its namespace look like a promise to `await`, which calls it with two functions. No tool
   * takes functions, so that is no call: the namespace is what was meant, and `await` gets it without its `then`.
   */
  #withoutThen(self: object, place: Place): object {
    return this.#tools.has(self) ? this.#tool(place, undefined, true) : this.#namespace(place, true);
  }
}

function expressions(names: readonly string[]): string {
  return names.map((name) => toolExpression(name.split("."))).join(", ");
}
