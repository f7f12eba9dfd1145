/** Classes with members of every sort. */

import { anything, args, expression, key, propertyName } from "./expressions.js";
import { functionBody, parameters } from "./functions.js";
import { statements } from "./statements.js";
import type { Place, PrivateName, Writer } from "./writer.js";

export function classExpression(w: Writer, name = w.c.chance(50) ? w.fresh("C") : ""): string {
  const heritage = w.c.weighted([
    [3, () => ""],
    [4, () => parent(w)],
  ]);
  const own = w
    .list(3, () => w.fresh("x"))
    .map(
      (privateName): PrivateName => ({
        name: privateName,
        sort: w.c.pick(["field", "method", "getter", "accessor"] as const),
        isStatic: w.c.chance(25),
      }),
    );
  return w.at({ privates: [...w.place.privates, ...own] }, () => {
    const members = own.map((one) => privateMember(w, one));
    members.push(...w.list(4, () => publicMember(w)));
    if (w.c.chance(50)) members.push(constructorOf(w, heritage !== ""));
    return `class ${name} ${heritage && `extends ${heritage} `}{ ${shuffled(w, members).join(" ")} }`;
  });
}

function parent(w: Writer): string {
  const known = w.visible("cls");
  return w.c.weighted([
    [known.length > 0 ? 3 : 0, () => w.c.pick(known).name],
    [3, () => "Base"],
    [1, () => w.c.pick(["Array", "Map", "Error", "Promise", "Object", "null", "RegExp", "Set"])],
    [1, () => `log(${expression(w, "cls", 1)})`],
    [1, () => `(${expression(w, "fn", 1)})`],
  ]);
}

function shuffled<T>(w: Writer, list: T[]): T[] {
  for (let i = list.length - 1; i > 0; i--) {
    const j = w.c.below(i + 1);
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}

/** Initializers have neither `await` nor `arguments`. */
const INITIALIZER: Partial<Place> = {
  awaits: false,
  yields: false,
  inFunction: false,
  inMethod: true,
  loops: [],
  blocks: [],
  isStaticBlock: true,
};

const initializer = (w: Writer): string => (w.c.chance(75) ? ` = ${w.at(INITIALIZER, () => anything(w, 2))}` : "");

function method(w: Writer, head: string, place: Partial<Place> = {}): string {
  return w.scoped(() => {
    const list = w.at({ awaits: false, yields: false, isStaticBlock: false, inFunction: true, inMethod: true }, () =>
      parameters(w, 1),
    );
    return `${head}(${list}) ${functionBody(w, { inMethod: true, ...place })}`;
  });
}

const getter = (w: Writer, name: string): string => `get ${name}() ${functionBody(w, { inMethod: true })}`;
const setter = (w: Writer, name: string): string =>
  `set ${name}(v) ${functionBody(w, { inMethod: true }, "note('set ' + show(v));")}`;

function privateMember(w: Writer, { name, sort, isStatic }: PrivateName): string {
  const stat = isStatic ? "static " : "";
  switch (sort) {
    case "method":
      return method(w, `${stat}#${name}`);
    case "getter":
      return stat + getter(w, `#${name}`);
    case "accessor":
      return `${stat}${getter(w, `#${name}`)} ${stat}${setter(w, `#${name}`)}`;
    default:
      return `${stat}#${name}${initializer(w)};`;
  }
}

function publicMember(w: Writer): string {
  const stat = w.c.chance(30) ? "static " : "";
  const name = (): string => {
    if (w.c.chance(25)) return `[${key(w)}]`;
    const text = propertyName(w);
    return text === "constructor" ? "'p'" : text;
  };
  return w.c.weighted([
    // The line break ends a field whose name is `get`, `set` or `static`.
    [5, () => `${stat}${name()}${initializer(w)};`],
    [4, () => method(w, `${stat}${name()}`)],
    [2, () => stat + getter(w, name())],
    [1, () => stat + setter(w, name())],
    [2, () => method(w, `${stat}*${name()}`, { yields: true })],
    [2, () => method(w, `${stat}async ${name()}`, { awaits: true })],
    [1, () => method(w, `${stat}async *${name()}`, { awaits: true, yields: true })],
    [
      2,
      () =>
        `static { ${w.scoped(() => w.at({ ...INITIALIZER, returns: false }, () => statements(w, 1, 2).join(" ")))} }`,
    ],
    [1, () => method(w, `${stat}[Symbol.${w.c.pick(["hasInstance", "toPrimitive"])}]`)],
    [1, () => `*[Symbol.iterator]() ${functionBody(w, { inMethod: true, yields: true })}`],
  ]);
}

function constructorOf(w: Writer, derived: boolean): string {
  return w.scoped(() => {
    const list = w.at({ awaits: false, yields: false, isStaticBlock: false, inFunction: true, inMethod: true }, () =>
      parameters(w, 1),
    );
    const calls = derived
      ? w.at({ awaits: false, yields: false, inFunction: true, inMethod: true, isStaticBlock: false }, () =>
          w.c.weighted([
            [8, () => `super(${args(w, 1)});`],
            [2, () => `log(super(${args(w, 1)}) === this);`],
            [1, () => `(() => { super(${args(w, 1)}); })();`],
            [1, () => `try { log(this); } catch (e) { log(e); } super(...arguments);`],
            [1, () => `if (${expression(w, "bool", 1)}) super();`],
            [1, () => `super(); try { super(); } catch (e) { log(e); }`],
            [1, () => ""],
          ]),
        )
      : "";
    return `constructor(${list}) ${functionBody(w, { inMethod: true }, `note('new.target ' + (new.target === undefined)); ${calls}`)}`;
  });
}
