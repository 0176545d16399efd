import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import proxyAddress from '@fastify/proxy-addr';
import fc from 'fast-check';
import { assertRejected } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';

describe('TRUST_PROXY', () => {
  test('TRUST_PROXY accepts addresses and networks and rejects anything else', () => {
    const { trustProxy } = readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' });
    assert.deepEqual(trustProxy, ['10.0.0.0/8', '::1']);
    for (const wrong of ['the-proxy', 'true', '10.0.0.0/33', '127.1', 'fe80::1%en-0'])
      assertRejected('TRUST_PROXY', wrong);
  });

  for (const network of ['0.0.0.0/0', '10.0.0.0/00', '::/0', '::ffff:0:0/96', '::ffff:10.0.0.1/96']) {
    test(`TRUST_PROXY rejects ${network}, which contains every address`, () => {
      assert.match(
        assertRejected('TRUST_PROXY', `10.0.0.1, ${network}`),
        new RegExp(`"${network}" would trust every client`),
      );
    });
  }

  test('TRUST_PROXY accepts only values that @fastify/proxy-addr accepts', () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV6().map((ip) => `${ip}%eth0`),
    );
    const network = fc.tuple(address, fc.integer({ min: 0, max: 129 })).map(([ip, bits]) => `${ip}/${bits}`);
    const assertAgreement = (given: string) => {
      try {
        readConfig({ TRUST_PROXY: given });
      } catch {
        assertRejected('TRUST_PROXY', given);
        return;
      }
      proxyAddress.compile([given]);
    };
    fc.assert(fc.property(fc.oneof(address, network), assertAgreement));
  });
});
