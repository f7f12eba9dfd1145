/**
 * `auth <spec>`: the security schemes that the tools need, and what is given for them.
 */
import type { SecurityScheme } from "../openapi/plan.js";
import { type LoadedApi, loadApis } from "./apis.js";
import type { AuthOptions } from "./commands/auth.js";
import { alignRows } from "./render/table.js";
import { beginSession } from "./session.js";
import { paintOut, shown, writeOut } from "./terminal.js";

interface SchemeUse {
  readonly api: string | null;
  readonly scheme: string;
  readonly type: string;
  /** Tools for which it is one of the possible schemes. */
  readonly tools: number;
  /** Where the credential comes from; `null` when none is given. The secret itself is never shown. */
  readonly source: string | null;
  /** How to give one. */
  readonly option: string;
}

function typeOf(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case "apiKey":
      return `apiKey in ${scheme.in} ${scheme.name}`;
    case "http":
      return `http ${scheme.scheme}`;
    case "oauth2":
      return `oauth2 ${Object.keys(scheme.flows).join(", ")}`.trim();
    default:
      return scheme.type;
  }
}

/** What to write after `=` on the command line. */
function exampleSource({ type, ...rest }: SecurityScheme, name: string): string {
  const variable = name.replace(/([a-z\d])([A-Z])/g, "$1_$2").replace(/[^A-Za-z\d]+/g, "_").toUpperCase();
  if (type === "mutualTLS") return `'literal:{"cert":"client.pem","key":"client.key"}'`;
  if (type === "http" && (rest as { scheme?: string }).scheme !== "bearer") return `env:${variable}  (user:password)`;
  return `env:${variable}`;
}

/** A source with its secret left out. */
function sourceLabel(source: string | object): string {
  if (typeof source !== "string") return "configuration file";
  const [kind, ...rest] = source.split(":");
  return kind === "env" || kind === "file" ? `${kind}:${rest.join(":")}` : `${kind}:…`;
}

function schemesOf(api: LoadedApi): SchemeUse[] {
  const uses = new Map<string, { scheme: SecurityScheme; tools: number }>();
  for (const { security } of api.tools) {
    const schemes = new Map(security.alternatives.flat().map(({ name, scheme }) => [name, scheme]));
    for (const [name, scheme] of schemes) {
      const use = uses.get(name) ?? { scheme, tools: 0 };
      use.tools++;
      uses.set(name, use);
    }
  }
  const prefix = api.settings.name === undefined ? "" : `${api.settings.name}.`;
  return [...uses].map(([name, { scheme, tools }]) => ({
    api: api.settings.name ?? null,
    scheme: name,
    type: typeOf(scheme),
    tools,
    source: Object.hasOwn(api.settings.auth, name) ? sourceLabel(api.settings.auth[name]!) : null,
    option: `--auth ${prefix}${name}=${exampleSource(scheme, name)}`,
  }));
}

/** Tools that need no credential, or are content with none. */
function open({ tools }: LoadedApi): number {
  return tools.filter(({ security }) => security.alternatives.length === 0 || security.alternatives.some((all) => all.length === 0)).length;
}

export async function authCommand(words: readonly string[], options: AuthOptions): Promise<void> {
  const session = await beginSession(words, 0, options);
  const { apis } = await loadApis(session.apis);
  const schemes = apis.flatMap(schemesOf);
  const anonymous = apis.reduce((sum, api) => sum + open(api), 0);
  if (options.json) {
    await writeOut(JSON.stringify({ schemes, anonymous }) + "\n");
    return;
  }
  const rows = schemes.map(({ api, scheme, type, tools, source, option }) => [
    api === null ? scheme : `${api}.${scheme}`,
    type,
    `${tools} ${tools === 1 ? "tool" : "tools"}`,
    source === null ? `missing: ${option}` : `given by ${source}`,
  ]);
  const table = alignRows(
    rows.map((row) => row.map(shown)),
    undefined,
    (row, index) => (schemes[index]!.source === null ? row : paintOut("green", row)),
  );
  const lines = [...(rows.length > 0 ? [table] : []), `${anonymous} ${anonymous === 1 ? "tool needs" : "tools need"} no credential.`];
  await writeOut(lines.join("\n") + "\n");
}
