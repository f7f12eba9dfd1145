/**
 * undici's dispatchers: connection pools with keep-alive, TLS settings, proxies from the environment. Loaded when the
 * first request is sent.
 */
import { readFileSync } from "node:fs";
import type { LookupFunction } from "node:net";
import { rootCertificates } from "node:tls";
import type { Dispatcher } from "undici";
import type { ClientCertificate } from "./message.js";

export interface DispatcherOptions {
  /** Certificate authorities to trust beside the usual ones: PEM texts. */
  readonly ca?: readonly string[] | undefined;
  /** Milliseconds for name look-up, TCP and TLS together. */
  readonly connectMs: number;
  /** Largest header section of an answer, in octets. */
  readonly maxHeaderBytes: number;
  /** Offer HTTP/2 to https servers. */
  readonly http2: boolean;
  /** Use HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  readonly proxy: boolean;
  /** Name look-up, as `dns.lookup`. */
  readonly lookup?: LookupFunction | undefined;
}

/** What makes one exchange need a pool of its own. */
export interface ConnectionNeeds {
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Refuses addresses at connection time (redirects away from public servers). */
  readonly lookup?: LookupFunction | undefined;
}

export interface Dispatchers {
  get(needs: ConnectionNeeds): Promise<Dispatcher>;
  /** Ends every connection at once. */
  destroy(): Promise<void>;
}

/** How long an idle connection is kept, in milliseconds: below what servers usually allow. */
const KEEP_ALIVE_MS = 4_000;

const PROXY_VARIABLES = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];

export function makeDispatchers(options: DispatcherOptions): Dispatchers {
  const byCertificate = new Map<string, Promise<Dispatcher>>();
  const byLookup = new Map<LookupFunction, Promise<Dispatcher>>();
  let plain: Promise<Dispatcher> | undefined;

  const get = (needs: ConnectionNeeds): Promise<Dispatcher> => {
    const { clientCertificate, lookup } = needs;
    if (lookup !== undefined) return remember(byLookup, lookup, () => makeDispatcher(options, needs));
    if (clientCertificate !== undefined)
      return remember(byCertificate, `${clientCertificate.cert}\n${clientCertificate.key}`, () =>
        makeDispatcher(options, needs),
      );
    return (plain ??= makeDispatcher(options, needs));
  };

  const destroy = async (): Promise<void> => {
    const made = [plain, ...byCertificate.values(), ...byLookup.values()];
    plain = undefined;
    byCertificate.clear();
    byLookup.clear();
    await Promise.allSettled(made.map(async (dispatcher) => (await dispatcher)?.destroy()));
  };

  return { get, destroy };
}

function remember<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

async function makeDispatcher(options: DispatcherOptions, needs: ConnectionNeeds): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import("./undici.js");
  const ca = trusted(options.ca ?? []);
  const lookup = needs.lookup ?? options.lookup;
  const tls = {
    ...(ca === undefined ? {} : { ca }),
    ...(needs.clientCertificate === undefined
      ? {}
      : {
          cert: needs.clientCertificate.cert,
          key: needs.clientCertificate.key,
          ...(needs.clientCertificate.passphrase === undefined
            ? {}
            : { passphrase: needs.clientCertificate.passphrase }),
        }),
    timeout: options.connectMs,
    allowH2: options.http2,
  };
  const agent = {
    connect: { ...tls, ...(lookup === undefined ? {} : { lookup }) },
    maxHeaderSize: options.maxHeaderBytes,
    keepAliveTimeout: KEEP_ALIVE_MS,
    allowH2: options.http2,
    // One request per connection at a time: an answer that never ends must not hold up another one.
    pipelining: 1,
    autoSelectFamily: true,
  };
  if (!options.proxy || !PROXY_VARIABLES.some((name) => (process.env[name] ?? "") !== "")) return new Agent(agent);
  return new EnvHttpProxyAgent({
    ...agent,
    requestTls: tls,
    proxyTls: { ...(ca === undefined ? {} : { ca }), timeout: options.connectMs },
    // Plain http goes to the proxy in absolute form, as curl does: many proxies allow CONNECT to port 443 only.
    proxyTunnel: false,
  });
}

/** Naming authorities replaces Node's own list, so that list and NODE_EXTRA_CA_CERTS are named with them. */
function trusted(extra: readonly string[]): string[] | undefined {
  if (extra.length === 0) return undefined;
  const file = process.env["NODE_EXTRA_CA_CERTS"];
  let more: string[] = [];
  try {
    if (file !== undefined && file !== "") more = [readFileSync(file, "utf8")];
  } catch {
    // Node itself warns about a file that it cannot read.
  }
  return [...rootCertificates, ...more, ...extra];
}
