import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRejected } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';

describe('WEBHOOK_ALLOW', () => {
  test('WEBHOOK_ALLOW accepts addresses and networks, and is empty by default', () => {
    assert.deepEqual(readConfig({}).webhookAllow, []);
    const { webhookAllow } = readConfig({ WEBHOOK_ALLOW: '127.0.0.1/32, 10.0.0.0/8,::1, fd00::/8' });
    assert.deepEqual(webhookAllow, ['127.0.0.1/32', '10.0.0.0/8', '::1', 'fd00::/8']);
  });

  for (const value of [
    'localhost',
    'loopback',
    '*',
    '127.1',
    '10.0.0.0/33',
    '::1/129',
    '::ffff:10.0.0.0/104',
  ]) {
    test(`WEBHOOK_ALLOW rejects ${value}`, () => {
      assert.match(assertRejected('WEBHOOK_ALLOW', `10.0.0.0/8, ${value}`), /such as 10\.0\.0\.0\/8 or ::1/);
    });
  }

  for (const value of ['0.0.0.0/0', '10.0.0.0/00', '::/0']) {
    test(`WEBHOOK_ALLOW rejects ${value}, which contains every address`, () => {
      assert.match(assertRejected('WEBHOOK_ALLOW', value), /would allow webhooks to every address/);
    });
  }
});

describe('OPERATOR_EMAIL', () => {
  test('OPERATOR_EMAIL accepts an email address, and is empty by default', () => {
    assert.equal(readConfig({}).operatorEmail, null);
    assert.equal(
      readConfig({ OPERATOR_EMAIL: 'operator@example.com' }).operatorEmail,
      'operator@example.com',
    );
  });

  for (const value of ['operator', 'a@example.com, b@example.com', 'Operator <operator@example.com>']) {
    test(`OPERATOR_EMAIL rejects ${value}`, () => {
      assert.match(assertRejected('OPERATOR_EMAIL', value), /must be an email address/);
    });
  }
});
