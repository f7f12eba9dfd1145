/** HTTP Digest Access Authentication (RFC 7616; without `qop` as RFC 2617 has it). */
import { createHash, randomBytes } from "node:crypto";
import { type HttpRequest, type HttpResponse, requestField } from "../http/message.js";
import type { UserAndPassword } from "./parts.js";
import { headerPlace, placeCredentials } from "./place.js";
import type { Applied, SchemeSession } from "./session.js";

/** Strongest first: a client uses the strongest that it knows (RFC 7616, 3.7). */
const ALGORITHMS = [
  { name: "SHA-512-256", hash: "sha512-256" },
  { name: "SHA-256", hash: "sha256" },
  { name: "MD5", hash: "md5" },
] as const;

interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  /** As the server wrote it; `undefined` when it did not. */
  readonly algorithm: string | undefined;
  readonly hash: string;
  readonly session: boolean;
  readonly rank: number;
  readonly qop: "auth" | "auth-int" | undefined;
  readonly userhash: boolean;
  readonly stale: boolean;
}

interface State {
  readonly challenge: Challenge;
  nonce: string;
  /** Requests made with this nonce. */
  count: number;
  /** H(A1). */
  readonly secret: string;
  /** One for all requests of a `-sess` session: some servers keep A1, others make it anew from each request. */
  readonly cnonce: string | undefined;
}

/** A session keeps the last nonce, so that only the first request is asked for its password. */
export function makeDigestSession(scheme: string, credential: UserAndPassword): SchemeSession {
  let state: State | undefined;

  const field = async (request: HttpRequest, at: State): Promise<string> =>
    authorizationField(request, at, credential, await bodyHash(request, at.challenge));

  const applied = (value: string): Applied["places"] => [headerPlace("Authorization", value, scheme)];

  return {
    apply: async (request) => ({
      places: state === undefined ? [] : applied(await field(request, state)),
      answered: async (sent, response) => {
        if (response.status !== 401) {
          const next = parameters(response.headers["authentication-info"] ?? "")["nextnonce"];
          // The session key of a "-sess" algorithm stays bound to its first nonce.
          if (next !== undefined && state !== undefined && !state.challenge.session)
            Object.assign(state, { nonce: next, count: 0 });
          return undefined;
        }
        const challenge = strongest(response);
        if (challenge === undefined) return undefined;
        const tried = parameters((requestField(sent, "authorization") ?? "").replace(/^Digest\s+/i, ""));
        // The server has seen this nonce with this password and does not call it stale: the password is wrong. A nonce
        // that another call of this session has renewed in the meantime is worth one more attempt.
        // So is one for another target (a redirect).
        const refused = tried["nonce"] === challenge.nonce && tried["uri"] === sent.target && !challenge.stale;
        if (refused) return undefined;
        state = begin(challenge, credential);
        const places = applied(await field(sent, state));
        const again = placeCredentials(sent, places);
        return {
          ...again,
          authorization: {
            ...sent.authorization,
            places: [...(sent.authorization?.places ?? []).filter(({ name }) => name !== "Authorization"), ...places],
          },
        };
      },
    }),
  };
}

function begin(challenge: Challenge, { user, password }: UserAndPassword): State {
  const { hash, nonce, realm, session } = challenge;
  const secret = digest(hash, `${user}:${realm}:${password}`);
  const cnonce = session ? clientNonce() : undefined;
  // RFC 7616, 3.4.2: A1 of a "-sess" algorithm is computed once.
  return {
    challenge,
    nonce,
    count: 0,
    cnonce,
    secret: session ? digest(hash, `${secret}:${nonce}:${cnonce}`) : secret,
  };
}

function authorizationField(request: HttpRequest, state: State, { user }: UserAndPassword, body: string): string {
  const { challenge } = state;
  const { hash, qop, realm } = challenge;
  const cnonce = state.cnonce ?? clientNonce();
  const nc = (++state.count).toString(16).padStart(8, "0");
  const a2 = digest(hash, `${request.method}:${request.target}${qop === "auth-int" ? `:${body}` : ""}`);
  const response = digest(
    hash,
    qop === undefined
      ? `${state.secret}:${state.nonce}:${a2}`
      : `${state.secret}:${state.nonce}:${nc}:${cnonce}:${qop}:${a2}`,
  );
  const ascii = /^[\x20-\x7e]*$/.test(user);
  const name = challenge.userhash
    ? [`username=${quoted(digest(hash, `${user}:${realm}`))}`, "userhash=true"]
    : ascii
      ? [`username=${quoted(user)}`]
      : [`username*=UTF-8''${encodeURIComponent(user).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`];
  return `Digest ${[
    ...name,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(state.nonce)}`,
    `uri=${quoted(request.target)}`,
    `response=${quoted(response)}`,
    ...(challenge.algorithm === undefined ? [] : [`algorithm=${challenge.algorithm}`]),
    ...(challenge.opaque === undefined ? [] : [`opaque=${quoted(challenge.opaque)}`]),
    ...(qop === undefined
      ? challenge.session
        ? [`cnonce=${quoted(cnonce)}`]
        : []
      : [`qop=${qop}`, `nc=${nc}`, `cnonce=${quoted(cnonce)}`]),
  ].join(", ")}`;
}

function clientNonce(): string {
  return randomBytes(16).toString("hex");
}

async function bodyHash(request: HttpRequest, challenge: Challenge): Promise<string> {
  if (challenge.qop !== "auth-int") return "";
  const hash = createHash(challenge.hash);
  const bytes = request.body?.open();
  if (bytes instanceof Uint8Array) hash.update(bytes);
  else if (bytes !== undefined) for await (const chunk of bytes) hash.update(chunk);
  return hash.digest("hex");
}

function digest(hash: string, text: string): string {
  return createHash(hash).update(text, "utf8").digest("hex");
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** The strongest challenge of an answer that can be met. */
function strongest(response: Pick<HttpResponse, "headers">): Challenge | undefined {
  return challenges(response.headers["www-authenticate"] ?? "").sort((a, b) => a.rank - b.rank)[0];
}

/** The Digest challenges of a `WWW-Authenticate` value, which may hold several of several schemes (RFC 9110, 11.6.1). */
function challenges(value: string): Challenge[] {
  const starts = [
    ...outsideQuotes(value).matchAll(/(?:^|,)\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?=\s+[^\s=]|\s*(?:,|$))/g),
  ];
  return starts.flatMap((start, i) => {
    if (start[1]!.toLowerCase() !== "digest") return [];
    const text = value.slice(start.index + start[0].length, starts[i + 1]?.index ?? value.length);
    const found = challenge(parameters(text));
    return found === undefined ? [] : [found];
  });
}

/** The text with quoted strings blanked, of the same length. */
function outsideQuotes(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, (string) => `"${"x".repeat(string.length - 2)}"`);
}

function challenge(found: Readonly<Record<string, string>>): Challenge | undefined {
  const { realm, nonce } = found;
  if (realm === undefined || nonce === undefined) return undefined;
  const written = (found["algorithm"] ?? "MD5").toUpperCase();
  const session = written.endsWith("-SESS");
  const rank = ALGORITHMS.findIndex(({ name }) => name === (session ? written.slice(0, -5) : written));
  if (rank < 0) return undefined;
  const offered = found["qop"]?.split(",").map((qop) => qop.trim().toLowerCase());
  const qop =
    offered?.includes("auth") === true ? "auth" : offered?.includes("auth-int") === true ? "auth-int" : undefined;
  if (offered !== undefined && qop === undefined) return undefined;
  return {
    realm,
    nonce,
    opaque: found["opaque"],
    algorithm: found["algorithm"],
    hash: ALGORITHMS[rank]!.hash,
    session,
    rank,
    qop,
    userhash: found["userhash"]?.toLowerCase() === "true",
    stale: found["stale"]?.toLowerCase() === "true",
  };
}

/** `name=value` and `name="value"` pairs, by lower-case name. */
function parameters(text: string): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const [, name, string, token] of text.matchAll(
    /([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g,
  ))
    found[name!.toLowerCase()] ??= string?.replace(/\\(.)/g, "$1") ?? token!;
  return found;
}
