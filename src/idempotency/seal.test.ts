import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../test/support/arbitrary-text.ts';
import type { SerializedResponse } from '../lib/routes/routes.ts';
import { type SealContext, type Sealed, seal, unseal } from './stored-response.ts';

const TOKEN = 'fd_pat_1fQQ2DRJLfVhL9r6DXQObt3j2yHn4y2hyBXfmUwMFkS3uTzIp';
const CONTEXT: SealContext = {
  secret: new Uint8Array(32).fill(7),
  clientKey: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  rowId: '01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e',
};

const response: SerializedResponse = {
  status: 201,
  headers: { location: '/api/v1/users/1' },
  body: JSON.stringify({ access_token: TOKEN }),
};
const responses = fc.record(
  {
    status: fc.integer({ min: 200, max: 599 }),
    headers: fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true }),
    body: anyText(),
  },
  { noNullPrototype: true },
);

const toBytes = ({ salt, sealed }: Sealed) => Buffer.concat([salt, sealed]);
const text = fc.string({ minLength: 1 });

describe('sealed responses', () => {
  test('unseal returns the response that was sealed with the same secret, key and row', () => {
    fc.assert(
      fc.property(responses, text, text, (sent, clientKey, rowId) => {
        const context = { ...CONTEXT, clientKey, rowId };
        assert.deepEqual(unseal(context, seal(context, sent)), sent);
      }),
    );
  });

  test('unseal throws with another key, another row or another secret', () => {
    const stored = seal(CONTEXT, response);
    fc.assert(
      fc.property(text, (other) => {
        fc.pre(other !== CONTEXT.clientKey && other !== CONTEXT.rowId);
        assert.throws(() => unseal({ ...CONTEXT, clientKey: other }, stored));
        assert.throws(() => unseal({ ...CONTEXT, rowId: other }, stored));
      }),
    );
    assert.throws(() => unseal({ ...CONTEXT, secret: new Uint8Array(32) }, stored));
  });

  test('unseal throws when any single bit of the sealed bytes or the salt has changed', () => {
    const stored = seal(CONTEXT, response);
    const flipped = (bytes: Uint8Array, bit: number) => {
      const copy = Uint8Array.from(bytes);
      copy[bit >> 3]! ^= 1 << (bit & 7);
      return copy;
    };
    for (const part of ['salt', 'sealed'] as const) {
      for (let bit = 0; bit < stored[part].length * 8; bit++) {
        assert.throws(() => unseal(CONTEXT, { ...stored, [part]: flipped(stored[part], bit) }));
      }
    }
  });

  test('unseal throws for sealed bytes that were truncated at any length', () => {
    const { salt, sealed } = seal(CONTEXT, response);
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(() => unseal(CONTEXT, { salt, sealed: sealed.subarray(0, length) }));
    }
  });

  test('sealed bytes contain no part of the response or of the key', () => {
    const bytes = toBytes(seal(CONTEXT, response));
    const { clientKey } = CONTEXT;
    const secrets = [TOKEN, TOKEN.slice(7, 15), clientKey, clientKey.slice(0, 8), 'access_token', 'location'];
    for (const secret of secrets) assert.equal(bytes.indexOf(secret), -1, secret);
  });

  test('seal returns different bytes each time, so that equal responses cannot be recognised', () => {
    const all = Array.from({ length: 20 }, () => toBytes(seal(CONTEXT, response)).toString('hex'));
    assert.equal(new Set(all).size, 20);
  });
});
