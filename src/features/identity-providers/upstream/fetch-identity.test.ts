import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isVerified } from './fetch-identity.ts';

const ENTRA = 'https://login.microsoftonline.com/tenant/v2.0';

describe('an email that a provider has verified', () => {
  test('an email counts as verified with email_verified true, and with nothing like it', () => {
    assert.equal(isVerified('https://id.example', { email_verified: true }), true);
    for (const email_verified of ['true', 1, '1', false, null, undefined, {}])
      assert.equal(isVerified('https://id.example', { email_verified }), false);
  });

  test('an email of Entra counts as verified with xms_edov, if the claim is absent', () => {
    for (const xms_edov of [true, 1, '1', 'true']) {
      assert.equal(isVerified(ENTRA, { xms_edov }), true);
      assert.equal(isVerified(ENTRA, { xms_edov, email_verified: false }), false);
      assert.equal(isVerified('https://login.microsoftonline.com.evil.example/', { xms_edov }), false);
    }
    for (const xms_edov of [false, 0, '0', undefined]) assert.equal(isVerified(ENTRA, { xms_edov }), false);
  });
});
