/**
 * Security Requirement Objects: alternatives, each a set of schemes that are all needed.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#security-requirement-object
 */
import { DocumentFault, type Fault } from "./document.js";
import type { OperationModel } from "./operation-model.js";
import type { RequiredScheme, SecurityPlan } from "./plan.js";
import { isObject } from "./references.js";
import { securityScheme } from "./security-scheme-object.js";

/** Security Scheme Objects in 3.x shape that the user declares: they replace those of the document. */
export type DeclaredSchemes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * The requirements in force. An alternative with a scheme that is malformed, unknown or not declared is dropped.
 *
 * @throws DocumentFault when none is left.
 */
export function planSecurity(model: OperationModel, declared: DeclaredSchemes = {}): SecurityPlan {
  const { document, security } = model;
  if (security === undefined || security.value === null) return { alternatives: [[]] };
  const malformed = (reason: string, pointer: string): DocumentFault =>
    new DocumentFault({ code: "malformed-security", reason, pointer });
  if (!Array.isArray(security.value)) throw malformed("security is not a list.", document.show(security));
  if (security.value.length === 0) return { alternatives: [[]] };
  const alternatives: RequiredScheme[][] = [];
  const faults: Fault[] = [];
  for (const [index, requirement] of security.value.entries()) {
    const pointer = document.show(document.member(security, index) ?? security);
    try {
      if (!isObject(requirement)) throw malformed("A security requirement is not an object.", pointer);
      alternatives.push(
        Object.entries(requirement).map(([name, scopes]) => requiredScheme(model, name, scopes, declared, pointer)),
      );
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      faults.push(error.fault);
    }
  }
  if (alternatives.length > 0) return { alternatives };
  const [first] = faults;
  throw new DocumentFault(faults.find(({ code }) => code === "unsupported-security") ?? (first as Fault));
}

function requiredScheme(
  model: OperationModel,
  name: string,
  scopes: unknown,
  declared: DeclaredSchemes,
  pointer: string,
): RequiredScheme {
  const malformed = (reason: string): DocumentFault =>
    new DocumentFault({ code: "malformed-security", reason, pointer });
  // A name without a value (`- api_key:` in YAML) asks for no scope.
  const list = scopes ?? [];
  if (!Array.isArray(list) || !list.every((scope): scope is string => typeof scope === "string")) {
    throw malformed(`The scopes of the security scheme ${JSON.stringify(name)} are not a list of names.`);
  }
  if (Object.hasOwn(declared, name)) {
    return { name, scheme: securityScheme(name, declared[name]!, "--scheme"), scopes: list };
  }
  const scheme = model.securityScheme(name);
  if (scheme === undefined) throw malformed(`The security scheme ${JSON.stringify(name)} is not declared.`);
  return { name, scheme: securityScheme(name, scheme.value, model.document.show(scheme)), scopes: list };
}
