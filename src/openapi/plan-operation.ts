/**
 * From an operation to its plan, or to the reason why it cannot be represented. Pure: nothing is read or sent.
 */
import { isDeepStrictEqual } from "node:util";
import { DocumentFault, type Fault, type Located } from "./document.js";
import { nameInputs } from "./input-names.js";
import { inputSchema } from "./input-schema.js";
import type { OperationModel } from "./operation-model.js";
import { type Conventions, isIgnored, type ParameterPlan, planParameter } from "./parameter-object.js";
import { expressionsIn, type PathTemplate, parsePathTemplate } from "./path-template.js";
import type { OmittedPart, OperationPlan, SecurityPlan } from "./plan.js";
import { isObject } from "./references.js";
import { planRequestBody, type RequestBodyPlan } from "./request-body-object.js";
import { acceptField, outputSchema } from "./response-object.js";
import { type DeclaredSchemes, planSecurity } from "./security-requirement-object.js";

export interface PlanOptions {
  readonly conventions?: Conventions | undefined;
  /** Security schemes that the user declares, in 3.x shape. */
  readonly schemes?: DeclaredSchemes | undefined;
}

export type PlannedOperation = { readonly plan: OperationPlan } | { readonly skip: Fault };

/** Plans an operation. Never throws for a fault of the document. */
export function planOperation(model: OperationModel, options: PlanOptions = {}): PlannedOperation {
  try {
    return { plan: plan(model, options) };
  } catch (error) {
    if (error instanceof DocumentFault) return { skip: error.fault };
    throw error;
  }
}

function plan(model: OperationModel, options: PlanOptions): OperationPlan {
  const { document } = model;
  const omitted: OmittedPart[] = [];
  const security = planSecurity(model, options.schemes);
  const key = parsePathTemplate(model.pathTemplate);
  const template = { ...key, query: queryOfKey(model, key) };
  const parameters = planParameters(model, template, security, options.conventions ?? {}, omitted);
  let body: RequestBodyPlan | undefined;
  if (model.requestBody !== undefined) {
    const planned = planRequestBody(document, model.requestBody, options.conventions ?? {});
    body = planned.body;
    omitted.push(...planned.omitted);
  }
  const inputs = nameInputs(parameters, body);
  return {
    method: model.method,
    pathTemplate: model.pathTemplate,
    template,
    parameters: inputs.parameters,
    body: inputs.body,
    inputs: inputs.fields,
    // A document with thousands of operations must not write thousands of schemas to call one.
    get inputSchema() {
      return inputSchema(document, inputs);
    },
    get outputSchema() {
      return outputSchema(model);
    },
    accept: acceptField(model),
    security,
    omitted,
    nextLinkName: nextLinkName(model),
  };
}

function planParameters(
  model: OperationModel,
  template: PathTemplate,
  security: SecurityPlan,
  conventions: Conventions,
  omitted: OmittedPart[],
): readonly ParameterPlan[] {
  const { document } = model;
  const expressions = [template.path, ...template.query.map(({ pieces }) => pieces)].flatMap(expressionsIn);
  const planned: ParameterPlan[] = [];
  for (const node of withoutDuplicates(model)) {
    if (isIgnored(document, node) || isCredential(node, security)) continue;
    const { in: location, name } = node.value;
    const part = `${String(location)} parameter ${String(name)}`;
    if (location === "path" && typeof name === "string" && !expressions.includes(name)) {
      const reason = `The path has no {${name}}: the parameter has no place in the request.`;
      omitted.push({ part, code: "undeclared-path-parameter", reason, pointer: document.show(node) });
      continue;
    }
    if (location === "query" && template.query.some((pair) => pair.name === name)) {
      const reason = `The path already has a query with ${String(name)}: the parameter would contradict it.`;
      omitted.push({ part, code: "duplicate-parameter", reason, pointer: document.show(node) });
      continue;
    }
    try {
      const parameter = planParameter(document, node, conventions);
      planned.push(parameter);
      for (const property of undefinedProperties(parameter)) {
        omitted.push({
          part: `${property} of ${part}`,
          code: "undefined-serialization",
          reason: `The specification does not define how a list or an object inside the ${part} is written.`,
          pointer: document.show(node),
        });
      }
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      if (location === "path" || node.value["required"] === true) throw error;
      omitted.push({ ...error.fault, part });
    }
  }
  const undeclared = expressions.find((name) => !planned.some((one) => one.in === "path" && one.name === name));
  if (undeclared !== undefined) {
    throw new DocumentFault({
      code: "undeclared-path-parameter",
      reason: `The path has {${undeclared}}, and no path parameter of that name is declared.`,
      pointer: document.show(model.node),
    });
  }
  checkQueryString(model, planned);
  return planned;
}

/** A pair of the key such as `id={id}` is the query parameter `id` where one is declared: that parameter writes it. */
function queryOfKey(model: OperationModel, template: PathTemplate): PathTemplate["query"] {
  const declared = (location: string, name: string): boolean =>
    model.parameters.some(({ value }) => value["in"] === location && value["name"] === name);
  return template.query.filter(({ name, pieces }) => {
    const [expression] = expressionsIn(pieces);
    return expression === undefined || declared("path", expression) || !declared("query", name);
  });
}

const undefinedProperties = (parameter: ParameterPlan): readonly string[] =>
  parameter.kind === "style" && parameter.rule.brackets !== true
    ? (parameter.rule.accepts.object?.undefined ?? [])
    : [];

/** A 2.0 header parameter that a security scheme of the operation sets: the credential is the host's to give. */
function isCredential(node: Located<Record<string, unknown>>, security: SecurityPlan): boolean {
  const { in: location, name } = node.value;
  if (location !== "header" || typeof name !== "string" || name.toLowerCase() !== "authorization") return false;
  return security.alternatives
    .flat()
    .some(
      ({ scheme }) =>
        scheme.type !== "mutualTLS" &&
        (scheme.type !== "apiKey" || (scheme.in === "header" && scheme.name.toLowerCase() === "authorization")),
    );
}

/** Parameters are unique by location and name; field names are case-insensitive. The same definition twice is one. */
function withoutDuplicates(model: OperationModel): readonly Located<Record<string, unknown>>[] {
  const { document } = model;
  const seen = new Map<string, Located<Record<string, unknown>>>();
  for (const node of model.parameters) {
    if (isIgnored(document, node)) continue;
    const { in: location, name } = node.value;
    const key = `${String(location)} ${location === "header" ? String(name).toLowerCase() : String(name)}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, node);
    else if (!isDeepStrictEqual(first.value, node.value)) {
      throw new DocumentFault({
        code: "duplicate-parameter",
        reason: `The ${String(location)} parameter ${JSON.stringify(name)} is declared twice, in different ways.`,
        pointer: document.show(node),
      });
    }
  }
  return [...seen.values()];
}

/** "MUST NOT appear more than once, and MUST NOT appear in the same operation as any `in: query` parameters". */
function checkQueryString(model: OperationModel, parameters: readonly ParameterPlan[]): void {
  const whole = parameters.filter((parameter) => parameter.in === "querystring");
  const [first] = whole;
  if (first === undefined) return;
  if (whole.length === 1 && !parameters.some((parameter) => parameter.in === "query")) return;
  throw new DocumentFault({
    code: "malformed-operation",
    reason: "A querystring parameter is the whole query: it excludes other querystring and query parameters.",
    pointer: model.document.show(first.node),
  });
}

/** `x-ms-pageable`: the property of an answer that holds the link to the next page. */
function nextLinkName(model: OperationModel): string | undefined {
  const extension = model.node.value["x-ms-pageable"];
  if (!isObject(extension) || extension["nextLinkName"] === null) return undefined;
  const name = extension["nextLinkName"];
  return typeof name === "string" && name !== "" ? name : "nextLink";
}
