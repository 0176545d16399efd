import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRefused } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';

const SECRET = 'a-secret-of-more-than-32-characters';

describe('an address in the settings', () => {
  test('an address of PostgreSQL is taken as it is; another one is refused without repeating its password', () => {
    const url = `postgres://user:${SECRET}@db.example.com/frontdesk`;
    assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url);
    for (const wrong of [url.replace('postgres', 'mysql'), url.replace('://', ' '), SECRET]) {
      assertRefused('DATABASE_URL', wrong);
      assert.throws(
        () => readConfig({ DATABASE_URL: wrong }),
        (error: Error) => !error.message.includes(SECRET),
      );
    }
  });

  test('PUBLIC_URL loses its closing slashes and has to be of the web', () => {
    const { publicUrl } = readConfig({ PUBLIC_URL: 'https://api.example.com/desk//' });
    assert.equal(publicUrl, 'https://api.example.com/desk');
    for (const wrong of ['api.example.com', 'ftp://example.com', '/desk']) assertRefused('PUBLIC_URL', wrong);
  });

  test('CORS_ORIGINS lists origins, exactly as browsers send them', () => {
    const { corsOrigins } = readConfig({ CORS_ORIGINS: 'https://a.example, http://localhost:5173,' });
    assert.deepEqual(corsOrigins, ['https://a.example', 'http://localhost:5173']);
    for (const wrong of [
      '*',
      'null',
      'https://a.example/',
      'https://A.example',
      'a.example',
      'https://a.example:443',
    ]) {
      assertRefused('CORS_ORIGINS', wrong);
    }
  });
});
