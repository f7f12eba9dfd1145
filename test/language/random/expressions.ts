/** Expressions by the kind of value that they mean to give. Now and then it is another kind. */
import {
  arrays,
  bigints,
  booleans,
  collections,
  dates,
  numbers,
  patternsOfText,
  strings,
  symbols,
} from "./built-ins.js";
import { classExpression } from "./classes.js";
import { functionExpression } from "./functions.js";
import { objectLiteral, objects } from "./objects.js";
import { assignmentPattern } from "./patterns.js";
import { KINDS, type Kind, type Writer } from "./writer.js";

/** An expression in parentheses where it needs them: it may stand anywhere that an assignment expression may. */
export function expression(w: Writer, kind: Kind = w.c.pick(KINDS), depth = 3): string {
  if (w.c.chance(4)) kind = w.c.pick(KINDS);
  if (depth <= 0 || w.tired) return leaf(w, kind);
  return w.c.weighted([
    [6, () => leaf(w, kind)],
    [10, () => ofKind(w, kind, depth - 1)],
    [7, () => anyway(w, kind, depth - 1)],
  ]);
}

export const anything = (w: Writer, depth = 2): string => expression(w, undefined, depth);

/** A property key as an expression. */
export function key(w: Writer, depth = 1, reports = true): string {
  return w.c.weighted([
    [6, () => `'${propertyName(w)}'`],
    [3, () => String(w.c.below(4))],
    // V8 converts the key of a compound assignment twice; the standard does so once.
    [reports ? 1 : 0, () => `prim('k', '${propertyName(w)}')`],
    [
      1,
      () =>
        w.c.pick([
          "Symbol.iterator",
          "Symbol.toPrimitive",
          "Symbol.toStringTag",
          "Symbol.asyncIterator",
          "-1",
          "'x y'",
        ]),
    ],
    [2, () => expression(w, w.c.pick(["str", "num", "sym"] as const), depth)],
  ]);
}

const NAMES =
  "p q r toString constructor length name valueOf a g m next return value done message hasOwnProperty get set s f n then toJSON".split(
    " ",
  );

/** A property name that is an identifier; those of built-in prototypes among them. */
export function propertyName(w: Writer): string {
  return w.c.pick(NAMES);
}

export function args(w: Writer, depth: number, most = 3): string {
  return w.list(most, () => (w.c.chance(15) ? `...${iterable(w, depth)}` : anything(w, depth))).join(", ");
}

/** Something to iterate over, mostly. */
export function iterable(w: Writer, depth: number): string {
  return w.c.weighted([
    [5, () => expression(w, "arr", depth)],
    [4, () => `iter('${w.fresh("i")}', [${w.list(3, () => anything(w, depth - 1)).join(", ")}], ${w.c.below(9)})`],
    [1, () => expression(w, "str", depth)],
    [1, () => expression(w, "map", depth)],
    [1, () => expression(w, "set", depth)],
    [2, () => `${generatorCall(w, depth)}`],
    [1, () => `spy('${w.fresh("s")}', ${expression(w, "arr", depth)})`],
    [1, () => anything(w, depth)],
  ]);
}

export function asyncIterable(w: Writer, depth: number): string {
  return w.c.weighted([
    [3, () => `aiter('${w.fresh("i")}', [${w.list(3, () => anything(w, depth - 1)).join(", ")}], ${w.c.below(9)})`],
    [3, () => `${called(w, "agen")}(${args(w, depth - 1, 2)})`],
    [2, () => `[${w.list(3, () => expression(w, "prom", depth - 1)).join(", ")}]`],
    [2, () => iterable(w, depth)],
  ]);
}

function generatorCall(w: Writer, depth: number): string {
  return `${called(w, "gen")}(${args(w, depth - 1, 2)})`;
}

/** A callee. */
export function called(w: Writer, kind: Kind): string {
  const known = w.visible(kind);
  return known.length > 0 && !w.c.chance(10) ? w.c.pick(known).name : `(${functionExpression(w, kind)})`;
}

/** A variable or a simple value. */
function leaf(w: Writer, kind: Kind): string {
  const known = w.visible(kind);
  if (known.length > 0 && w.c.chance(65)) return w.c.pick(known).name;
  if (w.place.inFunction && w.c.chance(3))
    return w.c.pick(["arguments", "arguments[0]", "new.target", "arguments.length"]);
  switch (kind) {
    case "num":
      return w.c.pick([
        "0",
        "1",
        "2",
        "3",
        "(-1)",
        "2.5",
        "(-0)",
        "NaN",
        "Infinity",
        "255",
        "1e21",
        "(2 ** 53)",
        "0.1",
        "1e-7",
        "(-4294967297)",
      ]);
    case "str":
      return w.c.pick([
        "'ab'",
        "''",
        "'x'",
        "'1'",
        "'toString'",
        "'a,b;c'",
        "'\\ud83d\\ude00!'",
        "'\\ud800'",
        "'12.5px'",
        "'Zé'",
        "' \\t7\\n'",
        "'$&$1$$'",
      ]);
    case "bool":
      return w.c.pick(["true", "false"]);
    case "big":
      return w.c.pick(["1n", "0n", "(-7n)", "12345678901234567890n", "2n"]);
    case "arr":
      return w.c.pick(["[1, 2, 3]", "[]", "['b', 'a']", "[3, , 1]", "[[1], [2, [3]]]", "[undefined, null, NaN, -0]"]);
    case "obj":
      return w.c
        .pick([
          "{ p: 1, q: { r: 2 } }",
          "{}",
          "{ toString: 1 }",
          "Object.create(null)",
          "new Base(1)",
          "conv('c', 7, 'seven')",
          "prim('o', 5)",
          "{ length: 2, 0: 'z' }",
        ])
        .replace(/^\{.*/, "($&)");
    case "fn":
      return w.c.pick([
        "((x) => x)",
        "log",
        "Number",
        "String",
        "Boolean",
        "Object",
        "Array",
        "Math.max",
        "((a, b) => a + b)",
      ]);
    case "gen":
      return "(function* (x) { spend(); const y = yield x; log(y); return y; })";
    case "agen":
      return "(async function* (x) { spend(); const y = yield x; log(y); return y; })";
    case "afn":
      return w.c.pick(["later", "fails", "(async (x) => { spend(); return x; })"]);
    case "cls":
      return w.c.pick(["Base", "Base", "class {}", "Map", "Error", "Array", "Promise", "Date"]);
    case "map":
      return "new Map([['p', 1], [NaN, -0]])";
    case "set":
      return "new Set([1, -0, 'p'])";
    case "date":
      return w.c.pick([
        "new Date(0)",
        "new Date(1700000000123)",
        "new Date('2024-02-29')",
        "new Date(NaN)",
        "new Date(2020, 1, 31, 25)",
      ]);
    case "re":
      return w.c.pick([
        "/a/",
        "/(?<p>[a-z])(\\d)?/g",
        "/b|(c)/y",
        "/^.$/u",
        "/[\\w--a]/v",
        "/(?:)/g",
        "/\\s*,\\s*/",
        "/(a)|(b)/gi",
        "/x/dgs",
      ]);
    case "sym":
      return w.c.pick(["Symbol('s')", "Symbol.iterator", "Symbol.for('r')", "Symbol()"]);
    case "prom":
      return w.c.pick([
        "later(1)",
        "Promise.resolve(2)",
        "fails('no')",
        "later(3, 2)",
        "then('t', 1)",
        "then('u', 2, 1)",
      ]);
    default:
      return w.c.pick(["undefined", "null"]);
  }
}

function ofKind(w: Writer, kind: Kind, depth: number): string {
  switch (kind) {
    case "num":
      return numbers(w, depth);
    case "str":
      return strings(w, depth);
    case "bool":
      return booleans(w, depth);
    case "big":
      return bigints(w, depth);
    case "arr":
      return arrays(w, depth);
    case "obj":
      return w.c.chance(50) ? objectLiteral(w, depth) : objects(w, depth);
    case "fn":
    case "gen":
    case "agen":
    case "afn":
      return `(${functionExpression(w, kind)})`;
    case "cls":
      return `(${classExpression(w)})`;
    case "map":
    case "set":
      return collections(w, kind, depth);
    case "date":
      return dates(w, depth);
    case "re":
      return patternsOfText(w, depth);
    case "sym":
      return symbols(w, depth);
    case "prom":
      return promises(w, depth);
    default:
      return `(void ${anything(w, depth)})`;
  }
}

export function promises(w: Writer, depth: number): string {
  const f = () => expression(w, "fn", depth);
  return w.c.weighted([
    [4, () => `later(${anything(w, depth)}, ${w.c.below(4)})`],
    [2, () => `${called(w, "afn")}(${args(w, depth, 2)})`],
    [3, () => `Promise.${w.c.pick(["all", "allSettled", "any", "race"])}(${iterable(w, depth)})`],
    [3, () => `Promise.resolve(${anything(w, depth)}).then(${f()}, ${f()})`],
    [2, () => `${expression(w, "prom", depth)}.${w.c.pick(["then", "catch", "finally"])}(${f()})`],
    [1, () => `new Promise((ok, no) => { ${w.c.pick(["ok", "no"])}(${anything(w, depth)}); ok(1); })`],
    [1, () => `Promise.reject(${anything(w, depth)})`],
    [2, () => `adrive(${called(w, "agen")}(${args(w, depth, 1)}), ${steps(w, depth)})`],
  ]);
}

/** What a generator is driven with. */
export function steps(w: Writer, depth: number): string {
  const how = () => w.c.pick(["next", "next", "return", "throw", "next"]);
  return w.list(4, () => `['${how()}', ${anything(w, depth - 1)}]`, 1).join(", ");
}

/** Ways to give a value of any kind. */
function anyway(w: Writer, kind: Kind, depth: number): string {
  const of = () => expression(w, kind, depth);
  const target = w.visible(kind, true);
  return w.c.weighted([
    [6, () => `log(${of()})`],
    [4, () => `(${expression(w, "bool", depth)} ? ${of()} : ${of()})`],
    [2, () => `(${anything(w, depth)}, ${of()})`],
    [3, () => `(${of()} ${w.c.pick(["??", "||", "&&"])} ${of()})`],
    [
      w.place.awaits ? 7 : 0,
      () => `(await ${w.c.pick([`later(${of()})`, of(), `then('${w.fresh("t")}', ${of()}, ${w.c.below(3)})`])})`,
    ],
    [
      w.place.yields ? 7 : 0,
      () =>
        w.c.pick([
          `(yield ${of()})`,
          `(yield* ${w.place.awaits ? asyncIterable(w, depth) : iterable(w, depth)})`,
          "(yield)",
        ]),
    ],
    [
      target.length > 0 ? 4 : 0,
      () => `(${w.c.pick(target).name} ${w.c.pick(["=", "=", "??=", "||=", "&&="])} cap(${of()}))`,
    ],
    [3, () => member(w, depth)],
    [3, () => assignedMember(w, depth)],
    [3, () => `${called(w, "fn")}(${args(w, depth)})`],
    [2, () => `${called(w, "fn")}?.(${args(w, depth)})`],
    [
      1,
      () => `(${assignmentPattern(w, depth)} = ${w.c.chance(50) ? iterable(w, depth) : expression(w, "obj", depth)})`,
    ],
    [2, () => `tag\`${text(w, depth)}\``],
    [1, () => `new ${callee(w)}(${args(w, depth)})`],
    [w.place.inMethod ? 3 : 0, () => superMember(w, depth)],
    [w.place.privates.length > 0 ? 5 : 0, () => privateMember(w, depth)],
    [1, () => w.c.pick(["this", "this?.n", "typeof this"])],
    [
      2,
      () =>
        `(() => { spend(); ${w.at({ loops: [], blocks: [], awaits: false, yields: false }, () => `return ${of()}`)}; })()`,
    ],
    [
      1,
      () =>
        `(({ p, ...rest } = ${expression(w, "obj", depth)}, [x = ${of()}, ...more] = ${iterable(w, depth)}) => (log(rest), log(more), x))(${args(w, depth)})`,
    ],
  ]);
}

const callee = (w: Writer): string => {
  const known = w.visible("cls");
  return known.length > 0 && w.c.chance(70) ? w.c.pick(known).name : "Base";
};

/** The inside of a template. */
export function text(w: Writer, depth: number): string {
  return w.list(3, () => `${w.c.pick(["a", "\\n", "", "\\u0041", "$", "é"])}\${${anything(w, depth)}}`).join("");
}

/** Reading a member, a chain of them, or calling one. */
export function member(w: Writer, depth: number): string {
  const object = `(${expression(w, w.c.pick(["obj", "arr", "str", "cls", "fn", "nil", "num", "map"] as const), depth)})`;
  return w.c.weighted([
    [4, () => `${object}.${propertyName(w)}`],
    [3, () => `${object}?.${propertyName(w)}`],
    [3, () => `${object}[${key(w, depth)}]`],
    [2, () => `${object}?.[${key(w, depth)}]?.${propertyName(w)}`],
    [2, () => `${object}.${propertyName(w)}?.(${args(w, depth, 2)})`],
    [1, () => `${object}?.${propertyName(w)}.${propertyName(w)}(${args(w, depth, 2)})`],
    [
      2,
      () =>
        `${object}.${w.c.pick(["m", "g", "sm", "toString", "valueOf", "hasOwnProperty", "propertyIsEnumerable", "isPrototypeOf"])}(${args(w, depth, 2)})`,
    ],
    [1, () => `(delete own(${ownObject(w, depth)})[${key(w, depth)}])`],
  ]);
}

/** An object of the program's own: what is assigned to must not be a built-in. */
export function ownObject(w: Writer, depth: number): string {
  const known = [...w.visible("obj"), ...w.visible("arr")];
  if (known.length > 0 && !w.c.chance(20)) return w.c.pick(known).name;
  return w.c
    .pick([
      `spy('${w.fresh("s")}', { p: 1 })`,
      "new Base(2)",
      objectLiteral(w, Math.max(0, depth - 1)),
      "{ __proto__: spy('proto', { set p(v) { note('proto.p='); } }) }",
    ])
    .replace(/^\{[\s\S]*/, "($&)");
}

function assignedMember(w: Writer, depth: number): string {
  const object = `own(${ownObject(w, depth)})`;
  const place = w.c.weighted([
    [4, () => `${object}.${propertyName(w)}`],
    [3, () => `${object}[${key(w, depth, false)}]`],
  ]);
  return w.c.weighted([
    [4, () => `(${place} = ${anything(w, depth)})`],
    [2, () => `(${place} ${w.c.pick(["??=", "||=", "&&="])} ${anything(w, depth)})`],
    [
      2,
      () =>
        `(${place} ${w.c.pick(["+=", "-=", "|=", ">>>=", "**=", "%="])} ${expression(w, w.c.pick(["num", "obj", "bool"] as const), depth)})`,
    ],
    [2, () => `(${place}${w.c.pick(["++", "--"])})`],
    [1, () => `(${w.c.pick(["++", "--"])}${place})`],
  ]);
}

function superMember(w: Writer, depth: number): string {
  return w.c.weighted([
    [3, () => `super.${propertyName(w)}`],
    [2, () => `super[${key(w, depth)}]`],
    [3, () => `super.${w.c.pick(["m", "toString", "valueOf", "sm"])}?.(${args(w, depth, 2)})`],
    [2, () => `(super.${w.c.pick(["p", "g", "q"])} ${w.c.pick(["=", "=", "??=", "||="])} ${anything(w, depth)})`],
  ]);
}

function privateMember(w: Writer, depth: number): string {
  const { name, sort } = w.c.pick(w.place.privates);
  const object = w.c.pick(["this", "this", "this", "this.constructor", `(${expression(w, "obj", depth)})`]);
  return w.c
    .weighted([
      [4, () => `${object}.#${name}`],
      [2, () => `${object}?.#${name}`],
      [2, () => `(#${name} in Object(${object}))`],
      [sort === "method" ? 4 : 1, () => `${object}.#${name}(${args(w, depth, 2)})`],
      [2, () => `(${object}.#${name} ${w.c.pick(["=", "=", "??=", "&&="])} ${anything(w, depth)})`],
      [1, () => `(${object}.#${name} += ${expression(w, "num", depth)})`],
      [1, () => `${object}.#${name}++`],
      [1, () => `([${object}.#${name} = 1] = ${iterable(w, depth)})`],
    ])
    .replace(/^.*\+\+$/, "($&)");
}
