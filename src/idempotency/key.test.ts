import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Problem } from '../problems/problem.ts';
import { fingerprint, readIdempotencyKey } from './stored-response.ts';

const ascii = (from: number) =>
  fc.string({
    unit: fc.integer({ min: from, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 255,
  });
const quoted = (key: string) => `"${key.replace(/["\\]/g, '\\$&')}"`;

function assertMalformed(header: string): void {
  assert.throws(
    () => readIdempotencyKey([header]),
    (problem: Problem) => problem.code === 'idempotency_key_malformed',
    JSON.stringify(header),
  );
}

describe('readIdempotencyKey', () => {
  test('readIdempotencyKey returns undefined without an Idempotency-Key header', () => {
    assert.equal(readIdempotencyKey(undefined), undefined);
  });

  test('readIdempotencyKey reads the same key bare and as a structured string (RFC 9651)', () => {
    fc.assert(
      fc.property(
        ascii(0x21).filter((key) => !key.startsWith('"')),
        (key) => {
          assert.equal(readIdempotencyKey([key]), key);
          assert.equal(readIdempotencyKey([quoted(key)]), key);
        },
      ),
    );
  });

  test('readIdempotencyKey accepts spaces and a leading quote in quoted keys only', () => {
    fc.assert(fc.property(ascii(0x20), (key) => assert.equal(readIdempotencyKey([quoted(key)]), key)));
    for (const header of ['two words', ' word', 'word ', '"word', '"word" ']) assertMalformed(header);
  });

  test('readIdempotencyKey accepts keys of 1 to 255 characters and counts an escape as one', () => {
    for (const character of ['x', '"', '\\']) {
      const longest = character.repeat(255);
      assert.equal(readIdempotencyKey([quoted(longest)]), longest);
      assertMalformed(quoted(longest + character));
    }
    assert.equal(readIdempotencyKey(['x'.repeat(255)]), 'x'.repeat(255));
    for (const header of ['x'.repeat(256), '', '""']) assertMalformed(header);
  });

  test('readIdempotencyKey rejects two Idempotency-Key fields, also if they form a valid key when joined', () => {
    for (const fields of [
      ['a', 'b'],
      ['a', 'a'],
      ['"a', 'b"'],
    ]) {
      assert.throws(
        () => readIdempotencyKey(fields),
        (problem: Problem) => problem.code === 'idempotency_key_malformed',
      );
    }
  });

  test('readIdempotencyKey rejects keys with characters other than visible ASCII', () => {
    for (const character of ['é', 'ÿ', '\u007f', '\u0000', '\t', '\n', '\u{1f511}']) {
      for (const key of [character, `key${character}`, `${character}key`]) {
        assertMalformed(key);
        assertMalformed(`"${key}"`);
      }
    }
  });

  test('readIdempotencyKey rejects escapes of characters other than quotes and backslashes', () => {
    for (const header of ['"a"b"', '"a\\"', '"a\\n"', '"\\"', '"a""b"']) assertMalformed(header);
  });

  test('readIdempotencyKey rejects two keys that are joined by a comma and a space', () => {
    fc.assert(
      fc.property(ascii(0x21), ascii(0x21), (one, other) => {
        assertMalformed(`${one.replaceAll('"', '')}, ${other.replaceAll('"', '')}`);
        assertMalformed(`${quoted(one)}, ${quoted(other)}`);
      }),
    );
  });
});

const SECRET = new Uint8Array(32).fill(1);
const REQUEST = { route: 'POST /api/register', params: {}, body: {} };
const createFingerprint = (body: unknown) => fingerprint(SECRET, { ...REQUEST, body });
/** A value as it is parsed from a body. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
const members = fc.dictionary(fc.string(), json, { noNullPrototype: true });

/** Nested values of JSON punctuation, which a careless serialisation would confuse. */
const punctuation = fc.string({ unit: fc.constantFrom('"', ',', ':', '[', ']', '{', '}', '\\', '1') });
const confusing = fc.anything({
  key: punctuation,
  values: [punctuation, fc.constant(1), fc.constant(null), fc.boolean()],
  maxDepth: 2,
  maxKeys: 3,
});

describe('the fingerprint of a request', () => {
  test('the fingerprint does not depend on the order of members at any depth', () => {
    fc.assert(
      fc.property(members, members, (outer, inner) => {
        const reversed = (object: object) => Object.fromEntries(Object.entries(object).reverse());
        const body = { ...outer, inner, list: [inner] };
        const turned = reversed({ ...outer, inner: reversed(inner), list: [reversed(inner)] });
        assert.equal(createFingerprint(turned), createFingerprint(body));
      }),
    );
  });

  test('the fingerprints of two bodies are equal if and only if the bodies are equal', () => {
    fc.assert(
      fc.property(confusing, confusing, (one, other) => {
        assert.equal(createFingerprint(one) === createFingerprint(other), isDeepStrictEqual(one, other));
      }),
      { numRuns: 1_000 },
    );
    assert.notEqual(createFingerprint([1, 2]), createFingerprint([2, 1]));
    assert.equal(new Set([undefined, null, {}, [], '', '{}', 0, false].map(createFingerprint)).size, 8);
  });

  test('the fingerprint differs for another method, route, path parameter and secret', () => {
    const prints = [
      createFingerprint({}),
      fingerprint(SECRET, { ...REQUEST, route: 'PATCH /api/register' }),
      fingerprint(SECRET, { ...REQUEST, route: 'POST /api/v1/users' }),
      fingerprint(SECRET, { ...REQUEST, params: { id: '1' } }),
      fingerprint(new Uint8Array(32), REQUEST),
    ];
    assert.equal(new Set(prints).size, prints.length);
  });
});
