import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SerializedResponse } from '../route.ts';
import { type Sealed, seal, unseal } from './seal.ts';

const SECRET = new Uint8Array(32).fill(7);
const TOKEN = 'fd_pat_1fQQ2DRJLfVhL9r6DXQObt3j2yHn4y2hyBXfmUwMFkS3uTzIp';
const KEY = '8e03978e-40d5-43dd-bc93-6894a57f9324';
const ROW = '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e';

const answer: SerializedResponse = {
  status: 201,
  headers: { location: '/api/v1/users/1' },
  body: JSON.stringify({ access_token: TOKEN }),
};
const answers = fc.record(
  {
    status: fc.integer({ min: 200, max: 599 }),
    headers: fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
    body: fc.string({ unit: 'binary' }),
  },
  { noNullPrototype: true },
);

const bytesOf = ({ salt, sealed }: Sealed) => Buffer.concat([salt, sealed]);
const text = fc.string({ minLength: 1 });

describe('a sealed answer', () => {
  test('opens as it was, for whoever has the key', () => {
    fc.assert(
      fc.property(answers, text, text, (given, key, row) => {
        assert.deepEqual(unseal(SECRET, key, row, seal(SECRET, key, row, given)), given);
      }),
    );
  });

  test('opens with no other key, in no other row, under no other secret', () => {
    const stored = seal(SECRET, KEY, ROW, answer);
    fc.assert(
      fc.property(text, (other) => {
        fc.pre(other !== KEY && other !== ROW);
        assert.throws(() => unseal(SECRET, other, ROW, stored));
        assert.throws(() => unseal(SECRET, KEY, other, stored));
      }),
    );
    assert.throws(() => unseal(new Uint8Array(32), KEY, ROW, stored));
  });

  test('does not open when a bit of it, or of its salt, is another', () => {
    const stored = seal(SECRET, KEY, ROW, answer);
    const flipped = (bytes: Uint8Array, bit: number) => {
      const copy = Uint8Array.from(bytes);
      copy[bit >> 3]! ^= 1 << (bit & 7);
      return copy;
    };
    for (const part of ['salt', 'sealed'] as const) {
      for (let bit = 0; bit < stored[part].length * 8; bit++) {
        assert.throws(() => unseal(SECRET, KEY, ROW, { ...stored, [part]: flipped(stored[part], bit) }));
      }
    }
  });

  test('does not open when it was cut short', () => {
    const { salt, sealed } = seal(SECRET, KEY, ROW, answer);
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(() => unseal(SECRET, KEY, ROW, { salt, sealed: sealed.subarray(0, length) }));
    }
  });

  test('shows nothing of the answer or of the key', () => {
    const bytes = bytesOf(seal(SECRET, KEY, ROW, answer));
    for (const secret of [TOKEN, TOKEN.slice(7, 15), KEY, KEY.slice(0, 8), 'access_token', 'location']) {
      assert.equal(bytes.indexOf(secret), -1, secret);
    }
  });

  test('is another each time, so that equal answers cannot be told', () => {
    const all = Array.from({ length: 20 }, () => bytesOf(seal(SECRET, KEY, ROW, answer)).toString('hex'));
    assert.equal(new Set(all).size, 20);
  });
});
