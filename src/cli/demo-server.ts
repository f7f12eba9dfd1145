/**
 * The demo API: a small shop on loopback behind a bearer token. Its document is `fixtures/demo/openapi.yaml`.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerLogin } from "./demo-login.js";

interface Line {
  sku: string;
  quantity: number;
}

interface Order {
  id: number;
  customerId: string;
  status: "open" | "paid" | "shipped" | "refunded";
  lines: Line[];
  total: number;
  reason?: string;
}

const CUSTOMERS = [
  { id: "c-1", name: "Ada Lovelace", country: "GB" },
  { id: "c-2", name: "Émilie du Châtelet", country: "FR" },
  { id: "c-3", name: "Sophie Germain", country: "FR" },
  { id: "c-4", name: "Emmy Noether", country: "DE" },
  { id: "c-5", name: "Srinivasa Ramanujan", country: "IN" },
  { id: "c-6", name: "高木貞治", country: "JP" },
];

const PRODUCTS = [
  { sku: "tea-green", name: "Green tea, 100 g", price: 8.5 },
  { sku: "tea-black", name: "Black tea, 100 g", price: 6 },
  { sku: "pot-iron", name: "Iron teapot", price: 49 },
  { sku: "cup-set", name: "Four cups", price: 22 },
];

const STOCK: Readonly<Record<string, number>> = { "tea-green": 40, "tea-black": 3, "pot-iron": 0, "cup-set": 7 };

/** An answer outside 2xx, as RFC 9457 writes it. */
class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    detail: string,
  ) {
    super(detail);
  }
}

function priceOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { sku, quantity }) => {
    const product = PRODUCTS.find((candidate) => candidate.sku === sku);
    if (!product) throw new Problem(422, "Unprocessable Content", `There is no product ${sku}.`);
    return sum + product.price * quantity;
  }, 0);
}

function seedOrders(): Order[] {
  const statuses = ["open", "paid", "open", "shipped", "open"] as const;
  return Array.from({ length: 20 }, (_, i) => {
    const lines = [{ sku: PRODUCTS[i % PRODUCTS.length]!.sku, quantity: 1 + (i % 3) }];
    if (i % 4 === 0) lines.push({ sku: "tea-black", quantity: 1 + (i % 5) });
    return {
      id: 1001 + i,
      customerId: CUSTOMERS[(i * 5) % CUSTOMERS.length]!.id,
      status: statuses[i % statuses.length]!,
      lines,
      total: priceOf(lines),
    };
  });
}

interface Call {
  readonly url: URL;
  /** The expressions of the path template. */
  readonly path: readonly string[];
  readonly body: unknown;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Route = readonly [method: string, path: RegExp, handle: (call: Call) => Reply];

function positive(url: URL, name: string, fallback: number, most: number): number {
  const text = url.searchParams.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new Problem(400, "Bad Request", `${name} must be a whole number from 1 to ${most}.`);
  }
  return value;
}

/** One page of `items`, with a link to the next. */
function paged(items: readonly unknown[], { url }: Call): Reply {
  const page = positive(url, "page", 1, 1_000);
  const perPage = positive(url, "per_page", 5, 50);
  const body = items.slice((page - 1) * perPage, page * perPage);
  if (page * perPage >= items.length) return { body };
  const next = new URL(url);
  next.searchParams.set("page", String(page + 1));
  return { body, headers: { link: `<${next.pathname}${next.search}>; rel="next"` } };
}

function routes(): Route[] {
  const orders = seedOrders();
  const order = ({ path }: Call): Order => {
    const found = orders.find(({ id }) => String(id) === path[0]);
    if (!found) throw new Problem(404, "Not Found", `There is no order ${path[0]}.`);
    return found;
  };
  return [
    ["GET", /^\/v1\/customers$/, (call) => paged(CUSTOMERS, call)],
    [
      "GET",
      /^\/v1\/customers\/([^/]+)$/,
      ({ path }) => {
        const customer = CUSTOMERS.find(({ id }) => id === path[0]);
        if (!customer) throw new Problem(404, "Not Found", `There is no customer ${path[0]}.`);
        return { body: customer };
      },
    ],
    [
      "GET",
      /^\/v1\/products$/,
      ({ url }) => {
        const wanted = url.searchParams.get("sku")?.split(",");
        return { body: wanted ? PRODUCTS.filter(({ sku }) => wanted.includes(sku)) : PRODUCTS };
      },
    ],
    [
      "GET",
      /^\/v1\/products\/([^/]+)\/stock$/,
      ({ path }) => {
        const [sku = ""] = path;
        if (!Object.hasOwn(STOCK, sku)) throw new Problem(404, "Not Found", `There is no product ${sku}.`);
        return { body: { sku, quantity: STOCK[sku] } };
      },
    ],
    [
      "GET",
      /^\/v1\/orders$/,
      (call) => {
        const status = call.url.searchParams.get("status");
        const customer = call.url.searchParams.get("customer_id");
        const matching = orders.filter(
          (candidate) =>
            (status === null || candidate.status === status) &&
            (customer === null || candidate.customerId === customer),
        );
        return paged(matching, call);
      },
    ],
    [
      "GET",
      /^\/v1\/orders\/search$/,
      ({ url }) => {
        const min = Number(url.searchParams.get("filter[total][min]") ?? 0);
        const max = Number(url.searchParams.get("filter[total][max]") ?? Number.POSITIVE_INFINITY);
        return { body: orders.filter(({ total }) => total >= min && total <= max) };
      },
    ],
    [
      "POST",
      /^\/v1\/orders$/,
      ({ body }) => {
        const { customerId, lines } = (body ?? {}) as { customerId?: string; lines?: Line[] };
        if (!CUSTOMERS.some(({ id }) => id === customerId))
          throw new Problem(422, "Unprocessable Content", `There is no customer ${customerId}.`);
        if (!Array.isArray(lines) || lines.length === 0)
          throw new Problem(422, "Unprocessable Content", "An order needs lines.");
        const placed: Order = {
          id: 1001 + orders.length,
          customerId: customerId!,
          status: "open",
          lines,
          total: priceOf(lines),
        };
        orders.push(placed);
        return { status: 201, body: placed };
      },
    ],
    ["GET", /^\/v1\/orders\/(\d+)$/, (call) => ({ body: order(call) })],
    [
      "POST",
      /^\/v1\/orders\/(\d+)\/refund$/,
      (call) => {
        const refunded = order(call);
        if (refunded.status !== "paid") {
          throw new Problem(
            409,
            "Conflict",
            `Order ${refunded.id} is ${refunded.status}; only a paid order can be refunded.`,
          );
        }
        refunded.status = "refunded";
        refunded.reason = (call.body as { reason?: string } | undefined)?.reason ?? "";
        return { body: refunded };
      },
    ],
  ];
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (chunks.length === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new Problem(400, "Bad Request", "The body is not JSON.");
  }
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): void {
  response.writeHead(status, { "content-type": type, ...headers }).end(JSON.stringify(body));
}

export interface DemoServer {
  /** Scheme and authority, in the place of the document's `http://localhost:4010`. */
  readonly origin: string;
  /** The bearer token it accepts. */
  readonly token: string;
  close(): Promise<void>;
}

/** Starts the demo API on a free port of the loopback interface. */
export async function startDemoServer(): Promise<DemoServer> {
  const token = randomBytes(18).toString("base64url");
  const table = routes();
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    if (request.headers.authorization !== `Bearer ${token}`) {
      throw new Problem(401, "Unauthorized", "Give the bearer token of the demo.");
    }
    const url = new URL(request.url ?? "/", "http://localhost");
    const body = await readBody(request);
    for (const [method, pattern, handle] of table) {
      const match = request.method === method ? pattern.exec(url.pathname) : null;
      if (match) return handle({ url, body, path: match.slice(1).map(decodeURIComponent) });
    }
    throw new Problem(404, "Not Found", `There is nothing at ${request.method} ${url.pathname}.`);
  };
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/oauth/")) {
      void answerLogin(request, response, token);
      return;
    }
    answer(request).then(
      ({ status = 200, headers = {}, body }) => send(response, status, "application/json", headers, body),
      (error: unknown) => {
        const problem = error instanceof Problem ? error : new Problem(500, "Internal Server Error", "The demo broke.");
        const headers: Record<string, string> = problem.status === 401 ? { "www-authenticate": "Bearer" } : {};
        const body = { title: problem.title, status: problem.status, detail: problem.message };
        send(response, problem.status, "application/problem+json", headers, body);
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    token,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
