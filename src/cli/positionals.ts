/**
 * Which positional argument is the document. It is the first one, unless `--api` or the configuration file names the APIs.
 */
import { existsSync } from "node:fs";
import type { DocumentOptions } from "./options.js";
import type { LoadedConfiguration } from "./settings.js";

export interface Positionals {
  readonly spec: string | undefined;
  readonly rest: readonly string[];
}

/**
 * @param words the positional arguments as given
 * @param expected how many a command takes beside `<spec>`; `undefined` when any number
 */
export function splitPositionals(
  words: readonly string[],
  expected: number | undefined,
  options: DocumentOptions,
  { configuration }: LoadedConfiguration,
): Positionals {
  const [first, ...others] = words;
  if (options.api || first === undefined) return { spec: undefined, rest: words };
  const configured = Object.keys(configuration.apis ?? {});
  if (configured.length > 0) {
    // With APIs configured <spec> may be left out.
    const isSpec =
      configured.includes(first) ||
      (expected === undefined ? /^(https?:\/\/|demo:$|-$)/.test(first) || existsSync(first) : words.length > expected);
    if (!isSpec) return { spec: undefined, rest: words };
  }
  return { spec: first, rest: others };
}
