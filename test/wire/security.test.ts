/** Security requirements: what is checked before a credential goes anywhere. */
import { describe, expect, it } from "vitest";
import { wire } from "./wire.js";

const key = { type: "apiKey", in: "header", name: "X-Key" };

const secured = (security: unknown, schemes: Record<string, unknown>, options = {}) =>
  wire({ paths: { "/x": { get: { security } } }, components: { securitySchemes: schemes } }, options);

describe("requirements", () => {
  it.each<[string, unknown, Record<string, unknown>, string]>([
    ["a name that is not declared", [{ ghost: [] }], {}, "malformed-security"],
    ["an inherited name", [{ constructor: [] }], {}, "malformed-security"],
    ["no list", { a: [] }, { a: key }, "malformed-security"],
    ["no object", ["a"], { a: key }, "malformed-security"],
    ["scopes that are no list", [{ a: "read" }], { a: key }, "malformed-security"],
    ["a scheme without type", [{ a: [] }], { a: {} }, "malformed-security"],
    ["an unknown type", [{ a: [] }], { a: { type: "hawk" } }, "unsupported-security"],
    ["an unknown HTTP scheme", [{ a: [] }], { a: { type: "http", scheme: "Negotiate" } }, "unsupported-security"],
    ["no HTTP scheme", [{ a: [] }], { a: { type: "http" } }, "malformed-security"],
    ["a key without name", [{ a: [] }], { a: { type: "apiKey", in: "header" } }, "malformed-security"],
    ["a key in no place", [{ a: [] }], { a: { type: "apiKey", name: "k", in: "body" } }, "malformed-security"],
    ["a key that is no field", [{ a: [] }], { a: { ...key, name: "X Key" } }, "malformed-security"],
    ["a key in a field of the connection", [{ a: [] }], { a: { ...key, name: "Host" } }, "unsupported-security"],
    ["openIdConnect without URL", [{ a: [] }], { a: { type: "openIdConnect" } }, "malformed-security"],
    ["one bad scheme of two", [{ a: [], b: [] }], { a: key, b: { type: "hawk" } }, "unsupported-security"],
  ])("%s skips the operation", async (_, security, schemes, code) => {
    const api = await secured(security, schemes);
    expect(api.api.skipped).toMatchObject([{ code, method: "GET", pathTemplate: "/x" }]);
  });

  it("drops the bad alternative and keeps the others", async () => {
    const api = await secured([{ bad: [] }, { a: [] }, {}], { bad: { type: "hawk" }, a: key });
    expect(api.tool("GET /x").security.alternatives.map((all) => all.map(({ name }) => name))).toEqual([["a"], []]);
  });

  it.each<[string, unknown]>([
    ["an empty list", []],
    ["nothing", undefined],
    ["an empty requirement", [{}]],
  ])("%s asks for nothing", async (_, security) => {
    const api = await secured(security, { a: key });
    expect((await api.call("GET /x", {})).request.headers["x-key"]).toBeUndefined();
  });

  it("HTTP schemes are case-insensitive, a name without scopes asks for none", async () => {
    const api = await secured(
      [{ a: null }],
      { a: { type: "http", scheme: "BEARER" } },
      { credentials: { a: "literal:token" } },
    );
    expect((await api.call("GET /x", {})).request.headers["authorization"]).toBe("Bearer token");
  });

  it("the user's scheme stands in for one that is missing or wrong", async () => {
    const credentials = { ghost: "literal:k", bad: "literal:b" };
    const schemes = { ghost: { ...key, name: "X-Ghost" }, bad: { type: "http", scheme: "bearer" } };
    const api = await secured([{ ghost: [], bad: [] }], { bad: { type: "hawk" } }, { schemes, credentials });
    expect((await api.call("GET /x", {})).request.headers).toMatchObject({ "x-ghost": "k", authorization: "Bearer b" });
  });

  it("without a credential nothing is sent, and the failure says how to give it", async () => {
    const api = await secured([{ a: [] }], { a: key });
    const { error, requests } = await api.call("GET /x", {});
    expect(error?.message).toContain('"a"');
    expect(error?.hint).toContain("--auth a=");
    expect(requests).toEqual([]);
  });
});
