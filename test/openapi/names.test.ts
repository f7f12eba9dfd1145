import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Nameable, nameOperations } from "../../src/openapi/names.js";

const named = (...operations: [method: string, pathTemplate: string, operationId?: string][]): string[] =>
  nameOperations(operations.map(([method, pathTemplate, operationId]) => ({ method, pathTemplate, operationId })));

describe("names of operations", () => {
  it.each([
    ["listPets", "listPets"],
    ["list_pets", "list_pets"],
    ["pets.list", "pets.list"],
    ["repos/list-for-user", "repos.listForUser"],
    ["Pets - List all", "PetsListAll"],
    ["get users by_id", "getUsersBy_id"],
    ["a..b", "a.b"],
    [".hidden/", "hidden"],
    ["users:me", "usersMe"],
    ["获取用户", "获取用户"],
    ["straße-öffnen", "straßeÖffnen"],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
    ["delete", "delete"],
    ["$batch", "$batch"],
    ["2fa/enable", "2fa.enable"],
  ])("makes %j to %s", (operationId, name) => {
    expect(named(["GET", "/x", operationId])).toEqual([name]);
  });

  it.each([
    ["GET", "/users", "getUsers"],
    ["GET", "/users/{id}", "getUsersById"],
    ["POST", "/users/{user-id}/pets", "postUsersByUserIdPets"],
    ["GET", "/users/{user_id}/__all", "getUsersByUserIdAll"],
    ["GET", "/files/{name}.{ext}", "getFilesByNameByExt"],
    ["DELETE", "/v1.2/a-b_c", "deleteV12ABC"],
    ["GET", "/", "get"],
    ["QUERY", "/search", "querySearch"],
    ["M-SEARCH", "/", "mSearch"],
  ])("makes a name of %s %s", (method, path, name) => {
    expect(named([method, path])).toEqual([name]);
    // An id of separators only is no name.
    expect(named([method, path, "-/."])).toEqual([name]);
  });

  it("gives both operations of one name the names of their methods and paths", () => {
    expect(named(["GET", "/a", "list"], ["GET", "/b", "list"], ["GET", "/c", "other"])).toEqual([
      "getA",
      "getB",
      "other",
    ]);
    expect(named(["GET", "/a", "foo/list"], ["GET", "/b", "foo.list"])).toEqual(["getA", "getB"]);
  });

  it("keeps names apart that differ in case or an underscore", () => {
    expect(named(["GET", "/a", "foo_list"], ["GET", "/b", "Foo_List"], ["GET", "/c", "fooList"])).toEqual([
      "foo_list",
      "Foo_List",
      "fooList",
    ]);
  });

  it("moves an operation whose id is the name that another got for its method and path", () => {
    expect(named(["GET", "/a", "x"], ["GET", "/b", "x"], ["POST", "/c", "getA"])).toEqual(["getA", "getB", "postC"]);
  });

  it("numbers what method and path do not tell apart, and never takes a number in use", () => {
    expect(named(["GET", "/a-b"], ["GET", "/a/b"], ["GET", "/a_b"])).toEqual(["getAB", "getAB_2", "getAB_3"]);
    expect(named(["GET", "/a-b"], ["GET", "/a/b"], ["GET", "/q", "getAB_2"])).toEqual(["getAB", "getAB_3", "getAB_2"]);
  });

  it("lets a tool be a namespace", () => {
    expect(named(["GET", "/a", "repos"], ["GET", "/b", "repos.list"])).toEqual(["repos", "repos.list"]);
  });

  const operation = fc.record<Nameable>({
    method: fc.constantFrom("GET", "POST"),
    pathTemplate: fc.stringMatching(/^\/[ab{}\-/]{0,4}$/),
    operationId: fc.option(fc.stringMatching(/^[abAB.\-/_1 ]{0,4}$/), { nil: undefined }),
  });
  const operations = fc.uniqueArray(operation, {
    selector: ({ method, pathTemplate }) => method + pathTemplate,
    maxLength: 12,
  });

  it("gives every operation a name of its own", () => {
    fc.assert(
      fc.property(operations, (list) => {
        const names = nameOperations(list);
        expect(new Set(names).size).toBe(list.length);
        for (const name of names) expect(name.split(".")).not.toContain("");
      }),
    );
  });

  it("does not depend on the order of operations, numbers apart", () => {
    fc.assert(
      fc.property(operations, fc.infiniteStream(fc.nat()), (list, random) => {
        const names = nameOperations(list);
        if (names.some((name) => /_\d+$/.test(name))) return;
        const shuffled = list
          .map((item) => ({ item, key: random.next().value as number }))
          .sort((a, b) => a.key - b.key);
        const again = nameOperations(shuffled.map(({ item }) => item));
        shuffled.forEach(({ item }, index) => {
          expect(again[index]).toBe(names[list.indexOf(item)]);
        });
      }),
    );
  });
});
