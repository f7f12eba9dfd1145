/** Names of the flat input: parameters under their own names, body properties beside them, collisions set apart. */
import type { ParameterPlan } from "./parameter-object.js";
import type { BoundBody, BoundParameter, InputField } from "./plan.js";
import type { RequestBodyPlan } from "./request-body-object.js";

export interface NamedInputs {
  readonly fields: readonly InputField[];
  readonly parameters: readonly BoundParameter[];
  readonly body: BoundBody | undefined;
}

interface Claim {
  readonly base: string;
  /** Put before the name where it collides: the location. */
  readonly location: string;
  bind(name: string): void;
}

/**
 * Gives every parameter, flattened body property, whole body and choice of media type a name. Where two parts claim one,
 * each gets its location in front: `path_id`, `query_id`, `body_id`. `body` and `contentType` are never displaced.
 */
export function nameInputs(parameters: readonly ParameterPlan[], plan: RequestBodyPlan | undefined): NamedInputs {
  const types = plan?.mediaTypes ?? [];
  const properties = new Map<string, boolean>();
  for (const type of types) {
    for (const property of type.properties?.keys() ?? []) properties.set(property, requiresProperty(plan!, property));
  }
  const whole = types.some((type) => type.properties === undefined) ? "body" : undefined;
  const contentType = types.length > 1 || types.some((type) => type.kind === "range") ? "contentType" : undefined;
  const reserved = new Set([whole, contentType].filter((name) => name !== undefined));

  const fields: InputField[] = [];
  const bound: BoundParameter[] = [];
  const boundProperties = new Map<string, string>();
  const claims: Claim[] = [
    ...parameters.map((parameter) => ({
      base: parameter.name,
      location: parameter.in,
      bind(name: string) {
        bound.push({ input: name, parameter });
        fields.push({ name, in: parameter.in, parameter: parameter.name, required: parameter.required });
      },
    })),
    ...[...properties].map(([property, required]) => ({
      base: property,
      location: "body",
      bind(name: string) {
        boundProperties.set(property, name);
        fields.push({ name, in: "body", parameter: property, required });
      },
    })),
  ];
  bindAll(claims, reserved);
  if (whole !== undefined) {
    const required = plan!.required && types.length === types.filter((type) => type.properties === undefined).length;
    fields.push({ name: whole, in: "body", parameter: null, required });
  }
  if (contentType !== undefined) {
    fields.push({ name: contentType, in: "contentType", parameter: null, required: false });
  }
  const body = plan && { plan, properties: boundProperties, whole, contentType };
  return { fields, parameters: bound, body };
}

function requiresProperty(plan: RequestBodyPlan, property: string): boolean {
  return plan.required && plan.mediaTypes.every((type) => type.requiredProperties.has(property));
}

function bindAll(claims: readonly Claim[], reserved: ReadonlySet<string>): void {
  const counts = new Map<string, number>();
  for (const { base } of claims) counts.set(base, (counts.get(base) ?? 0) + 1);
  const collides = ({ base }: Claim): boolean => counts.get(base)! > 1 || reserved.has(base);
  const taken = new Set([...reserved, ...claims.filter((claim) => !collides(claim)).map(({ base }) => base)]);
  for (const claim of claims) {
    if (!collides(claim)) {
      claim.bind(claim.base);
      continue;
    }
    const prefixed = `${claim.location}_${claim.base}`;
    let name = prefixed;
    for (let count = 2; taken.has(name); count++) name = `${prefixed}_${count}`;
    taken.add(name);
    claim.bind(name);
  }
}
