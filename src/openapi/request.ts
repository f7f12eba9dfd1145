/**
 * From a plan and an input to a request: the only place that builds one. What the plan cannot carry is refused, so that a
 * request is exactly what the document says or is not sent.
 */
import { closestNames } from "../discovery/closest-names.js";
import type { HttpRequest } from "../http/message.js";
import { isJsonObject, type Json, stringifyJson } from "../json/json.js";
import { cookieValue, fieldValue, listItem } from "./field-value.js";
import type { FileStore } from "./files.js";
import { base64Of } from "./form-field.js";
import { encodeForm } from "./form-urlencoded.js";
import { describeValue, invalidInput } from "./invalid-input.js";
import { jsonValue } from "./json-value.js";
import type { ContentParameter, StyledParameter } from "./parameter-object.js";
import type { TemplatePiece } from "./path-template.js";
import { encodeReservedInQuery, encodeReservedInSegment, encodeUnreserved } from "./percent-encoding.js";
import type { OperationPlan } from "./plan.js";
import { encodeBody, type Inputs } from "./request-body.js";
import type { ChosenServer } from "./server-object.js";
import { expandText, flatten, type PairEncoding, scalarText, stylePairs, wellFormed } from "./style.js";

/**
 * Builds the request of a call, without credentials.
 *
 * @param input The flat input.
 * @throws ToolError `InvalidToolInput` naming the input that cannot be sent.
 */
export async function encodeRequest(
  plan: OperationPlan,
  input: Json | undefined,
  server: ChosenServer,
  files: FileStore,
): Promise<HttpRequest> {
  const inputs = readInputs(plan, input);
  const written = new Map<string, string>();
  const query: string[] = [];
  const headers: [string, string][] = [["Accept", plan.accept]];
  const cookies: string[] = [];
  for (const { input: name, parameter } of plan.parameters) {
    const value = inputs.get(name);
    const text =
      parameter.kind === "style"
        ? writeStyled(parameter, value, name)
        : await writeContent(parameter, value, name, files);
    if (text === undefined) {
      if (!parameter.required) continue;
      throw invalidInput(
        value === undefined
          ? `\`${name}\` is required.`
          : `\`${name}\` is required: ${describeValue(value)} ${value === null ? "is" : "without items is"} not sent.`,
      );
    }
    if (parameter.in === "path") written.set(parameter.name, text);
    else if (parameter.in === "header") headers.push([parameter.name, text]);
    else if (parameter.in === "cookie") cookies.push(text);
    else if (text !== "") query.push(text);
  }
  const path = expandPath(plan, server.basePath, written);
  const fixed = plan.template.query.map(({ pieces }) => expandPieces(pieces, written));
  const pairs = [...fixed, ...query];
  if (cookies.length > 0) headers.push(["Cookie", cookies.join("; ")]);
  const body = plan.body && (await encodeBody(plan.body, inputs, files));
  if (body !== undefined) headers.push(["Content-Type", body.contentType]);
  return {
    method: plan.method,
    origin: server.origin,
    target: pairs.length === 0 ? path : `${path}?${pairs.join("&")}`,
    headers,
    body: body?.body,
  };
}

function readInputs(plan: OperationPlan, input: Json | undefined): Inputs {
  const given = input ?? {};
  const names = plan.inputs.map((field) => field.name);
  if (!isJsonObject(given)) {
    const example = names.length === 0 ? "{}" : `{ ${names.slice(0, 2).join(", ")} }`;
    throw invalidInput(`The input must be one object such as ${example}, not ${describeValue(given)}.`);
  }
  for (const name of Object.keys(given)) if (!names.includes(name)) throw unknownInput(plan, name, names);
  return new Map(Object.entries(given));
}

function unknownInput(plan: OperationPlan, name: string, names: readonly string[]): Error {
  const message = `There is no input \`${name}\``;
  const omitted = plan.omitted.find(
    ({ part }) => part.endsWith(` parameter ${name}`) || part.startsWith(`${name} in a `),
  );
  // Whoever knows the API will try it: say why it is not there.
  if (omitted !== undefined) return invalidInput(`${message}: it was left out. ${omitted.reason}`);
  if (names.length === 0) return invalidInput(`${message}.`, "This tool takes no input.");
  if (name === "body" && plan.inputs.some((field) => field.in === "body")) {
    return invalidInput(`${message}.`, `The properties of the body are inputs of their own: ${names.join(", ")}.`);
  }
  const [closest] = closestNames(name, names, 1);
  const list = `The inputs are ${names.join(", ")}.`;
  return invalidInput(`${message}.`, closest === undefined ? list : `Did you mean \`${closest}\`? ${list}`);
}

const AS_IS: PairEncoding = { name: (text) => text, value: (text) => text, uri: false };

function encodingOf(parameter: StyledParameter): PairEncoding {
  if (parameter.in === "header" || parameter.rule.style === "cookie") return AS_IS;
  const reserved = parameter.in === "path" ? encodeReservedInSegment : encodeReservedInQuery;
  return {
    // A cookie's name is a token and stands as it is.
    name: parameter.in === "cookie" && !parameter.rule.explode ? AS_IS.name : encodeUnreserved,
    value: parameter.allowReserved ? reserved : encodeUnreserved,
    uri: true,
  };
}

const joined = (pairs: readonly (readonly [string, string])[], separator: string): string =>
  pairs.map(([name, value]) => `${name}=${value}`).join(separator);

/** The text of a parameter where it goes; `undefined` when it is absent. */
function writeStyled(parameter: StyledParameter, value: Json | undefined, label: string): string | undefined {
  const { rule } = parameter;
  const encoding = encodingOf(parameter);
  if (parameter.allowEmptyValue && value === "") return `${encoding.name(rule.name)}=`;
  if (parameter.in === "query") {
    const pairs = stylePairs(rule, value, encoding, label);
    return pairs && joined(pairs, "&");
  }
  const flat = flatten(value, rule.accepts, label);
  if (flat === undefined) return undefined;
  switch (parameter.in) {
    case "path": {
      const text = expandText(rule, flat, encoding, label);
      // RFC 6570 would allow it; another path would answer.
      if (text === "") throw invalidInput(`\`${label}\` must not be empty: it is a part of the path.`);
      return text;
    }
    case "header": {
      const items = flat.kind === "list" ? flat.items : flat.kind === "object" ? flat.entries.flat() : [];
      for (const item of items) if (rule.style === "simple") listItem(item, label);
      return fieldValue(expandText(rule, flat, encoding, label), label);
    }
    default: {
      const pairs = stylePairs(rule, value, encoding, label) ?? [];
      for (const [, text] of pairs) {
        // Commas join the items of a list that is not exploded, as the specification's examples show.
        const checked = flat.kind === "scalar" ? text : text.replaceAll(",", "");
        if (rule.style === "cookie" || parameter.allowReserved) cookieValue(checked, label);
      }
      return joined(pairs, "; ");
    }
  }
}

async function writeContent(
  parameter: ContentParameter,
  value: Json | undefined,
  label: string,
  files: FileStore,
): Promise<string | undefined> {
  if (value === undefined || value === null) return undefined;
  const text = await contentText(parameter, value, label, files);
  const { kind } = parameter.content;
  switch (parameter.in) {
    case "path":
      if (text === "") throw invalidInput(`\`${label}\` must not be empty: it is a part of the path.`);
      return encodeUnreserved(text);
    case "query":
      return `${encodeUnreserved(parameter.name)}=${encodeUnreserved(text)}`;
    case "querystring":
      // "No additional percent encoding is done, as this media type is URI query string-ready by definition."
      return kind === "form" ? text : encodeUnreserved(text);
    case "header":
      // JSON has an ASCII form for every character.
      return fieldValue(kind === "json" ? asciiJson(text) : text, label);
    case "cookie":
      return `${parameter.name}=${kind === "text" ? cookieValue(text, label) : encodeUnreserved(text)}`;
  }
}

async function contentText(parameter: ContentParameter, value: Json, label: string, files: FileStore): Promise<string> {
  const { content } = parameter;
  if (content.kind === "json") {
    const read = async (file: { file: string }, variant: "base64" | "base64url"): Promise<string> =>
      base64Of(await files.get(file.file), variant);
    return stringifyJson(await jsonValue(content.document, content.schemas, value, label, read));
  }
  if (content.kind === "form") {
    if (!isJsonObject(value)) throw invalidInput(`\`${label}\` must be an object, not ${describeValue(value)}.`);
    for (const name of content.requiredProperties) {
      if (!Object.hasOwn(value, name)) throw invalidInput(`\`${label}.${name}\` is required.`);
    }
    return encodeForm(content.form!, value, (property) => `${label}.${property}`, files);
  }
  const text = scalarText(value, ["string"]);
  if (text === undefined) throw invalidInput(`\`${label}\` must be text, not ${describeValue(value)}.`);
  return wellFormed(text, label);
}

function asciiJson(text: string): string {
  return text.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function expandPieces(pieces: readonly TemplatePiece[], written: ReadonlyMap<string, string>): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : (written.get(piece.expression) ?? ""))).join("");
}

/** The path below the server's, with the parameters in place. */
function expandPath(plan: OperationPlan, basePath: string, written: ReadonlyMap<string, string>): string {
  const path = expandPieces(plan.template.path, written);
  const literal = expandPieces(plan.template.path, new Map([...written.keys()].map((name) => [name, "-"])));
  const dots = (text: string): number => text.split("/").filter((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)).length;
  if (dots(path) > dots(literal)) {
    // Servers and proxies remove dot segments (RFC 3986, 5.2.4), encoded or not: another path would answer.
    const names = plan.parameters.filter(({ parameter }) => parameter.in === "path").map(({ input }) => `\`${input}\``);
    throw invalidInput(`${names.join(" and ")} would make a segment of the path "." or "..", which leads elsewhere.`);
  }
  return basePath + path;
}
