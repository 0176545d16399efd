import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';

describe('proxies in the settings', () => {
  test('TRUST_PROXY lists addresses and networks', () => {
    const { trustProxy } = readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' });
    assert.deepEqual(trustProxy, ['10.0.0.0/8', '::1']);
    for (const wrong of ['the-proxy', 'true', '10.0.0.0/33']) assertRefused('TRUST_PROXY', wrong);
  });
});
