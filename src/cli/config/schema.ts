/**
 * The shape of `codemode.config.{yaml,json}`. Every name is the camel-case form of the flag that says the same.
 */
import * as Schema from "effect/Schema";

/** A source as on the command line (`env:NAME`), or an object that names the parts of a credential. */
const Credential = Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.Unknown)]);

const Texts = Schema.Record(Schema.String, Schema.String);

const Scalars = Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number, Schema.Boolean]));

/** A time, size or count: text as on the command line, or a number. */
const Amount = Schema.Union([Schema.Number, Schema.String]);

const Api = Schema.Struct({
  /** A file (relative to the configuration file) or a URL. */
  spec: Schema.String,
  specHeaders: Schema.optionalKey(Texts),
  server: Schema.optionalKey(Schema.String),
  serverVariables: Schema.optionalKey(Scalars),
  auth: Schema.optionalKey(Schema.Record(Schema.String, Credential)),
  headers: Schema.optionalKey(Texts),
  schemes: Schema.optionalKey(Schema.Record(Schema.String, Credential)),
  include: Schema.optionalKey(Schema.Array(Schema.String)),
  exclude: Schema.optionalKey(Schema.Array(Schema.String)),
  tags: Schema.optionalKey(Schema.Array(Schema.String)),
  readOnly: Schema.optionalKey(Schema.Boolean),
  conventions: Schema.optionalKey(Texts),
});

const Limits = Schema.Struct({
  timeout: Schema.optionalKey(Amount),
  maxToolCalls: Schema.optionalKey(Amount),
  maxOutputBytes: Schema.optionalKey(Amount),
  memory: Schema.optionalKey(Amount),
  concurrency: Schema.optionalKey(Amount),
  maxResponseBytes: Schema.optionalKey(Amount),
});

export const ConfigurationSchema = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  apis: Schema.optionalKey(Schema.Record(Schema.String, Api)),
  mcp: Schema.optionalKey(Texts),
  limits: Schema.optionalKey(Limits),
  retries: Schema.optionalKey(Amount),
  files: Schema.optionalKey(Schema.String),
  output: Schema.optionalKey(Schema.Literals(["json", "yaml", "table", "ndjson", "text"])),
});

export type Configuration = typeof ConfigurationSchema.Type;
export type ConfiguredApi = typeof Api.Type;
