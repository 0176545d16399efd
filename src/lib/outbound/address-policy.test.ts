import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { NAMES_OF_PRIVATE_ADDRESSES } from '../../../test/support/ssrf-attacks.ts';
import { createAddressPolicy, parseNetwork } from './address-policy.ts';

const PUBLIC_ONLY = createAddressPolicy([]);

describe('the address policy', () => {
  for (const [name, address] of NAMES_OF_PRIVATE_ADDRESSES) {
    test(`the address policy does not permit "${address}", to which ${name} resolves`, () => {
      for (const scheme of ['http:', 'https:'] as const) assert.ok(!PUBLIC_ONLY.permits(address, scheme));
    });
  }

  test('the address policy permits public addresses by https only', () => {
    for (const address of ['8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808']) {
      assert.ok(PUBLIC_ONLY.permits(address, 'https:'), address);
      assert.ok(!PUBLIC_ONLY.permits(address, 'http:'), address);
    }
  });

  test('the address policy permits IPv4-mapped addresses exactly as their IPv4 address', () => {
    const policy = createAddressPolicy(['10.0.0.0/8', '192.168.1.1']);
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('http:' as const, 'https:' as const), (ip, scheme) => {
        assert.equal(policy.permits(`::ffff:${ip}`, scheme), policy.permits(ip, scheme));
      }),
    );
  });

  test('the address policy permits no IPv6 address outside 2000::/3 except mapped and NAT64 addresses', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        const first = Number.parseInt(ip.startsWith('::') ? '0' : ip.split(':')[0]!, 16);
        fc.pre(first >> 13 !== 1 && first !== 0 && first !== 0x64);
        assert.ok(!PUBLIC_ONLY.permits(ip, 'https:'));
      }),
    );
  });

  test('the address policy permits the addresses of its networks by both schemes, and no others', () => {
    const policy = createAddressPolicy(['10.1.0.0/16', 'fd12::/16', '192.168.1.1']);
    for (const address of ['10.1.255.255', 'fd12:ffff::1', '192.168.1.1', '::ffff:10.1.0.1'])
      for (const scheme of ['http:', 'https:'] as const) assert.ok(policy.permits(address, scheme), address);
    for (const address of ['10.2.0.0', 'fd13::1', '192.168.1.2', '64:ff9b::10.1.0.1', '::10.1.0.1'])
      for (const scheme of ['http:', 'https:'] as const) assert.ok(!policy.permits(address, scheme), address);
  });

  test('parseNetwork accepts addresses and CIDR notation only', () => {
    for (const network of ['127.0.0.1', '127.0.0.1/32', '10.0.0.0/8', '::1', 'fd00::/8', '::1/128'])
      assert.ok(parseNetwork(network), network);
    const wrong = [
      '',
      '/',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10/8',
      '0x7f.0.0.1',
      '127.1',
      '::1/129',
      '10.0.0.0/8/8',
    ];
    for (const network of [...wrong, 'fe80::1%eth0/64', '::ffff:10.0.0.0/104', '10.0.0.0/-1', 'localhost'])
      assert.equal(parseNetwork(network), undefined, network);
  });
});
