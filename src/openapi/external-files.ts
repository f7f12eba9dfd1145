/**
 * The other files of a description. Only references that an operation can reach are followed, and only where the
 * specification has a reference: `$ref` inside an example or an extension is data.
 *
 * swagger-parser fetches the files of each round: it is shown the table of files to fetch, never their contents, because it
 * would follow every `$ref` it sees.
 */
import type { Located } from "./document.js";
import { DocumentError } from "./document-error.js";
import { readSource } from "./document-source.js";
import { parseDocumentText } from "./document-text.js";
import { isObject, type LoadedDocument, referenceOf } from "./references.js";

/** What stands at a place, and so which of its members can hold references. */
type Kind = keyof typeof MEMBERS;
type Members = { readonly [key: string]: readonly [kind: string, shape: "one" | "list" | "map" | "oneOrList"] };

/** Members of each object, of every version, through which an operation reaches a reference. */
const MEMBERS = {
  document: { paths: ["pathItem", "map"], components: ["components", "one"], securityDefinitions: ["leaf", "map"] },
  components: { securitySchemes: ["leaf", "map"] },
  leaf: {},
  pathItem: {
    parameters: ["parameter", "list"],
    additionalOperations: ["operation", "map"],
    ...Object.fromEntries(
      ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"].map((m) => [
        m,
        ["operation", "one"],
      ]),
    ),
  } as Members,
  operation: { parameters: ["parameter", "list"], requestBody: ["content", "one"], responses: ["content", "map"] },
  /** Parameter and Header Objects. */
  parameter: { schema: ["schema", "one"], content: ["mediaType", "map"], items: ["schema", "one"] },
  /** Request Body and Response Objects. */
  content: { content: ["mediaType", "map"], headers: ["parameter", "map"], schema: ["schema", "one"] },
  mediaType: {
    schema: ["schema", "one"],
    itemSchema: ["schema", "one"],
    encoding: ["encoding", "map"],
    itemEncoding: ["encoding", "one"],
    prefixEncoding: ["encoding", "list"],
  },
  encoding: { headers: ["parameter", "map"], encoding: ["encoding", "map"] },
  schema: {
    properties: ["schema", "map"],
    patternProperties: ["schema", "map"],
    dependentSchemas: ["schema", "map"],
    items: ["schema", "oneOrList"],
    prefixItems: ["schema", "list"],
    allOf: ["schema", "list"],
    anyOf: ["schema", "list"],
    oneOf: ["schema", "list"],
    not: ["schema", "one"],
    if: ["schema", "one"],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: ["schema", "one"],
    else: ["schema", "one"],
    contains: ["schema", "one"],
    propertyNames: ["schema", "one"],
    additionalProperties: ["schema", "one"],
    unevaluatedItems: ["schema", "one"],
    unevaluatedProperties: ["schema", "one"],
    contentSchema: ["schema", "one"],
  },
} satisfies Record<string, Members>;

interface Place {
  readonly node: Located;
  readonly kind: Kind;
}

export interface ExternalFileOptions {
  readonly allowedOrigins: readonly string[];
  /** Header fields for the document's own origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Loads every file that an operation of the document can reach. Files that cannot be read are remembered as failures. */
export async function loadExternalFiles(document: LoadedDocument, options: ExternalFileOptions): Promise<void> {
  const visited = new Map<Kind, WeakSet<object>>();
  let places: Place[] = [{ node: document.root, kind: "document" }];
  while (places.length > 0) {
    const missing = new Map<string, string>();
    places = walk(document, places, visited, missing);
    if (missing.size > 0) await fetchFiles(document, missing, options);
  }
}

/** Visits what the places reach; gives the places whose reference waits for a file of `missing` (by URI, who asks). */
function walk(
  document: LoadedDocument,
  places: readonly Place[],
  visited: Map<Kind, WeakSet<object>>,
  missing: Map<string, string>,
): Place[] {
  const stack = [...places];
  const waiting: Place[] = [];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { node, kind } = place;
    if (typeof node.value !== "object" || node.value === null) continue;
    if (referenceOf(node.value) !== undefined) {
      const file = document.missingFile(node);
      if (file !== undefined) {
        missing.set(file, node.uri);
        waiting.push(place);
        continue;
      }
      try {
        stack.push({ node: document.step(node), kind });
      } catch {
        // The fault is reported by whatever needs the reference.
      }
    }
    let seen = visited.get(kind);
    if (seen === undefined) visited.set(kind, (seen = new WeakSet()));
    if (seen.has(node.value)) continue;
    seen.add(node.value);
    for (const [key, [memberKind, shape]] of Object.entries(MEMBERS[kind] as Members)) {
      const member = document.member(node, key);
      if (member === undefined) continue;
      const inner = memberKind as Kind;
      if (shape === "one" || (shape === "oneOrList" && !Array.isArray(member.value))) {
        stack.push({ node: member, kind: inner });
      } else if (isObject(member.value) || Array.isArray(member.value)) {
        for (const name of Object.keys(member.value)) {
          const item = document.member(member, name);
          if (item !== undefined) stack.push({ node: item, kind: inner });
        }
      }
    }
  }
  return waiting;
}

async function fetchFiles(
  document: LoadedDocument,
  missing: ReadonlyMap<string, string>,
  options: ExternalFileOptions,
): Promise<void> {
  const { default: SwaggerParser } = await import("@apidevtools/swagger-parser");
  const fetched = new Set<string>();
  const load = async (uri: string): Promise<object> => {
    fetched.add(uri);
    try {
      const policy = readingPolicy(document.uri, missing.get(uri) ?? document.uri, options.allowedOrigins);
      const location = document.locationOf(uri);
      policy.check(new URL(location));
      const { origin } = new URL(document.uri);
      const source = await readSource(location, { mayVisit: policy.mayVisit, headers: options.headers, origin });
      document.addFile(uri, source.uri, await parseDocumentText(source.text, uri));
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      // Without the excerpt: a document must not be able to show the text of a file that is none.
      document.addFailure(uri, error.message.replace(/\.$/, ""));
    }
    return { uri };
  };
  const table = {
    openapi: "3.1.0",
    info: { title: "", version: "" },
    paths: {},
    "x-files": [...missing.keys()].map((uri) => ({ $ref: uri })),
  };
  const everything = { order: 1, allowEmpty: true } as const;
  try {
    await new SwaggerParser().resolve(
      document.uri,
      table as never,
      {
        continueOnError: true,
        resolve: {
          file: false,
          http: false,
          files: { ...everything, canRead: true, read: async (file: { url: string }) => file.url },
        },
        parse: {
          json: false,
          yaml: false,
          text: false,
          binary: false,
          files: { ...everything, canParse: true, parse: (file: { url: string }) => load(new URL(file.url).href) },
        },
      } as never,
    );
  } catch (error) {
    for (const uri of missing.keys()) if (!fetched.has(uri)) document.addFailure(uri, (error as Error).message);
  }
  for (const uri of missing.keys()) if (!fetched.has(uri)) document.addFailure(uri, "it was not read");
}

/**
 * What a file may make the program read. A local file may point to local files; one from the network only to the origin that
 * the user named; anything else only where the user allowed its origin.
 */
function readingPolicy(rootUri: string, referrer: string, allowedOrigins: readonly string[]) {
  const root = new URL(rootUri);
  const mayVisit = (url: URL): boolean => {
    if (url.protocol === "file:") return root.protocol === "file:" && referrer.startsWith("file:");
    if (root.protocol !== "file:" && url.origin === root.origin) return true;
    return allowedOrigins.includes(url.origin);
  };
  const check = (url: URL): void => {
    if (mayVisit(url)) return;
    const message =
      url.protocol === "file:"
        ? `a document from ${new URL(referrer).protocol}// may not read local files`
        : `${url.origin} is not an origin that this document may read from`;
    throw new DocumentError(message, { reason: "unreadable", source: url.href });
  };
  return { mayVisit, check };
}
