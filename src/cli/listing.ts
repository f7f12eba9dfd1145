/**
 * `list` and `skipped`: what a document gives, and what it does not.
 */
import type { CatalogEntry } from "../discovery/index.js";
import type { Omitted, OperationTool, Skipped } from "../openapi/index.js";
import type { LoadedApi, LoadedApis } from "./apis.js";
import { alignRows } from "./render/table.js";
import { specLabel } from "./settings.js";
import { note, paintErr, paintOut, shown, writeOut } from "./terminal.js";

/** A tool as `list --json` shows it. */
function listedTool(entry: CatalogEntry) {
  const tool = entry.tool as OperationTool;
  const { operationId, method, pathTemplate, tags, summary, deprecated } = tool.facts;
  return {
    path: entry.path,
    name: entry.name,
    operationId: operationId ?? null,
    method,
    pathTemplate,
    tags: tags ?? [],
    summary: summary ?? null,
    description: tool.description,
    deprecated: deprecated ?? false,
    signature: entry.signature,
    inputs: tool.inputs,
    inputSchema: tool.inputSchema ?? null,
    outputSchema: tool.outputSchema ?? null,
    security: tool.security,
  };
}

function listingOf({ apis, catalog }: LoadedApis) {
  return {
    apis: apis.map(({ settings, api: { document } }) => ({
      name: settings.name ?? null,
      title: document.title,
      version: document.version,
      openapi: document.openapi,
      servers: document.servers,
    })),
    tools: catalog.entries.map(listedTool),
    skipped: apis.flatMap(({ api }) => api.skipped),
    omitted: apis.flatMap(({ api }) => api.omitted),
  };
}

function counted(n: number, one: string, many = one + "s"): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** The heading of an API: what it is and where. */
function heading({ settings, api: { document } }: LoadedApi): string {
  const title = paintOut("bold", shown(document.title || specLabel(settings.spec)));
  const facts = [
    document.version,
    `OpenAPI ${document.openapi}`.replace("OpenAPI 2", "Swagger 2"),
    document.servers[0],
  ];
  return `${title}  ${paintOut(
    "dim",
    facts
      .filter(Boolean)
      .map((fact) => shown(fact!))
      .join(" · "),
  )}`;
}

/** Tools grouped by namespace: the signature, and below it the operation and what it does. */
function toolTree(entries: readonly CatalogEntry[]): string {
  const lines: string[] = [];
  let namespace: string | undefined;
  for (const entry of entries) {
    const own = entry.segments.slice(0, -1).join(".");
    if (namespace !== undefined && own !== namespace) lines.push("");
    namespace = own;
    const { method, pathTemplate } = entry.tool.facts;
    lines.push(shown(entry.signature));
    const about = entry.description === "" ? "" : `  ${shown(entry.description)}`;
    lines.push(`    ${paintOut("cyan", `${method} ${shown(pathTemplate ?? "")}`)}${paintOut("dim", about)}`);
  }
  return lines.join("\n");
}

/** Where to read more about what is missing; on stderr, for it is no result. */
function tellMissing({ apis }: LoadedApis): void {
  for (const { settings, api } of apis) {
    const { operations, skipped, omitted } = api;
    const parts = [counted(operations.length, "tool")];
    if (skipped.length > 0) parts.push(`${counted(skipped.length, "operation")} skipped`);
    if (omitted.length > 0) parts.push(`${counted(omitted.length, "part")} left out`);
    const more =
      skipped.length + omitted.length > 0 ? `; see why: codemode-openapi skipped ${specLabel(settings.spec)}` : "";
    note(paintErr("dim", parts.join(", ") + more));
  }
}

/** Prints the tools. */
export async function writeListing(apis: LoadedApis, asJson: boolean): Promise<void> {
  if (asJson) {
    await writeOut(JSON.stringify(listingOf(apis)) + "\n");
    return;
  }
  const blocks = apis.apis.map((api) => {
    const { name } = api.settings;
    const own = apis.catalog.entries.filter(({ segments }) => name === undefined || segments[0] === name);
    return `${heading(api)}\n\n${toolTree(own)}`;
  });
  await writeOut(blocks.join("\n\n").trimEnd() + "\n");
  tellMissing(apis);
}

function skippedRows(faults: readonly (Skipped | Omitted)[]): string {
  const rows = faults.map((fault) =>
    [fault.code, `${fault.method} ${fault.pathTemplate}`, "part" in fault ? fault.part : ""].map(shown),
  );
  const lines = alignRows(rows, undefined, (row) => row).split("\n");
  return faults
    .map(
      ({ reason, pointer }, index) =>
        `${lines[index]!.trimEnd()}\n    ${shown(reason)}\n    ${paintOut("dim", shown(pointer))}`,
    )
    .join("\n");
}

/** Prints what was skipped or left out, and gives how many there were. */
export async function writeSkipped({ apis }: LoadedApis, asJson: boolean): Promise<number> {
  const skipped = apis.flatMap(({ api }) => api.skipped);
  const omitted = apis.flatMap(({ api }) => api.omitted);
  const found = skipped.length + omitted.length;
  if (asJson) {
    await writeOut(JSON.stringify({ skipped, omitted }) + "\n");
    return found;
  }
  const blocks: string[] = [];
  if (skipped.length > 0)
    blocks.push(`${paintOut("bold", `${counted(skipped.length, "operation")} skipped`)}\n${skippedRows(skipped)}`);
  if (omitted.length > 0)
    blocks.push(`${paintOut("bold", `${counted(omitted.length, "part")} left out`)}\n${skippedRows(omitted)}`);
  await writeOut((blocks.length > 0 ? blocks.join("\n\n") : "Nothing is skipped and nothing is left out.") + "\n");
  return found;
}
