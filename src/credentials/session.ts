/** What a security scheme does to a request, once its credential is known. One session per scheme and client. */
import { readFile } from "node:fs/promises";
import type { Authorization, ClientCertificate, CredentialPlace, HttpRequest } from "../http/message.js";
import type { RequiredScheme, SecurityScheme } from "../openapi/plan.js";
import { namedParts, userAndPassword } from "./parts.js";
import { cookiePlace, headerPlace, queryPlace } from "./place.js";
import type { Redactor } from "./redaction.js";
import { CredentialError, type SecretSource } from "./sources.js";

export interface Applied {
  readonly places: readonly CredentialPlace[];
  readonly clientCertificate?: ClientCertificate | undefined;
  readonly answered?: Authorization["answered"];
}

export interface SchemeSession {
  /**
   * The credential for one request.
   *
   * @throws CredentialError, ToolError
   */
  apply(request: HttpRequest, required: RequiredScheme, signal: AbortSignal): Promise<Applied>;
}

/** A session over a source, for the schemes that need no exchange of their own. */
export function simpleSession(
  name: string,
  scheme: Exclude<SecurityScheme, { type: "oauth2" | "openIdConnect" }>,
  source: SecretSource,
  redactor: Redactor,
): SchemeSession {
  switch (scheme.type) {
    case "apiKey":
      return session(source, (value) => [apiKey(name, scheme, value)]);
    case "mutualTLS": {
      let certificate: Promise<ClientCertificate> | undefined;
      return {
        apply: async () => ({
          places: [],
          clientCertificate: await (certificate ??= readCertificate(name, source, redactor)),
        }),
      };
    }
    case "http":
      switch (scheme.scheme) {
        case "bearer":
          return session(source, (value) => [headerPlace("Authorization", `Bearer ${withoutPrefix(value)}`, name)]);
        case "basic":
          return session(source, (value) => [basic(name, value, redactor)]);
        case "digest": {
          let digest: Promise<SchemeSession> | undefined;
          const load = async (): Promise<SchemeSession> => {
            const text = await source.read();
            const { makeDigestSession } = await import("./digest.js");
            return makeDigestSession(name, userAndPassword(name, text, redactor));
          };
          return {
            apply: async (request, required, signal) => (await (digest ??= load())).apply(request, required, signal),
          };
        }
      }
  }
}

function session(source: SecretSource, places: (value: string) => CredentialPlace[]): SchemeSession {
  return { apply: async () => ({ places: places(await source.read()) }) };
}

function apiKey(name: string, scheme: Extract<SecurityScheme, { type: "apiKey" }>, value: string): CredentialPlace {
  switch (scheme.in) {
    case "header":
      return headerPlace(scheme.name, value, name);
    case "query":
      return queryPlace(scheme.name, value);
    case "cookie":
      return cookiePlace(scheme.name, value, name);
  }
}

/** RFC 7617 with UTF-8, as browsers send it. */
function basic(name: string, value: string, redactor: Redactor): CredentialPlace {
  const { user, password } = userAndPassword(name, value, redactor);
  const token = Buffer.from(`${user}:${password}`, "utf8").toString("base64");
  redactor.add(token);
  return headerPlace("Authorization", `Basic ${token}`, name);
}

/** Tokens are often copied together with the word before them. */
function withoutPrefix(value: string): string {
  return value.replace(/^Bearer\s+/i, "");
}

async function readCertificate(name: string, source: SecretSource, redactor: Redactor): Promise<ClientCertificate> {
  const parts = namedParts(await source.read());
  const form = `Write it as {"cert":"client.pem","key":"client-key.pem"}: paths or PEM texts.`;
  if (parts?.cert === undefined || parts.key === undefined)
    throw new CredentialError(`The credential for the mutualTLS scheme "${name}" names no certificate and key.`, form);
  const cert = await pem(parts.cert, "certificate", name);
  const key = await pem(parts.key, "key", name);
  const { passphrase } = parts;
  redactor.add(key);
  if (passphrase !== undefined) redactor.add(passphrase);
  const { createSecureContext } = await import("node:tls");
  try {
    createSecureContext({ cert, key, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    throw new CredentialError(
      `The certificate and the key of the mutualTLS scheme "${name}" cannot be used together.`,
      "Check that both are PEM, that they belong together, and that an encrypted key has its passphrase.",
    );
  }
  return { cert, key, passphrase };
}

async function pem(value: string, part: string, name: string): Promise<string> {
  const text = value.includes("-----BEGIN ") ? value : await readFile(value, "utf8").catch(() => undefined);
  const hint = `The ${part} is ${value.slice(0, 200)}.`;
  if (text === undefined)
    throw new CredentialError(`The ${part} of the mutualTLS scheme "${name}" cannot be read.`, hint);
  if (!text.includes("-----BEGIN "))
    throw new CredentialError(`The ${part} of the mutualTLS scheme "${name}" is not PEM.`, hint);
  return text;
}
