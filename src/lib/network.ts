import { isIPv6 } from 'node:net';

/**
 * The network that a client can be told apart by: an IPv4 address as a whole, of IPv6 the first 64 bits, since
 * whoever has one address of a /64 has all of them. IPv4 inside IPv6 counts as IPv4.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  if (!isIPv6(address)) return address;
  const text = address.toLowerCase().replace(/%.*$/, '').replace(DOTTED, hexadecimal);
  const [head = '', tail] = text.split('::') as [string, string?];
  const [first, last] = [groups(head), tail === undefined ? [] : groups(tail)];
  const all = [...first, ...Array(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last];
  const numbers = all.map((group) => Number.parseInt(group, 16));
  if (numbers.slice(0, 6).join() === MAPPED) {
    return numbers
      .slice(6)
      .flatMap((number) => [number >> 8, number & 255])
      .join('.');
  }
  return `${numbers
    .slice(0, 4)
    .map((number) => number.toString(16))
    .join(':')}::/64`;
}

/** The last 32 bits may be written as IPv4 (RFC 4291 section 2.2): two groups, not one. */
const DOTTED = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;
const MAPPED = '0,0,0,0,0,65535';

function hexadecimal(_: string, ...parts: string[]): string {
  const [a, b, c, d] = parts.slice(0, 4).map(Number) as [number, number, number, number];
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}

/** Returns the address without the port and brackets that some gateways add. */
export function parseClientIp(text: string): string {
  const [, inBrackets, plain] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  return inBrackets ?? plain ?? text;
}
