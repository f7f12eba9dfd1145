/** Functions of every sort. */
import { anything, args, expression } from "./expressions.js";
import { bindingPattern } from "./patterns.js";
import { statements } from "./statements.js";
import { KINDS, type Kind, type Place, type Writer } from "./writer.js";

/** A parameter list; its names are declared. */
export function parameters(w: Writer, depth: number): string {
  const names: { name: string; kind: Kind }[] = [];
  const parameter = (): string => {
    const written = w.c.weighted([
      [5, () => one()],
      [2, () => `${one()} = ${anything(w, depth)}`],
      [1, () => bindingPattern(w, 1, names)],
      [1, () => `${bindingPattern(w, 1, names)} = ${expression(w, w.c.pick(["arr", "obj"] as const), depth)}`],
    ]);
    for (const { name, kind } of names.splice(0)) w.declare(name, kind, false);
    return written;
  };
  const one = (): string => {
    const name = w.fresh();
    w.block.add(name);
    names.push({ name, kind: w.c.pick(KINDS) });
    return name;
  };
  const list = w.list(3, parameter);
  if (w.c.chance(15)) {
    list.push(`...${one()}`);
    for (const { name } of names) w.declare(name, "arr", false);
  }
  return list.join(", ");
}

/** A block that begins with spending: every call counts. */
export function functionBody(w: Writer, place: Partial<Place>, first = ""): string {
  const inside = {
    awaits: false,
    yields: false,
    loops: [],
    blocks: [],
    inFunction: true,
    returns: true,
    isStaticBlock: false,
    ...place,
  };
  return w.at(inside, () => {
    const body = w.tired ? [] : statements(w, 1, 3);
    const end = w.c.chance(60) ? [`return ${anything(w, 2)};`] : [];
    return `{ spend(); ${[first, ...body, ...end].join(" ")} }`;
  });
}

const ARROW_FREE: Partial<Place> = { inMethod: false, privates: undefined as never };

/** A function expression without parentheses around it; `kind` says of which sort. */
export function functionExpression(w: Writer, kind: Kind): string {
  return w.scoped(() => {
    const { privates } = w.place;
    const plain = { ...ARROW_FREE, privates };
    const list = (arrow: boolean): string =>
      w.at(
        arrow
          ? { awaits: false, yields: false }
          : { awaits: false, yields: false, isStaticBlock: false, inFunction: true, inMethod: false },
        () => parameters(w, 1),
      );
    const name = w.c.chance(40) ? w.fresh("f") : "";
    switch (kind) {
      case "gen":
        return `function* ${name}(${list(false)}) ${functionBody(w, { ...plain, yields: true })}`;
      case "agen":
        return `async function* ${name}(${list(false)}) ${functionBody(w, { ...plain, yields: true, awaits: true })}`;
      case "afn":
        return w.c.chance(50)
          ? `async function ${name}(${list(false)}) ${functionBody(w, { ...plain, awaits: true })}`
          : `async (${list(true)}) => ${functionBody(w, lexical(w, true))}`;
      default:
        return w.c.weighted([
          [3, () => `(${list(true)}) => ${functionBody(w, lexical(w, false))}`],
          [2, () => `(${list(true)}) => (${w.at({ awaits: false, yields: false }, () => anything(w, 2))})`],
          [3, () => `function ${name}(${list(false)}) ${functionBody(w, plain)}`],
          [
            1,
            () =>
              `(${w.c.pick(["log", "Base.prototype.m", "function () { return this; }", "Math.max"])}).bind(${anything(w, 1)}, ${anything(w, 1)})`,
          ],
          [
            1,
            () =>
              `((f) => function (...x) { spend(); note(typeof new.target); return Reflect.apply(f, this, x); })(${w.c.pick(["log", "(x, y) => [y, x]"])}, ${args(w, 1, 1)})`,
          ],
        ]);
    }
  });
}

/** An arrow function has the `arguments`, `super` and `new.target` around it. */
const lexical = (w: Writer, awaits: boolean): Partial<Place> => ({
  awaits,
  inFunction: w.place.inFunction,
  isStaticBlock: w.place.isStaticBlock,
});
