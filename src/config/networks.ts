/** Settings that list networks, such as the proxies whose X-Forwarded-For is trusted. */
import { isIP } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import { ConfigError, quoted, type Reader } from './reader.ts';

/**
 * Reads IP addresses, networks in CIDR notation, and the names of NAMED_NETWORKS, as @fastify/proxy-addr accepts
 * them. @throws ConfigError for anything else, and for a network that contains every address
 */
export function networks(read: Reader, name: string): string[] {
  const list = read.list(name);
  for (const network of list) {
    if (!NAMED_NETWORKS.includes(network) && !isNetwork(network)) {
      throw new ConfigError(
        name,
        `must list addresses or networks such as 10.0.0.0/8, not ${quoted(network)}`,
      );
    }
    if (containsEveryAddress(network)) {
      throw new ConfigError(name, `must list only your proxies: ${quoted(network)} would trust every client`);
    }
  }
  return list;
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  // Both: ipaddr.js accepts `127.1`, and isIP accepts zone names that ipaddr.js and so the proxy library reject.
  if (version === 0 || !ipaddr.isValid(address) || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** The library rejects a prefix of 0 bits, so that one is checked first; IPv4-mapped networks need its arithmetic. */
function containsEveryAddress(network: string): boolean {
  if (/\/0+$/.test(network)) return true;
  const isTrusted = proxyAddress.compile([network]);
  return isTrusted('0.0.0.0', 0) && isTrusted('255.255.255.255', 0);
}
