/**
 * Judges that this project did not write: `openapi-backend` routes and parses what was sent and validates it with `ajv`
 * against the document itself; `qs` and `busboy` parse the bodies of forms, which it leaves to others; `swagger2openapi`
 * reads documents of 2.0 for it.
 */
import { Ajv } from "ajv";
import busboy from "busboy";
import { OpenAPIRouter, OpenAPIValidator, ValidationContext } from "openapi-backend";
import { parse as parseQuery } from "qs";
import type { Received } from "../http/raw-server.js";

type Node = Readonly<Record<string, unknown>>;

export interface Verdict {
  /** `<METHOD> <path template>` of the operation that the judge takes it for. */
  readonly operation: string | undefined;
  /** The judge's words. */
  readonly faults: readonly string[];
  /** What it read: parameters by place and name, as texts or lists of texts; and the body. */
  readonly read: {
    readonly path: Node;
    readonly query: Node;
    readonly header: Node;
    readonly cookie: Node;
    readonly body: unknown;
  };
}

export type Judge = (request: Received) => Promise<Verdict>;

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** @param document OpenAPI 3.x, not dereferenced. */
export function makeJudge(document: Node): Judge {
  const components = addressed(document["components"] ?? {}) as Node;
  const definition = { openapi: "3.0.3", info: document["info"], paths: pathsOf(document) };
  const judgeOf = (bodyTypes: false | "array"): OpenAPIValidator => {
    const compilers = new Map<ValidationContext, Ajv>();
    const judge = new OpenAPIValidator({
      definition: definition as never,
      // A path with a slash at its end is another path.
      router: new OpenAPIRouter({ definition: definition as never, ignoreTrailingSlashes: false } as never),
      lazyCompileValidators: true,
      // One compiler with the components in it, instead of copies of them in every operation: schemas may be circular.
      customizeAjv: (fresh, options, context) => {
        let ajv = compilers.get(context!);
        if (ajv === undefined) {
          const coerceTypes = context === ValidationContext.RequestBody ? bodyTypes : "array";
          ajv = new Ajv({ ...options, coerceTypes, logger: false, validateSchema: false, allErrors: true });
          for (const [name, format] of Object.entries(fresh.formats)) ajv.addFormat(name, format as never);
          ajv.addSchema({ components } as never, DOCUMENT);
          compilers.set(context!, ajv);
        }
        return ajv;
      },
    });
    // It lists the operations anew for every request.
    const operations = judge.router.getOperations();
    judge.router.getOperations = () => operations;
    return judge;
  };
  const resolved = (schema: Node | undefined): Node | undefined => {
    const name = (schema?.["$ref"] as string | undefined)?.slice(`${DOCUMENT}#/components/schemas/`.length);
    return name === undefined ? schema : resolved((components["schemas"] as Record<string, Node>)[name]);
  };
  const bodies = judgeOf(false);
  // Texts are all that a form can carry.
  const forms = judgeOf("array");

  return async ({ method, target, headers, body }) => {
    const type = (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
    const isForm = type === "application/x-www-form-urlencoded" || type === "multipart/form-data";
    const [path, query] = target.split("?");
    const route = bodies.router.matchOperation({ method, path: path!, headers: {} });
    const isList = (name: string): boolean => {
      const content = (route as { requestBody?: { content?: Record<string, { schema?: Node }> } } | undefined)
        ?.requestBody;
      const schema = resolved(content?.content?.[type]?.schema);
      return resolved((schema?.["properties"] as Node | undefined)?.[name] as Node | undefined)?.["type"] === "array";
    };
    const parsed =
      type === "application/x-www-form-urlencoded"
        ? parseQuery(body.toString(), { depth: 20, arrayLimit: 1000, parameterLimit: 100_000 })
        : type === "multipart/form-data"
          ? await parseForm(headers["content-type"]!, body, isList)
          : body.toString();
    const request = {
      method,
      path: path!,
      query: query ?? "",
      headers: { ...headers },
      ...(body.length === 0 ? {} : { body: parsed }),
    };
    const judge = isForm ? forms : bodies;
    const operation = judge.router.matchOperation(request as never) as (Node & { operationId: string }) | undefined;
    if (operation === undefined)
      return {
        operation: undefined,
        faults: [],
        read: { path: {}, query: {}, header: {}, cookie: {}, body: undefined },
      };
    // The validator writes what it coerces into the body that it was given.
    const read = structuredClone(judge.router.parseRequest(request as never, operation as never));
    const { errors } = judge.validateRequest(request as never, operation as never);
    return {
      operation: operation.operationId,
      faults: (errors ?? []).map(
        ({ instancePath, message, params, keyword }) =>
          `${instancePath} ${keyword}: ${message} ${JSON.stringify(params)}`,
      ),
      read: {
        path: read.params as Node,
        query: read.query as Node,
        header: read.headers as Node,
        cookie: (read.cookies ?? {}) as Node,
        body: read.requestBody,
      },
    };
  };
}

const DOCUMENT = "document:";

/**
 * Schemas as the compiler wants them: references lead into the document that was added to it, and `nullable` is there only
 * where it has a meaning (3.0.3: beside `type`).
 */
function addressed(node: unknown): unknown {
  return JSON.parse(JSON.stringify(node), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const { $ref, nullable, ...rest } = value as Record<string, unknown>;
    if (typeof $ref === "string" && $ref.startsWith("#/components/schemas/"))
      return { ...value, $ref: DOCUMENT + $ref };
    return typeof nullable === "boolean" && rest["type"] === undefined ? rest : value;
  });
}

/** The paths with the references that are no schemas resolved, which the judge wants, and the operations named. */
function pathsOf(document: Node): Node {
  const follow = (node: unknown): unknown => {
    let found = node;
    while (typeof found === "object" && found !== null && typeof (found as Node)["$ref"] === "string") {
      const steps = ((found as Node)["$ref"] as string).slice(2).split("/");
      found = steps.reduce<unknown>(
        (at, step) => (at as Node)[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")],
        document,
      );
    }
    return found;
  };
  const paths: Record<string, unknown> = {};
  for (const [path, item] of Object.entries(document["paths"] as Record<string, Node>)) {
    const operations: Record<string, unknown> = {};
    for (const method of METHODS) {
      const operation = item[method] as Node | undefined;
      if (operation === undefined) continue;
      const own = ((operation["parameters"] as unknown[] | undefined) ?? []).map(follow) as Node[];
      const shared = ((item["parameters"] as unknown[] | undefined) ?? []).map(follow) as Node[];
      operations[method] = {
        operationId: `${method.toUpperCase()} ${path}`,
        responses: {},
        parameters: addressed([
          ...own,
          ...shared.filter(({ name, in: place }) => !own.some((one) => one["name"] === name && one["in"] === place)),
        ]),
        ...(operation["requestBody"] === undefined ? {} : { requestBody: addressed(follow(operation["requestBody"])) }),
      };
    }
    paths[path] = operations;
  }
  return paths;
}

/** @param isList fields of which there may be several: one alone is a list of one. */
function parseForm(contentType: string, body: Buffer, isList: (name: string) => boolean): Promise<Node> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, unknown> = {};
    const add = (name: string, value: unknown): void => {
      fields[name] = name in fields ? [fields[name], value].flat() : isList(name) ? [value] : value;
    };
    const parser = busboy({ headers: { "content-type": contentType } });
    parser.on("field", (name, value, { mimeType }) => {
      if (mimeType === "application/json") add(name, JSON.parse(value));
      else add(name, value);
    });
    parser.on("file", (name, stream) => {
      let content = "";
      stream.setEncoding("latin1");
      stream.on("data", (chunk: string) => (content += chunk));
      stream.on("end", () => add(name, content));
    });
    parser.on("close", () => resolve(fields));
    parser.on("error", reject);
    parser.end(body);
  });
}
