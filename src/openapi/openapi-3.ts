/** One operation of an OpenAPI 3.x document. https://spec.openapis.org/oas/v3.2.0.html#operation-object */
import { DocumentFault, type Located } from "./document.js";
import type { OperationModel } from "./operation-model.js";
import type { PathItem } from "./operations.js";
import { isObject, type LoadedDocument } from "./references.js";

/** Where an operation was found. */
export interface FoundOperation {
  readonly document: LoadedDocument;
  readonly item: PathItem;
  readonly node: Located<Record<string, unknown>>;
  readonly method: string;
  readonly pathTemplate: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
}

type LocatedObject = Located<Record<string, unknown>>;

/** What the versions have in common. */
export abstract class OperationBase implements OperationModel {
  readonly document: LoadedDocument;
  readonly method: string;
  readonly pathTemplate: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
  readonly node: LocatedObject;
  readonly item: PathItem;
  #parameters: readonly LocatedObject[] | undefined;

  constructor(found: FoundOperation) {
    this.document = found.document;
    this.item = found.item;
    this.node = found.node;
    this.method = found.method;
    this.pathTemplate = found.pathTemplate;
    this.operationId = found.operationId;
    this.tags = found.tags;
  }

  get summary(): string | undefined {
    return textOf(this.node.value["summary"]);
  }

  get description(): string | undefined {
    return textOf(this.node.value["description"]);
  }

  get deprecated(): boolean {
    return this.node.value["deprecated"] === true;
  }

  abstract readonly parameters: readonly LocatedObject[];
  abstract readonly requestBody: LocatedObject | undefined;
  abstract readonly responses: LocatedObject | undefined;
  abstract readonly servers: readonly LocatedObject[];
  abstract securityScheme(name: string): LocatedObject | undefined;

  get security(): Located | undefined {
    return this.document.member(this.node, "security") ?? this.document.member(this.document.root, "security");
  }

  /**
   * Parameters as declared: the path item's that the operation does not override, then the operation's. A parameter is
   * identified by location and name.
   */
  protected declaredParameters(): readonly LocatedObject[] {
    if (this.#parameters === undefined) {
      const own = this.#list(this.document.member(this.node, "parameters"));
      const identities = new Set(own.map(identityOf));
      const inherited = this.#list(this.item.field("parameters"));
      this.#parameters = [...inherited.filter((parameter) => !identities.has(identityOf(parameter))), ...own];
    }
    return this.#parameters;
  }

  #list(node: Located | undefined): LocatedObject[] {
    if (node === undefined || node.value === null) return [];
    if (!Array.isArray(node.value)) throw this.malformed("The parameters are not a list.", node);
    return node.value.map((_, index) => {
      const parameter = this.document.child(node, index);
      if (parameter === undefined || !isObject(parameter.value)) {
        throw this.malformed(`The parameter ${index} is not an object.`, this.document.member(node, index) ?? node);
      }
      return parameter as LocatedObject;
    });
  }

  /** A field that holds an object or a reference to one; `null` counts as absent. */
  protected object(node: Located, key: string): LocatedObject | undefined {
    const found = this.document.child(node, key);
    if (found === undefined || found.value === null) return undefined;
    if (!isObject(found.value)) throw this.malformed(`The field ${key} is not an object.`, found);
    return found as LocatedObject;
  }

  protected malformed(reason: string, node: Located): DocumentFault {
    return new DocumentFault({ code: "malformed-operation", reason, pointer: this.document.show(node) });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function identityOf({ value }: LocatedObject): string {
  return `${String(value["in"])} ${String(value["name"])}`;
}

export class OpenApi3Operation extends OperationBase {
  get parameters(): readonly LocatedObject[] {
    return this.declaredParameters();
  }

  get requestBody(): LocatedObject | undefined {
    return this.object(this.node, "requestBody");
  }

  get responses(): LocatedObject | undefined {
    return this.object(this.node, "responses");
  }

  securityScheme(name: string): LocatedObject | undefined {
    const components = this.document.member(this.document.root, "components");
    const schemes = components && this.document.member(components, "securitySchemes");
    const scheme = schemes && this.document.child(schemes, name);
    return isObject(scheme?.value) ? (scheme as LocatedObject) : undefined;
  }

  /** https://spec.openapis.org/oas/v3.2.0.html#server-object: the nearest list that is not empty. */
  get servers(): readonly LocatedObject[] {
    const { document, node, item } = this;
    return nearestServers(document, [document.member(node, "servers"), item.field("servers")]);
  }
}

/** The first list that is not empty, the document's after those given; without any the default, the root. */
export function nearestServers(
  document: LoadedDocument,
  lists: readonly (Located | undefined)[] = [],
): readonly LocatedObject[] {
  for (const list of [...lists, document.member(document.root, "servers")]) {
    if (list === undefined || !Array.isArray(list.value) || list.value.length === 0) continue;
    return list.value.map((_, index) => document.member(list, index) as LocatedObject);
  }
  return [{ value: { url: "/" }, uri: document.uri, pointer: "/servers" }];
}
