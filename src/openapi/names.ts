/**
 * Names of tools. An `operationId` is used as it is where it can be: `.` and `/` make namespaces, and a segment that is no
 * identifier is camel-cased at its separators. Without an id the method and the path make a name.
 *
 * Two operations that come to one name both get the name that method and path make, so that no name depends on the order
 * of operations in the document; only where that is not enough either, the later one gets a number.
 */
import { isIdentifierName } from "../codemode/tree.js";

export interface Nameable {
  readonly method: string;
  readonly pathTemplate: string;
  readonly operationId: string | undefined;
}

/** The dotted name of each operation, all different; segments are joined by dots and hold none. */
export function nameOperations(operations: readonly Nameable[]): string[] {
  const names = operations.map((operation) => nameFromId(operation.operationId) ?? nameFromPath(operation));
  const fromPath = operations.map(({ operationId }) => nameFromId(operationId) === undefined);
  // A name given up for a collision may meet another operation's: until nothing moves.
  for (let moved = true; moved; ) {
    moved = false;
    for (const group of groupsOf(names)) {
      for (const index of group) {
        if (fromPath[index]) continue;
        fromPath[index] = true;
        names[index] = nameFromPath(operations[index] as Nameable);
        moved = true;
      }
    }
  }
  numberTheRest(names);
  return names;
}

/** Positions that share a name with another one. */
function groupsOf(names: readonly string[]): number[][] {
  const positions = new Map<string, number[]>();
  names.forEach((name, index) => {
    const group = positions.get(name);
    if (group === undefined) positions.set(name, [index]);
    else group.push(index);
  });
  return [...positions.values()].filter((group) => group.length > 1);
}

function numberTheRest(names: string[]): void {
  const taken = new Set(names);
  for (const [, ...later] of groupsOf(names)) {
    let number = 2;
    for (const index of later) {
      const name = names[index] as string;
      while (taken.has(`${name}_${number}`)) number++;
      names[index] = `${name}_${number}`;
      taken.add(names[index]);
    }
  }
}

/** `repos/list-for-user` → `repos.listForUser`; `undefined` where an id has nothing to make a name of. */
function nameFromId(id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const segments = id
    .split(/[./]/)
    .map(segmentOf)
    .filter((segment) => segment !== "");
  return segments.length === 0 ? undefined : segments.join(".");
}

function segmentOf(text: string): string {
  if (isIdentifierName(text)) return text;
  const [first = "", ...rest] = wordsOf(text);
  return first + rest.map(capitalize).join("");
}

/** `GET /users/{id}` → `getUsersById`. */
function nameFromPath({ method, pathTemplate }: Nameable): string {
  const words = pathTemplate
    .split(/(\{[^{}]*\})/)
    .flatMap((part) => (part.startsWith("{") ? ["By", ...wordsOf(part)] : wordsOf(part)))
    .flatMap((word) => word.split("_"));
  return segmentOf(method.toLowerCase()) + words.map(capitalize).join("");
}

/** Runs of characters that an identifier may hold. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{ID_Continue}$]+/gu) ?? [];
}

function capitalize(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}
