/**
 * The operations of a document by name, each planned when it is first asked for: a document has thousands, a program calls
 * a few.
 */
import { DocumentFault, type Fault } from "./document.js";
import { nameOperations } from "./names.js";
import type { OperationModel } from "./operation-model.js";
import { type DeclaredOperation, declaredOperations } from "./operations.js";
import type { OmittedPart } from "./plan.js";
import type { LoadedDocument } from "./references.js";
import { makeSelection, type SelectionOptions } from "./selection.js";

/** Which operation an entry of `skipped` or `omitted` is about. */
export interface OperationIdentity {
  readonly operationId: string | null;
  readonly method: string;
  readonly pathTemplate: string;
}

/** An operation that is no tool. `method` is `*` for a path item that cannot be read. */
export interface Skipped extends OperationIdentity, Fault {}

/** A part left out of a tool that exists. */
export interface Omitted extends OperationIdentity, OmittedPart {}

/** An operation and what planning made of it. */
export interface IndexedOperation<P> extends OperationIdentity {
  /** The dotted name. */
  readonly name: string;
  /** The plan, or why there is none. Made at the first call. */
  planned(): { readonly plan: P } | { readonly skipped: Skipped };
}

export interface OperationIndex<P> {
  /** The selected operations in document order, tools or not. */
  readonly operations: readonly IndexedOperation<P>[];
  /** The selected operations that have no sound place in the document. */
  readonly malformed: readonly Skipped[];
  /** By dotted name. */
  get(name: string): IndexedOperation<P> | undefined;
}

/**
 * @param plan makes a plan. Its `DocumentFault` makes the operation a skipped one.
 * @throws DocumentError when the selection is malformed.
 */
export function indexOperations<P>(
  document: LoadedDocument,
  selection: SelectionOptions,
  plan: (model: OperationModel, name: string) => P,
): OperationIndex<P> {
  const declared = declaredOperations(document);
  const selects = makeSelection(selection);
  // Names come from all operations: a selection does not rename what it keeps.
  const names = nameOperations(declared.operations);
  const operations: IndexedOperation<P>[] = [];
  const byName = new Map<string, IndexedOperation<P>>();
  declared.operations.forEach((operation, index) => {
    const name = names[index] as string;
    if (!selects({ ...operation, name, tags: operation.tags })) return;
    const indexed = new LazyOperation(name, operation, plan);
    operations.push(indexed);
    byName.set(name, indexed);
  });
  const malformed = declared.malformed
    .filter((operation) => selects({ ...operation, name: operation.operationId ?? "", tags: operation.tags }))
    .map((operation) => ({ ...identityOf(operation), ...operation.fault }));
  return { operations, malformed, get: (name) => byName.get(name) };
}

class LazyOperation<P> implements IndexedOperation<P> {
  readonly operationId: string | null;
  readonly method: string;
  readonly pathTemplate: string;
  readonly #declared: DeclaredOperation;
  readonly #plan: (model: OperationModel, name: string) => P;
  #planned: { readonly plan: P } | { readonly skipped: Skipped } | undefined;

  constructor(
    readonly name: string,
    declared: DeclaredOperation,
    plan: (model: OperationModel, name: string) => P,
  ) {
    const { operationId, method, pathTemplate } = identityOf(declared);
    this.operationId = operationId;
    this.method = method;
    this.pathTemplate = pathTemplate;
    this.#declared = declared;
    this.#plan = plan;
  }

  planned(): { readonly plan: P } | { readonly skipped: Skipped } {
    this.#planned ??= this.#make();
    return this.#planned;
  }

  #make(): { readonly plan: P } | { readonly skipped: Skipped } {
    try {
      return { plan: this.#plan(this.#declared.model(), this.name) };
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      return { skipped: { ...identityOf(this.#declared), ...error.fault } };
    }
  }
}

export function identityOf(operation: {
  readonly operationId: string | undefined;
  readonly method: string;
  readonly pathTemplate: string;
}): OperationIdentity {
  const { operationId, method, pathTemplate } = operation;
  return { operationId: operationId ?? null, method, pathTemplate };
}
