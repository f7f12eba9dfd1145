/**
 * Reads and checks the configuration file. Loaded only when there is one.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import * as Result from "effect/Result";
import * as SchemaIssue from "effect/SchemaIssue";
import * as SchemaParser from "effect/SchemaParser";
import { systemReason, usageFailure } from "../failure.js";
import { type Configuration, ConfigurationSchema } from "./schema.js";

const decode = SchemaParser.decodeUnknownResult(ConfigurationSchema, { errors: "all", onExcessProperty: "error" });
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1();

/** RFC 6901. */
function pointer(path: readonly PropertyKey[]): string {
  return "#" + path.map((key) => "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1")).join("");
}

async function parse(path: string, text: string): Promise<unknown> {
  const name = relative(process.cwd(), path) || path;
  if (path.endsWith(".json")) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw usageFailure(`${name} is not JSON: ${(error as Error).message}`);
    }
  }
  const { load } = await import("js-yaml");
  try {
    return load(text) ?? {};
  } catch (error) {
    const { reason, mark } = error as { reason?: string; mark?: { line: number; column: number } };
    const where = mark ? `${name}:${mark.line + 1}:${mark.column + 1}` : name;
    throw usageFailure(`${where} is not YAML: ${reason ?? (error as Error).message}`);
  }
}

/**
 * @param path the file
 * @throws CommandFailure (exit code 2) naming the file and the place in it
 */
export async function readConfiguration(path: string): Promise<Configuration> {
  const name = relative(process.cwd(), path) || path;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw usageFailure(`The configuration file ${name} cannot be read: ${systemReason(error)}.`);
  }
  const decoded = decode(await parse(path, text.replace(/^\uFEFF/, "")));
  if (Result.isSuccess(decoded)) return decoded.success;
  const problems = issuesOf(decoded.failure).issues.map((issue) => {
    const path = (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
    return `${pointer(path)}: ${issue.message}`;
  });
  throw usageFailure(`The configuration file ${name} is not valid:\n${[...new Set(problems)].join("\n")}`);
}
