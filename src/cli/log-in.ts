/**
 * `login <spec> [scheme]`: a person grants access; the token goes to the token store.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { ToolError } from "../codemode/tool-error.js";
import type { OAuthScheme } from "../credentials/authorization-server.js";
import { type LoginPrompt, login } from "../credentials/login.js";
import { CredentialError, parseSource } from "../credentials/sources.js";
import { makeTokenStore, type TokenStore } from "../credentials/token-store.js";
import type { RequiredScheme } from "../openapi/plan.js";
import { type LoadedApis, loadApis } from "./apis.js";
import type { LoginOptions } from "./commands/login.js";
import { CommandFailure, ExitCode, usageFailure } from "./failure.js";
import { interruption, onExit } from "./lifecycle.js";
import { beginSession } from "./session.js";
import type { ApiSettings } from "./settings.js";
import { note, paintErr, shown, writeOut } from "./terminal.js";

interface Target {
  readonly api: string | undefined;
  readonly name: string;
  readonly scheme: OAuthScheme;
  readonly origin: string;
  readonly scopes: Set<string>;
}

/** The schemes that one can log in to, each with the origin of its server and the scopes that its tools name. */
function targetsOf({ apis }: LoadedApis): Target[] {
  const targets = new Map<string, Target>();
  const add = ({ name, scheme, scopes }: RequiredScheme, api: string | undefined, origin: string) => {
    if (scheme.type !== "oauth2" && scheme.type !== "openIdConnect") return;
    const key = `${api ?? ""}\n${name}\n${origin}`;
    const target = targets.get(key) ?? { api, name, scheme, origin, scopes: new Set<string>() };
    for (const scope of scopes) target.scopes.add(scope);
    targets.set(key, target);
  };
  for (const { settings, api } of apis) {
    for (const { security, server } of api.operations) {
      for (const required of security.alternatives.flat()) add(required, settings.name, new URL(server).origin);
    }
  }
  return [...targets.values()];
}

const label = ({ api, name }: Target): string => (api === undefined ? name : `${api}.${name}`);

function chooseTarget(targets: readonly Target[], wanted: string | undefined): Target {
  const names = [...new Set(targets.map(label))];
  if (names.length === 0)
    throw usageFailure(
      "The document has no security scheme to log in to (oauth2 or openIdConnect).",
      "Give a credential with --auth; codemode-openapi auth shows which.",
    );
  if (wanted === undefined && names.length > 1) throw usageFailure(`Which scheme? ${names.join(", ")}.`);
  const found = targets.find((target) => wanted === undefined || label(target) === wanted || target.name === wanted);
  if (!found) throw usageFailure(`There is no scheme ${wanted} to log in to.`, `The schemes are: ${names.join(", ")}.`);
  return found;
}

/** Opens the browser where there is a desktop; the address is shown anyway. */
function openBrowser(url: string): void {
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  const command = process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open";
  spawn(command, [url], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}

function tell(prompt: LoginPrompt): void {
  if (prompt.type === "open") {
    note(`Open this address in your browser:\n  ${paintErr("cyan", shown(prompt.url))}`);
    openBrowser(prompt.url);
  } else {
    note(`Open ${paintErr("cyan", shown(prompt.url))} and enter the code ${paintErr("bold", shown(prompt.code))}`);
    if (prompt.completeUrl !== undefined) note(`or open ${paintErr("cyan", shown(prompt.completeUrl))}`);
  }
}

async function secretOf(source: string | undefined, apis: LoadedApis): Promise<string | undefined> {
  if (source === undefined) return undefined;
  try {
    return await parseSource(source, apis.client.redactor).read();
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw usageFailure(`--client-secret: ${error.message}`, error.hint);
  }
}

/** The demo's token is worth nothing when its server has ended: it is kept no longer. */
function storeOf(apis: readonly ApiSettings[]): TokenStore {
  if (!apis.every(({ spec }) => spec === "demo:")) return makeTokenStore();
  const folder = mkdtempSync(join(tmpdir(), "codemode-demo-"));
  onExit(() => rmSync(folder, { recursive: true, force: true }));
  return makeTokenStore(join(folder, "tokens.json"));
}

export async function loginCommand(words: readonly string[], options: LoginOptions): Promise<ExitCode> {
  const session = await beginSession(words, 1, options);
  const apis = await loadApis(
    { apis: session.apis, mcp: {} },
    { options: {}, loaded: session.loaded, limits: NO_LIMITS },
  );
  const target = chooseTarget(targetsOf(apis), session.rest[0]);
  const tokens = storeOf(session.apis);
  const told = { scheme: target.name, origin: target.origin };
  if (options.logout) {
    const removed = await tokens.remove(target.name, target.origin);
    await answer(
      options,
      { ...told, removed },
      removed ? `The token of ${label(target)} is forgotten.` : `There was no token of ${label(target)}.`,
    );
    return ExitCode.success;
  }
  if (options.clientId === undefined) {
    throw usageFailure(
      "--client-id is missing.",
      "Register a client at the authorization server; its redirect URI is http://127.0.0.1/callback on any port (or --port).",
    );
  }
  const exit = await Effect.runPromiseExit(
    login({
      name: target.name,
      scheme: target.scheme,
      origin: target.origin,
      client: apis.client,
      tokens,
      clientId: options.clientId,
      clientSecret: await secretOf(options.clientSecret, apis),
      scopes: options.scope ?? [...target.scopes],
      flow: options.device ? "deviceAuthorization" : undefined,
      port: options.port,
      timeoutMs: options.timeout,
      prompt: tell,
    }),
    { signal: interruption.signal },
  );
  if (Exit.isFailure(exit)) {
    const error = exit.cause.reasons.find(Cause.isFailReason)?.error;
    throw new CommandFailure(
      error instanceof ToolError ? error.message : "The login was interrupted.",
      ExitCode.failed,
      error?.hint,
    );
  }
  const { expiresAt, scopes } = exit.value;
  await answer(
    options,
    { ...told, scopes: scopes ?? null, expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString() },
    `You are logged in to ${label(target)} at ${target.origin}; the token is in ${tokens.path}.`,
  );
  return ExitCode.success;
}

const NO_LIMITS = {
  timeoutMs: undefined,
  maxToolCalls: undefined,
  maxOutputBytes: undefined,
  maxMemoryBytes: undefined,
  concurrency: undefined,
  maxResponseBytes: undefined,
};

async function answer(options: LoginOptions, told: object, text: string): Promise<void> {
  await writeOut((options.json ? JSON.stringify(told) : shown(text)) + "\n");
}
