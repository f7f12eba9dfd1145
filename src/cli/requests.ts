/**
 * How a command sends requests, and the files it reads and writes for them.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type HttpClient, makeHttpClient } from "../http/client.js";
import { type FileStore, makeFileStore } from "../openapi/files.js";
import { systemReason, usageFailure } from "./failure.js";
import type { RequestOptions } from "./options.js";
import { filesSetting, type LimitSettings, type LoadedConfiguration, retriesSetting } from "./settings.js";

export interface RequestContext {
  readonly options: RequestOptions;
  readonly loaded: LoadedConfiguration;
  readonly limits: LimitSettings;
}

function readCertificates(paths: readonly string[] | undefined): string[] | undefined {
  return paths?.map((path) => {
    try {
      return readFileSync(path, "utf8");
    } catch (error) {
      throw usageFailure(`The certificate authority ${path} cannot be read: ${systemReason(error)}.`);
    }
  });
}

export function makeRequests({ options, loaded, limits }: RequestContext): {
  readonly client: HttpClient;
  readonly files: FileStore;
} {
  if (options.dryRun && options.replay !== undefined)
    throw usageFailure("--dry-run and --replay exclude each other: neither sends anything.");
  if (options.record !== undefined && (options.dryRun || options.replay !== undefined)) {
    throw usageFailure("--record notes what is sent, so it goes with neither --dry-run nor --replay.");
  }
  const client = makeHttpClient({
    retries: retriesSetting(options, loaded),
    concurrency: limits.concurrency,
    maxResponseBytes: limits.maxResponseBytes,
    ca: readCertificates(options.ca),
    ...(options.dryRun ? { dryRun: { showSecrets: options.showSecrets === true } } : {}),
    record: options.record,
    replay: options.replay,
  });
  const offered = (options.file ?? []).map(({ name, value }) => [name, resolve(value)] as const);
  const files = makeFileStore({ files: Object.fromEntries(offered), directory: filesSetting(options, loaded) });
  return { client, files };
}
