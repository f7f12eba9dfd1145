/**
 * Security Scheme Objects, checked. What is malformed or unknown is refused: guessing how to show a credential sends it in
 * the wrong place.
 *
 * https://spec.openapis.org/oas/v3.2.0.html#security-scheme-object
 */
import { DocumentFault, type SkipCode } from "./document.js";
import { isFieldName, isTransportField } from "./field-value.js";
import type { OAuthFlow, SecurityScheme } from "./plan.js";
import { isObject } from "./references.js";

/** Checks a Security Scheme Object in 3.x shape. @throws DocumentFault with the given pointer. */
export function securityScheme(
  name: string,
  value: Readonly<Record<string, unknown>>,
  pointer: string,
): SecurityScheme {
  const fault = (code: SkipCode, reason: string): DocumentFault =>
    new DocumentFault({ code, reason: `The security scheme ${JSON.stringify(name)} ${reason}.`, pointer });
  const text = (field: string): string | undefined => {
    const found = value[field];
    return typeof found === "string" && found !== "" ? found : undefined;
  };
  switch (value["type"]) {
    case "apiKey": {
      const key = text("name");
      const place = value["in"];
      if (key === undefined) throw fault("malformed-security", "has no name");
      if (place !== "header" && place !== "query" && place !== "cookie") {
        throw fault("malformed-security", `is in ${JSON.stringify(place)}, which is no place for a key`);
      }
      if (place === "header" && !isFieldName(key))
        throw fault("malformed-security", "has a name that no header field can have");
      if (place === "header" && isTransportField(key))
        throw fault("unsupported-security", "names a field that HTTP sets itself");
      if (place === "cookie" && /[=;,\s"\\]|[^\x21-\x7e]/.test(key)) {
        throw fault("malformed-security", "has a name that no cookie can have");
      }
      return { type: "apiKey", in: place, name: key };
    }
    case "http": {
      const scheme = text("scheme");
      if (scheme === undefined) throw fault("malformed-security", "has no scheme");
      // Scheme names are case-insensitive (RFC 9110, 11.1).
      const lower = scheme.toLowerCase();
      if (lower === "basic" || lower === "bearer" || lower === "digest") return { type: "http", scheme: lower };
      throw fault("unsupported-security", `asks for the HTTP authentication scheme ${scheme}, which is not supported`);
    }
    case "oauth2": {
      const { flows } = value;
      if (flows !== undefined && !isObject(flows)) throw fault("malformed-security", "has flows that are no object");
      const metadataUrl = text("oauth2MetadataUrl");
      const checked = Object.fromEntries(
        Object.entries(flows ?? {}).flatMap(([flow, given]) => (isObject(given) ? [[flow, oauthFlow(given)]] : [])),
      );
      return { type: "oauth2", flows: checked, ...(metadataUrl === undefined ? {} : { metadataUrl }) };
    }
    case "openIdConnect": {
      const openIdConnectUrl = text("openIdConnectUrl");
      if (openIdConnectUrl === undefined) throw fault("malformed-security", "has no openIdConnectUrl");
      return { type: "openIdConnect", openIdConnectUrl };
    }
    case "mutualTLS":
      return { type: "mutualTLS" };
    default:
      throw typeof value["type"] === "string"
        ? fault("unsupported-security", `has the unknown type ${JSON.stringify(value["type"])}`)
        : fault("malformed-security", "has no type");
  }
}

/** https://spec.openapis.org/oas/v3.2.0.html#oauth-flow-object */
function oauthFlow(value: Readonly<Record<string, unknown>>): OAuthFlow {
  const urls = ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"].flatMap((field) => {
    const url = value[field];
    return typeof url === "string" && url !== "" ? [[field, url] as const] : [];
  });
  const scopes = Object.entries(isObject(value["scopes"]) ? value["scopes"] : {});
  return {
    ...Object.fromEntries(urls),
    scopes: Object.fromEntries(scopes.map(([name, text]) => [name, String(text)])),
  };
}
