/**
 * What a command is to do: its flags over the configuration file over the defaults.
 */
import { dirname, relative, resolve } from "node:path";
import { findConfiguration } from "./config/find.js";
import type { Configuration, ConfiguredApi } from "./config/schema.js";
import { usageFailure } from "./failure.js";
import type { DocumentOptions, LimitOptions, OutputFormat, OutputOptions, RequestOptions } from "./options.js";
import { warn } from "./terminal.js";
import { bytes, count, duration, memory, type Pair } from "./values.js";

/** One API: its document, its servers, its credentials. Sources are still text: nothing is read before it is needed. */
export interface ApiSettings {
  /** `undefined`: the only API, its tools stand directly under `tools`. */
  readonly name: string | undefined;
  /** Absolute path, URL, `-` (stdin) or `demo:`. */
  readonly spec: string;
  readonly specHeaders: Readonly<Record<string, string>>;
  readonly server: string | undefined;
  readonly serverVariables: Readonly<Record<string, string>>;
  readonly auth: Readonly<Record<string, string | object>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly schemes: Readonly<Record<string, string | object>>;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly tags: readonly string[];
  readonly readOnly: boolean;
  readonly conventions: Readonly<Record<string, string>>;
}

/** `undefined` is no limit. */
export interface LimitSettings {
  readonly timeoutMs: number | undefined;
  readonly maxToolCalls: number | undefined;
  readonly maxOutputBytes: number | undefined;
  readonly maxMemoryBytes: number | undefined;
  readonly concurrency: number | undefined;
  readonly maxResponseBytes: number | undefined;
}

export interface LoadedConfiguration {
  readonly path: string | undefined;
  readonly configuration: Configuration;
}

const NO_CONFIGURATION: LoadedConfiguration = { path: undefined, configuration: {} };

/** The configuration file that applies: `--config`, else the nearest one, else nothing. */
export async function loadConfiguration(options: DocumentOptions): Promise<LoadedConfiguration> {
  if (options.config === false) return NO_CONFIGURATION;
  const path = options.config === undefined ? findConfiguration(process.cwd()) : resolve(options.config);
  if (path === undefined) return NO_CONFIGURATION;
  const { readConfiguration } = await import("./config/read.js");
  return { path, configuration: await readConfiguration(path) };
}

const URL_LIKE = /^https?:\/\//i;

/** `spec` as written, made independent of the working folder. */
function absoluteSpec(spec: string, folder: string): string {
  if (spec === "-" || spec === "demo:" || URL_LIKE.test(spec)) return spec;
  if (spec.startsWith("file:")) return spec;
  return resolve(folder, spec);
}

/** How a document is named in messages. */
export function specLabel(spec: string): string {
  if (spec === "-") return "the document on stdin";
  if (spec === "demo:" || URL_LIKE.test(spec)) return spec;
  const near = relative(process.cwd(), spec);
  return near === "" || near.startsWith("..") ? spec : near;
}

const EMPTY_API: Omit<ApiSettings, "name" | "spec"> = {
  specHeaders: {},
  server: undefined,
  serverVariables: {},
  auth: {},
  headers: {},
  schemes: {},
  include: [],
  exclude: [],
  tags: [],
  readOnly: false,
  conventions: {},
};

function fromConfiguration(name: string | undefined, api: ConfiguredApi, file: string): ApiSettings {
  const { serverVariables, spec, ...rest } = api;
  const variables = Object.entries(serverVariables ?? {}).map(([key, value]) => [key, String(value)]);
  return {
    ...EMPTY_API,
    ...rest,
    serverVariables: Object.fromEntries(variables),
    name,
    spec: absoluteSpec(spec, dirname(file)),
  };
}

/** The APIs that a command is about. */
function chooseApis(spec: string | undefined, options: DocumentOptions, loaded: LoadedConfiguration): ApiSettings[] {
  const cwd = process.cwd();
  const configured = Object.entries(loaded.configuration.apis ?? {});
  if (options.api) {
    const seen = new Set<string>();
    return options.api.map(({ name, value }) => {
      if (seen.has(name)) throw usageFailure(`--api names ${name} twice.`);
      seen.add(name);
      const own = configured.find(([key]) => key === name);
      const base = own ? fromConfiguration(name, own[1], loaded.path!) : { ...EMPTY_API, name };
      return { ...base, spec: absoluteSpec(value, cwd) };
    });
  }
  if (spec === undefined) {
    if (configured.length > 0) return configured.map(([name, api]) => fromConfiguration(name, api, loaded.path!));
    throw usageFailure(
      "No OpenAPI document: <spec> is missing.",
      "Give a file, an http(s) URL, - for stdin, or demo: for the built-in demo API.",
    );
  }
  // A positional <spec> may name an API of the configuration file, or be the document of one: its settings then apply.
  const absolute = absoluteSpec(spec, cwd);
  const match =
    configured.find(([name]) => name === spec) ??
    configured.find(([, api]) => absoluteSpec(api.spec, dirname(loaded.path!)) === absolute);
  if (match) return [fromConfiguration(undefined, match[1], loaded.path!)];
  return [{ ...EMPTY_API, name: undefined, spec: absolute }];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Splits `api.rest` at the name of a known API; without one the pair is meant for every API. */
function addressed(
  key: string,
  separator: string,
  apis: readonly ApiSettings[],
): { readonly api: ApiSettings | undefined; readonly key: string } {
  for (const api of apis) {
    if (api.name !== undefined && key.startsWith(api.name + separator)) {
      return { api, key: key.slice(api.name.length + separator.length) };
    }
  }
  return { api: undefined, key };
}

/** The MCP servers whose tools join the tree, by name. Flags win over the configuration file. */
export function mcpTargets(options: DocumentOptions, loaded: LoadedConfiguration): Readonly<Record<string, string>> {
  const given = (options.mcp ?? []).map(({ name, value }) => [name, value] as const);
  return { ...loaded.configuration.mcp, ...Object.fromEntries(given) };
}

/** The settings of each API after the flags. */
export function apiSettings(
  spec: string | undefined,
  options: DocumentOptions & RequestOptions,
  loaded: LoadedConfiguration,
): ApiSettings[] {
  const apis: Mutable<ApiSettings>[] = chooseApis(spec, options, loaded);
  const several = apis.length > 1;

  type RecordKey = "auth" | "headers" | "schemes" | "specHeaders" | "serverVariables" | "conventions";
  const put = (pairs: readonly Pair[] | undefined, member: RecordKey, option: string, secret: boolean) => {
    for (const { name, value } of pairs ?? []) {
      const { api, key } = addressed(name, ".", apis);
      // A secret meant for one API must not reach another because a scheme happens to have the same name there.
      if (!api && several && secret) {
        const names = apis.map((a) => `${option} ${a.name}.${name}=…`).join(" or ");
        throw usageFailure(`${option} ${name}=… does not say which API it is for.`, `Write ${names}.`);
      }
      for (const target of api ? [api] : apis) {
        (target as Record<RecordKey, Record<string, unknown>>)[member] = { ...target[member], [key]: value };
      }
    }
  };
  put(options.auth, "auth", "--auth", true);
  const shown = options.auth?.find(({ value }) => value.startsWith("literal:"));
  if (shown) {
    const better = `${shown.name}=env:NAME and ${shown.name}=file:PATH do not`;
    warn(`--auth ${shown.name}=literal:… shows the secret in process lists and in the shell's history; ${better}`);
  }
  put(options.header, "headers", "--header", true);
  put(options.specHeader, "specHeaders", "--spec-header", true);
  put(options.scheme, "schemes", "--scheme", false);
  put(options.serverVar, "serverVariables", "--server-var", false);
  put(options.convention, "conventions", "--convention", false);

  for (const server of options.server ?? []) {
    const { api, key: url } = addressed(server, "=", apis);
    for (const target of apis) if (!api || target === api) target.server = url;
  }
  for (const api of apis) {
    if (options.include) api.include = options.include;
    if (options.exclude) api.exclude = [...api.exclude, ...options.exclude];
    if (options.tag) api.tags = options.tag;
    if (options.readOnly) api.readOnly = true;
  }
  return apis;
}

/** A number of the configuration file, read as the flag of the same name is. */
function configured(
  value: string | number | undefined,
  read: (text: string) => number,
  pointer: string,
  path: string | undefined,
): number | undefined {
  if (value === undefined) return undefined;
  try {
    return read(String(value));
  } catch (error) {
    throw usageFailure(`The configuration file ${path} has a wrong value at ${pointer}: ${(error as Error).message}`);
  }
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

/** Defaults in milliseconds and bytes; Infinity is none. */
export interface LimitFallbacks {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
}

export function limitSettings(
  options: LimitOptions,
  { path, configuration }: LoadedConfiguration,
  fallbacks: LimitFallbacks,
): LimitSettings {
  const file = configuration.limits ?? {};
  const choose = (flag: number | undefined, key: keyof typeof file, read: (text: string) => number, fallback: number) =>
    finite(flag ?? configured(file[key], read, `#/limits/${key}`, path) ?? fallback);
  return {
    timeoutMs: choose(options.timeout, "timeout", duration, fallbacks.timeoutMs),
    maxToolCalls: choose(options.maxToolCalls, "maxToolCalls", count(0, true), Number.POSITIVE_INFINITY),
    maxOutputBytes: choose(options.maxOutputBytes, "maxOutputBytes", bytes, fallbacks.maxOutputBytes),
    maxMemoryBytes: choose(options.memory, "memory", memory, 256 * 2 ** 20),
    concurrency: choose(options.concurrency, "concurrency", count(1), 16),
    maxResponseBytes: choose(options.maxResponseBytes, "maxResponseBytes", bytes, 50 * 2 ** 20),
  };
}

export function retriesSetting(options: RequestOptions, { path, configuration }: LoadedConfiguration): number {
  return options.retries ?? configured(configuration.retries, count(0), "#/retries", path) ?? 2;
}

export function filesSetting(
  options: RequestOptions,
  { path, configuration }: LoadedConfiguration,
): string | undefined {
  if (options.files !== undefined) return resolve(options.files);
  return configuration.files === undefined ? undefined : resolve(dirname(path!), configuration.files);
}

export function outputSetting(options: OutputOptions, { configuration }: LoadedConfiguration): OutputFormat {
  return options.output ?? configuration.output ?? "json";
}
