import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRejected } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';

const SECRET = 'a-secret-of-more-than-32-characters';

describe('secrets in settings', () => {
  test('ADMIN_TOKEN accepts several values, for a rotation without downtime', () => {
    const [one, other] = [`${SECRET}-1`, `${SECRET}-2`];
    assert.deepEqual(readConfig({ ADMIN_TOKEN: `${one}, ${other}` }).adminTokens, [one, other]);
    assertRejected('ADMIN_TOKEN', `${one},${SECRET.slice(0, 31)}`);
  });

  test('SECRET_KEY is read as one secret, including commas', () => {
    assert.equal(readConfig({ SECRET_KEY: `${SECRET},${SECRET}` }).secretKey, `${SECRET},${SECRET}`);
  });

  test('a secret that is short or cannot be sent in a header is rejected without repeating it', () => {
    for (const name of ['ADMIN_TOKEN', 'SECRET_KEY']) {
      for (const wrong of [SECRET.slice(0, 31), `${SECRET} ${SECRET}`, `${SECRET}é`]) {
        assertRejected(name, wrong);
        assert.throws(
          () => readConfig({ [name]: wrong }),
          (error: Error) => !error.message.includes(SECRET.slice(0, 31)),
        );
      }
    }
  });

  test('an ADMIN_TOKEN of commas alone is rejected', () => {
    for (const wrong of [',', ' , ,']) assertRejected('ADMIN_TOKEN', wrong);
  });
});
