/**
 * No secret in anything that leaves the host, although the server repeats it in every way it can: every scheme, every
 * output of the command line.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codemode, json, type Outcome } from "../cli/command-line.js";
import { answer, type RawServer, type Received, rawServer } from "../http/raw-server.js";

const CANARY = "CaNaRy/7+x=&y z";
const folder = mkdtempSync(join(tmpdir(), "canary-"));
let server: RawServer;

/** Everything the server was told, in many spellings. */
function echo({ target, headers, body }: Received): string {
  const told = [
    target,
    decodeURIComponent(target),
    headers["authorization"] ?? "",
    headers["cookie"] ?? "",
    headers["x-key"] ?? "",
    body.toString(),
    CANARY,
  ];
  const basic = /^Basic (.+)$/.exec(headers["authorization"] ?? "")?.[1];
  if (basic !== undefined) told.push(Buffer.from(basic, "base64").toString());
  return told
    .flatMap((text) => [
      text,
      encodeURIComponent(text),
      Buffer.from(text).toString("base64"),
      new URLSearchParams({ text }).toString(),
      JSON.stringify(text),
    ])
    .join("\n");
}

beforeAll(async () => {
  const nonce = createHash("md5").update("n").digest("hex");
  server = await rawServer((socket, sent) => {
    const { pathname } = new URL(sent.target, server.origin);
    const told = echo(sent);
    if (pathname === "/token")
      return socket.write(
        answer(
          200,
          { "Content-Type": "application/json" },
          JSON.stringify({
            access_token: CANARY.replace(/[^A-Za-z]/g, "") + "-token-canary",
            token_type: "Bearer",
            expires_in: 60,
          }),
        ),
      );
    if (pathname === "/digest" && sent.headers["authorization"] === undefined)
      return socket.write(
        answer(401, { "WWW-Authenticate": `Digest realm="${CANARY}", nonce="${nonce}", qop="auth"` }),
      );
    if (pathname === "/redirect")
      return socket.write(answer(302, { Location: `/plain?told=${encodeURIComponent(CANARY)}` }));
    const headers = { "X-Told": told.replace(/\n/g, " "), "Set-Cookie": `told=${encodeURIComponent(CANARY)}` };
    if (pathname === "/fails")
      return socket.write(
        answer(
          400,
          { ...headers, "Content-Type": "application/json" },
          JSON.stringify({ message: told, [CANARY]: [told] }),
        ),
      );
    if (pathname === "/malformed")
      return socket.write(answer(200, { ...headers, "Content-Type": "application/json" }, told));
    if (pathname === "/lines")
      return socket.write(
        answer(200, { ...headers, "Content-Type": "application/x-ndjson" }, `${JSON.stringify({ told })}\n`),
      );
    if (pathname === "/plain") return socket.write(answer(200, { ...headers, "Content-Type": "text/plain" }, told));
    return socket.write(
      answer(
        200,
        { ...headers, "Content-Type": "application/json" },
        JSON.stringify({ told, list: [{ [told]: told }] }),
      ),
    );
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const PATHS = ["json", "plain", "fails", "malformed", "lines", "redirect", "digest"];

const schemes = (): Record<string, { scheme: object; given: string }> => ({
  header: { scheme: { type: "apiKey", in: "header", name: "X-Key" }, given: CANARY },
  query: { scheme: { type: "apiKey", in: "query", name: "key" }, given: CANARY },
  cookie: { scheme: { type: "apiKey", in: "cookie", name: "key" }, given: CANARY },
  bearer: { scheme: { type: "http", scheme: "bearer" }, given: CANARY },
  basic: { scheme: { type: "http", scheme: "basic" }, given: `user:${CANARY}` },
  digest: { scheme: { type: "http", scheme: "digest" }, given: `user:${CANARY}` },
  oauth2: {
    scheme: { type: "oauth2", flows: { clientCredentials: { tokenUrl: `${server.origin}/token`, scopes: {} } } },
    given: JSON.stringify({ clientId: "id", clientSecret: CANARY }),
  },
});

function document(scheme: object): string {
  const operation = { security: [{ s: [] }], responses: { 200: { description: "ok" } } };
  const paths = Object.fromEntries(PATHS.map((path) => [`/${path}`, { get: { ...operation, operationId: path } }]));
  const file = join(folder, "api.json");
  writeFileSync(
    file,
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "t", version: "1" },
      servers: [{ url: server.origin }],
      paths,
      components: { securitySchemes: { s: scheme } },
    }),
  );
  return file;
}

/** Calls everything, looks at everything, and fails at the end with what it saw. */
const PROGRAM = `
const seen = [];
for (const name of ${JSON.stringify(PATHS)}) {
  try {
    const answer = await response(tools[name], {});
    const data = answer.data && answer.data[Symbol.asyncIterator] ? await Array.fromAsync(answer.data) : answer.data;
    seen.push(answer.headers, data);
    console.log(name, JSON.stringify(data), JSON.stringify(answer.headers));
  } catch (error) { seen.push(error.message, error.body, error.headers, String(error.stack)); console.error(error.message, error); }
  try { await tools[name]({}); } catch (error) { seen.push(error.message, error.body, error.headers); console.log(error); }
}
if (input.fail) throw new Error(JSON.stringify(seen));
return seen;`;

/** Every spelling that gives the secret away at a glance. */
const FORMS = [
  CANARY,
  encodeURIComponent(CANARY),
  encodeURI(CANARY),
  new URLSearchParams({ t: CANARY }).toString().slice(2),
  Buffer.from(CANARY).toString("base64"),
  Buffer.from(`user:${CANARY}`).toString("base64"),
  "token-canary",
  "CaNaRy",
];

function expectClean(outcome: Outcome, ...files: string[]): void {
  const outputs = {
    stdout: outcome.stdout,
    stderr: outcome.stderr,
    ...Object.fromEntries(files.map((file) => [file, readFileSync(file, "utf8")])),
  };
  for (const [name, text] of Object.entries(outputs)) {
    for (const form of FORMS) {
      const at = text.indexOf(form);
      expect(at, `${name}: …${text.slice(Math.max(0, at - 80), at + 80)}…`).toBe(-1);
    }
  }
}

describe("no secret leaves the host", () => {
  test.each(Object.keys({ header: 0, query: 0, cookie: 0, bearer: 0, basic: 0, digest: 0, oauth2: 0 }))(
    "of %s",
    async (kind) => {
      const { scheme, given } = schemes()[kind]!;
      const spec = document(scheme);
      const har = join(folder, "run.har");
      const env = { CANARY_VALUE: given };
      const auth = ["--auth", "s=env:CANARY_VALUE"];
      const files = ["--files", join(folder, "files")];

      const run = await codemode(
        ["run", spec, "-e", PROGRAM, "--input", "{}", "--json", "--record", har, ...files, ...auth],
        { env },
      );
      expect(json(run).ok, run.stdout.slice(0, 500)).toBe(true);
      expect(run.stdout).toContain("[redacted]");
      expectClean(run, har);

      const failed = await codemode(["run", spec, "-e", PROGRAM, "--input", '{"fail":true}', ...files, ...auth], {
        env,
      });
      expect(failed.code).toBe(1);
      expectClean(failed);

      for (const path of ["fails", "redirect"])
        expectClean(await codemode(["call", spec, path, ...files, ...auth], { env }));
      expectClean(await codemode(["call", spec, "json", "--dry-run", "--json", ...auth], { env }));
      expectClean(await codemode(["auth", spec, "--json", ...auth], { env }));
      for (const name of readdirSync(folder)) expect(name).not.toContain("CaNaRy");
    },
    300_000,
  );

  test("of a host header, nor of a credential that is wrong", async () => {
    const spec = document({ type: "http", scheme: "basic" });
    const env = { CANARY_VALUE: CANARY };
    expectClean(
      await codemode(
        ["call", spec, "json", "--json", "--header", "X-Key=env:CANARY_VALUE", "--auth", "s=literal:u:p4ssword"],
        { env },
      ),
    );
    for (const wrong of [
      "s=env:CANARY_VALUE",
      `s=${CANARY}`,
      `s=cmd:echo '${CANARY}' >&2; exit 1`,
      `s=literal:${CANARY}\n`,
    ])
      expectClean(await codemode(["call", spec, "json", "--json", "--auth", wrong], { env }));
  }, 120_000);
});
