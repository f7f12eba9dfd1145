/** The selected operations of a document under their names. */
import { nameOperations } from "./names.js";
import { type Environment, identityOf, OperationTool, type Skipped } from "./operation-tool.js";
import { declaredOperations } from "./operations.js";
import type { LoadedDocument } from "./references.js";
import { makeSelection, type SelectionOptions } from "./selection.js";

export interface OperationIndex {
  /** The selected operations in document order, each planned when it is first asked for anything that a plan knows. */
  readonly operations: readonly OperationTool[];
  /** The selected operations that have no sound place in the document. */
  readonly malformed: readonly Skipped[];
  /** By dotted name. */
  readonly byName: ReadonlyMap<string, OperationTool>;
}

/** @throws DocumentError when the selection is malformed. */
export function indexOperations(
  document: LoadedDocument,
  selection: SelectionOptions,
  environment: Environment,
): OperationIndex {
  const declared = declaredOperations(document);
  const selects = makeSelection(selection);
  // Names come from all operations: a selection does not rename what it keeps, and a skipped operation keeps its name.
  const names = nameOperations(declared.operations);
  const operations = declared.operations.flatMap((operation, index) => {
    const name = names[index] as string;
    return selects({ ...operation, name }) ? [new OperationTool(name, operation, environment)] : [];
  });
  const malformed = declared.malformed
    .filter((operation) => selects({ ...operation, name: operation.operationId ?? "" }))
    .map((operation) => ({ ...identityOf(operation), ...operation.fault }));
  return { operations, malformed, byName: new Map(operations.map((operation) => [operation.name, operation])) };
}
