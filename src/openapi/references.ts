/**
 * References between and within the files of a description, resolved when they are followed.
 *
 * Reference Object: https://spec.openapis.org/oas/v3.1.1.html#reference-object; JSON Schema's `$ref`, `$id` and `$anchor`:
 * https://json-schema.org/draft/2020-12/json-schema-core#section-8.2.
 */
import { posix } from "node:path";
import { DocumentFault, type Located, type OpenApiDocument, type OpenApiVersion } from "./document.js";
import { decodeFragment, joinPointer, parsePointer } from "./json-pointer.js";
import { type Identifiers, indexIdentifiers } from "./schema-identifiers.js";

/** The URI of a document that was given as an object and has no place: relative references have nothing to resolve to. */
export const NO_URI = "about:blank";

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text of a `$ref`; a property that is merely named `$ref` has a schema for its value, not a string. */
export function referenceOf(value: unknown): string | undefined {
  if (!isObject(value) || !Object.hasOwn(value, "$ref")) return undefined;
  const reference = value["$ref"];
  return typeof reference === "string" ? reference : undefined;
}

export interface DocumentIdentity {
  readonly version: OpenApiVersion;
  readonly openapi: string;
  readonly title: string;
  readonly apiVersion: string;
}

export class LoadedDocument implements OpenApiDocument {
  readonly version: OpenApiVersion;
  readonly openapi: string;
  readonly title: string;
  readonly apiVersion: string;
  readonly root: Located<Record<string, unknown>>;
  /** Root values by the URI they were asked for and the URI they were found at. */
  readonly #files = new Map<string, Located>();
  /** Why a file is not here. */
  readonly #failures = new Map<string, string>();
  readonly #identifiers: Identifiers = { resources: new Map(), anchors: new Map(), bases: new Map() };
  readonly #targets = new Map<string, Located | DocumentFault>();
  /** Places of values that a conversion moved into objects of its own. */
  readonly #places = new WeakMap<object, { readonly uri: string; readonly pointer: string }>();

  constructor(
    identity: DocumentIdentity,
    readonly uri: string,
    value: Record<string, unknown>,
  ) {
    this.version = identity.version;
    this.openapi = identity.openapi;
    this.title = identity.title;
    this.apiVersion = identity.apiVersion;
    this.root = { value, uri, pointer: "" };
    this.addFile(uri, uri, value);
  }

  /** Adds a file that was asked for as `requested` and found at `uri` (they differ after a redirect). */
  addFile(requested: string, uri: string, value: unknown): void {
    const root: Located = { value, uri, pointer: "" };
    this.#files.set(requested, root);
    this.#files.set(uri, root);
    if (this.version === "3.1" || this.version === "3.2") indexIdentifiers(root, this.#identifiers);
    this.#targets.clear();
  }

  addFailure(uri: string, reason: string): void {
    this.#failures.set(uri, reason);
    this.#targets.clear();
  }

  /** Records where a value stands that is now reached through an object made by a conversion. */
  place(value: unknown, uri: string, pointer: string): void {
    if (typeof value === "object" && value !== null) this.#places.set(value, { uri, pointer });
  }

  /** The file that a reference needs and that was neither loaded nor tried; `undefined` when there is none. */
  missingFile(node: Located): string | undefined {
    const reference = referenceOf(node.value);
    if (reference === undefined) return undefined;
    const [resource] = this.#split(reference, node);
    if (resource === undefined || this.#files.has(resource) || this.#failures.has(resource)) return undefined;
    return this.#identifiers.resources.has(resource) ? undefined : resource;
  }

  /**
   * Where to read a file that goes by `uri`. A document that names itself (`$self`) is often read from elsewhere, and its
   * files lie beside it there as they do beside its name.
   */
  locationOf(uri: string): string {
    const self = this.root.value["$self"];
    const base = this.#identifiers.bases.get(this.uri)?.find(([pointer]) => pointer === "")?.[1];
    if (typeof self !== "string" || base === undefined || base === this.uri) return uri;
    const [named, wanted] = [new URL(base), new URL(uri)];
    if (named.origin !== wanted.origin || named.protocol !== wanted.protocol) return uri;
    const path = posix.relative(named.pathname.replace(/[^/]*$/, ""), wanted.pathname);
    return new URL(path + wanted.search, this.uri).href;
  }

  /** Follows one `$ref`. @throws DocumentFault `unresolved-reference`. */
  step(node: Located): Located {
    const reference = referenceOf(node.value);
    if (reference === undefined) return node;
    const base = this.#baseOf(node);
    const key = `${base} ${reference}`;
    let target = this.#targets.get(key);
    if (target === undefined) {
      try {
        target = this.#lookup(reference, node);
      } catch (error) {
        if (!(error instanceof DocumentFault)) throw error;
        target = error;
      }
      this.#targets.set(key, target);
    }
    if (target instanceof DocumentFault) throw this.#fault(target.fault.reason, node);
    return target;
  }

  resolve(node: Located): Located {
    let current = node;
    let seen: Set<unknown> | undefined;
    while (referenceOf(current.value) !== undefined) {
      seen ??= new Set();
      if (seen.has(current.value)) throw this.#fault(`The reference ${this.#text(node)} leads back to itself.`, node);
      seen.add(current.value);
      current = this.step(current);
    }
    return current;
  }

  /** The member `key` as it stands, reference not followed. */
  member(node: Located, key: string | number): Located | undefined {
    const { value } = node;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(String(key))) return undefined;
    const member = (value as Record<string | number, unknown>)[key];
    if (member === undefined) return undefined;
    const place = typeof member === "object" && member !== null ? this.#places.get(member) : undefined;
    return { value: member, uri: place?.uri ?? node.uri, pointer: place?.pointer ?? joinPointer(node.pointer, key) };
  }

  child(node: Located, key: string | number): Located | undefined {
    const member = this.member(node, key);
    return member === undefined ? undefined : this.resolve(member);
  }

  show(node: Located): string {
    return node.uri === this.uri ? `#${node.pointer}` : `${node.uri}#${node.pointer}`;
  }

  #text(node: Located): string {
    return JSON.stringify(referenceOf(node.value));
  }

  #fault(reason: string, node: Located): DocumentFault {
    return new DocumentFault({ code: "unresolved-reference", reason, pointer: this.show(node) });
  }

  /** The base URI of a place (RFC 3986, 5.1): the nearest `$id` around it, else the file's `$self`, else the file. */
  #baseOf(node: Located): string {
    const bases = this.#identifiers.bases.get(node.uri);
    if (bases === undefined) return node.uri;
    for (const [pointer, base] of bases) {
      if (node.pointer === pointer || node.pointer.startsWith(`${pointer}/`)) return base;
    }
    return node.uri;
  }

  /** The URI without fragment, and the fragment, of a reference; no URI where it cannot be resolved. */
  #split(reference: string, node: Located): [resource: string | undefined, fragment: string] {
    const hash = reference.indexOf("#");
    const fragment = hash < 0 ? "" : reference.slice(hash + 1);
    const relative = hash < 0 ? reference : reference.slice(0, hash);
    const base = this.#baseOf(node);
    if (relative === "") return [base, fragment];
    try {
      return [new URL(relative, base).href, fragment];
    } catch {
      return [undefined, fragment];
    }
  }

  #lookup(reference: string, node: Located): Located {
    const [resource, fragment] = this.#split(reference, node);
    if (resource === undefined) {
      const why =
        this.uri === NO_URI
          ? "this document was given without a URI, so there is nothing it is relative to"
          : "it is no URI";
      throw this.#fault(`The reference ${JSON.stringify(reference)} cannot be followed: ${why}.`, node);
    }
    const root = this.#identifiers.resources.get(resource) ?? this.#files.get(resource);
    if (root === undefined) {
      const why = this.#failures.get(resource) ?? "nothing is known by that URI";
      throw this.#fault(`The reference ${JSON.stringify(reference)} cannot be followed: ${why}.`, node);
    }
    const decoded = decodeFragment(fragment);
    const tokens = parsePointer(decoded);
    if (tokens === undefined) {
      const anchor = this.#identifiers.anchors.get(`${resource}#${decoded}`);
      if (anchor !== undefined) return anchor;
      throw this.#fault(`The reference ${JSON.stringify(reference)} points to an anchor that does not exist.`, node);
    }
    let current = root;
    for (const token of tokens) {
      // A pointer may pass through a reference: documents do, although a pointer alone knows nothing of them.
      const next = this.member(current, token) ?? this.member(this.#throughReference(current), token);
      if (next === undefined) {
        throw this.#fault(
          `The reference ${JSON.stringify(reference)} points to nothing: there is no ${JSON.stringify(token)} at ${this.show(current)}.`,
          node,
        );
      }
      current = next;
    }
    return current;
  }

  #throughReference(node: Located): Located {
    return referenceOf(node.value) === undefined ? node : this.resolve(node);
  }
}
