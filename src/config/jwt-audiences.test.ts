import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError, readConfig } from '../config.ts';

const PUBLIC_URL = 'https://id.example.com';

describe('JWT_AUDIENCES', () => {
  const assertRejected = (environment: Record<string, string>, setting: string, message: RegExp) =>
    assert.throws(
      () => readConfig(environment),
      (error) => error instanceof ConfigError && error.setting === setting && message.test(error.message),
    );

  test('JWT_AUDIENCES lists names and URLs as they are, and is empty by default', () => {
    assert.deepEqual(readConfig({}).jwtAudiences, []);
    const JWT_AUDIENCES = ' orders, https://Orders.example.com/api/,urn:example:search ,';
    const expected = ['orders', 'https://Orders.example.com/api/', 'urn:example:search'];
    assert.deepEqual(readConfig({ PUBLIC_URL, JWT_AUDIENCES }).jwtAudiences, expected);
  });

  test('JWT_AUDIENCES rejects texts that no claim can have, repeated ones and too many', () => {
    for (const wrong of ['two words', 'größe', '1:2', 'a'.repeat(256)])
      assertRejected(
        { PUBLIC_URL, JWT_AUDIENCES: `orders,${wrong}` },
        'JWT_AUDIENCES',
        /must list names or URLs/,
      );
    assertRejected(
      { PUBLIC_URL, JWT_AUDIENCES: 'orders,search,orders' },
      'JWT_AUDIENCES',
      /each audience once/,
    );
    const many = Array.from({ length: 51 }, (_, index) => `service-${index}`).join();
    assertRejected({ PUBLIC_URL, JWT_AUDIENCES: many }, 'JWT_AUDIENCES', /at most 50/);
  });

  test('JWT_AUDIENCES requires PUBLIC_URL, which is the issuer of the tokens', () => {
    assertRejected({ JWT_AUDIENCES: 'orders' }, 'PUBLIC_URL', /is required with JWT_AUDIENCES/);
  });
});
