/**
 * `auth <spec>`: the security schemes that the tools need, and what is given for them. No secret is read.
 */
import { makeCredentials } from "../credentials/credentials.js";
import { describeSecurity } from "../credentials/overview.js";
import { makeTokenStore } from "../credentials/token-store.js";
import { type LoadedApi, loadApis } from "./apis.js";
import type { AuthOptions } from "./commands/auth.js";
import { alignRows } from "./render/table.js";
import { beginSession } from "./session.js";
import { paintOut, shown, writeOut } from "./terminal.js";

async function overviewOf({ settings, api }: LoadedApi, client: Parameters<typeof makeCredentials>[0]["client"]) {
  const credentials = makeCredentials({
    client,
    schemes: settings.auth as Readonly<Record<string, string>>,
    headers: settings.headers,
    api: settings.name,
    tokens: makeTokenStore(),
  });
  const operations = api.operations.map(({ name, security, server }) => ({
    tool: name,
    security,
    origin: new URL(server).origin,
  }));
  const schemes = await describeSecurity(operations, credentials);
  const open = operations.filter(
    ({ security }) => security.alternatives.length === 0 || security.alternatives.some((all) => all.length === 0),
  );
  return { api: settings.name ?? null, schemes, anonymous: open.length, headers: Object.keys(settings.headers) };
}

type Overview = Awaited<ReturnType<typeof overviewOf>>;

const counted = (n: number): string => `${n} ${n === 1 ? "tool" : "tools"}`;

function describe({ api, schemes, anonymous, headers }: Overview): string {
  const rows = schemes.map(({ name, description, requiredBy, acceptedBy, credential, problem, option }) => {
    const state = credential === "given" ? "given" : `${credential}: ${problem ?? ""}`.replace(/: $/, "");
    const uses = [
      requiredBy.length > 0 ? `needed by ${counted(requiredBy.length)}` : "",
      acceptedBy.length > 0 ? `accepted by ${counted(acceptedBy.length)}` : "",
    ];
    return [
      api === null ? name : `${api}.${name}`,
      description,
      uses.filter(Boolean).join(", "),
      credential === "given" ? state : `${state}; ${option}`,
    ].map(shown);
  });
  const lines =
    rows.length === 0
      ? []
      : [
          alignRows(rows, undefined, (row, index) =>
            paintOut(schemes[index]!.credential === "given" ? "green" : "yellow", row),
          ),
        ];
  for (const name of headers) lines.push(`header ${shown(name)} is added to every request`);
  lines.push(`${counted(anonymous)} can be called without a credential`);
  return lines.join("\n");
}

export async function authCommand(words: readonly string[], options: AuthOptions): Promise<void> {
  const session = await beginSession(words, 0, options);
  const { apis, client } = await loadApis({ apis: session.apis, mcp: {} });
  const overviews = await Promise.all(apis.map((api) => overviewOf(api, client)));
  if (options.json) await writeOut(JSON.stringify({ apis: overviews }) + "\n");
  else await writeOut(overviews.map(describe).join("\n\n") + "\n");
}
