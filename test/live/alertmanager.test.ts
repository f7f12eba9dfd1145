import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codemode, json } from "../cli/command-line.js";
import { stdioClient, textOf } from "../mcp/clients.js";
import { findProgram, freePort, type RunningServer, startServer, temporaryFolder } from "./server-process.js";

const password = "correct horse";
/** bcrypt of the password above, cost 4: for a server that lives for seconds. */
const hash = "$2b$04$kngBtsHgg0zF4TT.1CyBEOz/OIOncE1A4DBODd22ZYCkQoiyDGbf.";
const authorization = `Basic ${Buffer.from(`admin:${password}`).toString("base64")}`;
let server: RunningServer;
let origin: string;
let spec: string;

/** The Swagger 2.0 document that the server carries inside its program file: the JSON object around the mark. */
function embeddedDocument(program: string): string {
  const bytes = readFileSync(program);
  const start = bytes.lastIndexOf('{\n  "consumes"', bytes.indexOf('"swagger": "2.0"'));
  const end = bytes.indexOf("\n}", start);
  return bytes.subarray(start, end + 2).toString("utf8");
}

beforeAll(async () => {
  const program = findProgram("prometheus-alertmanager");
  if (!program) throw new Error("prometheus-alertmanager is missing: apt-get install prometheus-alertmanager");
  const folder = temporaryFolder("alertmanager");
  spec = join(folder, "openapi.json");
  writeFileSync(spec, embeddedDocument(program));
  writeFileSync(join(folder, "am.yml"), "route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n");
  writeFileSync(join(folder, "web.yml"), `basic_auth_users:\n  admin: ${JSON.stringify(hash)}\n`);
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = await startServer({
    command: program,
    folder,
    args: [
      "--config.file=am.yml",
      "--web.config.file=web.yml",
      "--storage.path=data",
      `--web.listen-address=127.0.0.1:${port}`,
      "--cluster.listen-address=",
    ],
    readyUrl: `${origin}/api/v2/status`,
    readyHeaders: { authorization },
  });
});

afterAll(() => server?.stop());

// The document does not say how to authenticate.
const access = () => ["--server", `${origin}/api/v2`, "--header", "Authorization=env:AM_AUTHORIZATION"];
const env = { AM_AUTHORIZATION: authorization };

const program = `
  const labels = (service, severity) => ({ alertname: "Late", service, severity });
  await tools.postAlerts({ body: [
    { labels: labels("mail", "page"), annotations: { note: "a & b = ü" } },
    { labels: labels("web", "page") },
    { labels: labels("web", "ticket") },
  ] });
  const { silenceID } = await tools.postSilences({
    matchers: [{ name: "service", value: "web", isRegex: false, isEqual: true }, { name: "severity", value: "tic.*", isRegex: true }],
    startsAt: new Date(Date.now()).toISOString(), endsAt: new Date(Date.now() + 3600_000).toISOString(),
    createdBy: "live", comment: "known",
  });
  const names = alerts => alerts.map(a => a.labels.service + "/" + a.labels.severity).sort();
  const active = names(await tools.getAlerts({ silenced: false }));
  const web = names(await tools.getAlerts({ filter: ['service="web"', 'severity=~"page|ticket"'] }));
  const silences = await tools.getSilences({ filter: ['service="web"'] });
  const none = await tools.getSilences({ filter: ['service="mail"'] });
  const groups = await tools.getAlertGroups({});
  await tools.deleteSilence({ silenceID });
  const state = (await tools.getSilence({ silenceID })).status.state;
  return { active, web, found: silences.filter(s => s.id === silenceID).length, none: none.length, groups: groups.length, state };`;

describe("Prometheus Alertmanager behind the MCP server", () => {
  // A scripted model: it reads what the server says and writes its next program from that, and from nothing else.
  it("is operated by a model that sees only execute and search", async () => {
    const client = await stdioClient([spec, ...access()], {}, env);
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args });
      return { text: textOf(result), content: result.structuredContent as any };
    };
    const found = async (query: string): Promise<string> =>
      (await call("search", { query, limit: 1 })).content.items[0].path;
    const [create, silence, list] = [
      await found("create new alerts"),
      await found("post a new silence"),
      await found("get a list of alerts"),
    ];
    const { text, content } = await call("execute", {
      code: `await ${create}({ body: [{ labels: { alertname: "Agent", service: "cart" } }] });
        const { silenceID } = await ${silence}({
          matchers: [{ name: "alertname", value: "Agent", isRegex: false }],
          startsAt: new Date().toISOString(), endsAt: new Date(Date.now() + 600_000).toISOString(),
          createdBy: "agent", comment: input.why,
        });
        const alerts = await ${list}({ filter: ['alertname="Agent"'] });
        return { silenceID, services: alerts.map((alert) => alert.labels.service) };`,
      input: { why: "known" },
    });
    expect(content).toMatchObject({ ok: true, value: { services: ["cart"] } });
    expect(text).toMatch(/^calls: 3 succeeded, 0 failed, 0 interrupted\nside effects:\n- POST /);
    expect(text).not.toContain(password);
    await client.close();
  });
});

describe("Prometheus Alertmanager", () => {
  it("makes alerts and silences and finds them again by filters", async () => {
    const outcome = await codemode(["run", spec, "-e", program, "--json", ...access()], { env });
    const result = json(outcome);
    expect(result.error).toBeUndefined();
    expect(result.value).toEqual({
      active: ["mail/page", "web/page"],
      web: ["web/page", "web/ticket"],
      found: 1,
      none: 0,
      groups: 1,
      state: "expired",
    });
    expect(outcome.code).toBe(0);
  });

  it("answers 401 without the header, which is a failure of the tool with its status", async () => {
    const outcome = await codemode(["call", spec, "getStatus", "--server", `${origin}/api/v2`, "--json"]);
    expect(outcome.code).toBe(1);
    expect(json(outcome).error).toMatchObject({ kind: "ToolFailure", status: 401 });
  });

  it("never shows the credential", async () => {
    const outcome = await codemode(["call", spec, "getStatus", "--dry-run", "--json", ...access()], { env });
    expect(json(outcome).headers["authorization"]).toBe("Basic [redacted]");
    expect(outcome.stdout + outcome.stderr).not.toContain(authorization);
  });
});
