import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Problem } from '../../problems.ts';
import { fingerprint, readIdempotencyKey } from './key.ts';

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

describe('the Idempotency-Key header', () => {
  test('is optional', () => {
    assert.equal(readIdempotencyKey(undefined), undefined);
  });

  test('names the same key bare and as a structured string (RFC 9651)', () => {
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

  test('may hold spaces, and begin with a quote, within quotes only', () => {
    fc.assert(fc.property(ascii(0x20), (key) => assert.equal(readIdempotencyKey([quoted(key)]), key)));
    for (const header of ['two words', ' word', 'word ', '"word', '"word" ']) assertMalformed(header);
  });

  test('has 1 to 255 characters, of which escapes count as one', () => {
    for (const character of ['x', '"', '\\']) {
      const longest = character.repeat(255);
      assert.equal(readIdempotencyKey([quoted(longest)]), longest);
      assertMalformed(quoted(longest + character));
    }
    assert.equal(readIdempotencyKey(['x'.repeat(255)]), 'x'.repeat(255));
    for (const header of ['x'.repeat(256), '', '""']) assertMalformed(header);
  });

  test('is one field: two are refused, also those that would make one when they are joined', () => {
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

  test('is visible ASCII', () => {
    for (const character of ['é', 'ÿ', '\u007f', '\u0000', '\t', '\n', '\u{1f511}']) {
      for (const key of [character, `key${character}`, `${character}key`]) {
        assertMalformed(key);
        assertMalformed(`"${key}"`);
      }
    }
  });

  test('escapes quotes and backslashes only', () => {
    for (const header of ['"a"b"', '"a\\"', '"a\\n"', '"\\"', '"a""b"']) assertMalformed(header);
  });

  test('comes once: two fields arrive joined by a comma and a space', () => {
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
const printOf = (body: unknown) => fingerprint(SECRET, { ...REQUEST, body });
/** As a body arrives: parsed from text. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
const members = fc.dictionary(fc.string(), json, { noNullPrototype: true });

/** Values whose texts are made of the marks of JSON itself, nested, so that a careless joining would meet. */
const marks = fc.string({ unit: fc.constantFrom('"', ',', ':', '[', ']', '{', '}', '\\', '1') });
const confusing = fc.anything({
  key: marks,
  values: [marks, fc.constant(1), fc.constant(null), fc.boolean()],
  maxDepth: 2,
  maxKeys: 3,
});

describe('the fingerprint of a request', () => {
  test('is the same whatever the order of members, at every depth', () => {
    fc.assert(
      fc.property(members, members, (outer, inner) => {
        const reversed = (object: object) => Object.fromEntries(Object.entries(object).reverse());
        const body = { ...outer, inner, list: [inner] };
        const turned = reversed({ ...outer, inner: reversed(inner), list: [reversed(inner)] });
        assert.equal(printOf(turned), printOf(body));
      }),
    );
  });

  test('differs when the value of any member differs', () => {
    fc.assert(
      fc.property(members, fc.string(), json, json, (body, name, one, other) => {
        fc.pre(!isDeepStrictEqual(one, other));
        const bodyWith = (value: unknown) => Object.fromEntries([...Object.entries(body), [name, value]]);
        assert.notEqual(printOf(bodyWith(one)), printOf(bodyWith(other)));
        assert.notEqual(printOf({ list: [bodyWith(one)] }), printOf({ list: [bodyWith(other)] }));
      }),
    );
  });

  test('differs when a member is added, also an empty one, and when a list has another order', () => {
    fc.assert(
      fc.property(members, fc.string(), json, (body, name, value) => {
        fc.pre(!Object.hasOwn(body, name));
        const more = Object.fromEntries([...Object.entries(body), [name, value]]);
        assert.notEqual(printOf(more), printOf(body));
      }),
    );
    assert.notEqual(printOf([1, 2]), printOf([2, 1]));
    assert.equal(new Set([undefined, null, {}, [], '', '{}', 0, false].map(printOf)).size, 8);
  });

  test('is equal for two bodies exactly when they are equal', () => {
    fc.assert(
      fc.property(confusing, confusing, (one, other) => {
        assert.equal(printOf(one) === printOf(other), isDeepStrictEqual(one, other));
      }),
      { numRuns: 1_000 },
    );
  });

  test('differs with the method, the route and the secret', () => {
    const prints = [
      printOf({}),
      fingerprint(SECRET, { ...REQUEST, route: 'PATCH /api/register' }),
      fingerprint(SECRET, { ...REQUEST, route: 'POST /api/v1/users' }),
      fingerprint(SECRET, { ...REQUEST, params: { id: '1' } }),
      fingerprint(new Uint8Array(32), REQUEST),
    ];
    assert.equal(new Set(prints).size, prints.length);
  });
});
