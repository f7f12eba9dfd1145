/**
 * What every command that reads a document begins with: its configuration, its positional arguments, its APIs.
 */
import { usageFailure } from "./failure.js";
import type { DocumentOptions, RequestOptions } from "./options.js";
import { splitPositionals } from "./positionals.js";
import { type ApiSettings, apiSettings, type LoadedConfiguration, loadConfiguration } from "./settings.js";

export interface Session {
  readonly loaded: LoadedConfiguration;
  readonly apis: readonly ApiSettings[];
  /** The positional arguments after `<spec>`. */
  readonly rest: readonly string[];
}

/**
 * @param words positional arguments, `<spec>` included
 * @param expected how many there are beside `<spec>`; `undefined` when any number
 * @throws CommandFailure (exit code 2)
 */
export async function beginSession(
  words: readonly string[],
  expected: number | undefined,
  options: DocumentOptions & RequestOptions,
): Promise<Session> {
  const loaded = await loadConfiguration(options);
  const { spec, rest } = splitPositionals(words, expected, options, loaded);
  if (expected !== undefined && rest.length > expected) {
    throw usageFailure(`Too many arguments: ${rest.slice(expected).join(" ")}.`);
  }
  return { loaded, apis: apiSettings(spec, options, loaded), rest };
}
