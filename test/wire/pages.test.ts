/** Pages of a listing by the links of its answers. */
import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/codemode/tool.js";
import type { Json } from "../../src/json/json.js";
import { answer, wire } from "./wire.js";

type Page = { readonly body: unknown; readonly link?: string };

/** Serves pages by request target and gives the data of what `pages` yields. */
async function pagesOf(
  pages: Readonly<Record<string, Page>>,
  operation: object = {},
  input: Json = {},
  path = "/items",
) {
  const parameters = [
    { name: "page", in: "query", schema: { type: "string" } },
    ...(path.includes("{") ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }] : []),
  ];
  const api = await wire(
    {
      paths: { [path]: { get: { parameters, ...operation } } },
      components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "key" } } },
    },
    {
      credentials: { key: "literal:s3cret" },
      respond: (socket, { target }) => {
        const page = pages[target];
        if (page === undefined) return socket.write(answer(404, {}, ""));
        const link: Record<string, string> = page.link === undefined ? {} : { Link: page.link };
        return socket.write(answer(200, { "Content-Type": "application/json", ...link }, JSON.stringify(page.body)));
      },
    },
  );
  const seen: unknown[] = [];
  for await (const { data } of api.tool(`GET ${path}`).pages(input) as AsyncIterable<Answer>) seen.push(data);
  return { seen, targets: api.server.requests.map(({ target }) => target), api };
}

describe("links to the next page", () => {
  it.each<[string, string]>([
    ["relative", '</items?page=2>; rel="next"'],
    ["query only", "<?page=2>; rel=next"],
    ["among others", '</items?page=9>; rel="last", </items?page=2>; title="a, \\"b\\""; rel="prev next"'],
    ["upper case", '</items?page=2>; REL="NEXT"'],
  ])("Link: %s", async (_, link) => {
    const { seen, targets } = await pagesOf(
      { "/items?page=1": { body: [1], link }, "/items?page=2": { body: [2] } },
      {},
      { page: "1" },
    );
    expect(seen).toEqual([[1], [2]]);
    expect(targets).toEqual(["/items?page=1", "/items?page=2"]);
  });

  it.each<[string, unknown]>([
    ["OData", { "@odata.nextLink": "/items?page=2" }],
    ["JSON:API text", { links: { next: "/items?page=2" } }],
    ["JSON:API object", { links: { next: { href: "/items?page=2" } } }],
    ["HAL", { _links: { next: { href: "/items?page=2" } } }],
  ])("%s", async (_, body) => {
    const { seen } = await pagesOf({ "/items": { body }, "/items?page=2": { body: { done: true } } });
    expect(seen).toEqual([body, { done: true }]);
  });

  it.each<[string, unknown, unknown]>([
    ["default name", {}, { nextLink: "/items?page=2" }],
    ["a name of its own", { nextLinkName: "more" }, { more: "/items?page=2" }],
    ["a name with a dot", { nextLinkName: "odata.next" }, { "odata.next": "/items?page=2" }],
  ])("x-ms-pageable: %s", async (_, pageable, body) => {
    const { seen } = await pagesOf(
      { "/items": { body }, "/items?page=2": { body: {} } },
      { "x-ms-pageable": pageable },
    );
    expect(seen).toEqual([body, {}]);
  });

  it("without x-ms-pageable a nextLink is data", async () => {
    const { seen } = await pagesOf({ "/items": { body: { nextLink: "/items?page=2" } } });
    expect(seen).toHaveLength(1);
  });

  it("keep the credential, once", async () => {
    const { targets } = await pagesOf(
      {
        "/items?key=s3cret": { body: [1], link: '</items?page=2&key=s3cret>; rel="next"' },
        "/items?page=2&key=s3cret": { body: [2] },
      },
      { security: [{ key: [] }] },
    );
    expect(targets).toEqual(["/items?key=s3cret", "/items?page=2&key=s3cret"]);
  });
});

describe("links that are not followed", () => {
  it.each<[string, string]>([
    ["another origin", "<http://127.0.0.1:9/items?page=2>"],
    ["another operation", "</users?page=2>"],
    ["a path below", "</items/1>"],
    ["another scheme", "<ftp://127.0.0.1/items>"],
    ["no URL", "<http://[>"],
    ["itself", "</items>"],
    ["a user in front", "<//user@127.0.0.1:9/items?page=2>"],
  ])("%s", async (_, target) => {
    const { seen, targets } = await pagesOf({ "/items": { body: [1], link: `${target}; rel="next"` } });
    expect(seen).toEqual([[1]]);
    expect(targets).toEqual(["/items"]);
  });

  it("a circle ends", async () => {
    const { targets } = await pagesOf({
      "/items": { body: [1], link: '</items?page=2>; rel="next"' },
      "/items?page=2": { body: [2], link: '</items>; rel="next"' },
    });
    expect(targets).toEqual(["/items", "/items?page=2"]);
  });

  it("the same operation may have other path values", async () => {
    const { targets } = await pagesOf(
      {
        "/a/1/items": { body: [1], link: '</a/x%2F2/items?page=2>; rel="next"' },
        "/a/x%2F2/items?page=2": { body: [2] },
      },
      {},
      { id: "1" },
      "/a/{id}/items",
    );
    expect(targets).toEqual(["/a/1/items", "/a/x%2F2/items?page=2"]);
  });

  it("leaving the iteration ends the exchange", async () => {
    let closed: () => void = () => {};
    const ended = new Promise<void>((resolve) => (closed = resolve));
    let arrived: () => void = () => {};
    const under = new Promise<void>((resolve) => (arrived = resolve));
    const api = await wire(
      { paths: { "/items": { get: {} } } },
      {
        respond: (socket) => {
          socket.on("close", closed);
          arrived();
        },
      },
    );
    const pages = api.tool("GET /items").pages({})[Symbol.asyncIterator]();
    const page = pages.next().then(
      () => "a page",
      () => "ended",
    );
    await under;
    await pages.return?.();
    expect(await page).toBe("ended");
    await ended;
  });

  it("a failing page fails the iteration", async () => {
    await expect(pagesOf({ "/items": { body: [1], link: '</items?page=2>; rel="next"' } })).rejects.toMatchObject({
      status: 404,
    });
  });
});
