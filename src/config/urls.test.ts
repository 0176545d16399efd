import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText, anyUrl } from '../../test/support/arbitrary-text.ts';
import { assertRejected } from '../../test/support/settings.ts';
import { readConfig } from '../config.ts';

const SECRET = 'a-secret-of-more-than-32-characters';

describe('URLs in settings', () => {
  test('DATABASE_URL accepts a PostgreSQL URL and rejects others without repeating their password', () => {
    const url = `postgres://user:${SECRET}@db.example.com/frontdesk`;
    assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url);
    for (const wrong of [url.replace('postgres', 'mysql'), url.replace('://', ' '), SECRET]) {
      assertRejected('DATABASE_URL', wrong);
      assert.throws(
        () => readConfig({ DATABASE_URL: wrong }),
        (error: Error) => !error.message.includes(SECRET),
      );
    }
  });

  test('a DATABASE_URL without a host or socket directory is rejected, because the driver would use localhost', () => {
    for (const url of [
      'postgresql://db.example.com',
      'postgres://[::1]:5433/frontdesk?application_name=one',
      'postgres:///frontdesk?host=/run/postgresql',
      'postgres://%2Frun%2Fpostgresql/frontdesk',
    ]) {
      assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url);
    }
    for (const wrong of [
      'postgres://',
      'postgres:foo',
      'postgres:/foo',
      'postgres:///frontdesk',
      'postgres:///frontdesk?host=',
      'postgres:frontdesk?host=/run/postgresql',
      `postgres://:${SECRET}@/frontdesk`,
      'postgres://db.example.com/frontdesk?port=one',
    ]) {
      assert.ok(!assertRejected('DATABASE_URL', wrong).includes(SECRET));
    }
  });

  test('an sslmode in DATABASE_URL that the driver warns about is replaced by its equivalent', () => {
    const read = (query: string) => readConfig({ DATABASE_URL: `postgres://db/x?${query}` }).databaseUrl;
    for (const mode of ['prefer', 'require', 'verify-ca']) {
      assert.equal(read(`a=b&sslmode=${mode}`), 'postgres://db/x?a=b&sslmode=verify-full');
      assert.equal(read(`sslmode=${mode}&a=b`), 'postgres://db/x?sslmode=verify-full&a=b');
      const compatible = `sslmode=${mode}&uselibpqcompat=true`;
      assert.equal(
        read(compatible),
        `postgres://db/x?${compatible}`,
        'the meaning that libpq gives to the mode',
      );
    }
    for (const mode of ['disable', 'no-verify', 'verify-full', 'required'])
      assert.equal(read(`sslmode=${mode}`), `postgres://db/x?sslmode=${mode}`);
  });

  const normalizedUrls: Record<string, string> = {
    'https://api.example.com/desk//': 'https://api.example.com/desk',
    'https://api.example.com:443/': 'https://api.example.com',
    'HTTPS://Api.Example.COM:8443': 'https://api.example.com:8443',
    'https://żółw.example/żółw': 'https://xn--w-uga1v8h.example/%C5%BC%C3%B3%C5%82w',
    'http://[::1]:3000': 'http://[::1]:3000',
  };
  for (const [given, normalized] of Object.entries(normalizedUrls)) {
    test(`PUBLIC_URL=${given} is normalized to ${normalized}`, () => {
      assert.equal(readConfig({ PUBLIC_URL: given }).publicUrl, normalized);
    });
  }

  for (const wrong of [
    'api.example.com',
    'ftp://example.com',
    '/desk',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'https:\\\\example.com',
    'https://',
    'https://a.example/?a=b',
    'https://a.example?',
    'https://a.example/#top',
    'https://a.example/a\nb',
    'https://a.exa\tmple',
    'https://a.example/a b',
    'https://a_%.example',
  ]) {
    test(`PUBLIC_URL=${JSON.stringify(wrong)} is rejected with a message that contains it`, () => {
      assert.ok(assertRejected('PUBLIC_URL', wrong).endsWith(`, not ${JSON.stringify(wrong)}`));
    });
  }

  test('a PUBLIC_URL with credentials is rejected without repeating them', () => {
    for (const wrong of [`https://user:${SECRET}@a.example`, `https://${SECRET}@a.example/desk`])
      assert.ok(!assertRejected('PUBLIC_URL', wrong).includes(SECRET));
  });

  test('PUBLIC_URL accepts only values that can be sent in a header', () => {
    const paths = anyText().map((path) => `https://a.example/${path}`);
    const accepted = (given: string) => {
      try {
        return readConfig({ PUBLIC_URL: given }).publicUrl;
      } catch {
        return '';
      }
    };
    fc.assert(fc.property(fc.oneof(paths, anyUrl), (given) => /^[!-~]*$/.test(accepted(given))));
  });

  test('CORS_ORIGINS accepts origins only as browsers send them', () => {
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
      assertRejected('CORS_ORIGINS', wrong);
    }
  });
});
