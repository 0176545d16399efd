/** Client IP addresses, and the networks by which clients are counted. */
import { hash } from 'node:crypto';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** `198.51.100.1:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** Returns the address of an entry without port and brackets. Not SocketAddress.parse, which accepts `0x7f.1:80`. */
export function parseClientIp(text: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(text) ?? [];
  const ip = ipv6 ?? ipv4 ?? text;
  return isIP(ip) === 0 ? text : ip;
}

/** Prefix of IPv4 clients on a socket that listens on IPv6. */
const MAPPED = '::ffff:';

/** Parsing an IPv6 address takes 5–10 µs, reading a cached result 0.1 µs. About 2 MB when full. */
const ipv6Networks = new LRUCache<string, readonly string[]>({ max: 4096 });

/**
 * Returns the network that identifies a client: an IPv4 address, also mapped, or the /64 of IPv6; other text as it is.
 */
export function getNetwork(clientIp: string): string {
  return withoutPrefix(clientIp) ?? getIpv6Networks(clientIp)[0]!;
}

/**
 * Returns the networks that a client may have, the narrowest first: an IPv4 address, or the /64, /56 and /48 of IPv6.
 */
export function getNetworks(clientIp: string): readonly string[] {
  const network = withoutPrefix(clientIp);
  return network === undefined ? getIpv6Networks(clientIp) : [network];
}

/** Returns the IPv4 address, or the text that is no address; undefined for what may be IPv6. */
function withoutPrefix(clientIp: string): string | undefined {
  if (!clientIp.includes(':')) return clientIp;
  if (!clientIp.startsWith(MAPPED)) return undefined;
  const ipv4 = clientIp.slice(MAPPED.length);
  return isIPv4(ipv4) ? ipv4 : undefined;
}

function getIpv6Networks(clientIp: string): readonly string[] {
  const known = ipv6Networks.get(clientIp);
  if (known !== undefined) return known;
  const networks = parseNetworks(parseClientIp(clientIp));
  ipv6Networks.set(clientIp, networks);
  return networks;
}

/** ipaddr.js reads `::192.0.2.7` (deprecated by RFC 4291) as IPv4-mapped, but not with a zero in front. */
const IPV4_COMPATIBLE = /^(?=::\d+\.)/;

/** The spelling `2001:db8:0:1::/64` must not change: hashes of it are stored (known networks of accounts). */
function parseNetworks(ip: string): readonly string[] {
  // isIP accepts more zone names than ipaddr.js does.
  const withoutZone = ip.replace(/%.*$/, '').replace(IPV4_COMPATIBLE, '0');
  if (!isIPv6(withoutZone)) return [ip];
  const address = ipaddr.IPv6.parse(withoutZone);
  if (address.isIPv4MappedAddress()) return [address.toIPv4Address().toString()];
  const [first, second, third, fourth] = address.parts as [number, number, number, number];
  const hex = (part: number) => part.toString(16);
  const site = [first, second, third].map(hex).join(':');
  return [`${site}:${hex(fourth)}::/64`, `${site}:${hex(fourth & 0xff00)}::/56`, `${site}::/48`];
}

/** Precision of a stored address: complete, its /24 or /48, or none. */
export const STORED_ADDRESSES = ['full', 'prefix', 'none'] as const;
type StoredAddress = (typeof STORED_ADDRESSES)[number];

/** Returns the stored form of an address; null if none is stored, and for text that is no address. */
export function toStoredAddress(clientIp: string, precision: StoredAddress): string | null {
  const network = getWidestNetwork(clientIp);
  const isAddress = isIPv4(network) || network.endsWith('/48');
  if (precision === 'none' || !isAddress) return null;
  if (precision === 'full') return isIPv4(network) ? network : clientIp.replace(/%.*$/, '');
  return isIPv4(network) ? network.replace(/\.\d+$/, '.0/24') : network;
}

/** Returns the widest network that one client may have: an IPv4 address as a whole, the /48 of an IPv6 address. */
export const getWidestNetwork = (clientIp: string): string => getNetworks(clientIp).at(-1)!;

/** Returns a number that many networks share: it counts those of one client, and does not tell who that is. */
export function getNetworkBucket(clientIp: string): number {
  return hash('sha256', getWidestNetwork(clientIp), 'buffer').readUInt16BE();
}
