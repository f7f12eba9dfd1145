/**
 * Server Object: templates, variables, and what a relative URL is relative to.
 *
 * https://spec.openapis.org/oas/v3.1.1.html#server-object, RFC 3986, 5.2
 */
import type { Located, OpenApiDocument } from "./document.js";
import type { OmittedPart } from "./plan.js";
import { isObject } from "./references.js";

/** The server that an operation's requests go to. */
export interface ChosenServer {
  /** Scheme and authority, e.g. `https://api.example.com`. */
  readonly origin: string;
  /** What stands before an operation's path: empty, or a path that begins with a slash and does not end with one. */
  readonly basePath: string;
}

/**
 * A server that the document leaves to whoever uses it: relative to a place on the network, in a document that has none. The
 * operation is sound, and its requests are exact but for their origin, so it is a tool; a call is refused until a server is
 * given, as it is for a credential.
 */
export interface MissingServer {
  /** What to do about it. */
  readonly missing: string;
}

export interface ServerOptions {
  /** Replaces every server of the document. */
  readonly server?: string | undefined;
  /** Values of server variables by name. */
  readonly serverVariables?: Readonly<Record<string, string>> | undefined;
}

/** The options, read once. */
export interface ServerSettings {
  readonly override: ChosenServer | undefined;
  readonly variables: Readonly<Record<string, string>>;
}

/** @throws RangeError when the server that replaces the others is no absolute http(s) URL. */
export function readServerOptions(options: ServerOptions): ServerSettings {
  return {
    override: options.server === undefined ? undefined : parseServer(options.server),
    variables: options.serverVariables ?? {},
  };
}

export type ServerChoice =
  | { readonly server: ChosenServer | MissingServer; readonly omitted: readonly OmittedPart[] }
  | { readonly fault: OmittedPart };

/** Why one server cannot be used. */
type Unusable = { readonly code: "unsupported-server" | "unsupported-transport"; readonly reason: string };

const GIVE_SERVER = "give one with --server <url>";

/**
 * The first server in force that can be used; those before it that cannot are omitted. Where none can, but one is only
 * missing its origin, that is the choice.
 */
export function chooseServer(
  document: OpenApiDocument,
  servers: readonly Located<Record<string, unknown>>[],
  settings: ServerSettings,
): ServerChoice {
  if (settings.override !== undefined) return { server: settings.override, omitted: [] };
  const omitted: OmittedPart[] = [];
  let missing: MissingServer | undefined;
  for (const node of servers) {
    const result = readServer(document, node, settings.variables);
    if ("origin" in result) return { server: result, omitted };
    if ("missing" in result) {
      missing ??= result;
      continue;
    }
    const url = isObject(node.value) && typeof node.value["url"] === "string" ? ` ${node.value["url"]}` : "";
    omitted.push({ ...result, pointer: document.show(node), part: `server${url}` });
  }
  if (missing !== undefined) return { server: missing, omitted };
  const [first] = omitted as [OmittedPart];
  return { fault: first };
}

/** The names of the variables that servers have, declared or only used. */
export function variableNames(servers: readonly Located<Record<string, unknown>>[]): Set<string> {
  const names = new Set<string>();
  for (const { value } of servers) {
    if (!isObject(value)) continue;
    const url = typeof value["url"] === "string" ? value["url"] : "";
    for (const [, name] of url.matchAll(/\{([^{}]*)\}/g)) names.add(name as string);
    if (isObject(value["variables"])) for (const name of Object.keys(value["variables"])) names.add(name);
  }
  return names;
}

/** The servers of a list that can be used, as URLs. */
export function usableServers(
  document: OpenApiDocument,
  servers: readonly Located<Record<string, unknown>>[],
  settings: ServerSettings,
): string[] {
  if (settings.override !== undefined) return [settings.override.origin + settings.override.basePath];
  return servers.flatMap((node) => {
    const server = readServer(document, node, settings.variables);
    return "origin" in server ? [server.origin + server.basePath] : [];
  });
}

/** A server as a user gives it. @throws RangeError when it is no absolute http(s) URL. */
function parseServer(text: string): ChosenServer {
  let url: URL;
  try {
    url = new URL(/^[\w.-]+:\d+(\/|$)|^localhost(\/|$)/i.test(text) ? `http://${text}` : text);
  } catch {
    throw new RangeError(
      `The server ${JSON.stringify(text)} is not a URL; write for example https://api.example.com/v1.`,
    );
  }
  const problem = problemOf(url);
  if (problem !== undefined)
    throw new RangeError(`The server ${JSON.stringify(text)} cannot be used: ${problem.reason}`);
  return chosen(url);
}

function readServer(
  document: OpenApiDocument,
  node: Located,
  variables: Readonly<Record<string, string>>,
): ChosenServer | MissingServer | Unusable {
  const template = isObject(node.value) ? node.value["url"] : undefined;
  if (typeof template !== "string") return unsupported("A server has no url.");
  const filled = fillVariables(document, node, template, variables);
  if (typeof filled !== "string") return filled;
  const url = resolveUrl(filled, node.uri);
  return url instanceof URL ? (problemOf(url) ?? chosen(url)) : url;
}

/** https://spec.openapis.org/oas/v3.1.1.html#server-variable-object */
function fillVariables(
  document: OpenApiDocument,
  node: Located,
  template: string,
  given: Readonly<Record<string, string>>,
): string | Unusable {
  const variables = document.member(node, "variables");
  let problem: Unusable | undefined;
  const filled = template.trim().replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = variables && document.member(variables, name)?.value;
    const definition = isObject(variable) ? variable : undefined;
    const supplied = Object.hasOwn(given, name) ? given[name] : undefined;
    const value = supplied ?? scalarText(definition?.["default"]);
    if (value === undefined) {
      problem ??= unsupported(
        `The server ${template} has a variable ${name} without a value; give one with --server-var ${name}=<value>.`,
      );
      return "";
    }
    const allowed = Array.isArray(definition?.["enum"]) ? definition["enum"].map(scalarText) : undefined;
    if (supplied !== undefined && allowed !== undefined && !allowed.includes(supplied)) {
      problem ??= unsupported(
        `${JSON.stringify(supplied)} is no value of the server variable ${name}; it is one of ${allowed.join(", ")}.`,
      );
    }
    if (/[{}]/.test(value)) {
      problem ??= unsupported(
        `The value ${JSON.stringify(value)} of the server variable ${name} is a placeholder; give one with --server-var ${name}=<value>.`,
      );
    }
    return value;
  });
  if (problem === undefined && /[{}]/.test(filled))
    problem = unsupported(`The server ${template} has a brace without its partner.`);
  return problem ?? filled;
}

function scalarText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

function resolveUrl(reference: string, base: string): URL | MissingServer | Unusable {
  const loadedFromHttp = /^https?:/i.test(base);
  // To the letter an empty reference is the document itself, below which there is no path; generators mean the root.
  if (reference === "") return resolveUrl("/", base);
  if (/^\/\//.test(reference) && !loadedFromHttp) {
    // A file has no scheme to lend to a host. https reaches it or fails aloud; it never sends a credential in the clear.
    return absolute(`https:${reference}`);
  }
  if (/^[a-z][a-z\d+.-]*:/i.test(reference)) return absolute(reference);
  if (!loadedFromHttp) {
    return {
      missing: `The document's server ${JSON.stringify(reference)} is relative to where the document was loaded from, and that is no http(s) URL.`,
    };
  }
  return absolute(reference, base);
}

function absolute(reference: string, base?: string): URL | Unusable {
  try {
    return new URL(reference, base);
  } catch {
    return unsupported(`The server ${JSON.stringify(reference)} is not a URL: ${GIVE_SERVER}.`);
  }
}

function problemOf(url: URL): Unusable | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return {
      code: "unsupported-transport",
      reason: `${url.protocol.slice(0, -1)} is not supported: requests are sent over http and https.`,
    };
  }
  if (url.username !== "" || url.password !== "") {
    return unsupported("The server's URL holds a user name or password; give credentials with --auth.");
  }
  if (url.search !== "" || url.hash !== "") {
    return unsupported(
      `The server ${url.origin}${url.pathname} has a query or fragment, behind which no path can stand.`,
    );
  }
  return undefined;
}

function chosen(url: URL): ChosenServer {
  return { origin: url.origin, basePath: url.pathname.replace(/\/+$/, "") };
}

function unsupported(reason: string): Unusable {
  return { code: "unsupported-server", reason };
}
