/** Statements. */
import { classExpression } from "./classes.js";
import {
  anything,
  args,
  asyncIterable,
  called,
  expression,
  iterable,
  key,
  ownObject,
  promises,
  steps,
} from "./expressions.js";
import { functionExpression } from "./functions.js";
import { nativeCall } from "./natives.js";
import { assignmentPattern, bindingPattern } from "./patterns.js";
import { KINDS, type Kind, type Writer } from "./writer.js";

/** A list of statements for the block that is being written. */
export function statements(w: Writer, least: number, most: number): string[] {
  // Errors are part of what is compared, but a program that ends with its first one shows little.
  const guarded = (text: string): string =>
    w.c.chance(65) && !/^(?:let|const|var|class|function|async function|;)/.test(text)
      ? `try { ${text} } catch (e) { log(e); }`
      : text;
  return w.list(most, () => guarded(statement(w)), least);
}

export function block(w: Writer, most = 3): string {
  return w.scoped(() => `{ ${statements(w, 1, w.tired ? 1 : most).join(" ")} }`);
}

function body(w: Writer, label = ""): string {
  return w.at({ loops: [...w.place.loops, label] }, () =>
    w.scoped(() => `{ spend(); ${statements(w, 1, 3).join(" ")} }`),
  );
}

export function statement(w: Writer): string {
  if (w.tired) return `log(${expression(w, "num", 0)});`;
  return w.c.weighted([
    [12, () => declaration(w)],
    [10, () => `log(${anything(w, 3)});`],
    [6, () => assignment(w)],
    [5, () => `try { log(${anything(w, 3)}); } catch (e) { log(e); }`],
    [6, () => `try { log(${nativeCall(w)}); } catch (e) { log(e); }`],
    [4, () => `if (${expression(w, "bool", 2)}) ${block(w)}${w.c.chance(50) ? ` else ${block(w)}` : ""}`],
    [6, () => loop(w)],
    [5, () => tried(w)],
    [3, () => switched(w)],
    [3, () => jump(w)],
    [2, () => labelled(w)],
    [3, () => `try { drive(${called(w, "gen")}(${args(w, 1, 2)}), ${steps(w, 2)}); } catch (e) { log(e); }`],
    [w.place.awaits ? 3 : 1, () => (w.place.awaits ? `log(await ${promises(w, 2)});` : `${promises(w, 2)};`)],
    [2, () => concurrent(w)],
    [2, () => closures(w)],
    [1, () => `try { ${dead(w)} } catch (e) { log(e); }`],
    [w.using ? 2 : 0, () => resources(w)],
    [1, () => block(w)],
    [1, () => ";"],
  ]);
}

/** Never reads a name that stays in its dead zone, other than to show the error. */
function dead(w: Writer): string {
  const name = w.fresh();
  return w.c.pick([
    `log(${name}); let ${name} = 1;`,
    `const ${name} = (() => ${name})();`,
    `log(typeof ${name}); const ${name} = 2;`,
    `${name} = 1; let ${name};`,
    `let ${name} = ${name} + 1;`,
    `class ${name} extends ${name} {}`,
    `const ${name} = 1; ${name} = log(2);`,
    `const ${name} = 1; [${name}] = iter('d', [1]);`,
    `log(undeclared);`,
    `undeclared = log(1);`,
    `for (let ${name} of [${name}]) ;`,
    `log((() => { ${name}(); function ${name}() { log('hoisted'); } })());`,
    `var ${name} = log(${name}); var ${name};`,
  ]);
}

function declaration(w: Writer): string {
  const kind = w.c.pick(KINDS);
  if (w.c.chance(25)) {
    const names: { name: string; kind: Kind }[] = [];
    const pattern = bindingPattern(w, 1, names);
    const array = pattern.startsWith("[");
    const source = w.c.chance(30)
      ? anything(w, 2)
      : attempted(w, () => (array ? iterable(w, 2) : expression(w, "obj", 2)), array ? "[]" : "{}");
    for (const one of names) w.declare(one.name, one.kind, false);
    return `let ${pattern} = ${source};`;
  }
  if (kind === "cls" && w.c.chance(70)) {
    const name = w.fresh("C");
    w.block.add(name);
    const text = classExpression(w, name);
    w.declare(name, "cls", true);
    return text;
  }
  if ((kind === "fn" || kind === "gen" || kind === "afn" || kind === "agen") && w.c.chance(50)) {
    const name = w.fresh("f");
    w.block.add(name);
    w.declare(name, kind, true);
    const text = functionExpression(w, kind);
    const named = text.replace(/^((?:async )?function\*? )\w*/, `$1${name}`);
    return named === text ? `const ${name} = ${text};` : named;
  }
  const word = w.c.pick(["let", "const", "let", "var"]);
  const name = word === "var" ? w.fresh() : w.newName();
  const value = w.c.chance(60) ? attempted(w, () => expression(w, kind, 3)) : expression(w, kind, 3);
  w.declare(name, kind, word === "const");
  return `${word} ${name} = ${value};`;
}

const attempted = (w: Writer, write: () => string, otherwise = "undefined"): string =>
  `attempt(() => (${w.at({ awaits: false, yields: false }, write)}), ${otherwise})`;

function assignment(w: Writer): string {
  const known = w.visible(undefined, true);
  return w.c.weighted([
    [
      known.length > 0 ? 4 : 0,
      () => {
        const { name, kind } = w.c.pick(known);
        return `${name} = cap(${expression(w, kind, 3)});`;
      },
    ],
    [3, () => `own(${ownObject(w, 2)})[${key(w, 2)}] = ${anything(w, 2)};`],
    [2, () => `(${assignmentPattern(w, 2)} = ${w.c.chance(50) ? iterable(w, 2) : expression(w, "obj", 2)});`],
    [1, () => `delete own(${ownObject(w, 2)})[${key(w, 2)}];`],
  ]);
}

function loop(w: Writer): string {
  const label = w.c.chance(30) ? w.fresh("l") : "";
  const head = label && `${label}: `;
  const i = w.fresh("i");
  const turns = 1 + w.c.below(3);
  return w.scoped(() =>
    w.c.weighted([
      [
        3,
        () => {
          w.declare(i, "num", false);
          const step = w.c.pick([`${i}++`, `${i} += 1`, `log(${i}++)`]);
          return `${head}for (let ${i} = 0; ${i} < ${turns}; ${step}) ${body(w, label)}`;
        },
      ],
      [4, () => `${head}for (${target(w)} of ${iterable(w, 2)}) ${body(w, label)}`],
      [w.place.awaits ? 4 : 0, () => `${head}for await (${target(w)} of ${asyncIterable(w, 2)}) ${body(w, label)}`],
      [
        2,
        () =>
          `${head}for (${simpleTarget(w)} in ${expression(w, w.c.pick(["obj", "arr", "str", "nil"] as const), 2)}) ${body(w, label)}`,
      ],
      [
        2,
        () =>
          `{ let ${i} = 0; ${head}while (${i}++ < ${turns} && (${expression(w, "bool", 1)}, true)) ${body(w, label)} }`,
      ],
      [1, () => `{ let ${i} = 0; ${head}do ${body(w, label)} while (${i}++ < ${turns}); }`],
      [1, () => `${head}for (var ${i} = ${turns}; ${i}--; ) ${body(w, label)}`],
    ]),
  );
}

function simpleTarget(w: Writer): string {
  const word = w.c.pick(["const", "let", "var"]);
  const name = w.fresh();
  w.declare(name, "str", word === "const");
  return `${word} ${name}`;
}

function target(w: Writer): string {
  return w.c.weighted([
    [5, () => simpleTarget(w)],
    [
      2,
      () => {
        const names: { name: string; kind: Kind }[] = [];
        const pattern = bindingPattern(w, 1, names);
        for (const { name, kind } of names) w.declare(name, kind, false);
        return `let ${pattern}`;
      },
    ],
    [1, () => `own(${ownObject(w, 1)}).p`],
    [1, () => assignmentPattern(w, 1)],
  ]);
}

function tried(w: Writer): string {
  const handler = (): string =>
    w.scoped(() => {
      const name = w.fresh("e");
      w.declare(name, "obj", false);
      return w.c.pick([
        `catch (${name}) { log(${name}); ${block(w)} }`,
        `catch { ${statements(w, 1, 2).join(" ")} }`,
        `catch ({ name, message: ${name} = log('d') }) { log(name); log(${name}); }`,
      ]);
    });
  return w.c.weighted([
    [4, () => `try ${block(w)} ${handler()}`],
    [3, () => `try ${block(w)} ${handler()} finally ${block(w)}`],
    [2, () => `try ${block(w)} finally ${block(w)}`],
    [1, () => `try { throw ${anything(w, 2)}; } ${handler()}`],
  ]);
}

function switched(w: Writer): string {
  return w.at({ loops: w.place.loops }, () =>
    w.scoped(() => {
      const cases = w.list(
        4,
        () =>
          `case ${w.c.chance(50) ? `log(${w.c.below(3)})` : anything(w, 2)}: ${statements(w, 0, 2).join(" ")} ${w.c.chance(50) ? "break;" : ""}`,
      );
      if (w.c.chance(60))
        cases.splice(w.c.below(cases.length + 1), 0, `default: log('default'); ${w.c.chance(30) ? "break;" : ""}`);
      return `switch (${w.c.chance(60) ? String(w.c.below(3)) : anything(w, 2)}) { ${cases.join(" ")} }`;
    }),
  );
}

function jump(w: Writer): string {
  const { loops, blocks, returns } = w.place;
  const options: string[] = [];
  if (loops.length > 0) options.push("break;", "continue;");
  for (const label of loops) if (label) options.push(`break ${label};`, `continue ${label};`);
  for (const label of blocks) options.push(`break ${label};`);
  if (options.length > 0 && w.c.chance(60)) return `if (${expression(w, "bool", 1)}) ${w.c.pick(options)}`;
  return w.c.weighted([
    [returns ? 2 : 0, () => `if (${expression(w, "bool", 1)}) return log(${anything(w, 2)});`],
    [1, () => `if (${expression(w, "bool", 1)}) throw ${anything(w, 2)};`],
    [options.length > 0 ? 2 : 0, () => w.c.pick(options)],
    [returns ? 1 : 0, () => `return log(${anything(w, 2)});`],
  ]);
}

function labelled(w: Writer): string {
  const label = w.fresh("b");
  return `${label}: ${w.at({ blocks: [...w.place.blocks, label] }, () => block(w))}`;
}

/** Work that goes on while the program does. */
function concurrent(w: Writer): string {
  const inside = w.at(
    { yields: false, awaits: true, loops: [], blocks: [], returns: true, inFunction: w.place.inFunction },
    () => block(w, 4),
  );
  return `(async () => ${inside})().then(log, (e) => { note('rejected ' + show(e)); });`;
}

/** Each turn of a loop has its own variable. */
function closures(w: Writer): string {
  const list = w.fresh("fs");
  const i = w.fresh("i");
  return `{ const ${list} = []; for (let ${i} = 0, x = ${anything(w, 1)}; ${i} < 3; ${list}.push(() => [${i}, x]), ${i}++) { ${list}.push(() => ${i}++); ${w.c.pick(["", `if (${i} === 1) continue;`, "spend();", `var ${i}v = () => ${i};`])} } log(${list}.map((f) => f())); log(${list}.map((f) => f())); }`;
}

function resources(w: Writer): string {
  const resource = (symbol: string): string =>
    w.c.pick([
      "null",
      `{ [Symbol.${symbol}]() { note('dispose'); } }`,
      `{ [Symbol.${symbol}]() { note('bad'); throw new Error('${w.fresh("d")}'); } }`,
      anything(w, 1),
    ]);
  const name = w.fresh("u");
  if (w.place.awaits && w.c.chance(50))
    return `try { await using ${name} = ${resource(w.c.pick(["dispose", "asyncDispose"]))}; ${statements(w, 1, 2).join(" ")} } catch (e) { log(e); log(e?.suppressed); }`;
  return `try { using ${name} = ${resource("dispose")}; ${statements(w, 1, 2).join(" ")} } catch (e) { log(e); log(e?.suppressed); }`;
}
