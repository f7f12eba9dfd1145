/**
 * `--scheme name=definition`: a Security Scheme Object (OpenAPI 3.x) in short or as JSON.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#security-scheme-object
 */
import { usageFailure } from "./failure.js";

const FORMS =
  "bearer, basic, digest, apiKey:header:NAME, apiKey:query:NAME, apiKey:cookie:NAME, openIdConnect:URL, mutualTLS, or a Security Scheme Object as JSON";

function wrong(name: string, definition: string): never {
  throw usageFailure(`--scheme ${name}=… cannot be ${JSON.stringify(definition)}.`, `It is one of ${FORMS}.`);
}

export function schemeDefinition(name: string, definition: string | object): Readonly<Record<string, unknown>> {
  if (typeof definition === "object") return definition as Record<string, unknown>;
  const text = definition.trim();
  if (text.startsWith("{")) {
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch {
      return wrong(name, definition);
    }
  }
  const [kind = "", ...rest] = text.split(":");
  switch (kind.toLowerCase()) {
    case "bearer":
    case "basic":
    case "digest":
      return rest.length === 0 ? { type: "http", scheme: kind.toLowerCase() } : wrong(name, definition);
    case "mutualtls":
      return rest.length === 0 ? { type: "mutualTLS" } : wrong(name, definition);
    case "apikey": {
      const [place = "", ...field] = rest;
      const key = field.join(":");
      if (!["header", "query", "cookie"].includes(place) || key === "") return wrong(name, definition);
      return { type: "apiKey", in: place, name: key };
    }
    case "openidconnect":
      return rest.length > 0 ? { type: "openIdConnect", openIdConnectUrl: rest.join(":") } : wrong(name, definition);
    default:
      return wrong(name, definition);
  }
}
