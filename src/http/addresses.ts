/** Which addresses belong to the public internet, so that a public server cannot point the host at its own network. */
import dns from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** IANA special-purpose registries: not globally reachable. */
const special = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["240.0.0.0", 4],
] as const)
  special.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 128],
  ["::1", 128],
  ["64:ff9b:1::", 48],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  special.addSubnet(network, prefix, "ipv6");

/** True for loopback, private, link-local and other addresses that are not of the public internet. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 4) return special.check(bare, "ipv4");
  if (family !== 6) return false;
  // An IPv4 address inside an IPv6 one (mapped, 6to4, NAT64) counts as what it leads to.
  const inner = embeddedIPv4(bare);
  return (inner !== undefined && special.check(inner, "ipv4")) || special.check(bare, "ipv6");
}

function embeddedIPv4(address: string): string | undefined {
  const groups = expand(address);
  if (groups === undefined) return undefined;
  const [a, b, , , , f, g, h] = groups as [number, number, number, number, number, number, number, number];
  const zeros = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  if ((zeros(0, 5) && f === 0xffff) || (a === 0x64 && b === 0xff9b && zeros(2, 6))) return dotted(g, h);
  return a === 0x2002 ? dotted(b, groups[2]!) : undefined;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The eight groups of an IPv6 address. */
function expand(address: string): number[] | undefined {
  // The URL parser writes any spelling, with a dotted tail too, in groups of hexadecimal digits.
  const text = URL.canParse(`http://[${address}]/`) ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : undefined;
  if (text === undefined) return undefined;
  const [head = "", tail] = text.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const middle = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...middle, ...right].map((group) => Number.parseInt(group, 16));
}

/** Whether an IP address belongs to no public network. */
export type IsPrivate = (address: string) => boolean;

/** A refused connection: the address behind a name is not of the public internet. */
export class PrivateAddressError extends Error {
  readonly code = "EPRIVATEADDRESS";
}

/** A name look-up that only gives addresses of the public internet. Checked at connection time: no rebinding. */
export function publicLookup(lookup: LookupFunction | undefined, isPrivate: IsPrivate): LookupFunction {
  const inner = lookup ?? (dns.lookup as unknown as LookupFunction);
  return (hostname, options, callback) => {
    inner(hostname, options, (error, address, family) => {
      if (error !== null) return callback(error, address, family);
      const addresses = typeof address === "string" ? [{ address }] : address;
      if (addresses.some((entry) => isPrivate(entry.address)))
        return callback(new PrivateAddressError("a private address") as NodeJS.ErrnoException, "", 0);
      callback(null, address, family);
    });
  };
}

/** True when a host (a name or an address literal) is not of the public internet, as far as a look-up can tell. */
export async function isPrivateHost(
  hostname: string,
  lookup: LookupFunction | undefined,
  isPrivate: IsPrivate,
): Promise<boolean> {
  const bare = hostname.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) return isPrivate(bare);
  const inner = lookup ?? (dns.lookup as unknown as LookupFunction);
  return new Promise((resolve) => {
    inner(bare, { all: true }, (error, address) => {
      // A name that cannot be looked up here (a proxy may know it) is public for what it points at.
      if (error !== null) return resolve(false);
      const addresses = typeof address === "string" ? [{ address }] : address;
      resolve(addresses.length > 0 && addresses.every((entry) => isPrivate(entry.address)));
    });
  });
}
