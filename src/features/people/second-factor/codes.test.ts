import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  findTotpStep,
  formatTotpSecret,
  formatTotpUri,
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
} from './codes.ts';

const SECRET = Buffer.from('12345678901234567890');
/** RFC 6238 appendix B, with the six digits that apps show of the eight there. */
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('time-based codes', () => {
  test('time-based codes are those of RFC 6238 appendix B', () => {
    for (const [seconds, code] of VECTORS)
      assert.equal(findTotpStep(SECRET, code, seconds * 1000), Math.floor(seconds / 30), code);
  });

  test('time-based codes are accepted one step before and after their own, and not two', () => {
    const [seconds, code] = VECTORS[3];
    const step = Math.floor(seconds / 30);
    const [first, last] = [(step - 1) * 30_000, (step + 2) * 30_000 - 1];
    for (const now of [first, seconds * 1000, last]) assert.equal(findTotpStep(SECRET, code, now), step);
    for (const now of [first - 1, last + 1]) assert.equal(findTotpStep(SECRET, code, now), undefined);
  });

  test('time-based codes of another form are rejected, also with other digits of as many characters', () => {
    for (const text of ['', '28708', '2870820', '28708a', '٢٨٧٠٨٢', '２８７０８２', '287082\n', '😀😀😀'])
      assert.equal(findTotpStep(SECRET, text, 59_000), undefined, JSON.stringify(text));
  });

  test('secrets of apps have 160 random bits in base32', () => {
    const secrets = Array.from({ length: 20 }, newTotpSecret);
    assert.equal(new Set(secrets.map(formatTotpSecret)).size, 20);
    for (const secret of secrets) {
      assert.equal(secret.length, 20);
      assert.match(formatTotpSecret(secret), /^[A-Z2-7]{32}$/);
    }
    assert.equal(formatTotpSecret(SECRET), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  });

  test('the URI for apps names the service and the credential without colons, which separate them', () => {
    const uri = formatTotpUri({ secret: SECRET, issuer: 'Desk: North', label: 'Support: Ada & Zoë' });
    assert.equal(
      uri,
      'otpauth://totp/Desk%20North:Support%20Ada%20%26%20Zo%C3%AB?issuer=Desk%20North&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
    );
  });
});

describe('recovery codes', () => {
  test('recovery codes are ten different ones of 120 bits in six groups', () => {
    const codes = newRecoveryCodes();
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/);
  });

  test('recovery codes are recognised in any case, with and without hyphens and spaces', () => {
    const [code = ''] = newRecoveryCodes();
    const hash = hashRecoveryCode(code);
    assert.match(hash!, /^[0-9a-f]{64}$/);
    for (const typed of [code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `])
      assert.equal(hashRecoveryCode(typed), hash);
    for (const other of ['123456', code.slice(1), `${code}a`, code.replace(/^./, '1')])
      assert.equal(hashRecoveryCode(other), undefined, other);
  });
});
