import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';

const SECRET = 'a-secret-of-more-than-32-characters';

describe('a secret in the settings', () => {
  test('of ADMIN_TOKEN several are taken, so that one can be replaced without a gap', () => {
    const [one, other] = [`${SECRET}-1`, `${SECRET}-2`];
    assert.deepEqual(readConfig({ ADMIN_TOKEN: `${one}, ${other}` }).adminTokens, [one, other]);
    assertRefused('ADMIN_TOKEN', `${one},${SECRET.slice(0, 31)}`);
  });

  test('SECRET_KEY is one secret, commas included', () => {
    assert.equal(readConfig({ SECRET_KEY: `${SECRET},${SECRET}` }).secretKey, `${SECRET},${SECRET}`);
  });

  test('a secret that is short or cannot be sent in a header is refused, and not repeated', () => {
    for (const name of ['ADMIN_TOKEN', 'SECRET_KEY']) {
      for (const wrong of [SECRET.slice(0, 31), `${SECRET} ${SECRET}`, `${SECRET}é`]) {
        assertRefused(name, wrong);
        assert.throws(
          () => readConfig({ [name]: wrong }),
          (error: Error) => !error.message.includes(SECRET.slice(0, 31)),
        );
      }
    }
  });

  test('ADMIN_TOKEN that consists of commas is a mistake, not "not set"', () => {
    for (const wrong of [',', ' , ,']) assertRefused('ADMIN_TOKEN', wrong);
  });
});
