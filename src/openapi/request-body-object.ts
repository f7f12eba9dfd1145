/**
 * The Request Body Object, checked: the media types that can be sent, which one is the default, and what of it becomes
 * inputs.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#request-body-object
 */
import { DocumentFault, type Fault, type Located, type OpenApiDocument } from "./document.js";
import { isJson } from "./media-type.js";
import { type MediaTypePlan, planMediaType } from "./media-type-object.js";
import type { OmittedPart } from "./plan.js";
import { isObject } from "./references.js";
import type { Conventions } from "./style-rule.js";

export interface RequestBodyPlan {
  readonly required: boolean;
  readonly node: Located;
  /** What can be sent; the default comes first. */
  readonly mediaTypes: readonly [MediaTypePlan, ...MediaTypePlan[]];
}

export interface PlannedBody {
  /** `undefined` when an optional body has nothing that can be sent. */
  readonly body: RequestBodyPlan | undefined;
  readonly omitted: readonly OmittedPart[];
}

/** Plans the body. @throws DocumentFault when a required body cannot be sent. */
export function planRequestBody(
  document: OpenApiDocument,
  node: Located<Record<string, unknown>>,
  conventions: Conventions,
): PlannedBody {
  const required = node.value["required"] === true;
  const content = document.member(node, "content");
  const keys = Object.keys(isObject(content?.value) ? content.value : {});
  if (content === undefined || keys.length === 0) {
    const fault: Fault = {
      code: "malformed-operation",
      reason: "The request body has no content.",
      pointer: document.show(node),
    };
    if (required) throw new DocumentFault(fault);
    return { body: undefined, omitted: [{ ...fault, part: "request body" }] };
  }
  const mediaTypes: MediaTypePlan[] = [];
  const omitted: OmittedPart[] = [];
  for (const key of keys) {
    try {
      const plan = planMediaType(document, key, document.child(content, key), conventions);
      mediaTypes.push(plan);
      for (const { property, fault } of plan.omitted) omitted.push({ ...fault, part: `${property} in a ${key} body` });
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
      omitted.push({ ...error.fault, part: `${key} body` });
    }
  }
  const byPreference = mediaTypes
    .map((plan, index) => ({ plan, index }))
    .sort((a, b) => rank(a.plan) - rank(b.plan) || a.index - b.index);
  const [first, ...rest] = byPreference.map(({ plan }) => plan);
  if (first === undefined) {
    const [fault] = omitted;
    if (required) throw new DocumentFault({ code: fault!.code, reason: fault!.reason, pointer: fault!.pointer });
    return { body: undefined, omitted };
  }
  return { body: { required, node, mediaTypes: [first, ...rest] }, omitted };
}

/** JSON is the default; else the first one declared, ranges last. */
function rank(plan: MediaTypePlan): number {
  if (plan.media.essence === "application/json") return 0;
  if (plan.kind === "json" && isJson(plan.media)) return 1;
  return plan.kind === "range" ? 3 : 2;
}
