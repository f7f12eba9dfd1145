/**
 * The documents of a command as tools.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as Effect from "effect/Effect";
import type { ToolTree } from "../codemode/tool.js";
import { ToolError } from "../codemode/tool-error.js";
import { CredentialError, parseSourceOrText } from "../credentials/sources.js";
import { makeTokenStore } from "../credentials/token-store.js";
import { type Catalog, createCatalog } from "../discovery/index.js";
import { type HttpClient, makeHttpClient } from "../http/client.js";
import type { Json } from "../json/json.js";
import type { FileStore } from "../openapi/files.js";
import { DocumentError, type DocumentSource, OpenAPI, type OpenApi } from "../openapi/index.js";
import { CommandFailure, ExitCode, usageFailure } from "./failure.js";
import { readStdin } from "./input.js";
import { onExit } from "./lifecycle.js";
import { connectMcpSources } from "./mcp-sources.js";
import { packageFile } from "./package-root.js";
import { makeRequests, type RequestContext } from "./requests.js";
import { schemeDefinition } from "./scheme-definition.js";
import type { Session } from "./session.js";
import type { ApiSettings } from "./settings.js";

export interface LoadedApi {
  readonly settings: ApiSettings;
  readonly api: OpenApi;
}

export interface LoadedApis {
  readonly apis: readonly LoadedApi[];
  /** What the MCP servers that have visible tools say of themselves. */
  readonly mcpInstructions: string;
  readonly client: HttpClient;
  readonly files: FileStore | undefined;
  /** All tools; with several APIs below the API's name. Made at the first use: it plans every operation. */
  readonly tree: ToolTree;
  /** The tools for running a program: of a large document none is planned before it is called. */
  readonly callable: ToolTree;
  readonly catalog: Catalog;
  /** Takes secrets out of a value. */
  redact(value: Json): Json;
  /** Ends connections and writes what is recorded. */
  finish(): Promise<void>;
}

/** What to do about a document that needs a credential. */
const SPEC_HEADER =
  "If the document itself needs a credential: --spec-header 'Authorization=env:NAME' (or the header it asks for).";

function documentFailure(error: DocumentError): CommandFailure {
  const lines = [error.message];
  if (error.excerpt !== undefined) lines.push(...error.excerpt.split("\n"));
  const hint = error.status === 401 || error.status === 403 ? SPEC_HEADER : error.hint;
  return new CommandFailure(lines.join("\n"), error.reason === "options" ? ExitCode.usage : ExitCode.document, hint);
}

const DEMO_ORIGIN = "http://localhost:4010";

/** Where a document is read from. The demo API gets a server of its own when requests are to be sent. */
async function sourceOf(
  settings: ApiSettings,
  sends: boolean,
): Promise<{ source: DocumentSource; auth: ApiSettings["auth"] }> {
  const { spec, auth } = settings;
  // Relative references of a document on stdin are relative to the working folder.
  if (spec === "-")
    return { source: { text: await readStdin("the document"), uri: pathToFileURL(resolve("stdin")).href }, auth };
  if (spec !== "demo:") return { source: spec, auth };
  const path = packageFile("fixtures", "demo", "openapi.yaml");
  if (!sends || settings.server !== undefined) return { source: path, auth };
  const { startDemoServer } = await import("./demo-server.js");
  const { origin, token, close } = await startDemoServer();
  onExit(close);
  const text = readFileSync(path, "utf8").replaceAll(DEMO_ORIGIN, origin);
  return { source: { text, uri: pathToFileURL(path).href }, auth: { bearerAuth: `literal:${token}`, ...auth } };
}

async function specHeaders(settings: ApiSettings, client: HttpClient): Promise<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, given] of Object.entries(settings.specHeaders)) {
    try {
      headers[name] = await parseSourceOrText(given, client.redactor).read();
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error;
      throw usageFailure(`--spec-header ${name}: ${error.message}`, error.hint);
    }
  }
  return headers;
}

function conventionsOf({ conventions }: ApiSettings): { deepObject?: "brackets" } {
  for (const [name, value] of Object.entries(conventions)) {
    if (name !== "deepObject" || value !== "brackets") {
      throw usageFailure(`There is no convention ${name}=${value}.`, "The conventions are: deepObject=brackets.");
    }
  }
  return conventions;
}

async function loadApi(
  settings: ApiSettings,
  client: HttpClient,
  files: FileStore | undefined,
  sends: boolean,
): Promise<OpenApi> {
  const { source, auth } = await sourceOf(settings, sends);
  const schemes = Object.entries(settings.schemes).map(
    ([name, given]) => [name, schemeDefinition(name, given)] as const,
  );
  const options = {
    api: settings.name,
    server: settings.server,
    serverVariables: settings.serverVariables,
    credentials: auth as Readonly<Record<string, string>>,
    headers: settings.headers,
    schemes: Object.fromEntries(schemes),
    include: settings.include,
    exclude: settings.exclude,
    tags: settings.tags,
    readOnly: settings.readOnly,
    conventions: conventionsOf(settings),
    documentHeaders: await specHeaders(settings, client),
    tokens: makeTokenStore(),
    client,
    files,
  };
  return Effect.runPromise(OpenAPI.load(source, options)).catch((error: unknown) => {
    throw error instanceof DocumentError ? documentFailure(error) : error;
  });
}

/**
 * Loads the documents.
 *
 * @param context how requests are made; absent for commands that send none
 * @throws CommandFailure exit code 3 when a document cannot be loaded, 2 for wrong options
 */
export async function loadApis(
  { apis: all, mcp }: Pick<Session, "apis" | "mcp">,
  context?: RequestContext,
): Promise<LoadedApis> {
  const { client, files } = context ? makeRequests(context) : { client: makeHttpClient(), files: undefined };
  const [apis, sources] = await Promise.all([
    Promise.all(
      all.map(
        async (settings): Promise<LoadedApi> => ({
          settings,
          api: await loadApi(settings, client, files, context !== undefined),
        }),
      ),
    ),
    connectMcpSources(mcp),
  ]);
  let tree: ToolTree | undefined;
  let catalog: Catalog | undefined;
  const combined = (member: "tools" | "callableTools"): ToolTree => {
    const [first] = apis;
    const named = Object.entries(sources).map(([name, { tools }]) => [name, tools] as const);
    if (first!.settings.name === undefined) {
      return named.length === 0 ? first!.api[member] : { ...first!.api[member], ...Object.fromEntries(named) };
    }
    return Object.fromEntries([...apis.map(({ settings, api }) => [settings.name!, api[member]] as const), ...named]);
  };
  const loaded: LoadedApis = {
    apis,
    mcpInstructions: Object.entries(sources)
      .filter(([, { tools, instructions }]) => instructions !== undefined && Object.keys(tools).length > 0)
      .map(([name, { instructions }]) => `# tools.${name}\n${instructions}`)
      .join("\n\n"),
    client,
    files,
    get tree() {
      tree ??= combined("tools");
      return tree;
    },
    get callable() {
      return combined("callableTools");
    },
    get catalog() {
      catalog ??= createCatalog(loaded.tree);
      return catalog;
    },
    redact: (value) => client.redactor.json(value),
    finish: async () => {
      await Effect.runPromise(client.close()).catch((error: unknown) => {
        throw error instanceof ToolError ? new CommandFailure(error.message, ExitCode.failed, error.hint) : error;
      });
    },
  };
  return loaded;
}
