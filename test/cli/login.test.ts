/** Logging in with a device code (RFC 8628), and using, listing and forgetting the token. */
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codemode, json } from "./command-line.js";
import { type Recorder, sendJson, startRecorder } from "./recorder.js";

const folder = mkdtempSync(join(tmpdir(), "codemode-login-"));
const spec = join(folder, "spec.json");
const env = { XDG_STATE_HOME: join(folder, "state") };
let server: Recorder;
let polls = 0;

beforeAll(async () => {
  server = await startRecorder(({ target, headers }, response) => {
    if (target === "/device") {
      return sendJson(response, {
        device_code: "d-1",
        user_code: "ABCD-EFGH",
        verification_uri: "https://login.example/device",
        expires_in: 60,
        interval: 1,
      });
    }
    if (target === "/token") {
      polls++;
      if (polls < 2) return sendJson(response, { error: "authorization_pending" }, 400);
      return sendJson(response, { access_token: "at-secret-1", token_type: "Bearer", expires_in: 3600, scope: "read" });
    }
    if (headers.authorization !== "Bearer at-secret-1") return sendJson(response, { message: "who are you?" }, 401);
    return sendJson(response, { hello: "ada" });
  });
  const flow = {
    deviceAuthorizationUrl: `${server.origin}/device`,
    tokenUrl: `${server.origin}/token`,
    scopes: { read: "Read" },
  };
  writeFileSync(
    spec,
    JSON.stringify({
      openapi: "3.2.0",
      info: { title: "Me", version: "1" },
      servers: [{ url: server.origin }],
      paths: {
        "/me": {
          get: { operationId: "me", security: [{ account: ["read"] }], responses: { 200: { description: "ok" } } },
        },
      },
      components: { securitySchemes: { account: { type: "oauth2", flows: { deviceAuthorization: flow } } } },
    }),
  );
});
afterAll(() => server.close());

describe("login", () => {
  it("is what a call without a token asks for", async () => {
    const outcome = await codemode(["call", spec, "me"], { env });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/account[\s\S]*login/);
  });

  it("obtains a token, keeps it where only its owner can read it, and calls use it", async () => {
    const outcome = await codemode(["login", spec, "--client-id", "cli", "--device", "--json"], { env });
    expect(outcome.code).toBe(0);
    expect(json(outcome)).toMatchObject({ scheme: "account", origin: server.origin, scopes: ["read"] });
    expect(outcome.stderr).toContain("https://login.example/device");
    expect(outcome.stderr).toContain("ABCD-EFGH");
    expect(outcome.stdout + outcome.stderr).not.toContain("at-secret-1");
    const form = new URLSearchParams(server.requests.find(({ target }) => target === "/device")!.body);
    expect(Object.fromEntries(form)).toMatchObject({ client_id: "cli", scope: "read" });
    const store = join(folder, "state", "codemode-openapi", "tokens.json");
    expect(readFileSync(store, "utf8")).toContain("at-secret-1");
    expect(statSync(store).mode & 0o077).toBe(0);
    expect(json(await codemode(["call", spec, "me", "--json"], { env })).value).toEqual({ hello: "ada" });
    expect(json(await codemode(["auth", spec, "--json"], { env })).apis[0].schemes[0]).toMatchObject({
      name: "account",
      credential: "given",
    });
  });

  it("--logout forgets it", async () => {
    expect(json(await codemode(["login", spec, "account", "--logout", "--json"], { env }))).toMatchObject({
      removed: true,
    });
    expect(json(await codemode(["login", spec, "account", "--logout", "--json"], { env }))).toMatchObject({
      removed: false,
    });
    expect((await codemode(["call", spec, "me"], { env })).code).toBe(1);
  });

  it.each([
    ["a scheme that is none", [spec, "acount", "--client-id", "x"], "account"],
    ["no client", [spec, "account"], "--client-id"],
    ["a document without such a scheme", ["fixtures/petstore/swagger.yaml", "--client-id", "x"], "--auth"],
  ])("says what is wrong with %s", async (_title, args, says) => {
    const outcome = await codemode(["login", ...args], { env });
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    expect(outcome.stderr).toContain(says);
  });

  it("works with the demo, whose token ends with it", async () => {
    const outcome = await codemode(["login", "demo:", "shopLogin", "--client-id", "demo", "--device", "--json"], {
      env,
    });
    expect(json(outcome)).toMatchObject({ scheme: "shopLogin", scopes: ["shop"] });
    expect(readFileSync(join(folder, "state", "codemode-openapi", "tokens.json"), "utf8")).not.toContain("shopLogin");
  });
});
