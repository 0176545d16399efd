import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { getNetwork, getNetworks, getWidestNetwork, parseClientIp } from './network.ts';

/** All eight groups, as the URL parser of Node reads an address. */
function parseGroups(ip: string): number[] {
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const read = (text: string) =>
    text.split(':').flatMap((group) => (group === '' ? [] : [parseInt(group, 16)]));
  const [first, last] = [read(head), read(tail ?? '')];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function expectedNetwork(ip: string): string {
  const groups = parseGroups(ip);
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

describe('getNetwork', () => {
  const cases: readonly [behaviour: string, clientIp: string, network: string][] = [
    ['returns an IPv4 address whole', '192.0.2.7', '192.0.2.7'],
    ['returns the IPv4 address of an IPv4-mapped IPv6 address', '::ffff:192.0.2.7', '192.0.2.7'],
    ['reads an IPv4-mapped address in capital letters', '::FFFF:192.0.2.7', '192.0.2.7'],
    ['reads an IPv4-mapped address in hexadecimal', '::ffff:c000:207', '192.0.2.7'],
    ['reads an IPv4-mapped address in full', '0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['returns the /64 of an IPv6 address', '2001:db8:0:42:0:8a2e:370:7334', '2001:db8:0:42::/64'],
    ['removes a zone id', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['removes a zone id with punctuation', 'fe80::1%en-0.100', 'fe80:0:0:0::/64'],
    ['returns the /64 of an IPv4-compatible address', '::192.0.2.7', '0:0:0:0::/64'],
    ['removes the port of an IPv4 address', '192.0.2.7:4711', '192.0.2.7'],
    ['removes brackets and port of an IPv6 address', '[2001:db8::1]:4711', '2001:db8:0:0::/64'],
    ['returns text that is no address unchanged', 'unknown', 'unknown'],
    ['returns text with colons that is no address unchanged', 'a:b:c', 'a:b:c'],
    ['returns empty text unchanged', '', ''],
  ];
  for (const [behaviour, clientIp, network] of cases) {
    test(`getNetwork ${behaviour}: ${clientIp || '(empty)'}`, () => {
      // The second call may read a cache.
      assert.deepEqual([getNetwork(clientIp), getNetwork(clientIp)], [network, network]);
    });
  }

  test('getNetwork returns the same network for every spelling of an IPv6 address', () => {
    fc.assert(fc.property(fc.ipV6(), (ip) => assert.equal(getNetwork(ip), expectedNetwork(ip))));
  });

  test('getNetwork returns every IPv4 address unchanged', () => {
    fc.assert(fc.property(fc.ipV4(), (ip) => assert.equal(getNetwork(ip), ip)));
  });

  test('getNetwork accepts any text without an error', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789abcf.:[]%') }));
    fc.assert(fc.property(text, (given) => assert.equal(typeof getNetwork(given), 'string')));
  });
});

describe('getNetworks', () => {
  const cases: readonly [behaviour: string, clientIp: string, networks: string[]][] = [
    ['returns an IPv4 address only', '192.0.2.7', ['192.0.2.7']],
    ['returns the IPv4 address of an IPv4-mapped IPv6 address only', '::ffff:192.0.2.7', ['192.0.2.7']],
    ['returns the IPv4 address of a mapped one in full only', '0:0:0:0:0:ffff:c000:207', ['192.0.2.7']],
    [
      'returns the /64, /56 and /48 of an IPv6 address',
      '2001:db8:a:bcde::1',
      ['2001:db8:a:bcde::/64', '2001:db8:a:bc00::/56', '2001:db8:a::/48'],
    ],
    [
      'returns the three networks of the loopback address',
      '::1',
      ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48'],
    ],
    ['returns text that is no address only', 'a:b:c', ['a:b:c']],
  ];
  for (const [behaviour, clientIp, networks] of cases) {
    test(`getNetworks ${behaviour}: ${clientIp}`, () => {
      assert.deepEqual([getNetworks(clientIp), getNetworks(clientIp)], [networks, networks]);
    });
  }

  test('getNetworks begins with the result of getNetwork and ends with that of getWidestNetwork, for any address and text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (clientIp) => {
        const networks = getNetworks(clientIp);
        assert.deepEqual([networks[0], networks.at(-1)], [getNetwork(clientIp), getWidestNetwork(clientIp)]);
      }),
    );
  });

  test('getNetworks returns the same /56 and /48 for exactly the addresses that share those bits', () => {
    const group = fc.integer({ min: 1, max: 0xffff });
    fc.assert(
      fc.property(group, group, group, group, (third, fourth, otherThird, otherFourth) => {
        const networks = (site: number, subnet: number) =>
          getNetworks(`2001:db8:${site.toString(16)}:${subnet.toString(16)}::1`);
        const [, narrow, wide] = networks(third, fourth);
        assert.deepEqual(networks(third, fourth ^ (otherFourth & 0xff)).slice(1), [narrow, wide]);
        const isSame = third === otherThird && fourth >> 8 === otherFourth >> 8;
        assert.equal(networks(otherThird, otherFourth)[1] === narrow, isSame);
        assert.equal(networks(otherThird, otherFourth)[2] === wide, third === otherThird);
      }),
    );
  });
});

describe('parseClientIp', () => {
  const cases: readonly [text: string, clientIp: string][] = [
    ['198.51.100.1', '198.51.100.1'],
    ['198.51.100.1:4711', '198.51.100.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[fe80::1%eth0]:4711', 'fe80::1%eth0'],
    ['[::ffff:192.0.2.7]:80', '::ffff:192.0.2.7'],
  ];
  for (const [text, clientIp] of cases) {
    test(`parseClientIp returns ${clientIp} for ${text}`, () => assert.equal(parseClientIp(text), clientIp));
  }

  for (const text of [
    '',
    'unknown',
    'unknown:80',
    '_hidden:80',
    '0x7f.1:80',
    '127.1:80',
    '127.1',
    '123',
    '192.0.2.256:80',
    '192.0.2.7:',
    '192.0.2.7:80/path',
    'user@192.0.2.7:80',
    '[192.0.2.7:80',
    '[2001:db8::1',
    '[not an address]:80',
  ]) {
    test(`parseClientIp returns text that is no address unchanged: ${text || '(empty)'}`, () => {
      assert.equal(parseClientIp(text), text);
    });
  }

  test('parseClientIp returns the address of any address and port', () => {
    const port = fc.integer({ min: 0, max: 65_535 });
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV6(), port, (ipv4, ipv6, number) => {
        assert.equal(parseClientIp(`${ipv4}:${number}`), ipv4);
        assert.equal(parseClientIp(`[${ipv6}]:${number}`), ipv6);
        assert.equal(parseClientIp(ipv6), ipv6);
      }),
    );
  });

  test('parseClientIp returns an address or the unchanged text, for any text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'012.:[]f%') });
    fc.assert(
      fc.property(text, (given) => {
        const result = parseClientIp(given);
        assert.ok(result === given || isIP(result) !== 0);
      }),
    );
  });
});
