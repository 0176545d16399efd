/** Client IP addresses, and the networks by which clients are counted. */
import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** `198.51.100.1:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Returns the IP address of an X-Forwarded-For entry without the port and brackets that some proxies add. Text
 * that holds no IP address is returned as it is. `SocketAddress.parse` of node:net reads the text as a URL host,
 * so that it would accept `0x7f.1:80` as 127.0.0.1; only the written forms of addresses are accepted here.
 */
export function parseClientIp(text: string): string {
  const [, ipv6, ipv4] = WITH_PORT.exec(text) ?? [];
  const ip = ipv6 ?? ipv4 ?? text;
  return isIP(ip) === 0 ? text : ip;
}

/** How Node writes IPv4 clients of a socket that listens on IPv6. */
const MAPPED = '::ffff:';

/** Parsing an IPv6 address takes 5–10 µs, reading a cached result 0.1 µs. About 1 MB when full. */
const ipv6Networks = new LRUCache<string, string>({ max: 4096 });

/**
 * Returns the network that identifies a client: an IPv4 address as a whole, the /64 of an IPv6 address, because
 * a subscriber has at least a /64. IPv4-mapped IPv6 is IPv4. Text that is no address is returned as it is.
 */
export function networkOf(clientIp: string): string {
  if (!clientIp.includes(':')) return clientIp;
  if (clientIp.startsWith(MAPPED)) {
    const ipv4 = clientIp.slice(MAPPED.length);
    if (isIPv4(ipv4)) return ipv4;
  }
  const known = ipv6Networks.get(clientIp);
  if (known !== undefined) return known;
  const network = parseNetwork(parseClientIp(clientIp));
  ipv6Networks.set(clientIp, network);
  return network;
}

/** ipaddr.js reads `::192.0.2.7` (deprecated by RFC 4291) as IPv4-mapped, but not with a zero in front. */
const IPV4_COMPATIBLE = /^(?=::\d+\.)/;

/** The spelling `2001:db8:0:1::/64` must not change: hashes of it are stored (known networks of accounts). */
function parseNetwork(ip: string): string {
  // isIP accepts more zone names than ipaddr.js does.
  const withoutZone = ip.replace(/%.*$/, '').replace(IPV4_COMPATIBLE, '0');
  if (!isIPv6(withoutZone)) return ip;
  const address = ipaddr.IPv6.parse(withoutZone);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** Returns the widest network that one client may have: an IPv4 address as a whole, the /48 of an IPv6 address. */
export function widestNetworkOf(clientIp: string): string {
  const network = networkOf(clientIp);
  return network.endsWith('::/64') ? `${network.split(':', 3).join(':')}::/48` : network;
}
