import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OpenApiDocument } from "../../src/openapi/document.js";
import { documentFromObject } from "../../src/openapi/load.js";
import { declaredOperations } from "../../src/openapi/operations.js";
import { chooseServer, readServerOptions, type ServerOptions } from "../../src/openapi/server-object.js";
import { description, operation } from "./files.js";

/** The server of the only operation: its URL, or the code and reason of what is wrong. */
function serverOf(document: Record<string, unknown>, uri?: string, options: ServerOptions = {}) {
  const loaded = documentFromObject(document, uri);
  const model = declaredOperations(loaded).operations[0]?.model();
  const choice = chooseServer(loaded as OpenApiDocument, model?.servers ?? [], readServerOptions(options));
  if ("fault" in choice) return `${choice.fault.code}: ${choice.fault.reason}`;
  if ("missing" in choice.server) return `missing: ${choice.server.missing}`;
  return choice.server.origin + choice.server.basePath;
}

const withServers = (...urls: unknown[]) =>
  description(
    { "/p": { get: operation() } },
    { servers: urls.map((url) => (typeof url === "string" ? { url } : url)) },
  );

describe("servers", () => {
  const uri = "https://docs.example/specs/v1/openapi.json";

  it.each([
    ["https://api.example", "https://api.example"],
    ["https://api.example/", "https://api.example"],
    ["https://api.example/v1/", "https://api.example/v1"],
    ["https://api.example:443/v1", "https://api.example/v1"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["/api/v2", "https://docs.example/api/v2"],
    ["../v2", "https://docs.example/specs/v2"],
    ["v3/", "https://docs.example/specs/v1/v3"],
    [".", "https://docs.example/specs/v1"],
    ["//api.example/v1", "https://api.example/v1"],
    ["/", "https://docs.example"],
    ["", "https://docs.example"],
  ])("resolves %j against the document", (url, expected) => {
    expect(serverOf(withServers(url), uri)).toBe(expected);
  });

  it("means the document's origin where none is declared", () => {
    expect(serverOf(description({ "/p": { get: operation() } }, { servers: undefined }), uri)).toBe(
      "https://docs.example",
    );
    expect(serverOf(withServers(), uri)).toBe("https://docs.example");
  });

  it("resolves as the URL standard does, whatever the reference", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "..", "."), { maxLength: 5 }), fc.boolean(), (parts, absolute) => {
        const reference = (absolute ? "/" : "") + parts.join("/");
        if (reference === "") return;
        const resolved = new URL(reference, uri).href.replace(/\/+$/, "");
        expect(serverOf(withServers(reference), uri)).toBe(resolved);
      }),
    );
  });

  it("has no origin to lend when the document is a file", () => {
    for (const file of ["file:///home/me/openapi.json", undefined]) {
      expect(serverOf(withServers("/v1"), file)).toMatch(/^missing: .*"\/v1" is relative/);
      expect(serverOf(withServers("/v1", "https://api.example"), file)).toBe("https://api.example");
      expect(serverOf(withServers("//api.example/v1"), file)).toBe("https://api.example/v1");
      expect(serverOf(withServers("/v1"), file, { server: "http://127.0.0.1:9/x/" })).toBe("http://127.0.0.1:9/x");
    }
  });

  it("prefers the operation's servers to the path item's, and those to the document's", () => {
    const servers = (name: string) => [{ url: `https://${name}.example` }];
    const document = (item: Record<string, unknown>, own: Record<string, unknown>) =>
      description({ "/p": { ...item, get: operation(own) } });
    expect(serverOf(document({ servers: servers("item") }, { servers: servers("own") }))).toBe("https://own.example");
    expect(serverOf(document({ servers: servers("item") }, { servers: [] }))).toBe("https://item.example");
  });

  it("takes the first server that can be used", () => {
    expect(serverOf(withServers("wss://live.example", "https://{x}.example", "https://api.example"))).toBe(
      "https://api.example",
    );
    expect(serverOf(withServers("wss://live.example"))).toMatch(/^unsupported-transport: wss/);
    expect(serverOf(withServers("unix:///var/run/d.sock"))).toMatch(/^unsupported-transport: unix/);
    expect(serverOf(withServers("https://user:secret@api.example"))).toMatch(/^unsupported-server: .*--auth/);
    expect(serverOf(withServers("https://api.example/?key=1"))).toMatch(/^unsupported-server/);
    expect(serverOf(withServers({ description: "no url" }))).toMatch(/^unsupported-server/);
  });

  describe("variables", () => {
    const document = withServers({
      url: "https://{region}.api.example:{port}/{base}",
      variables: { region: { default: "us", enum: ["us", "eu"] }, port: { default: 8443 }, base: { default: "v1/x" } },
    });

    it("have defaults, which the user overrides", () => {
      expect(serverOf(document)).toBe("https://us.api.example:8443/v1/x");
      expect(serverOf(document, undefined, { serverVariables: { region: "eu", port: "443" } })).toBe(
        "https://eu.api.example/v1/x",
      );
    });

    it("are checked against their enum", () => {
      expect(serverOf(document, undefined, { serverVariables: { region: "mars" } })).toMatch(/"mars".*region.*us, eu/);
    });

    it("need a value", () => {
      expect(serverOf(withServers("https://{tenant}.example"))).toMatch(
        /^unsupported-server: .*tenant.*--server-var tenant=/,
      );
      expect(serverOf(withServers("https://{tenant}.example"), undefined, { serverVariables: { tenant: "a" } })).toBe(
        "https://a.example",
      );
      const placeholder = { url: "https://{tenant}", variables: { tenant: { default: "{your-tenant}" } } };
      expect(serverOf(withServers(placeholder))).toMatch(/^unsupported-server: .*placeholder.*--server-var tenant=/);
      expect(serverOf(withServers("https://{__proto__}.example"))).toMatch(/^unsupported-server/);
      expect(serverOf(withServers("https://api.example/{open"))).toMatch(/^unsupported-server/);
    });
  });

  it("refuses an override that is no http(s) URL", () => {
    expect(() => serverOf(withServers("/"), undefined, { server: "ftp://x" })).toThrow(RangeError);
    expect(() => serverOf(withServers("/"), undefined, { server: "not a url" })).toThrow(RangeError);
    expect(serverOf(withServers("/"), undefined, { server: "localhost:8080/v1" })).toBe("http://localhost:8080/v1");
  });

  describe("of Swagger 2.0", () => {
    const swagger = (fields: object, own: Record<string, unknown> = {}) => ({
      swagger: "2.0",
      info: { title: "T", version: "1" },
      paths: { "/p": { get: operation(own) } },
      ...fields,
    });

    it.each([
      [{ host: "api.example", basePath: "/v1", schemes: ["https"] }, {}, undefined, "https://api.example/v1"],
      [{ host: "api.example:8080", schemes: ["http", "https"] }, {}, undefined, "http://api.example:8080"],
      [{ host: "api.example", schemes: ["https", "http"] }, {}, "http://docs.example/s.json", "http://api.example"],
      [{ host: "api.example", schemes: ["http"] }, { schemes: ["https"] }, undefined, "https://api.example"],
      [{ host: "api.example" }, {}, "http://docs.example/s.json", "http://api.example"],
      [{ host: "api.example" }, {}, undefined, "https://api.example"],
      [{ basePath: "/v1/" }, {}, "http://docs.example:8/x/s.json", "http://docs.example:8/v1"],
      [{ basePath: "v1" }, {}, "http://docs.example/x/s.json", "http://docs.example/v1"],
      [{}, {}, "https://docs.example/x/s.json", "https://docs.example"],
      [{ schemes: ["https"] }, {}, "http://docs.example/s.json", "https://docs.example"],
      [{ host: "api.example", schemes: ["ws", "https"] }, {}, undefined, "https://api.example"],
    ])("%j %j from %s", (fields, own, from, expected) => {
      expect(serverOf(swagger(fields, own), from)).toBe(expected);
    });

    it("needs a transport and an origin", () => {
      expect(serverOf(swagger({ host: "api.example", schemes: ["wss"] }))).toMatch(/^unsupported-transport/);
      expect(serverOf(swagger({ basePath: "/v1" }))).toMatch(/^missing: .*relative/);
    });
  });
});
