/**
 * What every command that reads a document begins with: its configuration, its positional arguments, its APIs.
 */
import { usageFailure } from "./failure.js";
import type { DocumentOptions, RequestOptions } from "./options.js";
import { splitPositionals } from "./positionals.js";
import { type ApiSettings, apiSettings, type LoadedConfiguration, loadConfiguration, mcpTargets } from "./settings.js";

export interface Session {
  readonly loaded: LoadedConfiguration;
  readonly apis: readonly ApiSettings[];
  /** MCP servers by name: commands or URLs. */
  readonly mcp: Readonly<Record<string, string>>;
  /** The positional arguments after `<spec>`. */
  readonly rest: readonly string[];
}

/**
 * @param words positional arguments, `<spec>` included
 * @param expected how many there are beside `<spec>`; `undefined` when any number
 * @param most how many there may be for the command to say what is wrong with them
 * @throws CommandFailure (exit code 2)
 */
export async function beginSession(
  words: readonly string[],
  expected: number | undefined,
  options: DocumentOptions & RequestOptions,
  most = expected ?? Number.POSITIVE_INFINITY,
): Promise<Session> {
  const loaded = await loadConfiguration(options);
  const { spec, rest } = splitPositionals(words, expected, options, loaded);
  if (rest.length > most) {
    if (options.api) throw usageFailure(`Give either <spec> or --api, not both (<spec> was ${rest[0]}).`);
    throw usageFailure(`Too many arguments: ${rest.slice(most).join(" ")}.`);
  }
  return { loaded, apis: apiSettings(spec, options, loaded), mcp: mcpTargets(options, loaded), rest };
}
