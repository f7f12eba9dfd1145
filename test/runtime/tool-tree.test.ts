/** The global `tools`: any name, no surprises, and help where a name is wrong. */
import { afterAll, describe, expect, it } from "vitest";
import { CodeMode, Tool } from "./built.js";

const tool = (answer: unknown) => Tool.make({ description: `Gives ${String(answer)}.`, run: () => answer });

/** A name that makes an object look like a promise. */
const THEN = "then";

const tree: Record<string, any> = Object.fromEntries([
  ["__proto__", tool("proto")],
  ["constructor", tool("constructor")],
  ["toString", tool("toString")],
  ["hasOwnProperty", { call: tool("nested") }],
  [THEN, tool("then")],
  [
    "issues",
    Object.fromEntries([
      ["list", tool("list")],
      ["get", tool("get")],
      [THEN, tool("then too")],
    ]),
  ],
  ["issues.list", tool("dotted wins")],
  ["issues.comments.create", tool("create")],
  ["issues.get.raw", tool("raw")],
  ["odd name", { "1": tool("one") }],
]);

const runtime = CodeMode.make({ tools: tree });
afterAll(() => runtime.close());

async function value(source: string): Promise<unknown> {
  const result = await runtime.run(source);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe("names may be anything", () => {
  it.each([
    ["tools.constructor()", "constructor"],
    ["tools['__proto__']()", "proto"],
    ["tools.__proto__()", "proto"],
    ["tools.toString()", "toString"],
    ["tools.hasOwnProperty.call()", "nested"],
    ["tools.then()", "then"],
    ["tools.issues.then({})", "then too"],
    ["tools.issues.list()", "dotted wins"],
    ["tools.issues.comments.create()", "create"],
    ["tools.issues.get()", "get"],
    ["tools.issues.get.raw()", "raw"],
    ["tools['odd name'][1]()", "one"],
  ])("%s", async (call, answer) => {
    expect(await value(`return await ${call}`)).toBe(answer);
  });
});

describe("a namespace behaves as an object", () => {
  it("lists its members in order", async () => {
    expect(await value("return [Object.keys(tools.issues), 'list' in tools.issues, 'lst' in tools.issues]")).toEqual([
      ["list", "get", "then", "comments"],
      true,
      false,
    ]);
    expect(await value("const names = []; for (const name in tools) names.push(name); return names")).toEqual(
      Object.keys(tree).filter((name) => !name.includes(".")),
    );
    expect(await value("return Object.entries(tools['odd name']).map(([name, one]) => [name, typeof one])")).toEqual([
      ["1", "function"],
    ]);
    expect(
      await value("const { issues: { list, ...rest } } = tools; return [await list(), Object.keys(rest)]"),
    ).toEqual(["dotted wins", ["get", "then", "comments"]]);
  });

  it("can be awaited and returned from an async function, whatever it contains", async () => {
    expect(await value("const all = await tools; return [typeof all.issues.get, await all.issues.get()]")).toEqual([
      "function",
      "get",
    ]);
    expect(await value("const pick = async () => tools.issues; return await (await pick()).list()")).toBe(
      "dotted wins",
    );
  });

  it("cannot be changed", async () => {
    for (const change of [
      "tools.issues = 1",
      "delete tools.issues",
      "tools.issues.list = () => 1",
      "Object.defineProperty(tools, 'x', { value: 1 })",
      "tools.issues.get.raw = 1",
    ]) {
      expect(await value(`try { ${change} } catch (e) { return e.name } return "no error"`), change).toBe("TypeError");
    }
    expect(
      await value(
        "return Object.isFrozen(tools) && Object.isFrozen(tools.issues) && Object.isFrozen(tools.issues.list)",
      ),
    ).toBe(true);
  });

  it("reads what is missing as undefined", async () => {
    expect(await value("return [typeof tools.nope, tools.nope?.list, tools.issues.nope ?? 'none']")).toEqual([
      "undefined",
      null,
      "none",
    ]);
  });
});

describe("a wrong name is told with the right one", () => {
  it.each([
    ["tools.issues.lst()", "issues.lst", "tools.issues.list"],
    ["tools.issue.list()", "issue", "tools.issues"],
    ["tools.isues.comments.create()", "isues", "tools.issues"],
    ["tools.issues.list.raw()", "issues.list.raw", "There is no tool"],
    ["tools.issues.comments()", "issues.comments", "tools.issues.comments.create"],
    ["tools.zzzzzzzz()", "zzzzzzzz", "search("],
  ])("%s", async (call, name, meant) => {
    const result = await runtime.run(`return await ${call}`);
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "UnknownTool", tool: name, message: expect.stringContaining(meant), location: { line: 1 } },
    });
  });

  it("the error can be caught", async () => {
    expect(await value("try { await tools.nope() } catch (e) { return [e.name, e.kind] }")).toEqual([
      "ToolError",
      "UnknownTool",
    ]);
  });

  it("response and pages want a tool", async () => {
    expect(await value("try { await response('issues.list', {}) } catch (e) { return e.kind }")).toBe("UnknownTool");
  });
});

it("sixteen thousand tools cost a program nothing", async () => {
  const many: Record<string, any> = {};
  for (let n = 0; n < 16_000; n++) many[`group${n % 40}.part${n % 400}.tool${n}`] = tool(n);
  const large = CodeMode.make({ tools: many });
  expect(await large.run("return [await tools.group7.part7.tool7(), Object.keys(tools).length]")).toMatchObject({
    ok: true,
    value: [7, 40],
  });
  large.close();
});
