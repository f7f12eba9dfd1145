/**
 * One call of each operation of real documents, judged by programs of others: each request is taken for the operation that
 * was called, its values are read as they were given, and it is valid by the document.
 *
 * One operation of four is called; `CODEMODE_EVERY_OPERATION=1` calls all of them.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { load } from "js-yaml";
import converter from "swagger2openapi";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json/json.js";
import type { OpenApiOptions } from "../../src/openapi/index.js";
import { callEveryOperation, type Judged } from "./every-operation.js";
import { makeJudge } from "./independent.js";

const every = process.env["CODEMODE_EVERY_OPERATION"] === "1" ? 1 : 4;
const root = join(import.meta.dirname, "../..");
const corpus = resolve(process.env["CODEMODE_CORPUS"] ?? join(root, "../shared/corpus"));

interface RealDocument {
  readonly name: string;
  readonly path: string;
  readonly operations: number;
  readonly conventions?: OpenApiOptions["conventions"];
}

const DOCUMENTS: readonly RealDocument[] = [
  {
    name: "GitHub",
    path: join(root, "node_modules/@octokit/openapi/generated/api.github.com.json"),
    operations: 1_000,
  },
  { name: "Stripe", path: join(corpus, "stripe/openapi-spec3/spec3.json"), operations: 400 },
  {
    name: "Stripe, with lists and objects in brackets",
    path: join(corpus, "stripe/openapi-spec3/spec3.json"),
    operations: 400,
    conventions: { deepObject: "brackets" },
  },
  { name: "Kubernetes", path: join(corpus, "kubernetes/scripts-swagger/swagger.json"), operations: 800 },
  {
    name: "Slack",
    path: join(corpus, "slack/web-api-slack_web_openapi_v2/slack_web_openapi_v2.json"),
    operations: 170,
  },
  { name: "Dropbox Sign", path: join(corpus, "dropbox-sign/openapi-raw/openapi-raw.yaml"), operations: 70 },
];

/** Where a judge or an input is at fault, not the request; each with its reason. */
const EXCEPTIONS: readonly {
  readonly reason: string;
  readonly of: "routing" | "reading" | "fault" | "refusal";
  readonly holds: (judged: Judged, text: string) => boolean;
}[] = [
  {
    reason: "The judge leaves the query out when it looks for the operation: two keys that differ in it are one to it.",
    of: "routing",
    holds: ({ operation }) => operation.includes("?"),
  },
  {
    reason:
      "The judge reads two parameters within one segment of a path wrongly: of `a%2Bb...plain` for `{base}...{head}` it " +
      "makes `a+b...pl` and nothing.",
    of: "reading",
    holds: ({ operation }, text) => /\}[^/]+\{/.test(operation) && text.startsWith("path "),
  },
  {
    reason:
      "The judge turns texts of parameters into numbers and lists: one text fits several branches of a `oneOf` then.",
    of: "fault",
    holds: (_, text) => /^\/(path|query|header)\/\S+ oneOf: .*"passingSchemas":\[\d/.test(text),
  },
  {
    reason:
      "Conditions between properties (`oneOf` of `required`) are no part of a flat input's schema, so that the sample " +
      "does not keep them; the request carries it as it is.",
    of: "fault",
    holds: ({ operation }, text) =>
      ["POST /orgs/{org}/campaigns", "POST /repos/{owner}/{repo}/code-scanning/codeql/variant-analyses"].includes(
        operation,
      ) && /^\/requestBody (required|oneOf)/.test(text),
  },
  {
    reason: "A property is a file in one media type and a string in the other: the sample took the wrong one.",
    of: "refusal",
    holds: ({ tool }, text) =>
      tool.inputs.some((input) => input.in === "contentType") && /must be a (file|string), not/.test(text),
  },
  {
    reason: "Lists of lists and of objects have no agreed form in brackets, so that they are refused.",
    of: "refusal",
    holds: (_, text) => text.includes("a list in brackets can only hold plain values"),
  },
];

const excepted = (of: "routing" | "reading" | "fault" | "refusal", judged: Judged, text: string): boolean =>
  EXCEPTIONS.some((exception) => exception.of === of && exception.holds(judged, text));

describe(`requests of every operation (documents in ${corpus}; CODEMODE_CORPUS names another folder)`, () => {
  for (const { name, path, operations, conventions } of DOCUMENTS) {
    it.skipIf(!existsSync(path))(name, { timeout: 300_000 }, async () => {
      const document = load(readFileSync(path, "utf8")) as JsonObject;
      const judge = makeJudge((await asOpenApi3(document)) as JsonObject);
      const { judged, unsampled } = await callEveryOperation(document, judge, every, conventions);
      expect(judged.length).toBeGreaterThan(operations / every);
      expect(unsampled).toEqual([]);
      const sent = judged.filter(({ request }) => request !== undefined);
      expect(
        judged.flatMap((one) => (one.refused === undefined || excepted("refusal", one, one.refused) ? [] : show(one))),
      ).toEqual([]);
      // What is refused may be a few samples only.
      expect(sent.length / judged.length).toBeGreaterThan(0.75);
      const misrouted = sent.filter((one) => one.verdict!.operation !== one.operation);
      expect(misrouted.flatMap((one) => (excepted("routing", one, "") ? [] : show(one)))).toEqual([]);
      expect(
        sent.flatMap((one) =>
          one.misreadings.flatMap((text) => (excepted("reading", one, text) ? [] : [text, show(one)])),
        ),
      ).toEqual([]);
      const right = sent.filter((one) => !misrouted.includes(one));
      expect(
        right.flatMap((one) =>
          one.verdict!.faults.flatMap((text) => (excepted("fault", one, text) ? [] : [text, show(one)])),
        ),
      ).toEqual([]);
    });
  }
});

const show = ({ operation, refused, input, request }: Judged): string =>
  `${operation}: ${refused ?? ""} ${request?.target ?? ""} ${request?.body.toString().slice(0, 500) ?? ""} from ${JSON.stringify(input).slice(0, 500)}`;

async function asOpenApi3(document: JsonObject): Promise<unknown> {
  if (document["swagger"] === undefined) return document;
  const options = { patch: true, warnOnly: true, anchors: true };
  return (await converter.convertObj(structuredClone(document) as never, options)).openapi;
}
