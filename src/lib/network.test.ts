import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { networkOf } from './network.ts';

const IN_FULL = '2001:0db8:0000:0042:0000:8a2e:0370:7334';

/** All eight groups, as the URL standard reads an address (an implementation that is not ours). */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (text: string) =>
    text.split(':').flatMap((group) => (group === '' ? [] : [parseInt(group, 16)]));
  const [first, last] = [read(head), read(tail ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function expectedNetwork(address: string): string {
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

describe('the network of an address', () => {
  const cases: readonly [shows: string, address: string, network: string][] = [
    ['an IPv4 address is a network of its own', '192.0.2.7', '192.0.2.7'],
    ['IPv4 inside IPv6 is IPv4', '::ffff:192.0.2.7', '192.0.2.7'],
    ['also in capital letters', '::FFFF:192.0.2.7', '192.0.2.7'],
    ['and in hexadecimal', '::ffff:c000:207', '192.0.2.7'],
    ['IPv6 counts by its first 64 bits', '2001:db8:0:42:0:8a2e:370:7334', '2001:db8:0:42::/64'],
    ['leading zeros do not matter', IN_FULL, '2001:db8:0:42::/64'],
    ['nor capital letters', IN_FULL.toUpperCase(), '2001:db8:0:42::/64'],
    ['nor what is left out', '2001:db8::42:0:0:0:1', '2001:db8:0:42::/64'],
    ['nor a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['nothing but zeros is a network too', '::', '0:0:0:0::/64'],
    ['and the loopback is in it', '::1', '0:0:0:0::/64'],
    ['what is no address stands for itself', 'unknown', 'unknown'],
    ['also when it is empty', '', ''],
  ];
  for (const [shows, address, network] of cases) {
    test(`${shows}: ${address || '(nothing)'}`, () => assert.equal(networkOf(address), network));
  }

  test('is that of the same address in every other spelling', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => assert.equal(networkOf(address), expectedNetwork(address))),
    );
  });

  test('is the same for all addresses of a /64, and another for the next /64', () => {
    const group = fc.integer({ min: 1, max: 0xfffe }).map((number) => number.toString(16));
    const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length });
    fc.assert(
      fc.property(groups(4), groups(4), groups(4), (prefix, one, other) => {
        const network = networkOf([...prefix, ...one].join(':'));
        assert.equal(networkOf([...prefix, ...other].join(':')), network);
        const next = [...prefix.slice(0, 3), (Number.parseInt(prefix[3]!, 16) + 1).toString(16)];
        assert.notEqual(networkOf([...next, ...one].join(':')), network);
      }),
    );
  });

  test('is itself for every IPv4 address', () => {
    fc.assert(fc.property(fc.ipV4(), (address) => assert.equal(networkOf(address), address)));
  });
});
