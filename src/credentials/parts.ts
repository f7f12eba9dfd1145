/** Credentials that have several parts: `user:password`, or a JSON object that names them. */
import type { Redactor } from "./redaction.js";
import { CredentialError } from "./sources.js";

/** The parts that a JSON object may name. */
export interface CredentialParts {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly accessToken?: string | undefined;
  /** Separated by spaces when given as one text. */
  readonly scopes?: readonly string[] | string | undefined;
  /** `client_secret_basic` (default), `client_secret_post` or `none`. */
  readonly tokenEndpointAuthMethod?: string | undefined;
  /** Further parameters of token requests, such as `audience` or `resource`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** A path or a PEM text. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
}

const TEXT_PARTS = [
  "username",
  "password",
  "clientId",
  "clientSecret",
  "refreshToken",
  "accessToken",
  "tokenEndpointAuthMethod",
  "cert",
  "key",
  "passphrase",
] as const;

/**
 * The parts of a JSON object, or `undefined` when the text is not one.
 *
 * @throws CredentialError when a part is not known or has the wrong shape
 */
export function namedParts(text: string): CredentialParts | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  for (const [part, content] of Object.entries(value)) {
    const known = (TEXT_PARTS as readonly string[]).includes(part);
    const right = known
      ? typeof content === "string"
      : part === "scopes"
        ? typeof content === "string" || (Array.isArray(content) && content.every((scope) => typeof scope === "string"))
        : part === "parameters" &&
          typeof content === "object" &&
          content !== null &&
          Object.values(content).every((parameter) => typeof parameter === "string");
    if (!right)
      throw new CredentialError(
        known || part === "scopes" || part === "parameters"
          ? `The part "${part}" of a credential has the wrong shape.`
          : `"${part.slice(0, 40)}" is not a part of a credential.`,
        `The parts are ${[...TEXT_PARTS, "scopes", "parameters"].join(", ")}.`,
      );
  }
  return value as CredentialParts;
}

export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

/**
 * Reads `user:password`, or `{"username","password"}`.
 *
 * @throws CredentialError when it is neither
 */
export function userAndPassword(scheme: string, text: string, redactor: Redactor): UserAndPassword {
  const parts = namedParts(text);
  const colon = text.indexOf(":");
  if (parts === undefined ? colon < 0 : parts.username === undefined)
    throw new CredentialError(
      `The credential for "${scheme}" is not of the form user:password.`,
      'Where an API key takes the place of the user name, write "<key>:" with nothing after the colon.',
    );
  const user = parts === undefined ? text.slice(0, colon) : parts.username!;
  const password = parts === undefined ? text.slice(colon + 1) : (parts.password ?? "");
  if (user.includes(":"))
    throw new CredentialError(`The user name for "${scheme}" has a colon, which Basic cannot carry.`);
  if (/[\u0000-\u001f\u007f]/.test(user + password))
    throw new CredentialError(`The credential for "${scheme}" has control characters.`);
  // With an empty password the user name is the secret.
  redactor.add(password === "" ? user : password);
  return { user, password };
}
