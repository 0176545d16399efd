/** Whose word on the address of a client is believed. */
import { isIP } from 'node:net';
import { ConfigError, quoted, type Reader } from './reader.ts';

/** Addresses, networks in CIDR notation, and the names that stand for usual networks. */
export function networks(read: Reader, name: string): string[] {
  const list = read.list(name);
  const wrong = list.find((network) => !NAMED_NETWORKS.includes(network) && !isNetwork(network));
  if (wrong === undefined) return list;
  throw new ConfigError(name, `must list addresses or networks such as 10.0.0.0/8, not ${quoted(wrong)}`);
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
