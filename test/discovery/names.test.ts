import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { flattenTools, isTool } from "../../src/codemode/tree.js";
import { closestNames, completeTool, createCatalog, keepNames, keptNames } from "../../src/discovery/index.js";
import { object, tool } from "./tools.js";

describe("the tree of tools", () => {
  const one = tool(object({}));
  const two = tool(object({}));

  test("a dotted key is a path, the last definition of a path wins, a tool may also be a namespace", () => {
    const catalog = createCatalog({ "pets.list": one, pets: { list: two, "owners.get": one }, "pets.owners": two });
    expect(catalog.entries.map((entry) => entry.name)).toEqual(["pets.list", "pets.owners.get", "pets.owners"]);
    expect(catalog.get("pets.list")!.tool).toBe(two);
  });

  test("names may be anything", () => {
    const tree = {
      ["__proto__"]: one,
      constructor: { toString: one },
      "odd name": { get: one, 名前: one },
      class: one,
      "": one,
    };
    expect(createCatalog(tree).entries.map((entry) => entry.path)).toEqual([
      "tools.__proto__",
      "tools.constructor.toString",
      'tools["odd name"].get',
      'tools["odd name"].名前',
      "tools.class",
      'tools[""]',
    ]);
    expect(createCatalog(tree).get("hasOwnProperty")).toBeUndefined();
    expect([...flattenTools({}).keys()]).toEqual([]);
    expect(isTool({ call: one })).toBe(false);
  });
});

describe("closest names", () => {
  const names = ["repos.listForOrg", "repos.listForUser", "issues.list", "issues.create", "pulls.list"];

  test.each([
    ["repos.listforOrg", "repos.listForOrg"],
    ["repos.list-for-org", "repos.listForOrg"],
    ["repos.lsitForOrg", "repos.listForOrg"],
    ["issue.create", "issues.create"],
    ["github.issues.create", "issues.create"],
  ])("%s", (wrong, right) => {
    expect(closestNames(wrong, names)[0]).toBe(right);
  });

  test("says nothing rather than something far-fetched", () => {
    expect(closestNames("weather.forecast", names)).toEqual([]);
  });
});

describe("completion", () => {
  const names = ["repos.get", "repos.list", "repos.hooks.list", "rate"].map((name) => ({ name, description: "" }));
  const complete = (partial: string) => completeTool(names, partial).map((one) => one.name);

  test("goes a segment at a time", () => {
    expect(complete("")).toEqual(["rate", "repos."]);
    expect(complete("re")).toEqual(["repos."]);
    expect(complete("repos.")).toEqual(["repos.get", "repos.hooks.", "repos.list"]);
    expect(complete("repos.hooks.l")).toEqual(["repos.hooks.list"]);
    expect(complete("x")).toEqual([]);
  });

  test("keeps the names of a file until it changes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "names-"));
    try {
      const source = join(folder, "api.json");
      writeFileSync(source, "{}");
      const catalog = createCatalog({ a: tool(object({}), undefined, { summary: "Does it." }) });
      const cache = join(folder, "cache");
      expect(await keptNames(source, cache)).toBeUndefined();
      await keepNames(source, catalog, cache);
      expect(await keptNames(source, cache)).toEqual([{ name: "a", description: "Does it" }]);
      utimesSync(source, new Date(), new Date(1000));
      expect(await keptNames(source, cache)).toBeUndefined();
      await keepNames("https://api.example/openapi.json", catalog, cache);
      expect(await keptNames("https://api.example/openapi.json", cache)).toHaveLength(1);
      // A folder that cannot be written is no reason to fail.
      await keepNames(source, catalog, join(source, "no folder"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
