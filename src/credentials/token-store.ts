/** Tokens that `login` obtained, in a file that only its owner can read, under the XDG state folder. */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** A token belongs to one scheme of one server: a document that names another server never gets it. */
export interface StoredToken {
  /** Name of the security scheme. */
  readonly scheme: string;
  /** Origin of the API's server. */
  readonly origin: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly tokenEndpointAuthMethod?: string | undefined;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Milliseconds of the epoch; `undefined` when the server did not say. */
  readonly expiresAt?: number | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** Where tokens of a login are kept. */
export interface TokenStore {
  readonly path: string;
  /** The token of a scheme for the server at `origin`; `undefined` when there is none. */
  find(scheme: string, origin: string): Promise<StoredToken | undefined>;
  /** Replaces the token of the same scheme and origin. */
  save(token: StoredToken): Promise<void>;
  /** Forgets a token; true when there was one. */
  remove(scheme: string, origin: string): Promise<boolean>;
}

/** `$XDG_STATE_HOME/codemode-openapi/tokens.json`, or the platform's place for the like. */
export function defaultTokenPath(env: NodeJS.ProcessEnv = process.env): string {
  const state = env["XDG_STATE_HOME"];
  if (state?.startsWith("/") === true) return join(state, "codemode-openapi", "tokens.json");
  const local = env["LOCALAPPDATA"];
  if (process.platform === "win32" && local !== undefined) return join(local, "codemode-openapi", "tokens.json");
  return join(homedir(), ".local", "state", "codemode-openapi", "tokens.json");
}

/** Tokens in a file that only its owner can read. Default: where `login` keeps them. */
export function makeTokenStore(path: string = defaultTokenPath()): TokenStore {
  // One change at a time: a read and a write of the same file belong together.
  let last: Promise<unknown> = Promise.resolve();
  const change = <A>(edit: (tokens: StoredToken[]) => { tokens: StoredToken[]; result: A }): Promise<A> => {
    const next = last.then(async () => {
      const { tokens, result } = edit(await readTokens(path));
      await writeTokens(path, tokens);
      return result;
    });
    last = next.catch(() => {});
    return next;
  };
  const same = (scheme: string, origin: string) => (token: StoredToken) =>
    token.scheme === scheme && token.origin === origin;

  return {
    path,
    find: async (scheme, origin) => (await readTokens(path)).find(same(scheme, origin)),
    save: (token) =>
      change((tokens) => ({
        tokens: [...tokens.filter((other) => !same(token.scheme, token.origin)(other)), token],
        result: undefined,
      })),
    remove: (scheme, origin) =>
      change((tokens) => {
        const kept = tokens.filter((token) => !same(scheme, origin)(token));
        return { tokens: kept, result: kept.length < tokens.length };
      }),
  };
}

async function readTokens(path: string): Promise<StoredToken[]> {
  try {
    const file = JSON.parse(await readFile(path, "utf8")) as { version?: unknown; tokens?: unknown };
    return file.version === 1 && Array.isArray(file.tokens) ? (file.tokens as StoredToken[]) : [];
  } catch {
    // No file, or one that is damaged: there is no token, and `login` writes a new file.
    return [];
  }
}

async function writeTokens(path: string, tokens: readonly StoredToken[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, `${JSON.stringify({ version: 1, tokens }, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
