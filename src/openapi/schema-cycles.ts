/** Schemas that contain themselves, by reference. */
import { DocumentFault, type Located, type OpenApiDocument } from "./document.js";
import { referenceOf } from "./references.js";

/** Keywords whose value is data or a name, not a schema. */
const NOT_SCHEMAS: ReadonlySet<string> = new Set([
  "enum",
  "const",
  "default",
  "example",
  "examples",
  "required",
  "discriminator",
  "xml",
  "externalDocs",
]);
/** Keywords whose value is a map from names to schemas: a name may be any word. */
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);

interface Visit {
  readonly node: Located;
  readonly index: number;
  low: number;
  onStack: boolean;
  readonly targets: readonly Located[];
  next: number;
}

const known = new WeakMap<OpenApiDocument, Map<string, boolean>>();

const identity = (node: Located): string => `${node.uri}#${node.pointer}`;

/**
 * Whether following references from a schema leads back to it. Strongly connected components (Tarjan, without recursion),
 * remembered for every schema on the way, so that a document is walked once however many bodies it has.
 */
export function isRecursive(document: OpenApiDocument, schema: Located): boolean {
  let answers = known.get(document);
  if (answers === undefined) known.set(document, (answers = new Map()));
  const top = document.resolve(schema);
  const answer = answers.get(identity(top));
  return answer ?? search(document, top, answers);
}

function search(document: OpenApiDocument, top: Located, answers: Map<string, boolean>): boolean {
  const visits = new Map<string, Visit>();
  const stack: Visit[] = [];
  const path: Visit[] = [];
  const enter = (node: Located): Visit => {
    const targets = referenced(document, node);
    const visit: Visit = { node, index: visits.size, low: visits.size, onStack: true, targets, next: 0 };
    visits.set(identity(node), visit);
    stack.push(visit);
    path.push(visit);
    return visit;
  };
  enter(top);
  while (path.length > 0) {
    const visit = path[path.length - 1]!;
    const target = visit.targets[visit.next++];
    if (target !== undefined) {
      const key = identity(target);
      const seen = visits.get(key);
      if (seen === undefined) {
        if (!answers.has(key)) enter(target);
      } else if (seen.onStack) visit.low = Math.min(visit.low, seen.index);
      continue;
    }
    path.pop();
    const above = path[path.length - 1];
    if (above !== undefined) above.low = Math.min(above.low, visit.low);
    if (visit.low !== visit.index) continue;
    const component: Visit[] = [];
    for (let member: Visit | undefined; member !== visit; ) {
      member = stack.pop()!;
      member.onStack = false;
      component.push(member);
    }
    const own = identity(visit.node);
    const cyclic = component.length > 1 || visit.targets.some((reached) => identity(reached) === own);
    for (const member of component) answers.set(identity(member.node), cyclic);
  }
  return answers.get(identity(top)) ?? false;
}

/** The schemas that the references below a schema lead to. */
function referenced(document: OpenApiDocument, root: Located): readonly Located[] {
  const found: Located[] = [];
  // A document given as an object may hold its cycles as such, its references already followed.
  const seen = new Set<object>();
  const walk = (node: Located, map: boolean): void => {
    const { value } = node;
    if (typeof value !== "object" || value === null) return;
    if (seen.has(value)) {
      if (value === root.value) found.push(root);
      return;
    }
    seen.add(value);
    if (!map && referenceOf(value) !== undefined) {
      try {
        found.push(document.resolve(node));
      } catch (error) {
        if (!(error instanceof DocumentFault)) throw error;
      }
    }
    for (const key of Object.keys(value)) {
      if (!map && (NOT_SCHEMAS.has(key) || key.startsWith("x-"))) continue;
      const member = document.member(node, key);
      if (member !== undefined) walk(member, !map && MAPS.has(key));
    }
  };
  walk(root, false);
  return found;
}
