/**
 * Options that several commands share, in the groups that `--help` shows. Each reader gives plain values; what they mean
 * together with the configuration file is decided in `settings.ts`.
 */
import { type Command, Option } from "commander";
import { bytes, count, duration, each, memory, type Pair, pair, text } from "./values.js";

export const OUTPUT_FORMATS = ["json", "yaml", "table", "ndjson", "text"] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Which documents, and which of their operations become tools. */
export interface DocumentOptions {
  readonly api?: readonly Pair[];
  readonly config?: string | false;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly tag?: readonly string[];
  readonly readOnly?: boolean;
  readonly server?: readonly string[];
  readonly serverVar?: readonly Pair[];
  readonly scheme?: readonly Pair[];
  readonly convention?: readonly Pair[];
  readonly specHeader?: readonly Pair[];
  readonly mcp?: readonly Pair[];
}

export interface RequestOptions {
  readonly auth?: readonly Pair[];
  readonly header?: readonly Pair[];
  readonly retries?: number;
  readonly dryRun?: boolean;
  readonly showSecrets?: boolean;
  readonly confirm?: boolean;
  readonly record?: string;
  readonly replay?: string;
  readonly files?: string;
  readonly file?: readonly Pair[];
  readonly ca?: readonly string[];
}

export interface LimitOptions {
  readonly timeout?: number;
  readonly maxToolCalls?: number;
  readonly maxOutputBytes?: number;
  readonly memory?: number;
  readonly concurrency?: number;
  readonly maxResponseBytes?: number;
}

export interface InputOptions {
  readonly input?: string;
  readonly arg?: readonly Pair[];
}

export interface OutputOptions {
  readonly json?: boolean;
  readonly output?: OutputFormat;
}

export function documentOptions(command: Command): Command {
  return command
    .optionsGroup("Document:")
    .addOption(
      new Option(
        "--api <name=spec>",
        "an API by name, instead of <spec>; its tools live under tools.<name> (repeatable)",
      ).argParser(each(pair("--api github=./github.yaml"))),
    )
    .addOption(
      new Option(
        "--mcp <name=target>",
        "an MCP server, a command or a URL, whose tools live under tools.<name> (repeatable)",
      ).argParser(each(pair("--mcp files='npx some-mcp-server'"))),
    )
    .option("--config <file>", "configuration file (default: codemode.config.{yaml,json} in the nearest parent folder)")
    .option("--no-config", "read no configuration file")
    .addOption(
      new Option(
        "--include <glob>",
        'only operations whose name, operationId, path or "METHOD /path" matches (repeatable)',
      ).argParser(each(text)),
    )
    .addOption(new Option("--exclude <glob>", "leave these operations out (repeatable)").argParser(each(text)))
    .addOption(new Option("--tag <tag>", "only operations with this tag (repeatable)").argParser(each(text)))
    .option("--read-only", "only GET, HEAD, OPTIONS, TRACE and QUERY")
    .addOption(
      new Option("--server <[api=]url>", "use this server instead of the document's (repeatable)").argParser(
        each(text),
      ),
    )
    .addOption(
      new Option("--server-var <name=value>", "value of a variable in the server's URL (repeatable)").argParser(
        each(pair("--server-var region=eu")),
      ),
    )
    .addOption(
      new Option(
        "--scheme <[api.]scheme=definition>",
        "declare or replace a security scheme: bearer, basic, digest, apiKey:header:X-Key, a Security Scheme Object (repeatable)",
      ).argParser(each(pair("--scheme token=bearer"))),
    )
    .addOption(
      new Option(
        "--convention <name=value>",
        "opt in to an encoding that the specification leaves undefined: deepObject=brackets",
      ).argParser(each(pair("--convention deepObject=brackets"))),
    )
    .addOption(
      new Option(
        "--spec-header <[api.]name=source>",
        "a header sent when fetching the document itself (repeatable)",
      ).argParser(each(pair("--spec-header X-API-Key=env:KEY"))),
    );
}

function authOption(): Option {
  return new Option(
    "--auth <[api.]scheme=source>",
    "credential of a security scheme: env:NAME, file:PATH, cmd:COMMAND, literal:VALUE (repeatable)",
  ).argParser(each(pair("--auth bearerAuth=env:API_TOKEN")));
}

function headerOption(): Option {
  return new Option(
    "--header <[api.]name=value>",
    "a header added to every request; the value may be a source as for --auth (repeatable)",
  ).argParser(each(pair("--header X-Org=acme")));
}

export function credentialOptions(command: Command): Command {
  return command.optionsGroup("Requests:").addOption(authOption()).addOption(headerOption());
}

/** Commands that send nothing take the credentials of those that do, so that one set of options serves all. */
export function unusedCredentialOptions(command: Command): Command {
  return command.addOption(authOption().hideHelp()).addOption(headerOption().hideHelp());
}

export function requestOptions(command: Command): Command {
  return credentialOptions(command)
    .addOption(
      new Option(
        "--retries <n>",
        "retries of idempotent requests on connection errors, 429 and 503 (default: 2)",
      ).argParser(count(0)),
    )
    .addOption(
      new Option("--ca <file>", "certificate authorities to trust beside the usual ones, PEM (repeatable)").argParser(
        each(text),
      ),
    )
    .option("--dry-run", "send nothing: record each request and answer it with a sample")
    .option("--show-secrets", "show credentials in what --dry-run prints")
    .option("--confirm", "ask before each request that is not read-only")
    .option("--record <file.har>", "write an HTTP Archive of what was sent, secrets redacted")
    .option("--replay <file.har>", "answer from an HTTP Archive; nothing is sent")
    .option("--files <dir>", "folder for downloads (default: a new temporary folder)")
    .addOption(
      new Option("--file <name=path>", "a file that may be uploaded, by its name (repeatable)").argParser(
        each(pair("--file photo=./photo.png")),
      ),
    );
}

export interface LimitDefaults {
  readonly timeout: string;
  readonly maxOutputBytes: string;
}

/** Defaults are named in the text only: the configuration file comes between a flag and a default. */
export function limitOptions(command: Command, defaults: LimitDefaults): Command {
  return command
    .optionsGroup("Limits:")
    .addOption(
      new Option(
        "--timeout <time>",
        `time for the whole execution: 30s, 5m, milliseconds (default: ${defaults.timeout})`,
      ).argParser(duration),
    )
    .addOption(new Option("--max-tool-calls <n>", "number of tool calls (default: none)").argParser(count(0, true)))
    .addOption(
      new Option(
        "--max-output-bytes <size>",
        `size of the result: 100kB, bytes (default: ${defaults.maxOutputBytes})`,
      ).argParser(bytes),
    )
    .addOption(new Option("--memory <MiB>", "memory of the program (default: 256)").argParser(memory))
    .addOption(new Option("--concurrency <n>", "requests in flight at a time (default: 16)").argParser(count(1)))
    .addOption(new Option("--max-response-bytes <size>", "size of one response (default: 50MiB)").argParser(bytes));
}

export function inputOptions(command: Command, meaning: string): Command {
  return command
    .optionsGroup("Input:")
    .option("--input <json>", `${meaning} as JSON; @file reads a file, - reads stdin`)
    .addOption(
      new Option("--arg <name=value>", "one property of it as text; name:=value takes JSON (repeatable)").argParser(
        each(pair("--arg org=acme")),
      ),
    );
}

export function outputOptions(command: Command): Command {
  return jsonOption(command.optionsGroup("Output:")).addOption(
    new Option("--output <format>", "rendering of the value on stdout (default: json)").choices(OUTPUT_FORMATS),
  );
}

export function jsonOption(command: Command): Command {
  return command.optionsGroup("Output:").option("--json", "print one JSON document, the stable machine interface");
}
