/** Binding and assignment patterns. */
import { anything, key, ownObject, propertyName } from "./expressions.js";
import { KINDS, type Kind, type Writer } from "./writer.js";

/** A binding pattern; its names are declared when it has been written. `names` collects them. */
export function bindingPattern(w: Writer, depth: number, names: { name: string; kind: Kind }[]): string {
  const bound = (): string => {
    if (depth > 0 && w.c.chance(20)) return bindingPattern(w, depth - 1, names);
    const name = w.fresh();
    w.block.add(name);
    names.push({ name, kind: w.c.pick(KINDS) });
    return name;
  };
  const element = (): string => (w.c.chance(40) ? `${bound()} = ${anything(w, 1)}` : bound());
  if (w.c.chance(50)) {
    const list = w.list(3, () => (w.c.chance(15) ? "" : element()));
    if (w.c.chance(30)) list.push(`...${bound()}`);
    return `[${list.join(", ")}]`;
  }
  const list = w.list(3, () => (w.c.chance(30) ? `[${key(w)}]: ${element()}` : `${propertyName(w)}: ${element()}`));
  if (w.c.chance(30)) {
    const name = w.fresh();
    w.block.add(name);
    names.push({ name, kind: "obj" });
    list.push(`...${name}`);
  }
  return `{ ${list.join(", ")} }`;
}

/** An assignment pattern over variables and members. */
export function assignmentPattern(w: Writer, depth: number): string {
  const place = (): string => {
    const known = w.visible(undefined, true).filter(({ kind }) => kind !== "cls" && kind !== "obj" && kind !== "fn");
    return w.c.weighted([
      [known.length > 0 ? 3 : 0, () => w.c.pick(known).name],
      [3, () => `own(${ownObject(w, 1)}).${propertyName(w)}`],
      [2, () => `log(own(${ownObject(w, 1)}))[${key(w)}]`],
      [depth > 0 ? 1 : 0, () => assignmentPattern(w, depth - 1)],
    ]);
  };
  const element = (): string => (w.c.chance(40) ? `${place()} = ${anything(w, 1)}` : place());
  if (w.c.chance(50)) {
    const list = w.list(3, () => (w.c.chance(15) ? "" : element()));
    if (w.c.chance(30)) list.push(`...${place()}`);
    return `[${list.join(", ")}]`;
  }
  const list = w.list(3, () => (w.c.chance(30) ? `[${key(w)}]: ${element()}` : `${propertyName(w)}: ${element()}`));
  if (w.c.chance(30)) list.push(`...own(${ownObject(w, 1)}).${propertyName(w)}`);
  return `{ ${list.join(", ")} }`;
}
