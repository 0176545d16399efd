import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { maskUrl } from './reader.ts';

describe('maskUrl', () => {
  const shown = {
    'postgres://app:secret@db.example.com:5433/desk?sslmode=verify-full':
      'postgres://app:***@db.example.com:5433/desk?sslmode=verify-full',
    'postgres:///desk?user=app&password=secret&host=/run/postgresql':
      'postgres:///desk?user=app&password=***&host=%2Frun%2Fpostgresql',
    'postgres://app@db/desk?sslkey=secret#secret': 'postgres://app@db/desk?sslkey=***',
    'postgres://app@db/desk?password=secret&password=secret2': 'postgres://app@db/desk?password=***',
    'smtp://user:p%40secret@mail.example.com:587?tls=required':
      'smtp://user:***@mail.example.com:587?tls=required',
    'smtp://secret:%73ecret@mail.example.com': 'smtp://***:***@mail.example.com',
    'smtp://mail.example.com': 'smtp://mail.example.com',
  };
  for (const [url, expected] of Object.entries(shown)) {
    test(`maskUrl masks ${url} as ${expected}`, () => assert.equal(maskUrl(url), expected));
  }

  test('maskUrl returns null for a text that is no URL', () => assert.equal(maskUrl('secret'), null));

  test('maskUrl returns nothing of any password or unknown parameter', () => {
    const secret = fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => `canary${text}`);
    fc.assert(
      fc.property(secret, fc.constantFrom('postgres', 'smtp', 'smtps'), (text, scheme) => {
        const encoded = encodeURIComponent(text);
        const masked = maskUrl(`${scheme}://user:${encoded}@host/x?password=${encoded}&other=${encoded}`);
        assert.ok(!masked!.includes('canary'));
      }),
    );
  });
});
