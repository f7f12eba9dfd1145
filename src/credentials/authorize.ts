/** Security Requirement Objects at call time: chooses an alternative and puts its credentials into the request. */
import * as Effect from "effect/Effect";
import { ToolError } from "../codemode/tool-error.js";
import type { CallContext } from "../http/client.js";
import type { Authorization, CredentialPlace, HttpRequest } from "../http/message.js";
import type { RequiredScheme, SecurityPlan, SecurityScheme } from "../openapi/plan.js";
import type { Credentials, Missing } from "./credentials.js";
import { headerPlace, placeCredentials } from "./place.js";
import { redactError } from "./redact-error.js";
import { CredentialError } from "./sources.js";

/**
 * Gives the request its credentials: those of the first alternative, in document order, whose credentials are all
 * present. An anonymous alternative counts after those, wherever it stands: who gives a credential wants it used. The
 * host's own fields are added in any case. The credentials belong to `request.origin`, the origin of the chosen server.
 *
 * Fails, and nothing is sent, when no alternative can be satisfied.
 */
export function authorize(
  request: HttpRequest,
  plan: SecurityPlan,
  credentials: Credentials,
  _context: CallContext,
): Effect.Effect<HttpRequest, ToolError> {
  return Effect.tryPromise({
    try: async (signal) => apply(request, await choose(plan, credentials, request.origin), credentials, signal),
    catch: (error) => toToolError(error, credentials),
  });
}

interface Problem extends NonNullable<Missing> {
  /** Name of the scheme. */
  readonly name: string;
}

async function choose(
  plan: SecurityPlan,
  credentials: Credentials,
  origin: string,
): Promise<readonly RequiredScheme[]> {
  if (plan.alternatives.length === 0) return [];
  const problems: Problem[] = [];
  for (const alternative of plan.alternatives) {
    if (alternative.length === 0) continue;
    const missing = await Promise.all(
      alternative.map(async (required) => {
        const found = await credentials.missing(required, origin);
        return found === undefined ? [] : [{ name: required.name, ...found }];
      }),
    );
    if (missing.flat().length === 0) return alternative;
    problems.push(...missing.flat());
  }
  const broken = problems.find(({ given }) => given);
  if (plan.alternatives.some((alternative) => alternative.length === 0) && broken === undefined) return [];
  throw noCredential(plan, broken, credentials);
}

function noCredential(plan: SecurityPlan, broken: Problem | undefined, credentials: Credentials): ToolError {
  const alternatives = plan.alternatives.filter((alternative) => alternative.length > 0);
  const names = [
    ...new Set(alternatives.map((alternative) => alternative.map(({ name }) => `"${name}"`).join(" and "))),
  ];
  const first = alternatives[0]!;
  const message =
    broken === undefined
      ? `Nothing was sent: the operation needs a credential for the security scheme ${names.join(", or ")}.`
      : `Nothing was sent: the credential for the security scheme "${broken.name}" is missing: ${broken.problem}.`;
  const give = `Give it with ${first.map((required) => authOption(required, credentials.api)).join(" ")}.`;
  const needed = new Set(alternatives.flat().map(({ name }) => name));
  const other = credentials.given.filter((name) => !needed.has(name));
  const given =
    other.length === 0 ? "" : ` (A credential was given for ${other.map((name) => `"${name}"`).join(", ")}.)`;
  return new ToolError(message, { hint: broken?.hint ?? give + given });
}

/** How to give a credential on the command line. */
export function authOption({ name, scheme }: Pick<RequiredScheme, "name" | "scheme">, api: string | undefined): string {
  const option = `--auth ${/^[\w.-]+$/.test(name) ? "" : "'"}${api === undefined ? "" : `${api}.`}${name}=env:NAME${/^[\w.-]+$/.test(name) ? "" : "'"}`;
  switch (scheme.type) {
    case "http":
      return scheme.scheme === "bearer" ? option : `${option} (the variable holds user:password)`;
    case "oauth2":
    case "openIdConnect": {
      const source = `${option} (the variable holds an access token, or {"clientId","clientSecret"})`;
      return canLogIn(scheme) ? `${source}, or log in: codemode-openapi login` : source;
    }
    case "mutualTLS":
      return `${option} (the variable holds {"cert","key"})`;
    case "apiKey":
      return option;
  }
}

/** Whether a person can grant access, in a browser or with a device code. */
function canLogIn(scheme: Extract<SecurityScheme, { type: "oauth2" | "openIdConnect" }>): boolean {
  if (scheme.type === "openIdConnect" || scheme.metadataUrl !== undefined) return true;
  return ["authorizationCode", "deviceAuthorization"].some((flow) => scheme.flows[flow] !== undefined);
}

async function apply(
  request: HttpRequest,
  alternative: readonly RequiredScheme[],
  credentials: Credentials,
  signal: AbortSignal,
): Promise<HttpRequest> {
  const fields = (await credentials.hostFields()).map(({ name, value }) => headerPlace(name, value, name));
  let result = placeCredentials(request, fields);
  const places: CredentialPlace[] = [];
  const answers: NonNullable<Authorization["answered"]>[] = [];
  let clientCertificate: Authorization["clientCertificate"];
  // Digest covers the request target, so the schemes that change the target come before it.
  for (const required of [...alternative].sort((a, b) => Number(isDigest(a)) - Number(isDigest(b)))) {
    const applied = await credentials.session(required, request.origin).apply(result, required, signal);
    places.push(...applied.places);
    result = placeCredentials(placeCredentials(request, fields), places);
    clientCertificate = applied.clientCertificate ?? clientCertificate;
    if (applied.answered !== undefined) answers.push(applied.answered);
  }
  return {
    ...result,
    authorization: {
      places: [...fields, ...places],
      clientCertificate,
      answered:
        answers.length === 0
          ? undefined
          : async (sent, response, during) => {
              let next: HttpRequest | undefined;
              for (const answer of answers) next ??= await answer(sent, response, during);
              return next;
            },
    },
  };
}

function isDigest({ scheme }: RequiredScheme): boolean {
  return scheme.type === "http" && scheme.scheme === "digest";
}

function toToolError(error: unknown, credentials: Credentials): ToolError {
  const failure =
    error instanceof ToolError
      ? error
      : error instanceof CredentialError
        ? new ToolError(`Nothing was sent: ${error.message}`, error.hint === undefined ? {} : { hint: error.hint })
        : new ToolError("Nothing was sent: the credentials could not be applied.", { cause: error });
  return redactError(failure, credentials.client.redactor);
}
