import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codemode, json } from "../cli/command-line.js";
import { findProgram, freePort, type RunningServer, startServer, temporaryFolder } from "./server-process.js";

const SCHEMA = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";
const key = randomBytes(12).toString("hex");
let server: RunningServer;
let origin: string;

beforeAll(async () => {
  const program = findProgram("pdns_server");
  if (!program) throw new Error("pdns_server is missing: apt-get install pdns-server pdns-backend-sqlite3 sqlite3");
  const folder = temporaryFolder("pdns");
  const database = join(folder, "pdns.db");
  execFileSync("sqlite3", [database], { input: readFileSync(SCHEMA) });
  const [port, dnsPort] = [await freePort(), await freePort()];
  origin = `http://127.0.0.1:${port}`;
  server = await startServer({
    command: program,
    folder,
    args: [
      "--no-config",
      `--config-dir=${folder}`,
      `--socket-dir=${folder}`,
      "--daemon=no",
      "--guardian=no",
      "--disable-syslog",
      "--launch=gsqlite3",
      `--gsqlite3-database=${database}`,
      "--api=yes",
      `--api-key=${key}`,
      "--webserver=yes",
      "--webserver-address=127.0.0.1",
      `--webserver-port=${port}`,
      "--webserver-allow-from=127.0.0.0/8",
      "--local-address=127.0.0.1",
      `--local-port=${dnsPort}`,
    ],
    readyUrl: `${origin}/api/docs`,
    readyHeaders: { "X-API-Key": key },
  });
});

afterAll(() => server?.stop());

/** The document is behind the key, too. */
const access = () => ["--spec-header", "X-API-Key=env:PDNS_KEY", "--auth", "APIKeyHeader=env:PDNS_KEY"];
const env = { PDNS_KEY: key };
const docs = () => `${origin}/api/docs`;

describe("PowerDNS Authoritative Server", () => {
  it("says what to do when the document needs a credential", async () => {
    const outcome = await codemode(["list", docs()], { env });
    expect(outcome.code).toBe(3);
    expect(outcome.stderr).toContain("401");
    expect(outcome.stderr).toContain("--spec-header");
  });

  it("gives a tool for every operation of its own document", async () => {
    const { tools, skipped } = json(await codemode(["list", docs(), "--json", ...access()], { env }));
    expect(tools.length).toBeGreaterThan(30);
    expect(skipped).toEqual([]);
  });

  it("makes, changes, lists, exports and deletes a zone in one program", async () => {
    const program = `
      const zone = await tools.createZone({
        server_id: "localhost", name: input.zone, kind: "Native", nameservers: ["ns1." + input.zone],
        body_rrsets: [{ name: "www." + input.zone, type: "A", ttl: 300, changetype: "REPLACE", records: [{ content: "192.0.2.1", disabled: false }] }],
      });
      const change = (type, records) => tools.patchZone({
        server_id: "localhost", zone_id: zone.id,
        rrsets: [{ name: "www." + input.zone, type, ttl: 60, changetype: "REPLACE", records: records.map(content => ({ content, disabled: false })) }],
      });
      // One after the other: each change writes a new serial.
      await change("A", ["192.0.2.7", "192.0.2.8"]);
      await change("TXT", ['"héllo & welcome"']);
      const listed = (await tools.listZones({ server_id: "localhost" })).map(z => z.name);
      const now = await tools.listZone({ server_id: "localhost", zone_id: zone.id });
      const { zone: text } = await tools.axfrExportZone({ server_id: "localhost", zone_id: zone.id });
      const found = await tools.searchData({ server_id: "localhost", q: "www*", max: 10, object_type: "record" });
      await tools.deleteZone({ server_id: "localhost", zone_id: zone.id });
      const after = await response(tools.listZone, { server_id: "localhost", zone_id: zone.id });
      return {
        listed, text, after: after.status, found: found.length,
        addresses: now.rrsets.find(set => set.type === "A").records.map(r => r.content).sort(),
        ttl: now.rrsets.find(set => set.type === "A").ttl,
      };`;
    const outcome = await codemode(
      ["run", docs(), "-e", program, "--arg", "zone=example.org.", "--json", ...access()],
      { env },
    );
    const result = json(outcome);
    expect(result.error).toBeUndefined();
    expect(result.value).toMatchObject({
      listed: ["example.org."],
      addresses: ["192.0.2.7", "192.0.2.8"],
      ttl: 60,
      after: 404,
    });
    expect(result.value.found).toBeGreaterThanOrEqual(2);
    expect(result.value.text).toMatch(/www\.example\.org\.\s+60\s+IN\s+A\s+192\.0\.2\.7/);
    expect(outcome.stdout + outcome.stderr).not.toContain(key);
    expect(outcome.code).toBe(0);
  });

  it("shows the server's own error", async () => {
    const outcome = await codemode(
      [
        "call",
        docs(),
        "createZone",
        "--server-id",
        "localhost",
        "--name",
        "no-dot",
        "--kind",
        "Native",
        "--json",
        ...access(),
      ],
      { env },
    );
    expect(outcome.code).toBe(1);
    expect(json(outcome).error).toMatchObject({ kind: "ToolFailure", status: 422 });
  });

  it("refuses a call without its key, and sends nothing", async () => {
    const outcome = await codemode(
      ["call", docs(), "listServers", "--json", "--spec-header", "X-API-Key=env:PDNS_KEY"],
      { env },
    );
    expect(outcome.code).toBe(1);
    expect(json(outcome).error.message + json(outcome).error.hint).toContain("APIKeyHeader");
  });
});
