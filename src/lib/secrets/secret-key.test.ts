import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { deriveKey } from './encryption.ts';

const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest();

/** RFC 5869 without the library: extract with an empty salt, then the first block of expand. */
function hkdf(secret: string, info: string): Buffer {
  const pseudorandomKey = hmac(Buffer.alloc(32), Buffer.from(secret));
  return hmac(pseudorandomKey, Buffer.concat([Buffer.from(info), Buffer.of(1)]));
}

const secret = fc.string({ minLength: 32, unit: 'grapheme-ascii' });

describe('derived keys', () => {
  test('derived keys are the HKDF of secret and purpose: 32 bytes, the same on every node', () => {
    fc.assert(
      fc.property(secret, fc.string(), (secretKey, purpose) => {
        const key = deriveKey(secretKey, purpose);
        assert.equal(key.length, 32);
        assert.deepEqual(Buffer.from(key), hkdf(secretKey, `frontdesk:${purpose}`));
      }),
    );
  });

  test('derived keys differ for each purpose and each secret', () => {
    const key = (secretKey: string, purpose: string) =>
      Buffer.from(deriveKey(secretKey, purpose)).toString('hex');
    const keys = [key('one', 'cursors'), key('one', 'check'), key('two', 'cursors'), key('two', 'check')];
    assert.equal(new Set(keys).size, 4);
  });
});
