/** What an API asks for and what was given: for `auth`, and for checking a configuration before anything is sent. */
import type { RequiredScheme, SecurityPlan, SecurityScheme } from "../openapi/plan.js";
import { authOption } from "./authorize.js";
import type { Credentials } from "./credentials.js";

export interface SecuredOperation {
  /** The dotted name of the tool. */
  readonly tool: string;
  readonly security: SecurityPlan;
  /** Origin of the server that the operation is sent to. */
  readonly origin: string;
}

export interface SchemeOverview {
  readonly name: string;
  readonly type: SecurityScheme["type"];
  /** For people: `bearer`, `apiKey in header X-Key`, `oauth2 (clientCredentials)`, … */
  readonly description: string;
  /** Tools that cannot be called without it. */
  readonly requiredBy: readonly string[];
  /** Tools that can be called with it, or with another scheme, or with none. */
  readonly acceptedBy: readonly string[];
  /** Scopes that operations name. */
  readonly scopes: readonly string[];
  readonly credential: "given" | "missing" | "broken";
  /** What is wrong, when it is not given. */
  readonly problem: string | undefined;
  /** How to give it on the command line. */
  readonly option: string;
}

/** Each security scheme of an API in the order of its first use, with the tools that need it. Reads no secret. */
export async function describeSecurity(
  operations: readonly SecuredOperation[],
  credentials: Credentials,
): Promise<SchemeOverview[]> {
  const uses = new Map<
    string,
    { required: RequiredScheme; origin: string; requiredBy: Set<string>; acceptedBy: Set<string>; scopes: Set<string> }
  >();
  for (const { tool, security, origin } of operations) {
    for (const alternative of security.alternatives) {
      for (const required of alternative) {
        let use = uses.get(required.name);
        if (use === undefined)
          uses.set(
            required.name,
            (use = { required, origin, requiredBy: new Set(), acceptedBy: new Set(), scopes: new Set() }),
          );
        const always = security.alternatives.every((other) => other.some(({ name }) => name === required.name));
        (always ? use.requiredBy : use.acceptedBy).add(tool);
        for (const scope of required.scopes) use.scopes.add(scope);
      }
    }
  }
  return Promise.all(
    [...uses.entries()].map(async ([name, { required, origin, requiredBy, acceptedBy, scopes }]) => {
      const missing = await credentials.missing(required, origin);
      return {
        name,
        type: required.scheme.type,
        description: describeScheme(required.scheme),
        requiredBy: [...requiredBy],
        acceptedBy: [...acceptedBy],
        scopes: [...scopes].sort(),
        credential: missing === undefined ? "given" : missing.given ? "broken" : "missing",
        problem: missing?.problem,
        option: authOption(required, credentials.api),
      };
    }),
  );
}

export function describeScheme(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case "apiKey":
      return `apiKey in ${scheme.in} ${scheme.name}`;
    case "http":
      return scheme.scheme;
    case "oauth2":
      return `oauth2 (${Object.keys(scheme.flows).join(", ")})`;
    case "openIdConnect":
      return "openIdConnect";
    case "mutualTLS":
      return "mutualTLS";
  }
}

/** Credentials that were given for schemes which the document does not declare: probably misspelt. */
export function unknownCredentials(credentials: Credentials, declared: Iterable<string>): string[] {
  const names = new Set(declared);
  return credentials.given.filter((name) => !names.has(name));
}
