/** Whose word on the address of a client is believed. */
import { isIP } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import { ConfigError, quoted, type Reader } from './reader.ts';

/** Addresses, networks in CIDR notation, and the names that stand for usual networks. */
export function networks(read: Reader, name: string): string[] {
  const list = read.list(name);
  for (const network of list) {
    if (!NAMED_NETWORKS.includes(network) && !isNetwork(network)) {
      throw new ConfigError(
        name,
        `must list addresses or networks such as 10.0.0.0/8, not ${quoted(network)}`,
      );
    }
    if (isEverybody(network)) {
      throw new ConfigError(name, `must list your proxies only: ${quoted(network)} would believe everybody`);
    }
  }
  return list;
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** A network that holds the first and the last address holds all; the one of no bits, the library refuses. */
function isEverybody(network: string): boolean {
  if (/\/0+$/.test(network)) return true;
  const isTrusted = proxyAddress.compile([network]);
  return isTrusted('0.0.0.0', 0) && isTrusted('255.255.255.255', 0);
}
